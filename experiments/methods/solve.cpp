#include "experiments/methods/solve.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "baselines/admm.hpp"
#include "baselines/gcd.hpp"
#include "baselines/liblinear.hpp"
#include "baselines/linear_models.hpp"
#include "baselines/lp_multiclass.hpp"
#include "baselines/packages.hpp"
#include "experiments/lab/machine.hpp"

namespace hsvm::lab {
namespace {

using baselines::signs_of;

FitOptions fit_options(const Parameters& parameters) {
  FitOptions options;
  options.lambda2 = parameters.lambda2;
  if (parameters.intercept) options.lambda3 = parameters.lambda3;
  options.no_intercept = !parameters.intercept;
  options.delta = parameters.delta;
  options.standardize = false;          // the paper's features are what they are, or were standardised before
  options.margins = Margins::absolute;  // the paper's model
  options.threads = 1;
  return options;
}

LinearModel model_of(const Dataset& data, double b, const std::vector<double>& w) {
  ClassMatrix column(static_cast<Index>(w.size()), 1);
  for (std::size_t j = 0; j < w.size(); ++j) column.row(static_cast<Index>(j))[0] = w[j];
  return baselines::linear_model(data.labels->classes, {b}, column);
}

// Where a target was set, whatever else ended the solve is not what was asked for.
Status outcome(const SolveRules& rules, bool reached, Status status) {
  if (reached) return Status::converged;
  return rules.target && status == Status::converged ? Status::stalled : status;
}

// `tightening`: a factor on the tolerance of the method's own rule.
Solved solve_ours(Method method, const Dataset& data, const Parameters& parameters, const SolveRules& rules,
                  double tightening) {
  FitOptions options = fit_options(parameters);
  options.lambda1 = parameters.lambda1;
  options.time_limit = rules.limits.time_limit;
  options.tolerance *= tightening;
  const bool certified = method == Method::newton || method == Method::delta_tuned;
  options.solver = certified ? Solver::newton : method == Method::b_pgh2 ? Solver::pg2 : Solver::pg;
  if (!certified) options.stopping = Stopping::paper;
  bool reached = false;
  SolveMonitor monitor;
  monitor.interrupted = [&] { return reached || (rules.limits.interrupted && rules.limits.interrupted()); };
  if (rules.target)
    monitor.trace = [&](const Progress& progress) { reached = reached || progress.objective <= *rules.target; };
  Solved solved{.model = fit({data}, options, monitor)};
  const FitReport& report = *solved.model->report;
  solved.seconds = report.seconds;
  solved.passes = report.passes;
  reached = reached || (rules.target && report.objective <= *rules.target);
  solved.status = outcome(rules, reached, report.status);
  return solved;
}

Solved solve_gcd(const Dataset& data, const Parameters& at, const SolveRules& rules, double tightening) {
  const std::vector<double> y = signs_of(*data.labels);
  const std::vector<double> s(y.size(), 1.0);
  BinaryParameters parameters;
  parameters.loss.delta = at.delta;
  parameters.penalty.lambda1 = at.lambda1;
  parameters.penalty.lambda2 = at.lambda2;
  parameters.lambda3 = at.lambda3;
  parameters.intercept = at.intercept;
  baselines::GcdOptions options{.target_objective = rules.target, .limits = rules.limits};
  options.tolerance *= tightening;
  const baselines::GcdResult result = baselines::gcd(BinaryProblem(data.design, y, s, parameters), options);
  return {.model = model_of(data, result.b, result.w),
          .status = outcome(rules, result.reached_target, result.status),
          .seconds = result.seconds,
          .passes = static_cast<double>(result.columns) / (2.0 * data.n_features())};
}

Solved solve_admm(const Dataset& data, const Parameters& at, const SolveRules& rules) {
  baselines::AdmmOptions options{.limits = rules.limits};
  // Two matrices of that order, and never more than half of what is free.
  const double order = std::sqrt(0.5 * available_memory() / (2.0 * sizeof(double)));
  options.max_order = std::min(options.max_order, static_cast<Index>(order));
  if (std::min(data.n_samples(), data.n_features()) > options.max_order) return {};
  const std::vector<double> y = signs_of(*data.labels);
  const baselines::HingeProblem problem{data.design, y, at.lambda1, at.lambda2, at.intercept};
  const baselines::AdmmResult result = baselines::admm(problem, options);
  return {.model = model_of(data, result.b, result.w), .status = result.status, .seconds = result.seconds};
}

Solved solve_liblinear(Method method, const Dataset& data, const Parameters& at) {
  if constexpr (baselines::kHasLiblinear) {
    baselines::LiblinearOptions options{.cost = at.cost};
    if (method == Method::liblinear) options.kind = baselines::LiblinearKind::l1_squared_hinge;
    if (method != Method::ova && at.intercept) options.bias = 1.0;
    baselines::LiblinearResult result = baselines::Liblinear(data.design, *data.labels).train(options);
    return {.model = std::move(result.model), .status = Status::converged, .seconds = result.seconds};
  }
  return {};
}

Solved solve_lp(Method method, const Dataset& data, const Parameters& at, const SolveRules& rules) {
  if constexpr (baselines::kHasClp) {
    const baselines::LpMulticlassOptions options{
        .norm = method == Method::sup ? baselines::RowNorm::sup : baselines::RowNorm::l1,
        .lambda = at.lambda,
        .limits = rules.limits};
    baselines::LpMulticlassResult result = baselines::lp_multiclass(data.design, *data.labels, options);
    return {.model = std::move(result.model), .status = result.status, .seconds = result.seconds};
  }
  return {};
}

Solved solve_ddag(const Dataset& data, const Parameters& at) {
  if constexpr (baselines::kHasLibsvm) {
    const baselines::DdagOptions options{.cost = at.cost, .gamma = at.gamma};
    auto graph = std::make_shared<const baselines::Ddag>(data.design, *data.labels, options);
    const double seconds = graph->seconds();
    return {.graph = std::move(graph), .status = Status::converged, .seconds = seconds};
  }
  return {};
}

Solved solve_once(Method method, const Dataset& data, const Parameters& parameters, const SolveRules& rules,
                  double tightening) {
  switch (method) {
    case Method::b_pgh:
    case Method::b_pgh2:
    case Method::m_pgh:
    case Method::newton:
    case Method::delta_tuned:
      return solve_ours(method, data, parameters, rules, tightening);
    case Method::gcd:
      return solve_gcd(data, parameters, rules, tightening);
    case Method::admm:
      return solve_admm(data, parameters, rules);
    case Method::liblinear:
    case Method::ova:
    case Method::ova_tuned:
      return solve_liblinear(method, data, parameters);
    case Method::l1:
    case Method::sup:
      return solve_lp(method, data, parameters, rules);
    case Method::ddag:
      return solve_ddag(data, parameters);
  }
  return {};
}

}  // namespace

std::string Solved::status_text() const {
  return status ? std::string(to_string(*status)) : "out of memory";
}

std::vector<Index> Solved::predict(const Dataset& data) const {
  if (model) return hsvm::predict(*model, data.design).classes;
  if constexpr (baselines::kHasLibsvm) {
    if (graph) return graph->predict(data.design);
  }
  throw std::logic_error("there is no model to predict with");
}

Solved solve(Method method, const Dataset& data, const Parameters& parameters, const SolveRules& rules) {
  if (!is_available(method)) throw std::logic_error(name_of(method) + ": asked for, but not built");
  constexpr double kSmallest = 1e-9;
  Solved solved = solve_once(method, data, parameters, rules, 1.0);
  for (double tightening = 0.1; rules.target && solved.status == Status::stalled && tightening > kSmallest;
       tightening *= 0.1)
    solved = solve_once(method, data, parameters, rules, tightening);
  return solved;
}

Solved solve_timed(Method method, const Dataset& data, const Parameters& parameters, const SolveRules& rules) {
  constexpr double kShort = 0.05;  // seconds
  constexpr int kAgain = 2;
  Solved solved = solve(method, data, parameters, rules);
  for (int k = 0; k < kAgain && solved.seconds < kShort; ++k)
    solved.seconds = std::min(solved.seconds, solve(method, data, parameters, rules).seconds);
  return solved;
}

std::vector<LinearModel> solve_path(const Dataset& data, std::span<const Parameters> falling, double tolerance,
                                    const baselines::RunLimits& limits) {
  FitOptions options = fit_options(falling.front());
  options.tolerance = tolerance;
  options.time_limit = limits.time_limit;
  PathOptions grid;
  for (const Parameters& parameters : falling) grid.lambda_grid.push_back(parameters.lambda1);
  const PathModel path = fit_path({data}, options, grid, {limits.interrupted, {}});
  std::vector<LinearModel> models;
  for (const PathPoint& point : path.points) models.push_back(at(path, point.lambda1));
  return models;
}

double optimum(const Dataset& data, const Parameters& parameters) {
  FitOptions options = fit_options(parameters);
  options.lambda1 = parameters.lambda1;
  options.tolerance = 1e-9;
  return fit({data}, options).report->objective;
}

double largest_lambda1(const Dataset& data, const Parameters& parameters) {
  FitOptions options = fit_options(parameters);
  options.lambda1_ratio = 1.0;
  return fit({data}, options).report->lambda1_max;
}

double objective_of(const LinearModel& model, const Dataset& data, const Parameters& parameters) {
  const Prediction prediction = predict(model, data.design);
  const std::vector<double> y = signs_of(*data.labels);
  const MarginLoss loss = huberized_hinge(parameters.delta);
  double sum = 0.0;
  for (std::size_t i = 0; i < y.size(); ++i) sum += loss.value(y[i] * prediction.scores[i]);
  double l1 = 0.0;
  double l2 = 0.0;
  for (const double w : model.coefficients) {
    l1 += std::abs(w);
    l2 += w * w;
  }
  const double b = parameters.intercept ? model.intercept.at(0) : 0.0;
  return sum / static_cast<double>(y.size()) + parameters.lambda1 * l1 + 0.5 * parameters.lambda2 * l2 +
         0.5 * parameters.lambda3 * b * b;
}

}  // namespace hsvm::lab
