#include "experiments/binary/comparison.hpp"

#include <fmt/format.h>

#include <utility>

namespace hsvm::lab {
namespace {

Json or_null(bool stands, double number) {
  return stands ? Json(number) : Json(nullptr);
}

Table empty_table(std::string name, std::string caption, const std::vector<Method>& methods, Compare compare,
                  const std::string& format) {
  Table table{.name = std::move(name), .caption = std::move(caption), .row_header = "dataset"};
  for (const Method method : methods) table.columns.push_back({std::string(name_of(method)), compare, format});
  return table;
}

// On how many sets, and of how many, is the first at least as fast or as accurate?
struct Count2 {
  int ahead = 0;
  int level = 0;
  int sets = 0;

  Count2(const std::vector<ComparedSet>& all, Method first, Method second, const char* field, bool smaller) {
    for (const ComparedSet& set : all) {
      const auto a = mean_of(set.trials, first, field);
      const auto b = mean_of(set.trials, second, field);
      if (!a || !b) continue;
      ++sets;
      ahead += smaller ? *a < *b : *a > *b;
      level += *a == *b;
    }
  }
};

}  // namespace

Json measure_method(Method method, const Split& data, const Penalties& penalties, const Lab& lab) {
  const Solved own = solve_timed(method, data.training, penalties, {.limits = lab.limits()});
  const bool solved = own.status != "out of memory";
  Json json = {{"status", own.status},
               {"accuracy", solved ? Json(accuracy(own.model, data.test)) : Json(nullptr)},
               {"support", or_null(solved, static_cast<double>(own.model.features.size()))},
               {"own_seconds", or_null(solved, own.seconds)}};
  if (minimises_f(method)) {
    const double best = optimum(data.training, penalties);
    json["excess"] = own.objective / best - 1.0;
    const Solved timed = solve_timed(method, data.training, penalties,
                                     {.limits = lab.limits(), .target = best * (1.0 + kEqualAccuracy)});
    json["seconds"] = or_null(timed.status == "converged", timed.seconds);
  } else {
    json["seconds"] = or_null(own.status == "converged", own.seconds);
  }
  json["lambda1"] = penalties.lambda1;
  json["lambda2"] = penalties.lambda2;
  json["cost"] = penalties.cost;
  return json;
}

Json measure_methods(const std::vector<Method>& methods, const Split& data, const TuningGrid& grid,
                     const Lab& lab) {
  const Penalties ours = tune_for(Method::newton, data.training, grid, lab);
  Json json = {{"n_train", data.training.n_samples()},
               {"n_test", data.test.n_samples()},
               {"n_features", data.training.n_features()},
               {"lambda1", ours.lambda1},
               {"lambda2", ours.lambda2},
               {"methods", Json::object()}};
  for (const Method method : methods) {
    if (!is_available(method)) continue;
    const bool shared = minimises_f(method) || (method == Method::admm && !grid.tune_admm);
    const Penalties penalties = shared ? ours : tune_for(method, data.training, grid, lab);
    json["methods"][std::string(name_of(method))] = measure_method(method, data, penalties, lab);
  }
  return json;
}

std::optional<double> mean_of(const std::vector<Json>& trials, Method method, const char* field) {
  if (trials.empty()) return std::nullopt;
  double sum = 0.0;
  for (const Json& trial : trials) {
    const Json& methods = trial.at("methods");
    const auto found = methods.find(std::string(name_of(method)));
    if (found == methods.end() || found->at(field).is_null()) return std::nullopt;
    sum += found->at(field).get<double>();
  }
  return sum / static_cast<double>(trials.size());
}

Cell compared_cell(const ComparedSet& set, Method method, const char* field, std::optional<double> paper) {
  Cell cell{.ours = mean_of(set.trials, method, field), .paper = paper};
  if (cell.ours) return cell;
  cell.word = "no data";
  if (set.trials.empty()) return cell;
  const Json& methods = set.trials.front().at("methods");
  const auto found = methods.find(std::string(name_of(method)));
  cell.word = found == methods.end()                   ? "not in this build"
              : found->at("status") == "out of memory" ? "out of memory"
                                                       : "time limit";
  return cell;
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
    if (!minimises_f(method)) continue;
    excess.columns.push_back({fmt::format("{} excess", name_of(method)), Compare::nothing, "{:.1e}"});
    excess.columns.push_back({"seconds", Compare::nothing, "{:.2g}"});
  }
  for (const ComparedSet& set : sets) {
    for (Table* table : {&accuracies, &supports, &times, &excess}) table->rows.push_back({set.label, {}});
    for (const Method method : methods) {
      const auto found = set.paper.find(method);
      const PaperScore paper = found == set.paper.end() ? PaperScore{} : found->second;
      accuracies.rows.back().cells.push_back(compared_cell(set, method, "accuracy", paper.accuracy));
      supports.rows.back().cells.push_back(compared_cell(set, method, "support", paper.support));
      times.rows.back().cells.push_back(compared_cell(set, method, "seconds", paper.seconds));
      if (!minimises_f(method)) continue;
      excess.rows.back().cells.push_back(compared_cell(set, method, "excess", {}));
      excess.rows.back().cells.push_back(compared_cell(set, method, "own_seconds", {}));
    }
  }
  const Count2 faster(sets, Method::pg, Method::gcd, "seconds", true);
  const Count2 better(sets, Method::pg, Method::gcd, "accuracy", false);
  const Count2 two_stage(sets, Method::pg2, Method::pg, "seconds", true);
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
