#include "app/print_tuning.hpp"

#include <fmt/format.h>

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
  return to_text(report::tuning_table(model, all));
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
