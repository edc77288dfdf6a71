#include "hsvm/model/model_file.hpp"

#include "hsvm/model/json_parts.hpp"

namespace hsvm {
namespace {

using detail::Json;
using detail::Reader;

constexpr const char* kFormat = "hsvm-model";

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
  if (!report.fallback.empty()) json["fallback"] = report.fallback;
  if (report.pass_seconds) json["pass_seconds"] = *report.pass_seconds;
  json["n_samples"] = report.n_samples;
  json["n_features"] = model.n_features;
  json["classes"] = detail::classes_to_json(model.classes);
  json["nonzeros"] = model.features.size();
  json["lambda1"] = model.lambda1;
  json["lambda2"] = model.lambda2;
  json["lambda3"] = model.lambda3;
  json["delta"] = model.delta;
  json["lambda1_max"] = report.lambda1_max;
  json["intercept"] = model.intercept;
  return json;
}

FitReport read_report(const Reader& reader) {
  FitReport report;
  reader.read_certificate(report);
  report.solver = reader.text("solver");
  report.tolerance = reader.number("tolerance", 0.0);
  report.stopping = reader.text("stopping");
  if (reader.has("fallback")) report.fallback = reader.text("fallback");
  if (reader.has("pass_seconds")) report.pass_seconds = reader.number("pass_seconds", 0.0);
  report.n_samples = static_cast<Index>(reader.integer("n_samples", 1, INT32_MAX));
  report.lambda1_max = reader.number("lambda1_max", 0.0);
  return report;
}

}  // namespace

std::string model_to_json(const LinearModel& model) {
  Json json = {{"format", kFormat},
               {"version", detail::kVersion},
               {"kind", detail::kind_to_text(model.kind)},
               {"classes", detail::classes_to_json(model.classes)},
               {"n_features", model.n_features},
               {"feature_names", model.feature_names.empty() ? Json(nullptr) : Json(model.feature_names)},
               {"delta", model.delta},
               {"lambda1", model.lambda1},
               {"lambda2", model.lambda2},
               {"lambda3", model.lambda3},
               {"intercept", model.intercept},
               {"coef", detail::coefficients_to_json(model.features, model.coefficients)}};
  if (model.report) json["report"] = make_report(model);
  return detail::dump(json, 1) + "\n";
}

LinearModel detail::model_from_object(const Json& json, const std::string& source) {
  const Reader reader(json, source);
  reader.require_format(kFormat);
  LinearModel model;
  reader.read_shape(model);
  reader.read_point(model.n_features, model.n_outputs(), model);
  if (reader.has("report")) {
    if (!reader.at("report").is_object()) reader.fail("\"report\" must be an object");
    model.report = read_report(Reader(reader.at("report"), source + ": report"));
  }
  return model;
}

LinearModel model_from_json(std::string_view text, const std::string& source) {
  return detail::model_from_object(detail::parse_object(text, source), source);
}

std::string report_to_json(const LinearModel& model) {
  return detail::dump(make_report(model), -1);
}

}  // namespace hsvm
