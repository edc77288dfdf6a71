// What the files of models, paths and tuned models have in common. For the .cpp files of this folder only: it brings in
// the JSON package, which no header that users include may do, and is not installed.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "hsvm/core/status.hpp"
#include "hsvm/model/model_file.hpp"

namespace hsvm::detail {

using Json = nlohmann::ordered_json;

inline constexpr int kVersion = 1;
inline constexpr const char* kModelFormat = "hsvm-model";
inline constexpr const char* kPathFormat = "hsvm-path";

[[nodiscard]] Json classes_to_json(const Classes& classes);
// The beginning of a file: "format", "version", and the shape.
[[nodiscard]] Json begin_file(const char* format, const ModelShape& shape);
void add_margins(const ModelShape& shape, Json& json);      // "margins" of a multi-class model
void add_table(const TablePreparation& table, Json& json);  // "label" and "preparation", where there are
void add_coefficients(const Fitted& fitted, Json& json);    // the lambdas, "intercept" and "coef"
void add_named_coefficients(const ModelShape& shape, const Fitted& fitted, Json& json);  // "coef" with "name"
void add_preparation(const FitReport& report, Json& json);  // "standardized", "kept_features", where true
// Text of a JSON value; labels and names come from the data and may be in some other encoding.
[[nodiscard]] std::string dump(const Json& json, int indent);
// The text of an object to which more is added: without its closing bracket.
[[nodiscard]] std::string open_object(const Json& json);

// A list with an object on each line.
template <class Point>
[[nodiscard]] std::string dump_lines(const std::vector<Point>& points, Json (*to_json)(const Point&)) {
  std::string text = "[";
  for (const Point& point : points)
    text += (&point == &points.front() ? "\n" : ",\n") + dump(to_json(point), -1);
  return text + "\n]";
}

// The object in a text; `source` names it in messages.
[[nodiscard]] Json parse_object(std::string_view text, const std::string& source);

// Fields that are written as they are read are listed once: describe_cost(report, visit) calls visit(key, field, limits)
// for each of them, and visit is a Writer or a Reader. Only the Reader looks at the limits.
class Writer {
 public:
  explicit Writer(Json& json) : json_(json) {}

  template <class T, class... Limits>
  void operator()(const char* key, const T& value, const Limits&... /*limits*/) const {
    if constexpr (std::is_enum_v<T>) {
      json_[key] = to_string(value);
    } else {
      json_[key] = value;
    }
  }
  // Left out where there is none.
  template <class T, class... Limits>
  void operator()(const char* key, const std::optional<T>& value, const Limits&... /*limits*/) const {
    if (value) (*this)(key, *value);
  }

 private:
  Json& json_;
};

// Reads one object, with messages that name the file and the key.
class Reader {
 public:
  static constexpr double kLargest = std::numeric_limits<double>::max();

  Reader(const Json& json, std::string where) : json_(json), where_(std::move(where)) {}

  [[noreturn]] void fail(const std::string& what) const;

  // The field at a key.
  void operator()(const char* key, double& value, double low = -kLargest, double high = kLargest) const;
  void operator()(const char* key, Index& value, Index low, Index high = INT32_MAX) const;
  void operator()(const char* key, Count& value, Count low) const;
  void operator()(const char* key, std::uint64_t& value) const;
  void operator()(const char* key, bool& value) const;
  void operator()(const char* key, std::vector<double>& value, std::size_t size) const;
  // A word of a table of names, as kStatusNames.
  template <class Enum, std::size_t size>
  requires std::is_enum_v<Enum>
  void operator()(const char* key, Enum& value, const std::array<std::string_view, size>& names) const {
    const std::optional<Enum> found = find_named<Enum>(names, text(key));
    if (!found) fail_among(key, names);
    value = *found;
  }
  template <class T, class... Limits>
  void operator()(const char* key, std::optional<T>& value, const Limits&... limits) const {
    if (has(key)) (*this)(key, value.emplace(), limits...);
  }

  [[nodiscard]] bool has(const char* key) const { return json_.contains(key); }
  [[nodiscard]] const Json& at(const char* key) const;
  [[nodiscard]] std::string text(const char* key) const;
  [[nodiscard]] const Json& array(const char* key) const;
  // The object at a key, with its own place in messages.
  [[nodiscard]] Reader object(const char* key) const;
  // The objects in the list at a key, one at least.
  [[nodiscard]] std::vector<Reader> points(const char* key) const;
  [[nodiscard]] std::vector<double> numbers(const Json& list, const char* what, std::size_t size) const;
  [[noreturn]] void fail_among(const char* key, std::span<const std::string_view> names) const;

  // "format", which must be the one given, and "version".
  void require_format(const char* format) const;

  // "kind", "classes", "n_features", "feature_names", "loss", "delta", "margins", "label" and "preparation".
  void read_shape(ModelShape& shape) const;
  [[nodiscard]] double delta() const;

  // The lambdas, "intercept" and "coef".
  [[nodiscard]] Fitted fitted(const ModelShape& shape) const;

  // Feature numbers from 0, ascending; `what` names them in messages.
  [[nodiscard]] std::vector<Index> features(const Json& list, const char* what, Index n_features) const;

  // "standardized" and "kept_features", which are there where they say something.
  void read_preparation(FitReport& report) const;

 private:
  [[nodiscard]] Classes classes(ModelKind kind) const;
  [[nodiscard]] std::vector<std::string> feature_names(Index n_features) const;
  [[nodiscard]] TablePreparation table_preparation(Index n_features) const;
  [[nodiscard]] WordColumn word_column(const std::vector<WordColumn>& before, Index n_features) const;
  void read_coefficients(const ModelShape& shape, Fitted& fitted) const;

  const Json& json_;
  std::string where_;
};

// Of several ranks alone.
template <class Cost, class Visit>
void describe_rank_cost(Cost& cost, const Visit& visit) {
  visit("ranks", cost.ranks, 1);
  visit("collectives", cost.collectives, 0);
  visit("messages_sent", cost.messages_sent, 0);
  visit("bytes_sent", cost.bytes_sent, 0);
}

template <class Lambdas, class Visit>
void describe_lambdas(Lambdas& lambdas, const Visit& visit) {
  visit("lambda1", lambdas.lambda1, 0.0);
  visit("lambda2", lambdas.lambda2, 0.0);
  visit("lambda3", lambdas.lambda3, 0.0);
}

template <class Report, class Visit>
void describe_gap(Report& report, const Visit& visit) {
  visit("objective", report.objective);
  visit("dual_objective", report.dual_objective);
  visit("gap", report.gap);
  visit("relative_gap", report.relative_gap);
}

template <class Report, class Visit>
void describe_cost(Report& report, const Visit& visit) {
  visit("iterations", report.iterations, 0);
  visit("passes", report.passes, 0.0);
  visit("seconds", report.seconds, 0.0);
}

// A model as an object, and back.
[[nodiscard]] Json model_to_object(const LinearModel& model);
[[nodiscard]] LinearModel model_from_object(const Json& json, const std::string& source);
// What two models of one shape, but for delta, may differ in: the lambdas, "intercept" and "coef", and where there are
// any "report", "probability" and "stability".
void add_fitted(const LinearModel& model, Json& json);
void read_fitted(const Reader& reader, LinearModel& model);
// The report with the model's shape and parameters.
[[nodiscard]] Json report_to_object(const LinearModel& model);

// What a tuned model keeps beside what it predicts with.
[[nodiscard]] Json evidence_to_object(const Evidence& evidence);
[[nodiscard]] Evidence evidence_from_object(const Reader& reader, const ModelShape& shape);

// {"accuracy": {"mean": .., "standard_error": ..}, ...}: the scores that are there.
[[nodiscard]] Json scores_to_json(const ScoreSummaries& scores);
[[nodiscard]] ScoreSummaries read_scores(const Reader& reader);
// What held-out samples were said to be; scores have the fewest digits that tell a float.
[[nodiscard]] Json out_of_fold_to_json(const OutOfFold& said);
[[nodiscard]] OutOfFold read_out_of_fold(const Reader& reader, const ModelShape& shape);
// All but "out_of_fold".
[[nodiscard]] Json nested_to_json(const Nested& nested);
[[nodiscard]] Nested read_nested(const Reader& reader, const ModelShape& shape);
// A list for each true class: how many samples were predicted to be of each class.
[[nodiscard]] Json confusion_to_json(const std::vector<Index>& truth, const std::vector<float>& scores,
                                     const ModelShape& shape);

[[nodiscard]] PathModel path_from_object(const Json& json, const std::string& source);
[[nodiscard]] TunedModel tuned_from_object(const Json& json, const std::string& source);

}  // namespace hsvm::detail
