#include <fmt/format.h>

#include <array>
#include <cmath>
#include <vector>

#include "hsvm/model/json_parts.hpp"

namespace hsvm {
namespace {

using detail::Json;
using detail::Reader;
using detail::Writer;

template <class Point, class Visit>
void describe_counts(Point& point, Index n_features, const Visit& visit) {
  visit("nonzeros", point.nonzeros, 0, n_features);
  visit("mean_nonzeros", point.mean_nonzeros, 0.0, n_features);
  visit("not_certified", point.not_certified, 0);
}

Json point_to_json(const TuningPoint& point) {
  Json json;
  detail::describe_lambdas(point, Writer(json));
  json["delta"] = point.delta;
  describe_counts(point, 0, Writer(json));
  json["scores"] = detail::scores_to_json(point.scores);
  return json;
}

TuningPoint read_point(const Reader& reader, Index n_features) {
  TuningPoint point;
  detail::describe_lambdas(point, reader);
  point.delta = reader.delta();
  describe_counts(point, n_features, reader);
  point.scores = detail::read_scores(reader.object("scores"));
  return point;
}

// How the folds were made.
template <class Tuning, class Visit>
void describe_folds(Tuning& tuning, const Visit& visit) {
  visit("folds", tuning.n_folds, 2);
  visit("repeats", tuning.repeats, 1);
  visit("leave_one_out", tuning.leave_one_out);
  visit("seed", tuning.seed);
  visit("paths", tuning.n_paths, 0);
  visit("seconds", tuning.seconds, 0.0);
  visit("passes", tuning.passes, 0.0);
}

template <class Enum>
Json names_of(const std::vector<Enum>& values) {
  Json list = Json::array();
  for (const Enum value : values) list.push_back(to_string(value));
  return list;
}

template <class Enum, std::size_t size>
std::vector<Enum> read_names(const Reader& reader, const char* key,
                             const std::array<std::string_view, size>& names) {
  std::vector<Enum> values;
  for (const Json& name : reader.array(key)) {
    const auto found =
        name.is_string() ? find_named<Enum>(names, name.template get<std::string>()) : std::nullopt;
    if (!found) reader.fail_among(key, names);
    values.push_back(*found);
  }
  return values;
}

// What there is to know of the scores and of the grid.
void add_findings(const Tuning& tuning, Json& json) {
  json["ended"] = names_of(tuning.ends);
  json["lambda2_lowered"] = tuning.lambda2_lowered;
  json["continued"] = tuning.continued;
  json["held_out"] = tuning.held_out;
  json["majority_share"] = tuning.majority_share;
  json["notes"] = names_of(tuning.notes);
}

// Files from before paths ended by themselves have none of it.
void read_findings(const Reader& reader, Index n_classes, Tuning& tuning) {
  if (!reader.has("ended")) return;
  tuning.ends = read_names<PathEnd>(reader, "ended", kPathEndNames);
  if (!tuning.ends.empty() && tuning.ends.size() + 1 != path_begins(tuning.grid).size())
    reader.fail("\"ended\" must have one word for each path of the grid");
  reader("lambda2_lowered", tuning.lambda2_lowered, 0);
  reader("continued", tuning.continued, 0);
  for (const double count :
       reader.numbers(reader.array("held_out"), "\"held_out\"", static_cast<std::size_t>(n_classes))) {
    if (!(count >= 0.0 && count <= INT32_MAX && count == std::floor(count)))
      reader.fail("\"held_out\" must be whole numbers of at least 0");
    tuning.held_out.push_back(static_cast<Index>(count));
  }
  reader("majority_share", tuning.majority_share, 0.0, 1.0);
  tuning.notes = read_names<TuningNote>(reader, "notes", kTuningNoteNames);
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

// All but the choice and the grid.
Json tuning_to_json(const Tuning& tuning) {
  Json json = {{"status", to_string(tuning.status)}, {"score", to_string(tuning.score)}};
  describe_folds(tuning, Writer(json));
  add_findings(tuning, json);
  if (tuning.nested) json["nested"] = detail::nested_to_json(*tuning.nested);
  return json;
}

// The index of a point of the grid, which must have the score it was chosen by.
std::size_t read_choice(const Reader& reader, const char* key, const Tuning& tuning) {
  Index index = 0;
  reader(key, index, 0, static_cast<Index>(tuning.grid.size()) - 1);
  if (!tuning.grid[static_cast<std::size_t>(index)].score(tuning.score))
    reader.fail(fmt::format("\"{}\" must be a point with the score \"{}\"", key, to_string(tuning.score)));
  return static_cast<std::size_t>(index);
}

Tuning read_tuning(const Reader& reader, const ModelShape& shape) {
  Tuning tuning;
  reader("status", tuning.status, kStatusNames);
  tuning.score = read_score(reader);
  describe_folds(tuning, reader);
  for (const Reader& point : reader.points("grid")) tuning.grid.push_back(read_point(point, shape.n_features));
  tuning.best = read_choice(reader, "best", tuning);
  tuning.one_se = read_choice(reader, "one_se", tuning);
  read_findings(reader, shape.classes.size(), tuning);
  if (reader.has("out_of_fold"))
    tuning.out_of_fold = detail::read_out_of_fold(reader.object("out_of_fold"), shape);
  if (reader.has("nested")) tuning.nested = detail::read_nested(reader.object("nested"), shape);
  return tuning;
}

// A point of the grid, with the report of the model fitted there to all samples.
Json choice_to_json(const Tuning& tuning, std::size_t index, const LinearModel& model,
                    const std::vector<float>& out_of_fold) {
  Json json = {{"index", index}};
  json.update(point_to_json(tuning.grid[index]));
  if (model.report) json["report"] = detail::report_to_object(model);
  if (model.calibration) {
    json["probability"] = {{"log_loss", model.calibration->log_loss},
                           {"brier_score", model.calibration->brier_score}};
  }
  if (!out_of_fold.empty())
    json["confusion"] = detail::confusion_to_json(tuning.out_of_fold.truth, out_of_fold, model);
  return json;
}

}  // namespace

std::string tuned_to_json(const TunedModel& model) {
  Json one_se = {{"delta", model.one_se.delta}};
  detail::add_fitted(model.one_se, one_se);
  Json tuning = tuning_to_json(model.tuning);
  tuning["best"] = model.tuning.best;
  tuning["one_se"] = model.tuning.one_se;
  if (!model.tuning.out_of_fold.samples.empty())
    tuning["out_of_fold"] = detail::out_of_fold_to_json(model.tuning.out_of_fold);
  if (model.tuning.nested)
    tuning["nested"]["out_of_fold"] = detail::out_of_fold_to_json(model.tuning.nested->out_of_fold);

  std::string text = detail::open_object(detail::model_to_object(model.best));
  text += "\"one_se\":" + detail::dump(one_se, -1) + ",\n";
  if (model.evidence)
    text += "\"evidence\":" + detail::dump(detail::evidence_to_object(*model.evidence), -1) + ",\n";
  text += "\"tuning\":" + detail::open_object(tuning);
  return text + "\"grid\":" + detail::dump_lines(model.tuning.grid, point_to_json) + "}}\n";
}

TunedModel detail::tuned_from_object(const Json& json, const std::string& source) {
  const Reader reader(json, source);
  TunedModel model;
  model.best = model_from_object(json, source);
  reader.read_shape(model.one_se);
  const Reader one_se = reader.object("one_se");
  model.one_se.delta = one_se.delta();
  read_fitted(one_se, model.one_se);
  model.tuning = read_tuning(reader.object("tuning"), model.best);
  if (reader.has("evidence")) model.evidence = evidence_from_object(reader.object("evidence"), model.best);
  return model;
}

TunedModel tuned_from_json(std::string_view text, const std::string& source) {
  return detail::tuned_from_object(detail::parse_object(text, source), source);
}

std::string tuning_report_to_json(const TunedModel& model) {
  const Tuning& tuning = model.tuning;
  Json json = tuning_to_json(tuning);
  const OutOfFold& said = tuning.out_of_fold;
  json["best"] = choice_to_json(tuning, tuning.best, model.best, said.best);
  json["one_se"] =
      choice_to_json(tuning, tuning.one_se, model.one_se, said.one_se.empty() ? said.best : said.one_se);
  if (tuning.nested) {
    const OutOfFold& outer = tuning.nested->out_of_fold;
    json["nested"]["best"]["confusion"] = detail::confusion_to_json(outer.truth, outer.best, model.best);
    json["nested"]["one_se"]["confusion"] =
        detail::confusion_to_json(outer.truth, outer.one_se.empty() ? outer.best : outer.one_se, model.best);
  }
  json["grid"] = Json::array();
  for (const TuningPoint& point : tuning.grid) json["grid"].push_back(point_to_json(point));
  return detail::dump(json, -1);
}

}  // namespace hsvm
