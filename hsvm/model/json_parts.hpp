// What the model file and the path file have in common. For the .cpp files of this folder only: it brings in
// the JSON package, which no header that users include may do, and is not installed.
#pragma once

#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "hsvm/model/linear_model.hpp"

namespace hsvm::detail {

using Json = nlohmann::ordered_json;

inline constexpr int kVersion = 1;

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
  [[nodiscard]] std::int64_t integer(const char* key, std::int64_t low, std::int64_t high) const;
  [[nodiscard]] const Json& array(const char* key) const;
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
    target.delta = number("delta", 0.0);
    if (target.delta == 0.0) fail("\"delta\" must be greater than 0");
  }

  // "lambda1", "lambda2", "lambda3", "intercept" and "coef", into a model or a point of a path.
  template <class Target>
  void read_point(Index n_features, Index n_outputs, Target& target) const {
    target.lambda1 = number("lambda1", 0.0);
    target.lambda2 = number("lambda2", 0.0);
    target.lambda3 = number("lambda3", 0.0);
    target.intercept = numbers(at("intercept"), "\"intercept\"", static_cast<std::size_t>(n_outputs));
    read_coefficients(n_features, n_outputs, target.features, target.coefficients);
  }

  // What a report says of its own solve.
  void read_certificate(FitReport& report) const;

 private:
  [[nodiscard]] ModelKind kind() const;
  [[nodiscard]] Classes classes(ModelKind kind) const;
  [[nodiscard]] std::vector<std::string> feature_names(Index n_features) const;
  void read_coefficients(Index n_features, Index n_outputs, std::vector<Index>& features,
                         std::vector<double>& coefficients) const;

  const Json& json_;
  std::string where_;
};

// A model from its parsed object.
[[nodiscard]] LinearModel model_from_object(const Json& json, const std::string& source);

}  // namespace hsvm::detail
