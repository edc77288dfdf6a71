#include <utility>

#include "hsvm/model/json_parts.hpp"

namespace hsvm {
namespace {

using detail::Json;
using detail::Reader;
using detail::Writer;

// What a point's report says of its own solve.
template <class Report, class Visit>
void describe_certificate(Report& report, const Visit& visit) {
  detail::describe_gap(report, visit);
  detail::describe_cost(report, visit);
  visit("status", report.status, kStatusNames);
  visit("fallback", report.fallback, kSolverNames);
}

// What is said once for the whole path, all but the preparation.
template <class Path, class Visit>
void describe_solve(Path& path, const Visit& visit) {
  visit("status", path.status, kStatusNames);
  visit("solver", path.solver, kSolverNames);
  visit("tolerance", path.tolerance, 0.0);
  visit("seconds", path.seconds, 0.0);
  visit("passes", path.passes, 0.0);
  visit("pass_seconds", path.pass_seconds, 0.0);
  visit("n_samples", path.n_samples, 1);
  detail::describe_rank_cost(path.rank_cost, visit);
}

// Why it ended; files from before paths ended by themselves have no word on it.
template <class Path, class Visit>
void describe_end(Path& path, const Visit& visit) {
  visit("ended", path.ended, kPathEndNames);
  visit("explained", path.explained, -Reader::kLargest, 1.0);
}

void add_solve(const PathModel& path, Json& json) {
  describe_solve(path, Writer(json));
  describe_end(path, Writer(json));
  if (!path.points.empty()) detail::add_preparation(*path.points.front().report, json);
}

Json point_to_json(const PathPoint& point) {
  Json json;
  detail::add_coefficients(point, json);
  describe_certificate(*point.report, Writer(json["report"]));
  return json;
}

// `common` has what the reports of all points share.
PathPoint read_point(const Reader& reader, const PathModel& path, const FitReport& common) {
  PathPoint point = reader.fitted(path);
  if (!path.points.empty() && !(point.lambda1 < path.points.back().lambda1))
    reader.fail("\"lambda1\" must be smaller than in the point before");
  describe_certificate(point.report.emplace(common), reader.object("report"));
  return point;
}

}  // namespace

std::string path_to_json(const PathModel& path) {
  Json json = detail::begin_file(detail::kPathFormat, path);
  json["lambda1_max"] = path.lambda1_max;
  add_solve(path, json);
  return detail::open_object(json) + "\"points\":" + detail::dump_lines(path.points, point_to_json) + "}\n";
}

PathModel detail::path_from_object(const Json& json, const std::string& source) {
  const Reader reader(json, source);
  reader.require_format(detail::kPathFormat);
  PathModel path;
  reader.read_shape(path);
  reader("lambda1_max", path.lambda1_max, 0.0);
  describe_solve(path, reader);
  if (reader.has("ended")) describe_end(path, reader);
  FitReport common;
  common.solver = path.solver;
  common.tolerance = path.tolerance;
  common.stopping = Stopping::gap;  // a path knows no other
  common.n_samples = path.n_samples;
  common.lambda1_max = path.lambda1_max;
  reader.read_preparation(common);
  for (const Reader& point : reader.points("points")) path.points.push_back(read_point(point, path, common));
  return path;
}

PathModel path_from_json(std::string_view text, const std::string& source) {
  return detail::path_from_object(detail::parse_object(text, source), source);
}

std::string path_report_to_json(const PathModel& path, ReportCoefficients coefficients) {
  Json points = Json::array();
  for (const PathPoint& point : path.points) {
    Json json;
    detail::describe_lambdas(point, Writer(json));
    describe_certificate(*point.report, Writer(json));
    json["nonzeros"] = point.features.size();
    json["intercept"] = point.intercept;
    if (coefficients == ReportCoefficients::included) detail::add_named_coefficients(path, point, json);
    points.push_back(std::move(json));
  }
  Json json = {{"path", std::move(points)}};
  add_solve(path, json);
  json["n_features"] = path.n_features;
  json["classes"] = detail::classes_to_json(path.classes);
  json["loss"] = to_string(path.loss);
  json["delta"] = path.delta;
  detail::add_margins(path, json);
  json["lambda1_max"] = path.lambda1_max;
  return detail::dump(json, -1);
}

}  // namespace hsvm
