#include "app/print_tuning.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "app/print.hpp"

namespace hsvm::app {
namespace {

constexpr std::size_t kClassesNamed = 3;

// Where the points of each lambda2 and delta begin, and the end: lambda1 falls among them.
std::vector<std::size_t> cut_grid(const std::vector<TuningPoint>& grid) {
  std::vector<std::size_t> begins = {0};
  for (std::size_t k = 1; k < grid.size(); ++k) {
    if (!(grid[k].lambda1 < grid[k - 1].lambda1)) begins.push_back(k);
  }
  begins.push_back(grid.size());
  return begins;
}

std::string describe_score(const ScoreSummary& summary) {
  return fmt::format("{:.4f} +- {:.4f}", summary.mean, summary.standard_error);
}

std::string table_row(const Tuning& tuning, std::size_t k) {
  const TuningPoint& point = tuning.grid[k];
  const auto& score = point.score(tuning.score);
  std::string text =
      fmt::format("{:>9.4g}  {:>7.4g}  {:>12.6g}  {:>8}  {:>8.1f}  {:>18}", point.lambda2, point.delta,
                  point.lambda1, point.nonzeros, point.mean_nonzeros, score ? describe_score(*score) : "-");
  if (k == tuning.best) text += "  best";
  if (k == tuning.one_se) text += "  one_se";
  return text + "\n";
}

std::string name_small_classes(const Labels& labels, Index n_folds) {
  std::vector<Index> counts(labels.classes.names.size(), 0);
  for (const Index k : labels.of_sample) ++counts[static_cast<std::size_t>(k)];
  std::vector<std::string> notes;
  for (std::size_t k = 0; k < counts.size(); ++k) {
    if (counts[k] > 0 && counts[k] < n_folds) {
      notes.push_back(fmt::format(
          "note      class '{}' has {} sample{}, fewer than the {} folds: some folds are scored without it\n",
          labels.classes.names[k], counts[k], counts[k] == 1 ? "" : "s", n_folds));
    }
  }
  const std::size_t more = notes.size() > kClassesNamed ? notes.size() - kClassesNamed : 0;
  notes.resize(notes.size() - more);
  std::string text = fmt::format("{}", fmt::join(notes, ""));
  if (more > 0) text += fmt::format("note      so have {} more classes\n", more);
  return text;
}

}  // namespace

std::string describe_folds(const Tuning& tuning) {
  if (tuning.leave_one_out) return fmt::format("leave-one-out over {} samples", tuning.n_folds);
  std::string text = fmt::format("{} folds", tuning.n_folds);
  if (tuning.repeats > 1) text += fmt::format(", {} times over", tuning.repeats);
  return text + fmt::format(", seed {}", tuning.seed);
}

std::string tuning_notes(const Labels& labels, const TunedModel& model) {
  const Tuning& tuning = model.tuning;
  std::string text;
  if (!tuning.leave_one_out) text += name_small_classes(labels, tuning.n_folds);
  Count not_certified = 0;
  for (const TuningPoint& point : tuning.grid) not_certified += point.not_certified;
  if (not_certified > 0) {
    text += fmt::format("note      {} model{} of the folds stopped before the tolerance\n", not_certified,
                        not_certified == 1 ? "" : "s");
  }
  const std::vector<std::size_t> begins = cut_grid(tuning.grid);
  const bool at_the_end = std::find(begins.begin() + 1, begins.end(), tuning.best + 1) != begins.end();
  const bool several = tuning.grid.size() >= begins.size();  // values of lambda1
  if (at_the_end && several) {
    text +=
        "note      the best lambda1 is the smallest one tried: a smaller one may be better "
        "(--lambda-min-ratio)\n";
  }
  return text;
}

std::string tuning_table(const Tuning& tuning, bool all) {
  std::string text = fmt::format("{:>9}  {:>7}  {:>12}  {:>8}  {:>8}  {:>18}\n", "lambda2", "delta", "lambda1",
                                 "nonzeros", "in folds", to_string(tuning.score));
  const std::vector<std::size_t> begins = cut_grid(tuning.grid);
  for (std::size_t g = 0; g + 1 < begins.size(); ++g) {
    const std::size_t size = begins[g + 1] - begins[g];
    const std::span<const TuningPoint> points = std::span(tuning.grid).subspan(begins[g], size);
    const bool scored = std::any_of(points.begin(), points.end(),
                                    [&](const TuningPoint& p) { return p.score(tuning.score).has_value(); });
    const Choice choice = scored ? choose(points, tuning.score) : Choice{};
    for (std::size_t k = 0; k < size; ++k) {
      if (all || (scored && (k == choice.best || k == choice.one_se))) text += table_row(tuning, begins[g] + k);
    }
  }
  return text;
}

std::string describe_scores(const TuningPoint& point) {
  std::vector<std::string> scores;
  for (const Score score : tuning_scores()) {
    if (!point.score(score)) continue;
    std::string name(to_string(score));
    std::replace(name.begin(), name.end(), '_', ' ');
    scores.push_back(name + " " + describe_score(*point.score(score)));
  }
  return fmt::format("{}", fmt::join(scores, ", "));
}

std::string describe_choice(const LinearModel& model, const TuningPoint& point, const std::string& indent) {
  std::string text =
      fmt::format("{}\n{}{} of {} features, {:.1f} in the folds\n{}{}\n", describe_parameters(model), indent,
                  model.features.size(), model.n_features, point.mean_nonzeros, indent, describe_scores(point));
  if (model.calibration) {
    text += fmt::format("{}probabilities: log-loss {:.4f}, Brier score {:.4f}\n", indent,
                        model.calibration->log_loss, model.calibration->brier_score);
  }
  return text;
}

}  // namespace hsvm::app
