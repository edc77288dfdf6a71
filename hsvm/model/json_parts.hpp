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
#include <vector>

#include "hsvm/core/status.hpp"
#include "hsvm/model/linear_model.hpp"
#include "hsvm/model/path_model.hpp"
#include "hsvm/model/tuning.hpp"

namespace hsvm::detail {

using Json = nlohmann::ordered_json;

inline constexpr int kVersion = 1;
inline constexpr const char* kModelFormat = "hsvm-model";
inline constexpr const char* kPathFormat = "hsvm-path";

[[nodiscard]] Json classes_to_json(const Classes& classes);
// The beginning of a file: "format", "version", and the shape.
[[nodiscard]] Json begin_file(const char* format, const ModelShape& shape);
void add_lambdas(const Lambdas& lambdas, Json& json);       // "lambda1", "lambda2", "lambda3"
void add_coefficients(const Fitted& fitted, Json& json);    // these, "intercept" and "coef"
void add_preparation(const FitReport& report, Json& json);  // "standardized", "kept_features", where true
// Text of a JSON value; labels and names come from the data and may be in some other encoding.
[[nodiscard]] std::string dump(const Json& json, int indent);
// The text of an object to which more is added: without its closing bracket.
[[nodiscard]] std::string open_object(const Json& json);

// The object in a text; `source` names it in messages.
[[nodiscard]] Json parse_object(std::string_view text, const std::string& source);

// Reads one object, with messages that name the file and the key.
class Reader {
 public:
  Reader(const Json& json, std::string where) : json_(json), where_(std::move(where)) {}

  [[noreturn]] void fail(const std::string& what) const;

  [[nodiscard]] bool has(const char* key) const { return json_.contains(key); }
  [[nodiscard]] const Json& at(const char* key) const;
  [[nodiscard]] std::string text(const char* key) const;
  [[nodiscard]] double number(const char* key, double low = -std::numeric_limits<double>::max()) const;
  [[nodiscard]] double number_between(const char* key, double low, double high) const;
  [[nodiscard]] std::int64_t integer(const char* key, std::int64_t low, std::int64_t high) const;
  [[nodiscard]] bool truth(const char* key) const;
  [[nodiscard]] const Json& array(const char* key) const;
  // The object at a key, with its own place in messages.
  [[nodiscard]] Reader object(const char* key) const;
  [[nodiscard]] std::vector<double> numbers(const Json& list, const char* what, std::size_t size) const;

  // "format", which must be the one given, and "version".
  void require_format(const char* format) const;

  // A word of a table of names: word<Status>("status", kStatusNames).
  template <class Enum, std::size_t size>
  [[nodiscard]] Enum word(const char* key, const std::array<std::string_view, size>& names) const {
    const std::optional<Enum> value = find_named<Enum>(names, text(key));
    if (!value) fail_among(key, names);
    return *value;
  }
  [[noreturn]] void fail_among(const char* key, std::span<const std::string_view> names) const;

  // "kind", "classes", "n_features", "feature_names", "loss" and "delta".
  void read_shape(ModelShape& shape) const;
  [[nodiscard]] double delta() const;

  [[nodiscard]] Lambdas lambdas() const;
  // The lambdas, "intercept" and "coef".
  [[nodiscard]] Fitted fitted(const ModelShape& shape) const;

  // Feature numbers from 0, ascending; `what` names them in messages.
  [[nodiscard]] std::vector<Index> features(const Json& list, const char* what, Index n_features) const;

  // What a report says of its own solve.
  void read_certificate(FitReport& report) const;
  // "standardized" and "kept_features", which are there where they say something.
  void read_preparation(FitReport& report) const;

 private:
  [[nodiscard]] Classes classes(ModelKind kind) const;
  [[nodiscard]] std::vector<std::string> feature_names(Index n_features) const;
  void read_coefficients(const ModelShape& shape, Fitted& fitted) const;

  const Json& json_;
  std::string where_;
};

// A model as an object, and back.
[[nodiscard]] Json model_to_object(const LinearModel& model);
[[nodiscard]] LinearModel model_from_object(const Json& json, const std::string& source);
// What two models of one shape, but for delta, may differ in: the lambdas, "intercept" and "coef", and where there are
// any "report", "probability" and "stability".
void add_fitted(const LinearModel& model, Json& json);
void read_fitted(const Reader& reader, LinearModel& model);
// The report with the model's shape and parameters.
[[nodiscard]] Json report_to_object(const LinearModel& model);

[[nodiscard]] PathModel path_from_object(const Json& json, const std::string& source);
[[nodiscard]] TunedModel tuned_from_object(const Json& json, const std::string& source);

}  // namespace hsvm::detail
