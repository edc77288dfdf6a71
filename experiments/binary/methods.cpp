#include "experiments/binary/methods.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <utility>
#include <variant>
#include <vector>

#include "baselines/admm.hpp"
#include "baselines/gcd.hpp"
#include "baselines/linear_models.hpp"
#ifdef HSVM_HAS_LIBLINEAR
#include "baselines/liblinear.hpp"
#endif
#include "experiments/lab/machine.hpp"
#include "hsvm/api.hpp"
#include "hsvm/core/error.hpp"

namespace hsvm::lab {
namespace {

std::vector<double> signs(const Labels& labels) {
  std::vector<double> y(labels.of_sample.size());
  std::transform(labels.of_sample.begin(), labels.of_sample.end(), y.begin(),
                 [](Index k) { return k == 1 ? 1.0 : -1.0; });
  return y;
}

template <class Visit>
auto visit_double(const AnyDesign& design, const Visit& visit) {
  if (const auto* dense = design.get_if<DenseMatrix<double>>()) return visit(*dense);
  return visit((*design.get_if<CscMatrix<double>>()));
}

LinearModel model_of(const Dataset& data, double b, const std::vector<double>& w) {
  ClassMatrix column(static_cast<Index>(w.size()), 1);
  for (std::size_t j = 0; j < w.size(); ++j) column.row(static_cast<Index>(j))[0] = w[j];
  return baselines::linear_model(data.labels->classes, {b}, column);
}

FitOptions fit_options(const Penalties& penalties) {
  FitOptions options;
  options.lambda1 = penalties.lambda1;
  options.lambda2 = penalties.lambda2;
  if (penalties.intercept) options.lambda3 = penalties.lambda3;
  options.no_intercept = !penalties.intercept;
  options.delta = penalties.delta;
  options.threads = 1;
  return options;
}

// Where a target was set, whatever else ended the solve is not what was asked for.
std::string outcome(const SolveRules& rules, bool reached, std::string_view status) {
  if (reached) return "converged";
  return std::string(rules.target && status == "converged" ? to_string(Status::stalled) : status);
}

// `tightening`: a factor on the tolerance of the method's own rule.
Solved solve_ours(Method method, const Dataset& data, const Penalties& penalties, const SolveRules& rules,
                  double tightening) {
  FitOptions options = fit_options(penalties);
  options.time_limit = rules.limits.time_limit;
  options.tolerance *= tightening;
  options.solver = method == Method::pg ? Solver::pg : method == Method::pg2 ? Solver::pg2 : Solver::newton;
  if (method != Method::newton) options.stopping = Stopping::paper;
  bool reached = false;
  SolveMonitor monitor;
  monitor.interrupted = [&] { return reached || (rules.limits.interrupted && rules.limits.interrupted()); };
  if (rules.target)
    monitor.trace = [&](const Progress& progress) { reached = reached || progress.objective <= *rules.target; };
  Solved solved{.model = fit({data}, options, monitor)};
  solved.seconds = solved.model.report->seconds;
  solved.passes = solved.model.report->passes;
  reached = reached || (rules.target && solved.model.report->objective <= *rules.target);
  solved.status = outcome(rules, reached, to_string(solved.model.report->status));
  return solved;
}

Solved solve_gcd(const Dataset& data, const Penalties& penalties, const SolveRules& rules, double tightening) {
  const std::vector<double> y = signs(*data.labels);
  const std::vector<double> s(y.size(), 1.0);
  BinaryParameters parameters;
  parameters.loss.delta = penalties.delta;
  parameters.penalty.lambda1 = penalties.lambda1;
  parameters.penalty.lambda2 = penalties.lambda2;
  parameters.lambda3 = penalties.lambda3;
  parameters.intercept = penalties.intercept;
  baselines::GcdOptions options{.target_objective = rules.target, .limits = rules.limits};
  options.tolerance *= tightening;
  const baselines::GcdResult result = visit_double(data.design, [&]<class X>(const X& x) {
    return baselines::gcd(BinaryProblem(x, y, s, parameters), options);
  });
  return {.model = model_of(data, result.b, result.w),
          .seconds = result.seconds,
          .passes = static_cast<double>(result.columns) / (2.0 * data.n_features()),
          .status = outcome(rules, result.reached_target, to_string(result.status))};
}

Solved solve_admm(const Dataset& data, const Penalties& penalties, const SolveRules& rules) {
  baselines::AdmmOptions options{.limits = rules.limits};
  // Two matrices of that order, and never more than half of what is free.
  const double order = std::sqrt(0.5 * available_memory() / (2.0 * sizeof(double)));
  options.max_order = std::min(options.max_order, static_cast<Index>(order));
  if (std::min(data.n_samples(), data.n_features()) > options.max_order) return {.status = "out of memory"};
  const std::vector<double> y = signs(*data.labels);
  const baselines::AdmmResult result = visit_double(data.design, [&]<class X>(const X& x) {
    return baselines::admm(
        baselines::HingeProblem<X>{x, y, penalties.lambda1, penalties.lambda2, penalties.intercept}, options);
  });
  return {.model = model_of(data, result.b, result.w),
          .seconds = result.seconds,
          .status = std::string(to_string(result.status))};
}

Solved solve_liblinear([[maybe_unused]] const Dataset& data, [[maybe_unused]] const Penalties& penalties) {
#ifdef HSVM_HAS_LIBLINEAR
  baselines::LiblinearOptions options{.kind = baselines::LiblinearKind::l1_squared_hinge,
                                      .cost = penalties.cost};
  if (penalties.intercept) options.bias = 1.0;
  baselines::LiblinearResult result = visit_double(
      data.design, [&]<class X>(const X& x) { return baselines::Liblinear(x, *data.labels).train(options); });
  return {.model = std::move(result.model), .seconds = result.seconds, .status = "converged"};
#else
  throw InputError("LIBLINEAR is not in this build: install liblinear-dev");
#endif
}

}  // namespace

std::string_view name_of(Method method) {
  constexpr std::string_view kNames[] = {"B-PGH", "B-PGH-2", "newton", "GCD", "ADMM", "LIBLINEAR"};
  return kNames[static_cast<std::size_t>(method)];
}

bool is_available(Method method) {
#ifdef HSVM_HAS_LIBLINEAR
  static_cast<void>(method);
  return true;
#else
  return method != Method::liblinear;
#endif
}

Solved solve(Method method, const Dataset& data, const Penalties& penalties, const SolveRules& rules) {
  const auto run = [&](double tightening) {
    return method == Method::gcd         ? solve_gcd(data, penalties, rules, tightening)
           : method == Method::admm      ? solve_admm(data, penalties, rules)
           : method == Method::liblinear ? solve_liblinear(data, penalties)
                                         : solve_ours(method, data, penalties, rules, tightening);
  };
  constexpr double kSmallest = 1e-9;
  Solved solved = run(1.0);
  for (double tightening = 0.1; solved.status == to_string(Status::stalled) && tightening > kSmallest;
       tightening *= 0.1)
    solved = run(tightening);
  if (!solved.model.classes.names.empty()) solved.objective = objective(solved.model, data, penalties);
  return solved;
}

Solved solve_timed(Method method, const Dataset& data, const Penalties& penalties, const SolveRules& rules) {
  constexpr double kShort = 0.05;  // seconds
  constexpr int kAgain = 2;
  Solved solved = solve(method, data, penalties, rules);
  for (int k = 0; k < kAgain && solved.seconds < kShort; ++k)
    solved.seconds = std::min(solved.seconds, solve(method, data, penalties, rules).seconds);
  return solved;
}

double optimum(const Dataset& data, const Penalties& penalties) {
  FitOptions options = fit_options(penalties);
  options.tolerance = 1e-9;
  return fit({data}, options).report->objective;
}

double largest_lambda1(const Dataset& data, const Penalties& penalties) {
  FitOptions options = fit_options(penalties);
  options.lambda1 = {};
  options.lambda1_ratio = 1.0;
  return fit({data}, options).report->lambda1_max;
}

double objective(const LinearModel& model, const Dataset& data, const Penalties& penalties) {
  const Prediction prediction = predict(model, data.design);
  const std::vector<double> y = signs(*data.labels);
  const MarginLoss loss{.delta = penalties.delta};
  double sum = 0.0;
  for (std::size_t i = 0; i < y.size(); ++i) sum += loss.value(y[i] * prediction.scores[i]);
  double l1 = 0.0;
  double l2 = 0.0;
  for (const double w : model.coefficients) {
    l1 += std::abs(w);
    l2 += w * w;
  }
  const double b = penalties.intercept ? model.intercept.at(0) : 0.0;
  return sum / static_cast<double>(y.size()) + penalties.lambda1 * l1 + 0.5 * penalties.lambda2 * l2 +
         0.5 * penalties.lambda3 * b * b;
}

double accuracy(const LinearModel& model, const Dataset& data) {
  const Prediction prediction = predict(model, data.design);
  const std::vector<Index>& truth = data.labels->of_sample;
  const auto right = std::inner_product(truth.begin(), truth.end(), prediction.classes.begin(), Count{0},
                                        std::plus<>(), std::equal_to<>());
  return 100.0 * static_cast<double>(right) / static_cast<double>(truth.size());
}

}  // namespace hsvm::lab
