#include "experiments/methods/measures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "datasets/accuracy.hpp"

namespace hsvm::lab {
namespace {

// A measure of the method in each trial; empty where one of them has none.
std::vector<double> values_of(std::span<const Json> trials, const std::string& name,
                              const std::string& measure) {
  std::vector<double> values;
  for (const Json& trial : trials) {
    const Json& one = trial.contains(name) ? trial.at(name) : Json();
    if (!one.contains(measure) || one.at(measure).is_null()) return {};
    values.push_back(one.at(measure).get<double>());
  }
  return values;
}

double mean(const std::vector<double>& values) {
  double sum = 0.0;
  for (const double value : values) sum += value;
  return sum / static_cast<double>(values.size());
}

std::string why_absent(std::span<const Json> trials, const std::string& name, const std::string& measure) {
  if (trials.empty()) return "no data";
  if (!trials.front().contains(name)) return "not built";
  const Json& first = trials.front().at(name);
  if (!first.contains(measure)) return "–";
  return first.at("status") == "out of memory" ? "out of memory" : "time limit";
}

}  // namespace

Json measures(const Solved& solved, const Dataset& test) {
  const std::vector<Index> predicted = solved.predict(test);
  Json json = {{"accuracy", datasets::accuracy_of(predicted, *test.labels)},
               {"balanced_accuracy", datasets::accuracy_of(predicted, *test.labels, Score::balanced_accuracy)},
               {"seconds", solved.seconds},
               {"status", solved.status_text()}};
  if (solved.model) {
    json["nonzeros"] = std::ranges::count_if(solved.model->coefficients, [](double w) { return w != 0.0; });
    json["rows"] = solved.model->features.size();
  }
  return json;
}

std::optional<double> mean_of(std::span<const Json> trials, const std::string& name,
                              const std::string& measure) {
  const std::vector<double> values = values_of(trials, name, measure);
  return values.empty() ? std::nullopt : std::optional(mean(values));
}

Cell mean_cell(std::span<const Json> trials, const std::string& name, const std::string& measure,
               std::optional<double> paper, bool with_spread) {
  const std::vector<double> values = values_of(trials, name, measure);
  if (values.empty()) return {.paper = paper, .word = why_absent(trials, name, measure)};
  Cell cell{.ours = mean(values), .paper = paper};
  if (with_spread && values.size() > 1) {
    double squares = 0.0;
    for (const double value : values) squares += (value - *cell.ours) * (value - *cell.ours);
    cell.spread = std::sqrt(squares / (static_cast<double>(values.size()) - 1.0));
  }
  return cell;
}

Cell mean_cell(std::span<const Json> trials, Method method, const std::string& measure,
               std::optional<double> paper, bool with_spread) {
  return mean_cell(trials, name_of(method), measure, paper, with_spread);
}

void note_early_stops(std::span<const Json> trials, std::span<const Method> methods, Table& table) {
  for (const Method method : methods) {
    if (!is_available(method)) continue;
    const auto early = std::ranges::count_if(
        trials, [&](const Json& trial) { return trial.at(name_of(method)).at("status") != "converged"; });
    if (early > 0) {
      table.notes.push_back(fmt::format("{}: {} of {} fits ended before their stopping rule held.",
                                        name_of(method), early, trials.size()));
    }
  }
}

void Lead::count(std::optional<double> first, std::optional<double> second) {
  if (!first || !second) return;
  ++sets;
  ahead += *first > *second;
  level += *first == *second;
}

}  // namespace hsvm::lab
