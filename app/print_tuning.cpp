#include "app/print_tuning.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "app/command_line.hpp"
#include "app/print.hpp"

namespace hsvm::app {
namespace {

std::string describe_score(const ScoreSummary& summary) {
  return fmt::format("{:.4f} +- {:.4f}", summary.mean, summary.standard_error);
}

std::string table_row(const Tuning& tuning, std::size_t k, bool with_delta) {
  const TuningPoint& point = tuning.grid[k];
  const auto& score = point.score(tuning.score);
  std::string text = fmt::format("{:>9.4g}  ", point.lambda2);
  if (with_delta) text += fmt::format("{:>7.4g}  ", point.delta);
  text += fmt::format("{:>12.6g}  {:>8}  {:>8.1f}  {:>18}", point.lambda1, point.nonzeros, point.mean_nonzeros,
                      score ? describe_score(*score) : "-");
  if (k == tuning.best) text += "  best";
  if (k == tuning.one_se) text += "  one_se";
  return text + "\n";
}

// "2 where nearly all of the null model's loss was explained, 1 with the grid"
std::string describe_ends(const Tuning& tuning) {
  std::vector<std::string> parts;
  for (const PathEnd end :
       {PathEnd::explained, PathEnd::flat, PathEnd::max_nonzeros, PathEnd::grid, PathEnd::stopped}) {
    const auto n = std::count(tuning.ends.begin(), tuning.ends.end(), end);
    if (n > 0) parts.push_back(fmt::format("{} {}", n, describe_end(end)));
  }
  return fmt::format("{}", fmt::join(parts, ", "));
}

}  // namespace

std::string describe_folds(const Tuning& tuning) {
  if (tuning.leave_one_out) return fmt::format("leave-one-out over {} samples", tuning.n_folds);
  std::string text = fmt::format("{} folds", tuning.n_folds);
  if (tuning.repeats > 1) text += fmt::format(", {} times over", tuning.repeats);
  return text + fmt::format(", seed {}", tuning.seed);
}

std::string describe_grid(const Tuning& tuning) {
  std::string text = fmt::format("{} points; path{} of all samples ended: {}", tuning.grid.size(),
                                 tuning.ends.size() == 1 ? "" : "s", describe_ends(tuning));
  if (tuning.lambda2_lowered > 0)
    text += fmt::format("; lambda2 lowered {} time{} by a factor of 10, the best being the smallest",
                        tuning.lambda2_lowered, tuning.lambda2_lowered == 1 ? "" : "s");
  if (tuning.continued > 0)
    text += fmt::format("; continued {} time{} by a factor of 10, the best lambda1 being at its end",
                        tuning.continued, tuning.continued == 1 ? "" : "s");
  return text;
}

std::string tuning_notes(const TunedModel& model) {
  std::string text;
  for (const TuningNote note : model.tuning.notes)
    text += "note      " + describe(note, model, spell_name) + "\n";
  Count not_certified = 0;
  for (const TuningPoint& point : model.tuning.grid) not_certified += point.not_certified;
  if (not_certified > 0) {
    text += fmt::format("note      {} model{} of the folds stopped before the tolerance\n", not_certified,
                        not_certified == 1 ? "" : "s");
  }
  return text;
}

std::string tuning_table(const TunedModel& model, bool all) {
  const Tuning& tuning = model.tuning;
  const bool with_delta = model.best.loss == Loss::huberized;  // the squared hinge has none
  std::string text = fmt::format("{:>9}  ", "lambda2");
  if (with_delta) text += fmt::format("{:>7}  ", "delta");
  text +=
      fmt::format("{:>12}  {:>8}  {:>8}  {:>18}\n", "lambda1", "nonzeros", "in folds", to_string(tuning.score));
  const std::vector<std::size_t> begins = path_begins(tuning.grid);
  for (std::size_t g = 0; g + 1 < begins.size(); ++g) {
    const std::size_t size = begins[g + 1] - begins[g];
    const std::span<const TuningPoint> points = std::span(tuning.grid).subspan(begins[g], size);
    const bool scored = std::any_of(points.begin(), points.end(),
                                    [&](const TuningPoint& p) { return p.score(tuning.score).has_value(); });
    const Choice choice = scored ? choose(points, tuning.score) : Choice{};
    for (std::size_t k = 0; k < size; ++k) {
      if (all || (scored && (k == choice.best || k == choice.one_se)))
        text += table_row(tuning, begins[g] + k, with_delta);
    }
  }
  return text;
}

std::string describe_scores(const ScoreSummaries& summaries) {
  std::vector<std::string> scores;
  for (std::size_t which = 0; which < summaries.size(); ++which) {
    if (!summaries[which]) continue;
    std::string name(to_string(static_cast<Score>(which)));
    std::replace(name.begin(), name.end(), '_', ' ');
    scores.push_back(name + " " + describe_score(*summaries[which]));
  }
  return fmt::format("{}", fmt::join(scores, ", "));
}

std::string describe_choice(const LinearModel& model, const TuningPoint& point, const std::string& indent) {
  std::string text = fmt::format("{}\n{}{} of {} features, {:.1f} in the folds\n{}{}\n",
                                 describe_parameters(model), indent, model.features.size(), model.n_features,
                                 point.mean_nonzeros, indent, describe_scores(point.scores));
  if (model.calibration) {
    text += fmt::format("{}probabilities: log-loss {:.4f}, Brier score {:.4f}\n", indent,
                        model.calibration->log_loss, model.calibration->brier_score);
  }
  return text;
}

std::string describe_nested(const TunedModel& model, const std::string& indent) {
  const Nested& nested = *model.tuning.nested;
  const auto features = [&](NestedChoice NestedFold::*which) {
    Index least = model.best.n_features;
    Index most = 0;
    for (const NestedFold& fold : nested.folds) {
      least = std::min(least, (fold.*which).nonzeros);
      most = std::max(most, (fold.*which).nonzeros);
    }
    return fmt::format("{} to {} features", least, most);
  };
  return fmt::format(
      "the whole procedure, choice included, on samples it had not seen; {} outer folds\n{}best    {}; {}\n{}one_se "
      " {}; {}\n",
      nested.folds.size(), indent, describe_scores(nested.best), features(&NestedFold::best), indent,
      describe_scores(nested.one_se), features(&NestedFold::one_se));
}

std::string out_of_fold_table(const TunedModel& model) {
  const Tuning& tuning = model.tuning;
  const OutOfFold& said = tuning.nested ? tuning.nested->out_of_fold : tuning.out_of_fold;
  if (said.samples.empty()) return "";
  return fmt::format(
      "held-out samples, as predicted by {}\n{}",
      tuning.nested ? "the whole procedure" : "the best model's penalties",
      confusion_table(model.best.classes, said.truth, predicted_classes(said.best, model.best.n_outputs())));
}

}  // namespace hsvm::app
