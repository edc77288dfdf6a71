#include "hsvm/model/json_parts.hpp"

namespace hsvm {
namespace {

using detail::Json;
using detail::Reader;
using detail::Writer;

// All of a report but the preparation and lambda1_max.
template <class Report, class Visit>
void describe_report(Report& report, const Visit& visit) {
  visit("status", report.status, kStatusNames);
  visit("solver", report.solver, kSolverNames);
  detail::describe_gap(report, visit);
  visit("tolerance", report.tolerance, 0.0);
  visit("stopping", report.stopping, kStoppingNames);
  detail::describe_cost(report, visit);
  visit("fallback", report.fallback, kSolverNames);
  visit("pass_seconds", report.pass_seconds, 0.0);
  visit("n_samples", report.n_samples, 1);
  detail::describe_rank_cost(report.rank_cost, visit);
}

template <class Probability, class Visit>
void describe_probability(Probability& calibration, Index n_outputs, const Visit& visit) {
  visit("slope", calibration.slope);
  visit("offsets", calibration.offsets, static_cast<std::size_t>(n_outputs));
  visit("log_loss", calibration.log_loss, 0.0);
  visit("brier_score", calibration.brier_score, 0.0);
}

Json stability_to_json(const Stability& stability) {
  return {{"halves", stability.n_halves},
          {"mean_selected", stability.mean_selected},
          {"feature", stability.features},
          {"frequency", stability.frequencies}};
}

Stability read_stability(const Reader& reader, Index n_features) {
  Stability stability;
  reader("halves", stability.n_halves, 1);
  reader("mean_selected", stability.mean_selected, 0.0, n_features);
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
  Json json;
  describe_report(report, Writer(json));
  detail::add_preparation(report, json);
  json["n_features"] = model.n_features;
  if (model.preparation.label && !model.preparation.label->name.empty())
    json["label"] = model.preparation.label->name;
  json["classes"] = detail::classes_to_json(model.classes);
  json["nonzeros"] = model.features.size();
  describe_lambdas(model, Writer(json));
  json["loss"] = to_string(model.loss);
  json["delta"] = model.delta;
  add_margins(model, json);
  json["lambda1_max"] = report.lambda1_max;
  json["intercept"] = model.intercept;
  return json;
}

void detail::add_fitted(const LinearModel& model, Json& json) {
  add_coefficients(model, json);
  if (model.report) json["report"] = report_to_object(model);
  if (model.calibration)
    describe_probability(*model.calibration, model.n_outputs(), Writer(json["probability"]));
  if (model.stability) json["stability"] = stability_to_json(*model.stability);
}

void detail::read_fitted(const Reader& reader, LinearModel& model) {
  static_cast<Fitted&>(model) = reader.fitted(model);
  if (reader.has("report")) {
    const Reader report = reader.object("report");
    describe_report(model.report.emplace(), report);
    report("lambda1_max", model.report->lambda1_max, 0.0);
    report.read_preparation(*model.report);
  }
  if (reader.has("probability"))
    describe_probability(model.calibration.emplace(), model.n_outputs(), reader.object("probability"));
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

AnyModel any_model_from_json(std::string_view text, const std::string& source) {
  const Json json = detail::parse_object(text, source);
  if (json.contains("format") && json.at("format") == detail::kPathFormat)
    return detail::path_from_object(json, source);
  if (json.contains("tuning")) return detail::tuned_from_object(json, source);
  return detail::model_from_object(json, source);
}

std::string report_to_json(const LinearModel& model, ReportCoefficients coefficients) {
  Json json = detail::report_to_object(model);
  if (coefficients == ReportCoefficients::included) detail::add_named_coefficients(model, model, json);
  return detail::dump(json, -1);
}

}  // namespace hsvm
