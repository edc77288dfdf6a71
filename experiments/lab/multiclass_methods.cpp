#include "experiments/lab/multiclass_methods.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <type_traits>

#include "baselines/ddag.hpp"
#include "baselines/liblinear.hpp"
#include "baselines/lp_multiclass.hpp"
#include "experiments/lab/best_of_grid.hpp"
#include "hsvm/api.hpp"
#include "hsvm/select/folds.hpp"

namespace hsvm::lab {
namespace {

// Baselines know double precision alone, and so do the readers that experiments use.
template <class Body>
auto with_design(const Dataset& data, const Body& body) {
  using Result = decltype(body((*data.design.get_if<CscMatrix<double>>())));
  return std::visit(
      [&](const auto& x) -> Result {
        if constexpr (std::is_same_v<typename std::decay_t<decltype(x)>::Scalar, double>) return body(x);
        throw std::logic_error(data.source + ": experiments take double precision");
      },
      data.design);
}

[[noreturn, maybe_unused]] void throw_not_built(MulticlassMethod method) {
  throw std::logic_error(to_string(method) + ": asked for, but not built");
}

bool is_huberized(MulticlassMethod method) {
  return method == MulticlassMethod::m_pgh || method == MulticlassMethod::newton ||
         method == MulticlassMethod::delta;
}

FitOptions fit_options(const Lab& lab, const Parameters& parameters) {
  FitOptions options;
  options.lambda2 = parameters.lambda2;
  options.lambda3 = parameters.lambda3;
  options.delta = parameters.delta;
  options.multiclass = true;
  options.time_limit = lab.time_limit();
  options.threads = 1;
  return options;
}

double lambda1_max(const Lab& lab, const Dataset& data, double lambda3, double delta = 1.0) {
  const FitOptions options = fit_options(lab, {.lambda2 = 1.0, .lambda3 = lambda3, .delta = delta});
  return fit_path({.data = data}, options, {.nlambda = 1}, lab.monitor()).lambda1_max;
}

std::vector<double> falling(double largest, double min_ratio, Index count) {
  std::vector<double> values;
  for (Index k = 1; k <= count; ++k)
    values.push_back(largest * std::pow(min_ratio, static_cast<double>(k) / static_cast<double>(count)));
  return values;
}

std::vector<Parameters> candidates(const Lab& lab, MulticlassMethod method, const Dataset& data,
                                   const Grid& grid) {
  std::vector<Parameters> list;
  if (is_huberized(method)) {
    for (const double delta : method == MulticlassMethod::delta ? grid.deltas : std::vector<double>{1.0}) {
      for (const double lambda2 : grid.lambda2s) {
        const double lambda3 = grid.lambda3.value_or(lambda2);
        const double largest = lambda1_max(lab, data, lambda3, delta);
        for (const double lambda1 : falling(largest, grid.lambda_min_ratio, grid.n_lambdas))
          list.push_back({.lambda1 = lambda1, .lambda2 = lambda2, .lambda3 = lambda3, .delta = delta});
      }
    }
  } else if (method == MulticlassMethod::l1 || method == MulticlassMethod::sup) {
    // Where the huberized model is empty the plain hinge's is nearly so; a row's sup-norm is at most half of
    // its l1 norm.
    const double largest = lambda1_max(lab, data, 0.0) * (method == MulticlassMethod::sup ? 2.0 : 1.0);
    for (const double lambda : falling(largest, grid.lp_min_ratio, grid.n_lp_lambdas))
      list.push_back({.lambda = lambda});
  } else if (method == MulticlassMethod::ova_tuned) {
    for (const double cost : grid.costs) list.push_back({.cost = cost});
  }
  return list;
}

// Do they differ in nothing but the weight that makes the model sparse?
bool on_one_path(const Parameters& a, const Parameters& b) {
  return a.lambda2 == b.lambda2 && a.delta == b.delta;
}

// One model for each lambda1, in order; fewer where the path ended early.
std::vector<LinearModel> path_models(const Lab& lab, const Dataset& data,
                                     std::span<const Parameters> of_one_lambda2) {
  PathOptions grid;
  for (const Parameters& parameters : of_one_lambda2) grid.lambda_grid.push_back(parameters.lambda1);
  FitOptions options = fit_options(lab, of_one_lambda2.front());
  options.tolerance = 1e-4;  // enough to count held-out samples by
  const PathModel path = fit_path({.data = data}, options, grid, lab.monitor());
  std::vector<LinearModel> models;
  for (const PathPoint& point : path.points) models.push_back(at(path, point.lambda1));
  return models;
}

Answer fit_huberized(const Lab& lab, MulticlassMethod method, const Parameters& parameters,
                     const Dataset& data) {
  FitOptions options = fit_options(lab, parameters);
  options.lambda1 = parameters.lambda1;
  if (method == MulticlassMethod::m_pgh) {
    options.solver = Solver::pg;
    options.stopping = Stopping::paper;
  }
  Answer answer{.model = fit({.data = data}, options, lab.monitor()), .predicted = {}, .status = {}};
  answer.seconds = answer.model->report->seconds;
  answer.status = to_string(answer.model->report->status);
  return answer;
}

Answer fit_lp([[maybe_unused]] const Lab& lab, MulticlassMethod method,
              [[maybe_unused]] const Parameters& parameters, [[maybe_unused]] const Dataset& data) {
#ifdef HSVM_HAS_CLP
  const baselines::LpMulticlassOptions options{
      .norm = method == MulticlassMethod::sup ? baselines::RowNorm::sup : baselines::RowNorm::l1,
      .lambda = parameters.lambda,
      .limits = lab.limits()};
  baselines::LpMulticlassResult result =
      with_design(data, [&](const auto& x) { return baselines::lp_multiclass(x, *data.labels, options); });
  return {.model = std::move(result.model),
          .predicted = {},
          .seconds = result.seconds,
          .status = std::string(to_string(result.status))};
#else
  throw_not_built(method);
#endif
}

Answer fit_ova(MulticlassMethod method, [[maybe_unused]] const Parameters& parameters,
               [[maybe_unused]] const Dataset& data) {
#ifdef HSVM_HAS_LIBLINEAR
  baselines::LiblinearOptions options{.cost = parameters.cost};
  if (method == MulticlassMethod::ova_tuned) options.bias = 1.0;
  baselines::LiblinearResult result =
      with_design(data, [&](const auto& x) { return baselines::Liblinear(x, *data.labels).train(options); });
  return {.model = std::move(result.model), .predicted = {}, .seconds = result.seconds, .status = "converged"};
#else
  throw_not_built(method);
#endif
}

Answer answer_by_ddag([[maybe_unused]] const Parameters& parameters, [[maybe_unused]] const Dataset& training,
                      [[maybe_unused]] const Dataset& test) {
#ifdef HSVM_HAS_LIBSVM
  const baselines::Ddag ddag = with_design(training, [&](const auto& x) {
    return baselines::Ddag(x, *training.labels, {.cost = parameters.cost, .gamma = parameters.gamma});
  });
  return {.model = {},
          .predicted = with_design(test, [&](const auto& x) { return ddag.predict(x); }),
          .seconds = ddag.seconds(),
          .status = "converged"};
#else
  throw_not_built(MulticlassMethod::ddag);
#endif
}

Parameters choose_for_ddag([[maybe_unused]] const Lab& lab, [[maybe_unused]] const Dataset& data,
                           [[maybe_unused]] std::span<const Index> fold_of_sample,
                           [[maybe_unused]] const Grid& grid) {
#ifdef HSVM_HAS_LIBSVM
  baselines::DdagGrid tried;
  tried.costs = grid.ddag_costs;
  const baselines::DdagTuning tuning = with_design(data, [&](const auto& x) {
    return baselines::tune_ddag(x, *data.labels, fold_of_sample, tried, lab.limits());
  });
  return {.cost = tuning.best.cost, .gamma = tuning.best.gamma};
#else
  throw_not_built(MulticlassMethod::ddag);
#endif
}

Answer fit_linear(const Lab& lab, MulticlassMethod method, const Parameters& parameters, const Dataset& data) {
  switch (method) {
    case MulticlassMethod::m_pgh:
    case MulticlassMethod::newton:
    case MulticlassMethod::delta:
      return fit_huberized(lab, method, parameters, data);
    case MulticlassMethod::l1:
    case MulticlassMethod::sup:
      return fit_lp(lab, method, parameters, data);
    case MulticlassMethod::ova:
    case MulticlassMethod::ova_tuned:
      return fit_ova(method, parameters, data);
    case MulticlassMethod::ddag:
      break;
  }
  throw std::logic_error(to_string(method) + ": no linear model");
}

Index n_right(const LinearModel& model, const Dataset& data) {
  const std::vector<Index> predicted = predict(model, data.design).classes;
  Index right = 0;
  for (std::size_t i = 0; i < predicted.size(); ++i) right += predicted[i] == data.labels->of_sample[i];
  return right;
}

void add_right(const Lab& lab, MulticlassMethod method, std::span<const Parameters> list, const Split& part,
               std::vector<Index>& right) {
  for (std::size_t begin = 0; begin < list.size();) {
    std::size_t end = begin + 1;
    if (is_huberized(method)) {
      while (end < list.size() && on_one_path(list[end], list[begin])) ++end;
      const std::vector<LinearModel> models = path_models(lab, part.training, list.subspan(begin, end - begin));
      for (std::size_t k = 0; k < models.size(); ++k) right[begin + k] += n_right(models[k], part.test);
    } else {
      right[begin] += n_right(*fit_linear(lab, method, list[begin], part.training).model, part.test);
    }
    begin = end;
  }
}

}  // namespace

std::string to_string(MulticlassMethod method) {
  switch (method) {
    case MulticlassMethod::m_pgh:
      return "M-PGH";
    case MulticlassMethod::newton:
      return "newton";
    case MulticlassMethod::delta:
      return "delta tuned";
    case MulticlassMethod::l1:
      return "l1";
    case MulticlassMethod::sup:
      return "l-infinity";
    case MulticlassMethod::ova:
      return "OVA";
    case MulticlassMethod::ova_tuned:
      return "tuned OVA";
    case MulticlassMethod::ddag:
      return "DDAG";
  }
  return "";
}

bool is_built(MulticlassMethod method) {
#ifndef HSVM_HAS_CLP
  if (method == MulticlassMethod::l1 || method == MulticlassMethod::sup) return false;
#endif
#ifndef HSVM_HAS_LIBLINEAR
  if (method == MulticlassMethod::ova || method == MulticlassMethod::ova_tuned) return false;
#endif
#ifndef HSVM_HAS_LIBSVM
  if (method == MulticlassMethod::ddag) return false;
#endif
  return method <= MulticlassMethod::ddag;
}

Json to_json(const Parameters& parameters) {
  return {{"lambda1", parameters.lambda1}, {"lambda2", parameters.lambda2},  {"lambda3", parameters.lambda3},
          {"delta", parameters.delta},     {"lambda", parameters.lambda},    {"cost", parameters.cost},
          {"gamma", parameters.gamma},     {"held_out", parameters.held_out}};
}

Parameters parameters_from(const Json& json) {
  return {.lambda1 = json.at("lambda1"),
          .lambda2 = json.at("lambda2"),
          .lambda3 = json.at("lambda3"),
          .delta = json.at("delta"),
          .lambda = json.at("lambda"),
          .cost = json.at("cost"),
          .gamma = json.at("gamma"),
          .held_out = json.at("held_out")};
}

std::vector<Index> folds_for(const Labels& labels, Index n_folds, std::uint64_t seed) {
  return stratified_folds(labels, n_folds, 1, seed).of_sample.front();
}

Parameters choose_parameters(const Lab& lab, MulticlassMethod method, const Dataset& data,
                             std::span<const Index> fold_of_sample, const Grid& grid) {
  if (method == MulticlassMethod::ddag) return choose_for_ddag(lab, data, fold_of_sample, grid);
  return choose_parameters(lab, method, std::span(&data, 1), fold_of_sample, grid);
}

Parameters choose_parameters(const Lab& lab, MulticlassMethod method, std::span<const Dataset> sets,
                             std::span<const Index> fold_of_sample, const Grid& grid) {
  if (method == MulticlassMethod::ova) return {};
  std::vector<Parameters> list = candidates(lab, method, sets.front(), grid);
  std::vector<Index> right(list.size(), 0);
  const Index n_folds = std::ranges::max(fold_of_sample) + 1;
  for (Index fold = 0; fold < n_folds; ++fold) {
    std::vector<Index> fitted;
    std::vector<Index> held_out;
    for (std::size_t i = 0; i < fold_of_sample.size(); ++i)
      (fold_of_sample[i] == fold ? held_out : fitted).push_back(static_cast<Index>(i));
    for (const Dataset& data : sets)
      add_right(lab, method, list, {take_rows(data, fitted), take_rows(data, held_out)}, right);
  }
  const auto n_samples = static_cast<double>(sets.size() * fold_of_sample.size());
  for (std::size_t k = 0; k < list.size(); ++k) list[k].held_out = 100.0 * right[k] / n_samples;
  const std::vector<Parameters> equals = best_of_grid(list, right, on_one_path);
  return grid.of_equals == OfEquals::middle ? middle_of(equals) : equals.front();
}

double best_accuracy_of_grid(const Lab& lab, MulticlassMethod method, const Split& split, const Grid& grid) {
  const std::vector<Parameters> list = candidates(lab, method, split.training, grid);
  std::vector<Index> right(list.size(), 0);
  add_right(lab, method, list, split, right);
  return 100.0 * std::ranges::max(right) / static_cast<double>(split.test.n_samples());
}

Answer train_and_predict(const Lab& lab, MulticlassMethod method, const Parameters& parameters,
                         const Dataset& training, const Dataset& test) {
  if (method == MulticlassMethod::ddag) return answer_by_ddag(parameters, training, test);
  Answer answer = fit_linear(lab, method, parameters, training);
  answer.predicted = predict(*answer.model, test.design).classes;
  return answer;
}

Json measures(const Answer& answer, const Labels& truth) {
  std::vector<double> samples(truth.classes.names.size(), 0.0);
  std::vector<double> right(samples.size(), 0.0);
  for (std::size_t i = 0; i < truth.of_sample.size(); ++i) {
    const auto k = static_cast<std::size_t>(truth.of_sample[i]);
    samples[k] += 1.0;
    right[k] += answer.predicted[i] == truth.of_sample[i];
  }
  double all_right = 0.0;
  double recalls = 0.0;
  double n_classes = 0.0;
  for (std::size_t k = 0; k < samples.size(); ++k) {
    if (samples[k] == 0.0) continue;
    all_right += right[k];
    recalls += right[k] / samples[k];
    n_classes += 1.0;
  }
  Json json = {{"accuracy", 100.0 * all_right / static_cast<double>(truth.of_sample.size())},
               {"balanced_accuracy", 100.0 * recalls / n_classes},
               {"seconds", answer.seconds},
               {"status", answer.status}};
  if (answer.model) {
    json["nonzeros"] = std::ranges::count_if(answer.model->coefficients, [](double w) { return w != 0.0; });
    json["rows"] = answer.model->features.size();
  }
  return json;
}

std::vector<Json> run_trials(Lab& lab, const std::string& what, const std::function<Json(int)>& measure) {
  std::vector<Json> trials;
  trials.reserve(static_cast<std::size_t>(lab.trials()));
  for (int trial = 0; trial < lab.trials(); ++trial)
    trials.push_back(lab.trial(fmt::format("{} trial {}", what, trial), [&] { return measure(trial); }));
  return trials;
}

Cell mean_cell(std::span<const Json> trials, MulticlassMethod method, const std::string& measure,
               std::optional<double> paper, bool with_spread) {
  if (!is_built(method)) return {.paper = paper, .word = "not built"};
  return mean_cell(trials, to_string(method), measure, paper, with_spread);
}

Cell mean_cell(std::span<const Json> trials, const std::string& name, const std::string& measure,
               std::optional<double> paper, bool with_spread) {
  std::vector<double> values;
  for (const Json& trial : trials) {
    const Json& of_method = trial.at(name);
    if (of_method.contains(measure)) values.push_back(of_method.at(measure).get<double>());
  }
  if (values.empty()) return {.paper = paper, .word = "–"};
  const auto n = static_cast<double>(values.size());
  double mean = 0.0;
  for (const double value : values) mean += value / n;
  Cell cell{.ours = mean, .paper = paper};
  if (with_spread && values.size() > 1) {
    double squares = 0.0;
    for (const double value : values) squares += (value - mean) * (value - mean);
    cell.spread = std::sqrt(squares / (n - 1.0));
  }
  return cell;
}

void note_early_stops(std::span<const Json> trials, std::span<const MulticlassMethod> methods, Table& table) {
  for (const MulticlassMethod method : methods) {
    if (!is_built(method)) continue;
    const auto early = std::ranges::count_if(trials, [&](const Json& trial) {
      return trial.at(to_string(method)).at("status").get<std::string>() != "converged";
    });
    if (early > 0) {
      table.notes.push_back(fmt::format("{}: {} of {} fits ended before their stopping rule held.",
                                        to_string(method), early, trials.size()));
    }
  }
}

}  // namespace hsvm::lab
