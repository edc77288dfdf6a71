#include "hsvm/model/model_file.hpp"

#include "hsvm/model/json_parts.hpp"

namespace hsvm {
namespace {

using detail::Json;
using detail::Reader;

FitReport read_report(const Reader& reader) {
  FitReport report;
  reader.read_certificate(report);
  report.solver = reader.word<Solver>("solver", kSolverNames);
  report.tolerance = reader.number("tolerance", 0.0);
  report.stopping = reader.word<Stopping>("stopping", kStoppingNames);
  if (reader.has("pass_seconds")) report.pass_seconds = reader.number("pass_seconds", 0.0);
  report.n_samples = static_cast<Index>(reader.integer("n_samples", 1, INT32_MAX));
  report.lambda1_max = reader.number("lambda1_max", 0.0);
  reader.read_preparation(report);
  return report;
}

Json probability_to_json(const Calibration& calibration) {
  return {{"slope", calibration.slope},
          {"offsets", calibration.offsets},
          {"log_loss", calibration.log_loss},
          {"brier_score", calibration.brier_score}};
}

Calibration read_probability(const Reader& reader, Index n_outputs) {
  Calibration calibration;
  calibration.slope = reader.number("slope");
  calibration.offsets =
      reader.numbers(reader.at("offsets"), "\"offsets\"", static_cast<std::size_t>(n_outputs));
  calibration.log_loss = reader.number("log_loss", 0.0);
  calibration.brier_score = reader.number("brier_score", 0.0);
  return calibration;
}

Json stability_to_json(const Stability& stability) {
  return {{"halves", stability.n_halves},
          {"mean_selected", stability.mean_selected},
          {"feature", stability.features},
          {"frequency", stability.frequencies}};
}

Stability read_stability(const Reader& reader, Index n_features) {
  Stability stability;
  stability.n_halves = static_cast<Index>(reader.integer("halves", 1, INT32_MAX));
  stability.mean_selected = reader.number_between("mean_selected", 0.0, n_features);
  stability.features = reader.features(reader.array("feature"), "\"feature\"", n_features);
  stability.frequencies = reader.numbers(reader.array("frequency"), "\"frequency\"", stability.features.size());
  for (const double frequency : stability.frequencies) {
    if (!(frequency > 0.0 && frequency <= 1.0))
      reader.fail("\"frequency\" must hold numbers greater than 0 and at most 1");
  }
  return stability;
}

}  // namespace

Json detail::report_to_object(const LinearModel& model) {
  const FitReport& report = model.report.value();
  Json json = {{"status", to_string(report.status)},
               {"solver", to_string(report.solver)},
               {"objective", report.objective},
               {"dual_objective", report.dual_objective},
               {"gap", report.gap},
               {"relative_gap", report.relative_gap},
               {"tolerance", report.tolerance},
               {"stopping", to_string(report.stopping)},
               {"iterations", report.iterations},
               {"passes", report.passes},
               {"seconds", report.seconds}};
  if (report.fallback) json["fallback"] = to_string(*report.fallback);
  if (report.pass_seconds) json["pass_seconds"] = *report.pass_seconds;
  json["n_samples"] = report.n_samples;
  detail::add_preparation(report, json);
  json["n_features"] = model.n_features;
  json["classes"] = detail::classes_to_json(model.classes);
  json["nonzeros"] = model.features.size();
  detail::add_lambdas(model, json);
  json["loss"] = to_string(model.loss);
  json["delta"] = model.delta;
  json["lambda1_max"] = report.lambda1_max;
  json["intercept"] = model.intercept;
  return json;
}

void detail::add_fitted(const LinearModel& model, Json& json) {
  add_coefficients(model, json);
  if (model.report) json["report"] = report_to_object(model);
  if (model.calibration) json["probability"] = probability_to_json(*model.calibration);
  if (model.stability) json["stability"] = stability_to_json(*model.stability);
}

void detail::read_fitted(const Reader& reader, LinearModel& model) {
  static_cast<Fitted&>(model) = reader.fitted(model);
  if (reader.has("report")) model.report = read_report(reader.object("report"));
  if (reader.has("probability"))
    model.calibration = read_probability(reader.object("probability"), model.n_outputs());
  if (reader.has("stability")) model.stability = read_stability(reader.object("stability"), model.n_features);
}

Json detail::model_to_object(const LinearModel& model) {
  Json json = begin_file(kModelFormat, model);
  add_fitted(model, json);
  return json;
}

LinearModel detail::model_from_object(const Json& json, const std::string& source) {
  const Reader reader(json, source);
  reader.require_format(kModelFormat);
  LinearModel model;
  reader.read_shape(model);
  read_fitted(reader, model);
  return model;
}

std::string model_to_json(const LinearModel& model) {
  return detail::dump(detail::model_to_object(model), 1) + "\n";
}

LinearModel model_from_json(std::string_view text, const std::string& source) {
  return detail::model_from_object(detail::parse_object(text, source), source);
}

std::string report_to_json(const LinearModel& model) {
  return detail::dump(detail::report_to_object(model), -1);
}

}  // namespace hsvm
