#include "hsvm/model/path_file.hpp"

#include <utility>

#include "hsvm/model/json_parts.hpp"

namespace hsvm {
namespace {

using detail::Json;
using detail::Reader;

Json certificate(const FitReport& report) {
  Json json = {{"objective", report.objective},
               {"dual_objective", report.dual_objective},
               {"gap", report.gap},
               {"relative_gap", report.relative_gap},
               {"iterations", report.iterations},
               {"passes", report.passes},
               {"seconds", report.seconds},
               {"status", to_string(report.status)}};
  if (report.fallback) json["fallback"] = to_string(*report.fallback);
  return json;
}

// What is said once for the whole path.
void describe_solve(const PathModel& path, Json& json) {
  json["status"] = to_string(path.status);
  json["solver"] = to_string(path.solver);
  json["tolerance"] = path.tolerance;
  json["seconds"] = path.seconds;
  json["passes"] = path.passes;
  if (path.pass_seconds) json["pass_seconds"] = *path.pass_seconds;
  json["n_samples"] = path.n_samples;
  if (!path.points.empty()) detail::add_preparation(*path.points.front().report, json);
}

Json point_to_json(const PathPoint& point) {
  Json json;
  detail::add_coefficients(point, json);
  json["report"] = certificate(*point.report);
  return json;
}

// `common` has what the reports of all points share.
PathPoint read_point(const Json& json, const std::string& where, const PathModel& path,
                     const FitReport& common) {
  const Reader reader(json, where);
  if (!json.is_object()) reader.fail("must be an object");
  PathPoint point = reader.fitted(path);
  if (!path.points.empty() && !(point.lambda1 < path.points.back().lambda1))
    reader.fail("\"lambda1\" must be smaller than in the point before");
  const Reader report = reader.object("report");
  point.report = common;
  report.read_certificate(*point.report);
  return point;
}

}  // namespace

std::string path_to_json(const PathModel& path) {
  Json json = detail::begin_file(detail::kPathFormat, path);
  json["lambda1_max"] = path.lambda1_max;
  describe_solve(path, json);
  std::string text = detail::open_object(json) + "\"points\":[";
  for (std::size_t k = 0; k < path.points.size(); ++k) {
    text += (k == 0 ? "\n" : ",\n") + detail::dump(point_to_json(path.points[k]), -1);
  }
  return text + "\n]}\n";
}

PathModel detail::path_from_object(const Json& json, const std::string& source) {
  const Reader reader(json, source);
  reader.require_format(detail::kPathFormat);
  PathModel path;
  reader.read_shape(path);
  path.lambda1_max = reader.number("lambda1_max", 0.0);
  path.status = reader.word<Status>("status", kStatusNames);
  path.solver = reader.word<Solver>("solver", kSolverNames);
  path.tolerance = reader.number("tolerance", 0.0);
  path.seconds = reader.number("seconds", 0.0);
  path.passes = reader.number("passes", 0.0);
  if (reader.has("pass_seconds")) path.pass_seconds = reader.number("pass_seconds", 0.0);
  path.n_samples = static_cast<Index>(reader.integer("n_samples", 1, INT32_MAX));
  FitReport common;
  common.solver = path.solver;
  common.tolerance = path.tolerance;
  common.stopping = Stopping::gap;  // a path knows no other
  common.n_samples = path.n_samples;
  common.lambda1_max = path.lambda1_max;
  reader.read_preparation(common);
  if (reader.array("points").empty()) reader.fail("\"points\" must hold at least one point");
  for (const Json& point : reader.array("points")) {
    path.points.push_back(
        read_point(point, source + ": point " + std::to_string(path.points.size() + 1), path, common));
  }
  return path;
}

PathModel path_from_json(std::string_view text, const std::string& source) {
  return detail::path_from_object(detail::parse_object(text, source), source);
}

std::string path_report_to_json(const PathModel& path) {
  Json points = Json::array();
  for (const PathPoint& point : path.points) {
    Json json;
    detail::add_lambdas(point, json);
    json.update(certificate(*point.report));
    json["nonzeros"] = point.features.size();
    json["intercept"] = point.intercept;
    points.push_back(std::move(json));
  }
  Json json = {{"path", std::move(points)}};
  describe_solve(path, json);
  json["n_features"] = path.n_features;
  json["classes"] = detail::classes_to_json(path.classes);
  json["loss"] = to_string(path.loss);
  json["delta"] = path.delta;
  json["lambda1_max"] = path.lambda1_max;
  return detail::dump(json, -1);
}

}  // namespace hsvm
