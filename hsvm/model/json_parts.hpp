// What the files of models, paths and tuned models have in common. For the .cpp files of this folder only: it
// brings in the JSON package, which no header that users include may do, and is not installed.
#pragma once

#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "hsvm/model/linear_model.hpp"
#include "hsvm/model/path_model.hpp"
#include "hsvm/model/tuning.hpp"

namespace hsvm::detail {

using Json = nlohmann::ordered_json;

inline constexpr int kVersion = 1;
inline constexpr const char* kModelFormat = "hsvm-model";
inline constexpr const char* kPathFormat = "hsvm-path";

[[nodiscard]] Json classes_to_json(const Classes& classes);
[[nodiscard]] Json coefficients_to_json(const std::vector<Index>& features,
                                        const std::vector<double>& coefficients);
[[nodiscard]] const char* kind_to_text(ModelKind kind);
// Text of a JSON value; labels and names come from the data and may be in some other encoding.
[[nodiscard]] std::string dump(const Json& json, int indent);

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

  // "kind", "classes", "n_features", "feature_names" and "delta", into a model or a path.
  template <class Target>
  void read_shape(Target& target) const {
    target.kind = kind();
    target.classes = classes(target.kind);
    target.n_features = static_cast<Index>(integer("n_features", 0, INT32_MAX));
    target.feature_names = feature_names(target.n_features);
    target.delta = delta();
  }
  [[nodiscard]] double delta() const;

  // "lambda1", "lambda2", "lambda3", "intercept" and "coef", into a model or a point of a path.
  template <class Target>
  void read_point(Index n_features, Index n_outputs, Target& target) const {
    target.lambda1 = number("lambda1", 0.0);
    target.lambda2 = number("lambda2", 0.0);
    target.lambda3 = number("lambda3", 0.0);
    target.intercept = numbers(at("intercept"), "\"intercept\"", static_cast<std::size_t>(n_outputs));
    read_coefficients(n_features, n_outputs, target.features, target.coefficients);
  }

  // Feature numbers from 0, ascending; `what` names them in messages.
  [[nodiscard]] std::vector<Index> features(const Json& list, const char* what, Index n_features) const;

  // What a report says of its own solve.
  void read_certificate(FitReport& report) const;
  // "standardized" and "kept_features", which are there where they say something.
  void read_preparation(FitReport& report) const;

 private:
  [[nodiscard]] ModelKind kind() const;
  [[nodiscard]] Classes classes(ModelKind kind) const;
  [[nodiscard]] std::vector<std::string> feature_names(Index n_features) const;
  void read_coefficients(Index n_features, Index n_outputs, std::vector<Index>& features,
                         std::vector<double>& coefficients) const;

  const Json& json_;
  std::string where_;
};

void add_preparation(const FitReport& report, Json& json);

// A model as an object, and back.
[[nodiscard]] Json model_to_object(const LinearModel& model);
[[nodiscard]] LinearModel model_from_object(const Json& json, const std::string& source);
// What two models of the same classes and features may differ in: "delta", "lambda1", "lambda2", "lambda3",
// "intercept" and "coef", and where there are any "report", "probability" and "stability".
void add_fitted(const LinearModel& model, Json& json);
void read_fitted(const Reader& reader, LinearModel& model);
// What `hsvm fit --json` prints.
[[nodiscard]] Json report_to_object(const LinearModel& model);

[[nodiscard]] PathModel path_from_object(const Json& json, const std::string& source);
[[nodiscard]] TunedModel tuned_from_object(const Json& json, const std::string& source);

}  // namespace hsvm::detail
