#include "hsvm/select/notes.hpp"

#include <algorithm>
#include <cmath>
#include <span>

#include "hsvm/model/tuning_notes.hpp"
#include "hsvm/select/grid_paths.hpp"

namespace hsvm::detail {
namespace {

constexpr double kRoundingOfMean = 1e-12;
constexpr double kMuch = 0.05;  // between accuracy and balanced accuracy

// By the accuracy where the score cannot tell, as the loss.
bool is_no_better_than_majority(const Tuning& tuning) {
  const Score score = majority_score(tuning, tuning.score) ? tuning.score : Score::accuracy;
  const auto& found = tuning.grid[tuning.best].score(score);
  const auto without = majority_score(tuning, score);
  return found && without && found->mean - found->standard_error <= *without + kRoundingOfMean;
}

bool ends_with_best(const Tuning& tuning) {
  const std::vector<std::size_t> begins = path_begins(tuning.grid);
  for (std::size_t path = 0; path + 1 < begins.size(); ++path) {
    const std::size_t size = begins[path + 1] - begins[path];
    if (tuning.best >= begins[path + 1]) continue;
    const PathEnd end = tuning.ends[path];
    return size > 1 && (end == PathEnd::grid || end == PathEnd::max_nonzeros) &&
           is_at_end(std::span(tuning.grid).subspan(begins[path], size), tuning.best - begins[path]);
  }
  return false;
}

bool scores_part(const Tuning& tuning, const FitOptions& options) {
  const TuningPoint& best = tuning.grid[tuning.best];
  const auto& accuracy = best.score(Score::accuracy);
  const auto& balanced = best.score(Score::balanced_accuracy);
  const bool all_done = options.class_weight.balanced && tuning.score == Score::balanced_accuracy;
  return accuracy && balanced && !all_done && std::abs(accuracy->mean - balanced->mean) > kMuch;
}

}  // namespace

std::vector<TuningNote> find_notes(const Tuning& tuning, const Choice& choice, const Labels& labels,
                                   const FitOptions& options, const TuneOptions& tune_options) {
  std::vector<TuningNote> notes;
  const auto note = [&](bool holds, TuningNote which) {
    if (holds) notes.push_back(which);
  };
  std::vector<Index> counts(labels.classes.names.size(), 0);
  for (const Index k : labels.of_sample) ++counts[static_cast<std::size_t>(k)];
  const bool own_folds = !tune_options.fold_of_sample.empty() || tune_options.given_folds.has_value();
  const auto& held_out = tuning.held_out;

  note(is_no_better_than_majority(tuning), TuningNote::no_better_than_majority);
  note(tuning.grid[tuning.best].nonzeros == 0, TuningNote::empty_model);
  note(ends_with_best(tuning), TuningNote::end_of_grid);
  note(scores_part(tuning, options), TuningNote::unequal_classes);
  note(choice.passed_over_empty, TuningNote::one_se_not_empty);
  note(!tune_options.folds && !tune_options.leave_one_out && !own_folds && tuning.n_folds < kDefaultFolds,
       TuningNote::few_folds);
  note(!tuning.leave_one_out &&
           std::ranges::any_of(held_out, [&](Index n) { return n > 0 && n < tuning.n_folds; }),
       TuningNote::small_classes);
  note(!own_folds && std::ranges::find(counts, 1) != counts.end(), TuningNote::never_held_out);
  return notes;
}

}  // namespace hsvm::detail
