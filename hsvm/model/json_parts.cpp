#include "hsvm/model/json_parts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "hsvm/core/error.hpp"

namespace hsvm::detail {

Json classes_to_json(const Classes& classes) {
  Json result = Json::array();
  for (const std::string& name : classes.names) {
    result.push_back(classes.numeric ? Json::parse(name) : Json(name));
  }
  return result;
}

Json begin_file(const char* format, const ModelShape& shape) {
  Json json = {{"format", format},
               {"version", kVersion},
               {"kind", to_string(shape.kind)},
               {"classes", classes_to_json(shape.classes)},
               {"n_features", shape.n_features},
               {"feature_names", shape.feature_names.empty() ? Json(nullptr) : Json(shape.feature_names)},
               {"loss", to_string(shape.loss)},
               {"delta", shape.delta}};
  add_margins(shape, json);
  add_table(shape.preparation, json);
  return json;
}

void add_table(const TablePreparation& table, Json& json) {
  if (table.label)
    json["label"] = table.label->name.empty() ? Json(table.label->place + 1) : Json(table.label->name);
  if (table.empty()) return;
  Json preparation = Json::object();
  Json words = Json::array();
  for (const WordColumn& column : table.words) {
    words.push_back({{"column", column.name}, {"feature", column.first_feature}, {"words", column.words}});
    if (column.truth) words.back()["truth"] = true;
  }
  if (!words.empty()) preparation["words"] = std::move(words);
  if (table.fill != Fill::none) {
    preparation["missing"] = to_string(table.fill);
    preparation["values"] = table.values;
  }
  json["preparation"] = std::move(preparation);
}

void add_margins(const ModelShape& shape, Json& json) {
  if (shape.kind == ModelKind::multiclass) json["margins"] = to_string(shape.margins);
}

void add_coefficients(const Fitted& fitted, Json& json) {
  describe_lambdas(fitted, Writer(json));
  json["intercept"] = fitted.intercept;
  Json values = Json::array();
  const std::size_t n_outputs = fitted.intercept.size();
  for (std::size_t c = 0; c < fitted.features.size(); ++c) {
    const auto row = fitted.coefficients.begin() + static_cast<std::ptrdiff_t>(c * n_outputs);
    values.push_back(std::vector<double>(row, row + static_cast<std::ptrdiff_t>(n_outputs)));
  }
  json["coef"] = {{"feature", fitted.features}, {"value", std::move(values)}};
  if (!fitted.deviations.empty()) json["coef"]["deviation"] = fitted.deviations;
}

void add_named_coefficients(const ModelShape& shape, const Fitted& fitted, Json& json) {
  Json whole;
  add_coefficients(fitted, whole);
  json["coef"] = std::move(whole["coef"]);
  Json names = Json::array();
  for (const Index j : fitted.features) names.push_back(shape.feature_name(j));
  json["coef"]["name"] = std::move(names);
}

void add_preparation(const FitReport& report, Json& json) {
  if (report.standardized) json["standardized"] = true;
  if (report.kept_features) json["kept_features"] = *report.kept_features;
}

std::string dump(const Json& json, int indent) {
  try {
    return json.dump(indent);
  } catch (const nlohmann::json::exception&) {
    throw InputError("a label or a feature name is not UTF-8 text: convert the data (iconv -t UTF-8)");
  }
}

std::string open_object(const Json& json) {
  std::string text = dump(json, -1);
  text.back() = ',';
  return text + '\n';
}

namespace {

// Where a text stops being JSON, without the package's own words.
std::string describe_parse_error(const nlohmann::json::exception& error, std::string_view text) {
  const auto* const parse_error = dynamic_cast<const nlohmann::json::parse_error*>(&error);
  if (parse_error == nullptr) return "a number is too large";
  const std::size_t byte = std::min<std::size_t>(parse_error->byte, text.size());
  if (text.empty()) return "it is empty";
  if (parse_error->byte > text.size()) return "it ends too early";
  const std::string_view before = text.substr(0, byte == 0 ? 0 : byte - 1);
  const auto line = std::count(before.begin(), before.end(), '\n') + 1;
  const std::size_t last = before.rfind('\n');
  const std::size_t column = last == before.npos ? before.size() + 1 : before.size() - last;
  return fmt::format("what stands at line {}, column {} is no JSON", line, column);
}

}  // namespace

Json parse_object(std::string_view text, const std::string& source) {
  Json json;
  try {
    json = Json::parse(text);
  } catch (const nlohmann::json::exception& error) {
    throw InputError(source + ": not a model file (a JSON object): " + describe_parse_error(error, text));
  }
  if (!json.is_object()) throw InputError(source + ": not a model file: expected a JSON object");
  return json;
}

void Reader::fail(const std::string& what) const {
  throw InputError(where_ + ": " + what);
}

const Json& Reader::at(const char* key) const {
  if (!has(key)) fail(std::string("the key \"") + key + "\" is missing");
  return json_.at(key);
}

std::string Reader::text(const char* key) const {
  if (!at(key).is_string()) fail(std::string("\"") + key + "\" must be a text");
  return at(key).get<std::string>();
}

void Reader::operator()(const char* key, double& value, double low, double high) const {
  const Json& json = at(key);
  if (!json.is_number() || !(json.get<double>() >= low && json.get<double>() <= high)) {
    const std::string range = high < kLargest ? fmt::format(" between {} and {}", low, high) : " of at least 0";
    fail(fmt::format("\"{}\" must be a number{}", key, low == -kLargest ? "" : range));
  }
  value = json.get<double>();
}

void Reader::operator()(const char* key, Index& value, Index low, Index high) const {
  const Json& json = at(key);
  // In double precision, which holds them all: a whole number of JSON may have 64 bits, with a sign or without.
  if (!json.is_number_integer() || json.get<double>() < low || json.get<double>() > high)
    fail(fmt::format("\"{}\" must be a whole number between {} and {}", key, low, high));
  value = json.get<Index>();
}

void Reader::operator()(const char* key, Count& value, Count low) const {
  constexpr double kExact = 9007199254740992.0;  // 2^53: what doubles count up to
  const Json& json = at(key);
  if (!json.is_number_integer() || json.get<double>() < static_cast<double>(low) || json.get<double>() > kExact)
    fail(fmt::format("\"{}\" must be a whole number of at least {}", key, low));
  value = json.get<Count>();
}

void Reader::operator()(const char* key, std::uint64_t& value) const {
  if (!at(key).is_number_unsigned()) fail(fmt::format("\"{}\" must be a whole number of at least 0", key));
  value = at(key).get<std::uint64_t>();
}

void Reader::operator()(const char* key, bool& value) const {
  if (!at(key).is_boolean()) fail(std::string("\"") + key + "\" must be true or false");
  value = at(key).get<bool>();
}

void Reader::operator()(const char* key, std::vector<double>& value, std::size_t size) const {
  value = numbers(at(key), fmt::format("\"{}\"", key).c_str(), size);
}

const Json& Reader::array(const char* key) const {
  if (!at(key).is_array()) fail(std::string("\"") + key + "\" must be a list");
  return at(key);
}

Reader Reader::object(const char* key) const {
  if (!at(key).is_object()) fail(std::string("\"") + key + "\" must be an object");
  return Reader(at(key), where_ + ": " + key);
}

std::vector<Reader> Reader::points(const char* key) const {
  if (array(key).empty()) fail(fmt::format("\"{}\" must hold at least one point", key));
  std::vector<Reader> result;
  for (const Json& point : array(key)) {
    result.emplace_back(point, fmt::format("{}: point {}", where_, result.size() + 1));
    if (!point.is_object()) result.back().fail("must be an object");
  }
  return result;
}

std::vector<double> Reader::numbers(const Json& list, const char* what, std::size_t size) const {
  if (!list.is_array() || list.size() != size) {
    fail(std::string(what) + " must be a list of " + std::to_string(size) + " number" + (size == 1 ? "" : "s"));
  }
  std::vector<double> result;
  for (const Json& value : list) {
    if (!value.is_number() || !std::isfinite(value.get<double>()))
      fail(std::string(what) + " must hold numbers");
    result.push_back(value.get<double>());
  }
  return result;
}

void Reader::require_format(const char* format) const {
  if (text("format") != format) fail(std::string("\"format\" must be \"") + format + "\"");
  if (at("version") != kVersion) {
    fail("\"version\" is " + at("version").dump() + ": this program reads version 1");
  }
}

double Reader::delta() const {
  double result = 0.0;
  (*this)("delta", result, 0.0);
  if (result == 0.0) fail("\"delta\" must be greater than 0");
  return result;
}

void Reader::fail_among(const char* key, std::span<const std::string_view> names) const {
  fail(fmt::format("\"{}\" must be one of {}", key, fmt::join(names, ", ")));
}

void Reader::read_shape(ModelShape& shape) const {
  (*this)("kind", shape.kind, kModelKindNames);
  shape.classes = classes(shape.kind);
  (*this)("n_features", shape.n_features, 0);
  shape.feature_names = feature_names(shape.n_features);
  if (has("loss")) (*this)("loss", shape.loss, kLossNames);  // files from before there were two have none
  shape.delta = delta();
  if (has("margins")) (*this)("margins", shape.margins, kMarginsNames);  // as above: then they are absolute
  shape.preparation = table_preparation(shape.n_features);
}

TablePreparation Reader::table_preparation(Index n_features) const {
  TablePreparation table;
  if (has("label")) {
    table.label.emplace();
    if (at("label").is_string()) {
      table.label->name = text("label");
    } else {
      (*this)("label", table.label->place, 1);
      --table.label->place;
    }
  }
  if (!has("preparation")) return table;
  const Reader preparation = object("preparation");
  if (preparation.has("words")) {
    for (const Json& column : preparation.array("words"))
      table.words.push_back(
          Reader(column, preparation.where_ + ": words").word_column(table.words, n_features));
  }
  if (preparation.has("missing")) {
    preparation("missing", table.fill, kFillNames);
    if (table.fill != Fill::none) preparation("values", table.values, static_cast<std::size_t>(n_features));
  }
  return table;
}

WordColumn Reader::word_column(const std::vector<WordColumn>& before, Index n_features) const {
  if (!json_.is_object()) fail("must be an object");
  WordColumn column;
  column.name = text("column");
  const Index first = before.empty() ? 0 : before.back().first_feature + before.back().n_features();
  (*this)("feature", column.first_feature, first, n_features - 1);
  if (has("truth")) (*this)("truth", column.truth);
  for (const Json& word : array("words")) {
    if (!word.is_string()) fail("\"words\" must hold texts");
    column.words.push_back(word.get<std::string>());
  }
  if (column.words.empty() || (column.truth && column.words.size() != 2) ||
      column.n_features() > n_features - column.first_feature)
    fail("\"words\" must have a word for each of the column's features, or two of a truth column");
  return column;
}

Fitted Reader::fitted(const ModelShape& shape) const {
  Fitted result;
  describe_lambdas(result, *this);
  (*this)("intercept", result.intercept, static_cast<std::size_t>(shape.n_outputs()));
  read_coefficients(shape, result);
  return result;
}

Classes Reader::classes(ModelKind kind) const {
  std::vector<std::string> names;
  bool numeric = true;
  for (const Json& entry : array("classes")) {
    if (!entry.is_number() && !entry.is_string()) fail("\"classes\" must hold numbers or words");
    numeric = numeric && entry.is_number();
    names.push_back(entry.is_string() ? entry.get<std::string>() : entry.dump());
  }
  Classes result = make_labels(names).classes;
  if (result.names.size() < 2 || result.names.size() != names.size()) {
    fail("\"classes\" must hold at least two different labels");
  }
  for (std::size_t k = 0; k < names.size(); ++k) {
    if (result.find(names[k]) != static_cast<Index>(k)) fail("\"classes\" must be in ascending order");
  }
  if (result.numeric != numeric) fail("\"classes\" must be all numbers or all words that are not numbers");
  if (kind == ModelKind::binary && result.size() != 2) fail("a binary model must have two \"classes\"");
  return result;
}

std::vector<std::string> Reader::feature_names(Index n_features) const {
  std::vector<std::string> result;
  if (at("feature_names").is_null()) return result;
  for (const Json& name : array("feature_names")) {
    if (!name.is_string()) fail("\"feature_names\" must be a list of texts");
    result.push_back(name.get<std::string>());
  }
  if (std::ssize(result) != n_features) {
    fail("\"feature_names\" must have one name for each of the " + std::to_string(n_features) + " features");
  }
  return result;
}

std::vector<Index> Reader::features(const Json& list, const char* what, Index n_features) const {
  std::vector<Index> result;
  for (const Json& feature : list) {
    const std::int64_t previous = result.empty() ? -1 : result.back();
    if (!feature.is_number_integer() || feature.get<std::int64_t>() <= previous ||
        feature.get<std::int64_t>() >= n_features) {
      fail(std::string(what) + " must be ascending whole numbers from 0 to " + std::to_string(n_features - 1));
    }
    result.push_back(feature.get<Index>());
  }
  return result;
}

void Reader::read_coefficients(const ModelShape& shape, Fitted& fitted) const {
  if (!at("coef").is_object()) fail("\"coef\" must be an object");
  if (!at("coef").contains("feature") || !at("coef").contains("value")) {
    fail("\"coef\" must have the keys \"feature\" and \"value\"");
  }
  const Json& listed = at("coef").at("feature");
  const Json& values = at("coef").at("value");
  if (!listed.is_array() || !values.is_array() || listed.size() != values.size()) {
    fail("\"coef\": \"feature\" and \"value\" must be lists of the same length");
  }
  fitted.features = features(listed, "\"coef\": \"feature\"", shape.n_features);
  for (const Json& value : values) {
    const std::vector<double> row =
        numbers(value, "an entry of \"coef\".\"value\"", static_cast<std::size_t>(shape.n_outputs()));
    fitted.coefficients.insert(fitted.coefficients.end(), row.begin(), row.end());
  }
  if (!at("coef").contains("deviation"))
    return;  // features that were not standardised, and older files, have none
  fitted.deviations = numbers(at("coef").at("deviation"), "\"coef\".\"deviation\"", fitted.features.size());
  for (const double deviation : fitted.deviations) {
    if (!(deviation > 0.0)) fail("\"coef\".\"deviation\" must hold numbers greater than 0");
  }
}

void Reader::read_preparation(FitReport& report) const {
  if (has("standardized")) (*this)("standardized", report.standardized);
  (*this)("kept_features", report.kept_features, 1);
}

}  // namespace hsvm::detail
