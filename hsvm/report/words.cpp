#include "hsvm/report/words.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "hsvm/model/tuning_notes.hpp"

namespace hsvm::report {
namespace {

// The huberized hinge by its width; the squared hinge has none. A multi-class model's margins.
std::string describe_loss(const ModelShape& shape) {
  std::string text =
      shape.loss == Loss::huberized ? fmt::format("delta = {:.6g}", shape.delta) : std::string("squared hinge");
  if (shape.kind == ModelKind::multiclass) text += fmt::format(", {} margins", to_string(shape.margins));
  return text;
}

// ", standardized, 100 features kept" where that was so.
std::string describe_preparation(const FitReport& report) {
  std::string text = report.standardized ? ", standardized" : "";
  if (report.kept_features) text += fmt::format(", the best {} features kept", *report.kept_features);
  return text;
}

std::string describe_score(const ScoreSummary& summary) {
  return fmt::format("{:.4f} +- {:.4f}", summary.mean, summary.standard_error);
}

// "2 where nearly all of the null model's loss was explained, 1 with the grid"
std::string describe_ends(const Tuning& tuning, const Spell& spell) {
  std::vector<std::string> parts;
  for (const PathEnd end :
       {PathEnd::explained, PathEnd::flat, PathEnd::max_nonzeros, PathEnd::grid, PathEnd::stopped}) {
    const auto n = std::count(tuning.ends.begin(), tuning.ends.end(), end);
    if (n > 0) parts.push_back(fmt::format("{} {}", n, describe_end(end, spell)));
  }
  return fmt::format("{}", fmt::join(parts, ", "));
}

}  // namespace

std::string describe_parameters(const LinearModel& model) {
  std::string text = fmt::format("lambda1 = {:.6g}", model.lambda1);
  if (model.report && model.report->lambda1_max > 0.0) {
    text += fmt::format(" ({:.4g} of lambda1_max)", model.lambda1 / model.report->lambda1_max);
  }
  text += fmt::format(", lambda2 = {:.6g}, lambda3 = {:.6g}, {}", model.lambda2, model.lambda3,
                      describe_loss(model));
  return model.report ? text + describe_preparation(*model.report) : text;
}

std::string describe_solve(const FitReport& report) {
  const std::string solver =
      report.fallback ? fmt::format("{}, then {}", to_string(report.solver), to_string(*report.fallback))
                      : std::string(to_string(report.solver));
  std::string text =
      fmt::format("{} by {}, {} iterations, {:.1f} passes over the data, {:.3g} s\n", to_string(report.status),
                  solver, report.iterations, report.passes, report.seconds);
  constexpr double kRounding = 1e-14;
  text += fmt::format("objective {:.10g}, dual bound {:.10g}: ", report.objective, report.dual_objective);
  if (report.relative_gap < kRounding && report.status == Status::converged)
    return text + "the optimum but for rounding";
  return text + fmt::format("within {:.2g} of the optimum, {:.2g} of F(0)", report.gap, report.relative_gap);
}

std::string describe_path_range(const PathModel& path) {
  const PathPoint& first = path.points.front();
  const PathPoint& last = path.points.back();
  const auto range = [](const char* name, double from, double to) {
    return from == to ? fmt::format("{} = {:.6g}", name, from)
                      : fmt::format("{} = {:.6g} .. {:.6g}", name, from, to);
  };
  return fmt::format(
      "{} point{}, {}, {}, {}, {}{}", path.points.size(), path.points.size() == 1 ? "" : "s",
      range("lambda1", first.lambda1, last.lambda1), range("lambda2", first.lambda2, last.lambda2),
      range("lambda3", first.lambda3, last.lambda3), describe_loss(path), describe_preparation(*first.report));
}

std::string describe_path_solve(const PathModel& path) {
  return fmt::format("{} by {}, {:.1f} passes over the data, {:.3g} s", to_string(path.status),
                     to_string(path.solver), path.passes, path.seconds);
}

std::string describe_end(PathEnd end, const Spell& spell) {
  switch (end) {
    case PathEnd::explained:
      return "where nearly all of the null model's loss was explained";
    case PathEnd::flat:
      return "where the share of the loss explained hardly moved";
    case PathEnd::max_nonzeros:
      return "at " + spell("max_nonzeros");
    case PathEnd::stopped:
      return "by a stop";
    case PathEnd::grid:
      break;
  }
  return "with the grid";
}

std::string describe_folds(const Tuning& tuning) {
  if (tuning.leave_one_out) return fmt::format("leave-one-out over {} samples", tuning.n_folds);
  std::string text = fmt::format("{} folds", tuning.n_folds);
  if (tuning.repeats > 1) text += fmt::format(", {} times over", tuning.repeats);
  return text + fmt::format(", seed {}", tuning.seed);
}

std::string describe_grid(const Tuning& tuning, const Spell& spell) {
  std::string text = fmt::format("{} points; path{} of all samples ended: {}", tuning.grid.size(),
                                 tuning.ends.size() == 1 ? "" : "s", describe_ends(tuning, spell));
  if (tuning.lambda2_lowered > 0)
    text += fmt::format("; lambda2 lowered {} time{} by a factor of 10, the best being the smallest",
                        tuning.lambda2_lowered, tuning.lambda2_lowered == 1 ? "" : "s");
  if (tuning.continued > 0)
    text += fmt::format("; continued {} time{} by a factor of 10, the best lambda1 being at its end",
                        tuning.continued, tuning.continued == 1 ? "" : "s");
  return text;
}

std::string describe_scores(const ScoreSummaries& scores) {
  std::vector<std::string> parts;
  for (std::size_t which = 0; which < scores.size(); ++which) {
    if (scores[which])
      parts.push_back(fmt::format("{} {}", name_of(static_cast<Score>(which)), describe_score(*scores[which])));
  }
  return fmt::format("{}", fmt::join(parts, ", "));
}

std::string name_of(Score score) {
  std::string name(to_string(score));
  std::replace(name.begin(), name.end(), '_', ' ');
  return name;
}

std::vector<std::string> notes_of(const TunedModel& model, const Spell& spell) {
  std::vector<std::string> notes;
  for (const TuningNote note : model.tuning.notes) notes.push_back(describe(note, model, spell));
  Count not_certified = 0;
  for (const TuningPoint& point : model.tuning.grid) not_certified += point.not_certified;
  if (not_certified > 0) {
    notes.push_back(fmt::format("{} model{} of the folds stopped before the tolerance", not_certified,
                                not_certified == 1 ? "" : "s"));
  }
  return notes;
}

}  // namespace hsvm::report
