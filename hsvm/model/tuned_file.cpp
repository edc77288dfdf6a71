#include "hsvm/model/tuned_file.hpp"

#include <fmt/format.h>

#include <utility>
#include <vector>

#include "hsvm/model/json_parts.hpp"

namespace hsvm {
namespace {

using detail::Json;
using detail::Reader;

constexpr double kRounding = 1e-9;  // by which a mean of shares may exceed 1

Json scores_to_json(const TuningPoint& point) {
  Json json = Json::object();
  for (const Score score : tuning_scores()) {
    if (const auto& summary = point.score(score))
      json[to_string(score)] = {{"mean", summary->mean}, {"standard_error", summary->standard_error}};
  }
  return json;
}

Json point_to_json(const TuningPoint& point) {
  Json json;
  detail::add_lambdas(point, json);
  json["delta"] = point.delta;
  json["nonzeros"] = point.nonzeros;
  json["mean_nonzeros"] = point.mean_nonzeros;
  json["not_certified"] = point.not_certified;
  json["scores"] = scores_to_json(point);
  return json;
}

// All but the choice and the grid.
Json describe_tuning(const Tuning& tuning) {
  return {{"status", to_string(tuning.status)},
          {"score", to_string(tuning.score)},
          {"folds", tuning.n_folds},
          {"repeats", tuning.repeats},
          {"leave_one_out", tuning.leave_one_out},
          {"seed", tuning.seed},
          {"paths", tuning.n_paths},
          {"seconds", tuning.seconds},
          {"passes", tuning.passes}};
}

ScoreSummary read_summary(const Reader& reader, const ScoreInfo& info) {
  ScoreSummary summary;
  summary.mean = reader.number("mean", 0.0);
  if (summary.mean > info.largest + kRounding)
    reader.fail(fmt::format("\"mean\" must be a number between 0 and {}", info.largest));
  summary.standard_error = reader.number("standard_error", 0.0);
  return summary;
}

TuningPoint read_point(const Reader& reader, Index n_features) {
  TuningPoint point{reader.lambdas()};
  point.delta = reader.delta();
  point.nonzeros = static_cast<Index>(reader.integer("nonzeros", 0, n_features));
  point.mean_nonzeros = reader.number_between("mean_nonzeros", 0.0, n_features);
  point.not_certified = static_cast<Index>(reader.integer("not_certified", 0, INT32_MAX));
  const Reader scores = reader.object("scores");
  for (const Score score : tuning_scores()) {
    const std::string name(to_string(score));
    if (scores.has(name.c_str()))
      point.scores[static_cast<std::size_t>(score)] = read_summary(scores.object(name.c_str()), info_of(score));
  }
  return point;
}

Score read_score(const Reader& reader) {
  const std::string name = reader.text("score");
  std::vector<std::string_view> known;
  for (const Score score : tuning_scores()) {
    if (name == to_string(score)) return score;
    known.push_back(to_string(score));
  }
  reader.fail_among("score", known);
}

std::uint64_t read_seed(const Reader& reader) {
  if (!reader.at("seed").is_number_unsigned()) reader.fail("\"seed\" must be a whole number of at least 0");
  return reader.at("seed").get<std::uint64_t>();
}

// The index of a point of the grid, which must have the score it was chosen by.
std::size_t read_choice(const Reader& reader, const char* key, const Tuning& tuning) {
  const auto index = static_cast<std::size_t>(reader.integer(key, 0, std::ssize(tuning.grid) - 1));
  if (!tuning.grid[index].score(tuning.score)) {
    reader.fail(std::string("\"") + key + "\" must be a point with the score \"" +
                std::string(to_string(tuning.score)) + "\"");
  }
  return index;
}

Tuning read_tuning(const Reader& reader, const std::string& where, Index n_features) {
  Tuning tuning;
  tuning.status = reader.word<Status>("status", kStatusNames);
  tuning.score = read_score(reader);
  tuning.n_folds = static_cast<Index>(reader.integer("folds", 2, INT32_MAX));
  tuning.repeats = static_cast<Index>(reader.integer("repeats", 1, INT32_MAX));
  tuning.leave_one_out = reader.truth("leave_one_out");
  tuning.seed = read_seed(reader);
  tuning.n_paths = static_cast<Index>(reader.integer("paths", 0, INT32_MAX));
  tuning.seconds = reader.number("seconds", 0.0);
  tuning.passes = reader.number("passes", 0.0);
  if (reader.array("grid").empty()) reader.fail("\"grid\" must hold at least one point");
  for (const Json& point : reader.array("grid")) {
    const Reader point_reader(point, where + ": point " + std::to_string(tuning.grid.size() + 1));
    if (!point.is_object()) point_reader.fail("must be an object");
    tuning.grid.push_back(read_point(point_reader, n_features));
  }
  tuning.best = read_choice(reader, "best", tuning);
  tuning.one_se = read_choice(reader, "one_se", tuning);
  return tuning;
}

// A point of the grid, with the report of the model fitted there to all samples.
Json choice_to_json(const Tuning& tuning, std::size_t index, const LinearModel& model) {
  Json json = {{"index", index}};
  json.update(point_to_json(tuning.grid[index]));
  if (model.report) json["report"] = detail::report_to_object(model);
  if (model.calibration) {
    json["probability"] = {{"log_loss", model.calibration->log_loss},
                           {"brier_score", model.calibration->brier_score}};
  }
  return json;
}

}  // namespace

std::string tuned_to_json(const TunedModel& model) {
  Json one_se = {{"delta", model.one_se.delta}};
  detail::add_fitted(model.one_se, one_se);
  Json tuning = describe_tuning(model.tuning);
  tuning["best"] = model.tuning.best;
  tuning["one_se"] = model.tuning.one_se;

  std::string text = detail::open_object(detail::model_to_object(model.best));
  text += "\"one_se\":" + detail::dump(one_se, -1) + ",\n";
  text += "\"tuning\":" + detail::open_object(tuning) + "\"grid\":[";
  for (std::size_t k = 0; k < model.tuning.grid.size(); ++k) {
    text += (k == 0 ? "\n" : ",\n") + detail::dump(point_to_json(model.tuning.grid[k]), -1);
  }
  return text + "\n]}}\n";
}

TunedModel detail::tuned_from_object(const Json& json, const std::string& source) {
  const Reader reader(json, source);
  TunedModel model;
  model.best = model_from_object(json, source);
  reader.read_shape(model.one_se);
  const Reader one_se = reader.object("one_se");
  model.one_se.delta = one_se.delta();
  read_fitted(one_se, model.one_se);
  model.tuning = read_tuning(reader.object("tuning"), source + ": tuning", model.best.n_features);
  return model;
}

TunedModel tuned_from_json(std::string_view text, const std::string& source) {
  return detail::tuned_from_object(detail::parse_object(text, source), source);
}

std::string tuning_report_to_json(const TunedModel& model) {
  const Tuning& tuning = model.tuning;
  Json json = describe_tuning(tuning);
  json["best"] = choice_to_json(tuning, tuning.best, model.best);
  json["one_se"] = choice_to_json(tuning, tuning.one_se, model.one_se);
  json["grid"] = Json::array();
  for (const TuningPoint& point : tuning.grid) json["grid"].push_back(point_to_json(point));
  return detail::dump(json, -1);
}

}  // namespace hsvm
