#include "hsvm/model/model_file.hpp"

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <utility>

#include "hsvm/core/error.hpp"

namespace hsvm {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kFormat = "hsvm-model";
constexpr int kVersion = 1;

Json classes_to_json(const Classes& classes) {
  Json result = Json::array();
  for (const std::string& name : classes.names) {
    result.push_back(classes.numeric ? Json::parse(name) : Json(name));
  }
  return result;
}

// Text of a JSON value; labels and names come from the data and may be in some other encoding.
std::string dump(const Json& json, int indent) {
  try {
    return json.dump(indent);
  } catch (const nlohmann::json::exception&) {
    throw InputError("a label or a feature name is not UTF-8 text: convert the data (iconv -t UTF-8)");
  }
}

Json make_report(const LinearModel& model) {
  const FitReport& report = model.report.value();
  Json json = {{"status", report.status},
               {"solver", report.solver},
               {"objective", report.objective},
               {"dual_objective", report.dual_objective},
               {"gap", report.gap},
               {"relative_gap", report.relative_gap},
               {"tolerance", report.tolerance},
               {"stopping", report.stopping},
               {"iterations", report.iterations},
               {"passes", report.passes},
               {"seconds", report.seconds}};
  if (report.pass_seconds) json["pass_seconds"] = *report.pass_seconds;
  json["n_samples"] = report.n_samples;
  json["n_features"] = model.n_features;
  json["classes"] = classes_to_json(model.classes);
  json["nonzeros"] = model.features.size();
  json["lambda1"] = model.lambda1;
  json["lambda2"] = model.lambda2;
  json["lambda3"] = model.lambda3;
  json["delta"] = model.delta;
  json["lambda1_max"] = report.lambda1_max;
  json["intercept"] = model.intercept;
  return json;
}

// Reads one object, with messages that name the file and the key.
class Reader {
 public:
  Reader(const Json& json, std::string where) : json_(json), where_(std::move(where)) {}

  [[noreturn]] void fail(const std::string& what) const { throw InputError(where_ + ": " + what); }

  [[nodiscard]] bool has(const char* key) const { return json_.contains(key); }
  [[nodiscard]] const Json& at(const char* key) const {
    if (!has(key)) fail(std::string("the key \"") + key + "\" is missing");
    return json_.at(key);
  }
  [[nodiscard]] std::string text(const char* key) const {
    if (!at(key).is_string()) fail(std::string("\"") + key + "\" must be a text");
    return at(key).get<std::string>();
  }
  [[nodiscard]] double number(const char* key, double low = -std::numeric_limits<double>::max()) const {
    const Json& value = at(key);
    if (!value.is_number() || !std::isfinite(value.get<double>()) || value.get<double>() < low) {
      fail(std::string("\"") + key + "\" must be a number" + (low == 0.0 ? " of at least 0" : ""));
    }
    return value.get<double>();
  }
  [[nodiscard]] std::int64_t integer(const char* key, std::int64_t low, std::int64_t high) const {
    const Json& value = at(key);
    if (!value.is_number_integer() || (value.is_number_unsigned() && value.get<std::uint64_t>() > INT64_MAX) ||
        value.get<std::int64_t>() < low || value.get<std::int64_t>() > high) {
      fail(std::string("\"") + key + "\" must be a whole number between " + std::to_string(low) + " and " +
           std::to_string(high));
    }
    return value.get<std::int64_t>();
  }
  [[nodiscard]] const Json& array(const char* key) const {
    if (!at(key).is_array()) fail(std::string("\"") + key + "\" must be a list");
    return at(key);
  }
  [[nodiscard]] std::vector<double> numbers(const Json& list, const char* what, std::size_t size) const {
    if (!list.is_array() || list.size() != size) {
      fail(std::string(what) + " must be a list of " + std::to_string(size) + " number" +
           (size == 1 ? "" : "s"));
    }
    std::vector<double> result;
    for (const Json& value : list) {
      if (!value.is_number() || !std::isfinite(value.get<double>()))
        fail(std::string(what) + " must hold numbers");
      result.push_back(value.get<double>());
    }
    return result;
  }

 private:
  const Json& json_;
  std::string where_;
};

Classes read_classes(const Reader& reader) {
  std::vector<std::string> names;
  bool numeric = true;
  for (const Json& entry : reader.array("classes")) {
    if (!entry.is_number() && !entry.is_string()) reader.fail("\"classes\" must hold numbers or words");
    numeric = numeric && entry.is_number();
    names.push_back(entry.is_string() ? entry.get<std::string>() : entry.dump());
  }
  Classes classes = make_labels(names).classes;
  if (classes.names.size() < 2 || classes.names.size() != names.size()) {
    reader.fail("\"classes\" must hold at least two different labels");
  }
  for (std::size_t k = 0; k < names.size(); ++k) {
    if (classes.find(names[k]) != static_cast<Index>(k)) reader.fail("\"classes\" must be in ascending order");
  }
  if (classes.numeric != numeric)
    reader.fail("\"classes\" must be all numbers or all words that are not numbers");
  return classes;
}

void read_coefficients(const Reader& reader, LinearModel& model) {
  if (!reader.at("coef").is_object()) reader.fail("\"coef\" must be an object");
  if (!reader.at("coef").contains("feature") || !reader.at("coef").contains("value")) {
    reader.fail("\"coef\" must have the keys \"feature\" and \"value\"");
  }
  const Json& features = reader.at("coef").at("feature");
  const Json& values = reader.at("coef").at("value");
  if (!features.is_array() || !values.is_array() || features.size() != values.size()) {
    reader.fail("\"coef\": \"feature\" and \"value\" must be lists of the same length");
  }
  for (std::size_t c = 0; c < features.size(); ++c) {
    const std::int64_t previous = model.features.empty() ? -1 : model.features.back();
    if (!features[c].is_number_integer() || features[c].get<std::int64_t>() <= previous ||
        features[c].get<std::int64_t>() >= model.n_features) {
      reader.fail("\"coef\": \"feature\" must be ascending whole numbers from 0 to " +
                  std::to_string(model.n_features - 1));
    }
    model.features.push_back(features[c].get<Index>());
    const std::vector<double> row = reader.numbers(values[c], "an entry of \"coef\".\"value\"",
                                                   static_cast<std::size_t>(model.n_outputs()));
    model.coefficients.insert(model.coefficients.end(), row.begin(), row.end());
  }
}

FitReport read_report(const Reader& reader) {
  FitReport report;
  report.status = reader.text("status");
  report.solver = reader.text("solver");
  report.objective = reader.number("objective");
  report.dual_objective = reader.number("dual_objective");
  report.gap = reader.number("gap");
  report.relative_gap = reader.number("relative_gap");
  report.tolerance = reader.number("tolerance", 0.0);
  report.stopping = reader.text("stopping");
  report.iterations = static_cast<int>(reader.integer("iterations", 0, INT32_MAX));
  report.passes = reader.number("passes", 0.0);
  report.seconds = reader.number("seconds", 0.0);
  if (reader.has("pass_seconds")) report.pass_seconds = reader.number("pass_seconds", 0.0);
  report.n_samples = static_cast<Index>(reader.integer("n_samples", 1, INT32_MAX));
  report.lambda1_max = reader.number("lambda1_max", 0.0);
  return report;
}

}  // namespace

std::string model_to_json(const LinearModel& model) {
  Json json = {{"format", kFormat},
               {"version", kVersion},
               {"kind", model.kind == ModelKind::binary ? "binary" : "multiclass"},
               {"classes", classes_to_json(model.classes)},
               {"n_features", model.n_features},
               {"feature_names", model.feature_names.empty() ? Json(nullptr) : Json(model.feature_names)},
               {"delta", model.delta},
               {"lambda1", model.lambda1},
               {"lambda2", model.lambda2},
               {"lambda3", model.lambda3},
               {"intercept", model.intercept}};
  Json values = Json::array();
  const auto n_outputs = static_cast<std::size_t>(model.n_outputs());
  for (std::size_t c = 0; c < model.features.size(); ++c) {
    const auto row = model.coefficients.begin() + static_cast<std::ptrdiff_t>(c * n_outputs);
    values.push_back(std::vector<double>(row, row + static_cast<std::ptrdiff_t>(n_outputs)));
  }
  json["coef"] = {{"feature", model.features}, {"value", std::move(values)}};
  if (model.report) json["report"] = make_report(model);
  return dump(json, 1) + "\n";
}

LinearModel model_from_json(std::string_view text, const std::string& source) {
  Json json;
  try {
    json = Json::parse(text);
  } catch (const nlohmann::json::exception& error) {
    throw InputError(source + ": not a model file (a JSON object): " + error.what());
  }
  if (!json.is_object()) throw InputError(source + ": not a model file: expected a JSON object");
  const Reader reader(json, source);
  if (reader.text("format") != kFormat) reader.fail(std::string("\"format\" must be \"") + kFormat + "\"");
  if (reader.at("version") != kVersion) {
    reader.fail("\"version\" is " + reader.at("version").dump() + ": this program reads version 1");
  }

  LinearModel model;
  const std::string kind = reader.text("kind");
  if (kind != "binary" && kind != "multiclass") reader.fail("\"kind\" must be \"binary\" or \"multiclass\"");
  model.kind = kind == "binary" ? ModelKind::binary : ModelKind::multiclass;
  model.classes = read_classes(reader);
  if (model.kind == ModelKind::binary && model.classes.size() != 2) {
    reader.fail("a binary model must have two \"classes\"");
  }
  model.n_features = static_cast<Index>(reader.integer("n_features", 0, INT32_MAX));
  if (!reader.at("feature_names").is_null()) {
    for (const Json& name : reader.array("feature_names")) {
      if (!name.is_string()) reader.fail("\"feature_names\" must be a list of texts");
      model.feature_names.push_back(name.get<std::string>());
    }
    if (std::ssize(model.feature_names) != model.n_features) {
      reader.fail("\"feature_names\" must have one name for each of the " + std::to_string(model.n_features) +
                  " features");
    }
  }
  model.delta = reader.number("delta", 0.0);
  if (model.delta == 0.0) reader.fail("\"delta\" must be greater than 0");
  model.lambda1 = reader.number("lambda1", 0.0);
  model.lambda2 = reader.number("lambda2", 0.0);
  model.lambda3 = reader.number("lambda3", 0.0);
  model.intercept =
      reader.numbers(reader.at("intercept"), "\"intercept\"", static_cast<std::size_t>(model.n_outputs()));
  read_coefficients(reader, model);
  if (json.contains("report")) {
    if (!json.at("report").is_object()) reader.fail("\"report\" must be an object");
    model.report = read_report(Reader(json.at("report"), source + ": report"));
  }
  return model;
}

std::string report_to_json(const LinearModel& model) {
  return dump(make_report(model), -1);
}

}  // namespace hsvm
