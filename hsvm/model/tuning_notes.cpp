#include "hsvm/model/tuning_notes.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace hsvm {
namespace {

using Spell = std::function<std::string(const std::string& name)>;

std::string describe_majority(const Tuning& tuning, const Spell& spell) {
  const Score score = majority_score(tuning, tuning.score) ? tuning.score : Score::accuracy;
  const ScoreSummary found = tuning.grid[tuning.best].score(score).value_or(ScoreSummary{});
  return fmt::format(
      "the best model is no better than naming the most frequent class always: {} {:.4f} +- {:.4f}, {:.4f} "
      "without any model; try other features, more samples, {} or {}",
      to_string(score), found.mean, found.standard_error, majority_score(tuning, score).value_or(0.0),
      spell("lambda2_grid"), spell("delta_grid"));
}

std::string describe_end_of_grid(const Tuning& tuning, PathEnd end, const Spell& spell) {
  if (end == PathEnd::max_nonzeros)
    return fmt::format("the best lambda1 is the smallest that {} has left: try a larger one",
                       spell("max_nonzeros"));
  const std::string often = tuning.continued == 0 ? ""
                                                  : fmt::format(", continued {} time{}", tuning.continued,
                                                                tuning.continued == 1 ? "" : "s");
  return fmt::format(
      "the best lambda1 is at the end of its grid{}: a smaller one may be better; try a smaller {}, or {}",
      often, spell("lambda_min_ratio"), spell("lambda_grid"));
}

// "'a' (3), 'b' (2) and 4 more": the classes with a count that is wanted.
template <class Wanted>
std::string list_classes(const TunedModel& model, const Wanted& wanted, bool with_counts) {
  constexpr std::size_t kNamed = 3;
  std::vector<std::string> names;
  const std::vector<Index>& counts = model.tuning.held_out;
  for (std::size_t k = 0; k < counts.size(); ++k) {
    if (!wanted(counts[k])) continue;
    names.push_back(fmt::format("'{}'", model.best.classes.names[k]));
    if (with_counts) names.back() += fmt::format(" ({})", counts[k]);
  }
  const std::size_t more = names.size() > kNamed ? names.size() - kNamed : 0;
  names.resize(names.size() - more);
  std::string text = fmt::format("{}{}", names.size() == 1 ? "class " : "classes ", fmt::join(names, ", "));
  return more > 0 ? text + fmt::format(" and {} more", more) : text;
}

// Why the path on which the best point lies has ended.
PathEnd end_of_best(const Tuning& tuning) {
  const std::vector<std::size_t> begins = path_begins(tuning.grid);
  const auto path = std::upper_bound(begins.begin(), begins.end(), tuning.best) - begins.begin() - 1;
  return path < std::ssize(tuning.ends) ? tuning.ends[static_cast<std::size_t>(path)] : PathEnd::grid;
}

}  // namespace

std::optional<double> majority_score(const Tuning& tuning, Score score) {
  const double share = tuning.majority_share;
  const auto n_classes = static_cast<double>(
      std::count_if(tuning.held_out.begin(), tuning.held_out.end(), [](Index count) { return count > 0; }));
  if (n_classes == 0.0) return std::nullopt;
  switch (score) {
    case Score::accuracy:
      return share;
    case Score::balanced_accuracy:
      return 1.0 / n_classes;
    case Score::macro_f1:
      return 2.0 * share / (1.0 + share) / n_classes;
    case Score::auc:
      return 0.5;
    default:
      return std::nullopt;
  }
}

std::string describe(TuningNote note, const TunedModel& model, const Spell& spell) {
  const Tuning& tuning = model.tuning;
  const auto mean_of = [&](Score score) {
    return tuning.grid[tuning.best].score(score).value_or(ScoreSummary{}).mean;
  };
  switch (note) {
    case TuningNote::no_better_than_majority:
      return describe_majority(tuning, spell);
    case TuningNote::empty_model:
      return fmt::format(
          "the best model has no features: none was found that helps to predict; try {} loss, other features or "
          "more samples",
          spell("score"));
    case TuningNote::end_of_grid:
      return describe_end_of_grid(tuning, end_of_best(tuning), spell);
    case TuningNote::unequal_classes:
      return fmt::format(
          "accuracy {:.4f}, but balanced accuracy {:.4f}: some classes are predicted much better than others; {} "
          "balanced weighs them the same, {} balanced_accuracy chooses by it",
          mean_of(Score::accuracy), mean_of(Score::balanced_accuracy), spell("class_weight"), spell("score"));
    case TuningNote::one_se_not_empty:
      return "an empty model is within one standard error of the best: one_se is the sparsest that has features";
    case TuningNote::few_folds:
      return fmt::format("only {} samples, or groups of them, can be held out: as many folds", tuning.n_folds);
    case TuningNote::small_classes:
      return fmt::format(
          "{}: fewer samples to hold out than the {} folds; some folds are scored without them, and their "
          "scores stand on so few",
          list_classes(
              model, [&](Index count) { return count > 0 && count < tuning.n_folds; }, true),
          tuning.n_folds);
    case TuningNote::never_held_out:
      return list_classes(
                 model, [](Index count) { return count == 0; }, false) +
             ": one sample, or one group, which is always fitted to and never held out; no score says how well it is predicted";
  }
  return "";
}

}  // namespace hsvm
