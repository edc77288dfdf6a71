// The key "evidence" of a tuned model's file.

#include <fmt/format.h>

#include <cmath>

#include "hsvm/model/json_parts.hpp"

namespace hsvm {
namespace {

using detail::Json;
using detail::Reader;

constexpr double kMostCorrelation = 1.0 + 1e-9;  // but for rounding

template <class Steps, class Read>
Json list_over_steps(const Steps& steps, const Read& read) {
  Json list = Json::array();
  for (const auto& step : steps) list.push_back(read(step));
  return list;
}

Json picture_to_json(const PathPicture& path) {
  Json json = {{"lambda2", path.lambda2},
               {"delta", path.delta},
               {"scaled", path.scaled},
               {"n_features", path.n_features}};
  json["lambda1"] = list_over_steps(path.steps, [](const PathStep& s) { return s.lambda1; });
  json["nonzeros"] = list_over_steps(path.steps, [](const PathStep& s) { return s.nonzeros; });
  json["objective"] = list_over_steps(path.steps, [](const PathStep& s) { return s.objective; });
  json["relative_gap"] = list_over_steps(path.steps, [](const PathStep& s) { return s.relative_gap; });
  json["iterations"] = list_over_steps(path.steps, [](const PathStep& s) { return s.iterations; });
  json["passes"] = list_over_steps(path.steps, [](const PathStep& s) { return s.passes; });
  json["seconds"] = list_over_steps(path.steps, [](const PathStep& s) { return s.seconds; });
  json["status"] =
      list_over_steps(path.steps, [](const PathStep& s) { return std::string(to_string(s.status)); });
  json["lines"] = Json::array();
  for (const EffectLine& line : path.lines) {
    json["lines"].push_back({{"feature", line.feature},
                             {"output", line.output},
                             {"points", line.points},
                             {"effects", line.effects}});
  }
  return json;
}

Json correlations_to_json(const Correlations& correlations) {
  Json json = {{"feature", correlations.features}, {"values", correlations.values}};
  json["stand_ins"] = Json::array();
  for (const StandIn& one : correlations.stand_ins)
    json["stand_ins"].push_back(Json::array({one.feature, one.left_out, one.correlation}));
  return json;
}

// A list of whole numbers from 0 to `last`.
std::vector<Index> read_counts(const Reader& reader, const char* key, std::size_t size, double last) {
  std::vector<Index> result;
  for (const double number : reader.numbers(reader.array(key), key, size)) {
    if (!(number >= 0.0 && number <= last && number == std::floor(number)))
      reader.fail(fmt::format("\"{}\" must be whole numbers between 0 and {}", key, last));
    result.push_back(static_cast<Index>(number));
  }
  return result;
}

std::vector<double> read_column(const Reader& reader, const char* key, std::size_t size, bool positive = true) {
  std::vector<double> result = reader.numbers(reader.array(key), key, size);
  for (const double number : result) {
    if (positive && !(number >= 0.0)) reader.fail(fmt::format("\"{}\" must be numbers of at least 0", key));
  }
  return result;
}

std::vector<PathStep> read_steps(const Reader& reader, Index n_features) {
  const std::size_t n = reader.array("lambda1").size();
  if (n == 0) reader.fail("\"lambda1\" must hold at least one number");
  std::vector<PathStep> steps(n);
  const auto fill = [&](const auto& values, auto PathStep::*field) {
    for (std::size_t p = 0; p < n; ++p)
      steps[p].*field = static_cast<std::remove_reference_t<decltype(steps[p].*field)>>(values[p]);
  };
  fill(read_column(reader, "lambda1", n), &PathStep::lambda1);
  fill(read_counts(reader, "nonzeros", n, n_features), &PathStep::nonzeros);
  fill(read_column(reader, "objective", n, false), &PathStep::objective);
  fill(read_column(reader, "relative_gap", n, false), &PathStep::relative_gap);
  fill(read_counts(reader, "iterations", n, INT32_MAX), &PathStep::iterations);
  fill(read_column(reader, "passes", n), &PathStep::passes);
  fill(read_column(reader, "seconds", n), &PathStep::seconds);
  if (reader.array("status").size() != n) reader.fail("\"status\" must have one word for each \"lambda1\"");
  for (std::size_t p = 0; p < n; ++p) {
    const Json& word = reader.array("status")[p];
    const auto found =
        word.is_string() ? find_named<Status>(kStatusNames, word.get<std::string>()) : std::nullopt;
    if (!found) reader.fail_among("status", kStatusNames);
    steps[p].status = *found;
    if (p > 0 && !(steps[p].lambda1 < steps[p - 1].lambda1)) reader.fail("\"lambda1\" must fall");
  }
  return steps;
}

EffectLine read_line(const Reader& reader, const ModelShape& shape, std::size_t n_steps) {
  EffectLine line;
  reader("feature", line.feature, 0, shape.n_features - 1);
  reader("output", line.output, 0, shape.n_outputs() - 1);
  line.points = reader.features(reader.array("points"), "\"points\"", static_cast<Index>(n_steps));
  reader("effects", line.effects, line.points.size());
  if (line.points.empty()) reader.fail("\"points\" must hold at least one number");
  return line;
}

PathPicture read_picture(const Reader& reader, const ModelShape& shape) {
  PathPicture path;
  reader("lambda2", path.lambda2, 0.0);
  path.delta = reader.delta();
  reader("scaled", path.scaled);
  reader("n_features", path.n_features, 0, shape.n_features);
  path.steps = read_steps(reader, shape.n_features);
  if (reader.array("lines").empty()) return path;
  for (const Reader& line : reader.points("lines"))
    path.lines.push_back(read_line(line, shape, path.steps.size()));
  return path;
}

Correlations read_correlations(const Reader& reader, Index n_features) {
  Correlations result;
  result.features = reader.features(reader.array("feature"), "\"feature\"", n_features);
  const std::size_t n = result.features.size();
  result.values = reader.numbers(reader.array("values"), "\"values\"", n == 0 ? 0 : n * (n - 1) / 2);
  for (const double value : result.values) {
    if (!(std::abs(value) <= kMostCorrelation)) reader.fail("\"values\" must be between -1 and 1");
  }
  for (const Json& one : reader.array("stand_ins")) {
    const std::vector<double> numbers = reader.numbers(one, "an entry of \"stand_ins\"", 3);
    const auto is_feature = [&](double j) { return j >= 0.0 && j < n_features && j == std::floor(j); };
    if (!is_feature(numbers[0]) || !is_feature(numbers[1]) || !(std::abs(numbers[2]) <= kMostCorrelation))
      reader.fail("\"stand_ins\" must hold two features and a number between -1 and 1 each");
    result.stand_ins.push_back({static_cast<Index>(numbers[0]), static_cast<Index>(numbers[1]), numbers[2]});
  }
  return result;
}

std::vector<std::string> read_sample_names(const Reader& reader) {
  std::vector<std::string> names;
  for (const Json& name : reader.array("sample_names")) {
    if (!name.is_string()) reader.fail("\"sample_names\" must be a list of texts");
    names.push_back(name.get<std::string>());
  }
  return names;
}

}  // namespace

Json detail::evidence_to_object(const Evidence& evidence) {
  Json json = {{"source", evidence.source}, {"command", evidence.command}};
  if (!evidence.sample_names.empty()) json["sample_names"] = evidence.sample_names;
  json["class_counts"] = evidence.class_counts;
  json["feature"] = evidence.features;
  json["deviation"] = evidence.deviations;
  json["path"] = picture_to_json(evidence.path);
  json["correlations"] = correlations_to_json(evidence.correlations);
  return json;
}

Evidence detail::evidence_from_object(const Reader& reader, const ModelShape& shape) {
  Evidence evidence;
  evidence.source = reader.text("source");
  evidence.command = reader.text("command");
  if (reader.has("sample_names")) evidence.sample_names = read_sample_names(reader);
  evidence.class_counts = read_counts(reader, "class_counts", shape.classes.names.size(), INT32_MAX);
  evidence.features = reader.features(reader.array("feature"), "\"feature\"", shape.n_features);
  evidence.deviations = read_column(reader, "deviation", evidence.features.size());
  evidence.path = read_picture(reader.object("path"), shape);
  evidence.correlations = read_correlations(reader.object("correlations"), shape.n_features);
  return evidence;
}

}  // namespace hsvm
