#include "app/print_tuning.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "app/command_line.hpp"
#include "app/print.hpp"
#include "hsvm/report/tables.hpp"

namespace hsvm::app {

std::string describe_grid(const Tuning& tuning) {
  return report::describe_grid(tuning, spell_name);
}

std::string tuning_notes(const TunedModel& model) {
  std::string text;
  for (const std::string& note : report::notes_of(model, spell_name)) text += "note      " + note + "\n";
  return text;
}

std::string tuning_table(const TunedModel& model, bool all) {
  report::Table table = report::tuning_table(model, all);
  // Scores and their errors in one column: "0.9133 +- 0.0120".
  const std::size_t score = table.columns.size() - 3;
  for (auto& row : table.rows) {
    if (row[score].number)
      row[score] = fmt::format("{} +- {}", shown(table.columns[score], row[score]),
                               shown(table.columns[score + 1], row[score + 1]));
    row.erase(row.begin() + static_cast<std::ptrdiff_t>(score) + 1);
  }
  table.columns.erase(table.columns.begin() + static_cast<std::ptrdiff_t>(score) + 1);
  return to_text(table);
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
