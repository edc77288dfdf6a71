// What cross-validation says of held-out samples, as JSON: scores, predictions, and the whole procedure judged by outer folds.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <numeric>

#include "hsvm/model/json_parts.hpp"

namespace hsvm::detail {
namespace {

constexpr double kRounding = 1e-9;  // by which a mean of shares may exceed 1

ScoreSummary read_summary(const Reader& reader, const ScoreInfo& info) {
  ScoreSummary summary;
  reader("mean", summary.mean, 0.0);
  if (summary.mean > info.largest + kRounding)
    reader.fail(fmt::format("\"mean\" must be a number between 0 and {}", info.largest));
  reader("standard_error", summary.standard_error, 0.0);
  return summary;
}

// The number with the fewest digits that is this float.
double short_number(float value) {
  return std::strtod(fmt::format("{}", value).c_str(), nullptr);
}

Json floats_to_json(const std::vector<float>& values) {
  Json list = Json::array();
  for (const float value : values) list.push_back(short_number(value));
  return list;
}

std::vector<float> read_floats(const Reader& reader, const char* key, std::size_t size) {
  std::vector<double> numbers;
  reader(key, numbers, size);
  std::vector<float> values;
  for (const double number : numbers) {
    if (!std::isfinite(static_cast<float>(number)))
      reader.fail(fmt::format("\"{}\" must hold numbers of single precision", key));
    values.push_back(static_cast<float>(number));
  }
  return values;
}

// Whole numbers from 0 to below `end`.
std::vector<Index> read_indices(const Reader& reader, const char* key, std::size_t size, Index end) {
  std::vector<double> numbers;
  reader(key, numbers, size);
  std::vector<Index> values;
  for (const double number : numbers) {
    if (!(number >= 0.0 && number < end && number == std::floor(number)))
      reader.fail(fmt::format("\"{}\" must hold whole numbers from 0 to {}", key, end - 1));
    values.push_back(static_cast<Index>(number));
  }
  return values;
}

template <class Choice, class Visit>
void describe_choice(Choice& choice, const Visit& visit) {
  describe_lambdas(choice, visit);
  visit("delta", choice.delta, 0.0);
  visit("nonzeros", choice.nonzeros, 0);
}

Json choice_to_json(const NestedChoice& choice) {
  Json json;
  describe_choice(choice, Writer(json));
  return json;
}

NestedChoice read_nested_choice(const Reader& reader) {
  NestedChoice choice;
  describe_choice(choice, reader);
  return choice;
}

}  // namespace

Json scores_to_json(const ScoreSummaries& scores) {
  Json json = Json::object();
  for (std::size_t which = 0; which < scores.size(); ++which) {
    if (const auto& summary = scores[which])
      json[to_string(static_cast<Score>(which))] = {{"mean", summary->mean},
                                                    {"standard_error", summary->standard_error}};
  }
  return json;
}

ScoreSummaries read_scores(const Reader& reader) {
  ScoreSummaries scores;
  for (std::size_t which = 0; which < scores.size(); ++which) {
    const ScoreInfo& info = info_of(static_cast<Score>(which));
    const std::string name(info.name);
    if (reader.has(name.c_str())) scores[which] = read_summary(reader.object(name.c_str()), info);
  }
  return scores;
}

Json out_of_fold_to_json(const OutOfFold& said) {
  Json json = Json::object();
  const bool all = !said.samples.empty() && said.samples.back() == std::ssize(said.samples) - 1;
  if (!all) json["sample"] = said.samples;
  json["truth"] = said.truth;
  json["fold"] = said.folds;
  json["best"] = floats_to_json(said.best);
  if (!said.one_se.empty()) json["one_se"] = floats_to_json(said.one_se);
  return json;
}

OutOfFold read_out_of_fold(const Reader& reader, const ModelShape& shape) {
  constexpr Index kAnyNumber = std::numeric_limits<Index>::max();
  OutOfFold said;
  const std::size_t n = reader.array("truth").size();
  said.truth = read_indices(reader, "truth", n, shape.classes.size());
  said.folds = read_indices(reader, "fold", n, kAnyNumber);
  if (reader.has("sample")) {
    said.samples = read_indices(reader, "sample", n, kAnyNumber);
    if (!std::ranges::is_sorted(said.samples, std::ranges::less_equal{}))
      reader.fail("\"sample\" must be ascending");
  } else {
    said.samples.resize(n);
    std::iota(said.samples.begin(), said.samples.end(), Index{0});
  }
  const std::size_t n_scores = n * static_cast<std::size_t>(shape.n_outputs());
  said.best = read_floats(reader, "best", n_scores);
  if (reader.has("one_se")) said.one_se = read_floats(reader, "one_se", n_scores);
  return said;
}

Json nested_to_json(const Nested& nested) {
  Json json = {{"passes", nested.passes},
               {"best", {{"scores", scores_to_json(nested.best)}}},
               {"one_se", {{"scores", scores_to_json(nested.one_se)}}}};
  json["folds"] = Json::array();
  for (const NestedFold& fold : nested.folds)
    json["folds"].push_back({{"held_out", fold.held_out},
                             {"best", choice_to_json(fold.best)},
                             {"one_se", choice_to_json(fold.one_se)}});
  return json;
}

Nested read_nested(const Reader& reader, const ModelShape& shape) {
  Nested nested;
  reader("passes", nested.passes, 0.0);
  nested.best = read_scores(reader.object("best").object("scores"));
  nested.one_se = read_scores(reader.object("one_se").object("scores"));
  for (const Reader& fold : reader.points("folds")) {
    NestedFold& target = nested.folds.emplace_back();
    fold("held_out", target.held_out, 0);
    target.best = read_nested_choice(fold.object("best"));
    target.one_se = read_nested_choice(fold.object("one_se"));
  }
  nested.out_of_fold = read_out_of_fold(reader.object("out_of_fold"), shape);
  return nested;
}

Json confusion_to_json(const std::vector<Index>& truth, const std::vector<float>& scores,
                       const ModelShape& shape) {
  const std::vector<Index> predicted = predicted_classes(scores, shape.n_outputs());
  const auto n_classes = static_cast<std::size_t>(shape.classes.size());
  std::vector<std::vector<Index>> counts(n_classes, std::vector<Index>(n_classes, 0));
  for (std::size_t i = 0; i < truth.size(); ++i)
    ++counts[static_cast<std::size_t>(truth[i])][static_cast<std::size_t>(predicted[i])];
  return counts;
}

}  // namespace hsvm::detail
