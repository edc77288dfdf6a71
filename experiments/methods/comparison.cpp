#include "experiments/methods/comparison.hpp"

#include <fmt/format.h>

#include <utility>

#include "datasets/accuracy.hpp"

namespace hsvm::lab {
namespace {

Json or_null(bool stands, double number) {
  return stands ? Json(number) : Json(nullptr);
}

Table empty_table(std::string name, std::string caption, const std::vector<Method>& methods, Compare compare,
                  const std::string& format) {
  Table table{.name = std::move(name), .caption = std::move(caption), .row_header = "dataset"};
  for (const Method method : methods) table.columns.push_back({name_of(method), compare, format});
  return table;
}

}  // namespace

Json measure_method(Method method, const Split& data, const Parameters& parameters, const Lab& lab) {
  const Solved own = solve_timed(method, data.training, parameters, {.limits = lab.limits()});
  Json json = {
      {"status", own.status_text()}, {"accuracy", nullptr}, {"support", nullptr}, {"own_seconds", nullptr}};
  if (own.model) {
    json["accuracy"] = datasets::accuracy_of(*own.model, data.test);
    json["support"] = static_cast<double>(own.model->features.size());
    json["own_seconds"] = own.seconds;
  }
  if (is_huberized(method)) {
    const double best = optimum(data.training, parameters);
    json["excess"] = objective_of(*own.model, data.training, parameters) / best - 1.0;
    const Solved timed = solve_timed(method, data.training, parameters,
                                     {.limits = lab.limits(), .target = best * (1.0 + kEqualAccuracy)});
    json["seconds"] = or_null(timed.converged(), timed.seconds);
  } else {
    json["seconds"] = or_null(own.converged(), own.seconds);
  }
  json["lambda1"] = parameters.lambda1;
  json["lambda2"] = parameters.lambda2;
  json["cost"] = parameters.cost;
  return json;
}

Json measure_methods(const Contest& contest, const Split& data, std::uint64_t fold_seed, const Lab& lab) {
  const std::vector<Index> folds = folds_for(*data.training.labels, contest.n_folds, fold_seed);
  const auto tuned = [&](Method method) {
    return choose_parameters(method, data.training, folds, contest.grid, lab.limits());
  };
  const Parameters huberized = tuned(Method::newton);
  Json json = {{"n_train", data.training.n_samples()},
               {"n_test", data.test.n_samples()},
               {"n_features", data.training.n_features()},
               {"lambda1", huberized.lambda1},
               {"lambda2", huberized.lambda2},
               {"methods", Json::object()}};
  for (const Method method : contest.methods) {
    if (!is_available(method)) continue;
    const bool shared = is_huberized(method) || (method == Method::admm && !contest.tune_admm);
    json["methods"][name_of(method)] = measure_method(method, data, shared ? huberized : tuned(method), lab);
  }
  return json;
}

Lead lead_of(const std::vector<ComparedSet>& sets, Method first, Method second, const char* measure) {
  Lead lead;
  for (const ComparedSet& set : sets) {
    const auto a = mean_of(set.trials, name_of(first), measure);
    const auto b = mean_of(set.trials, name_of(second), measure);
    measure == std::string_view("seconds") ? lead.count(b, a) : lead.count(a, b);
  }
  return lead;
}

void add_tables(Lab& lab, const std::vector<Method>& methods, const std::vector<ComparedSet>& sets) {
  Table accuracies =
      empty_table("accuracy", "Accuracy on the test set, percent.", methods, Compare::difference, "{:.1f}");
  Table supports = empty_table("support", "Features in the model.", methods, Compare::nothing, "{:.0f}");
  Table times = empty_table(
      "seconds",
      "Seconds of the solve at the chosen penalties, on one thread: until F is within 1e-6 of its certified "
      "minimum, relatively; ADMM and LIBLINEAR by their own rules.",
      methods, Compare::ratio, "{:.2g}");
  Table excess = empty_table(
      "excess", "Excess of F over its minimum by each method's own stopping rule, relatively, and its seconds.",
      {}, Compare::nothing, "");
  for (const Method method : methods) {
    if (!is_huberized(method)) continue;
    excess.columns.push_back({name_of(method) + " excess", Compare::nothing, "{:.1e}"});
    excess.columns.push_back({"seconds", Compare::nothing, "{:.2g}"});
  }
  for (const ComparedSet& set : sets) {
    for (Table* table : {&accuracies, &supports, &times, &excess}) table->rows.push_back({set.label, {}});
    for (const Method method : methods) {
      const auto found = set.paper.find(method);
      const PaperScore paper = found == set.paper.end() ? PaperScore{} : found->second;
      const auto add = [&](Table& table, const char* measure, std::optional<double> printed) {
        table.rows.back().cells.push_back(mean_cell(set.trials, method, measure, printed));
      };
      add(accuracies, "accuracy", paper.accuracy);
      add(supports, "support", paper.support);
      add(times, "seconds", paper.seconds);
      if (!is_huberized(method)) continue;
      add(excess, "excess", {});
      add(excess, "own_seconds", {});
    }
  }
  const Lead faster = lead_of(sets, Method::b_pgh, Method::gcd, "seconds");
  const Lead better = lead_of(sets, Method::b_pgh, Method::gcd, "accuracy");
  const Lead two_stage = lead_of(sets, Method::b_pgh2, Method::b_pgh, "seconds");
  times.notes.push_back(
      fmt::format("At equal accuracy of F, B-PGH is faster than GCD on {} of {} sets, B-PGH-2 faster than "
                  "B-PGH on {} of {}.",
                  faster.ahead, faster.sets, two_stage.ahead, two_stage.sets));
  accuracies.notes.push_back(fmt::format(
      "B-PGH is more accurate than GCD on {} of {} sets and equal on {}: they minimise the same function.",
      better.ahead, better.sets, better.level));
  for (Table* table : {&accuracies, &supports, &times, &excess}) lab.add(std::move(*table));
}

}  // namespace hsvm::lab
