// hsvm inspect MODEL

#include <fmt/format.h>

#include <memory>

#include "app/commands.hpp"
#include "app/flags.hpp"
#include "app/pick_model.hpp"
#include "app/print.hpp"
#include "app/print_tuning.hpp"
#include "app/tables.hpp"

namespace hsvm::app {
namespace {

struct InspectCommand {
  std::string model;
  PickFlags pick;
  Index top = 20;
  std::string coefficients;
  bool json = false;

  [[nodiscard]] int run() const;
  void print_path(const PathModel& path) const;
  void print_model(const LinearModel& fitted, const AnyModel& loaded) const;
  void print_features(const LinearModel& fitted) const;
};

void InspectCommand::print_path(const PathModel& path) const {
  if (json) {
    fmt::print("{}", path_to_json(path));
  } else {
    fmt::print("kind        {} path\nclasses     {}\npath        {}\nended       {}\nsolved      {}\n\n{}",
               to_string(path.kind), fmt::join(path.classes.names, ", "), describe_path_range(path),
               describe_path_end(path), describe_path_solve(path), path_table(path, true));
  }
}

// What cross-validation says of the model: of the two of a file, the one that is shown.
void print_tuning(const TunedModel& model, bool one_se) {
  const Tuning& tuning = model.tuning;
  const std::size_t chosen = one_se ? tuning.one_se : tuning.best;
  fmt::print("tuned       {} {} of {} points: {}; {}\n",
             one_se ? "the sparsest within one standard error of the best" : "the best",
             to_string(tuning.score), tuning.grid.size(), describe_folds(tuning), to_string(tuning.status));
  fmt::print("scores      {}\n", describe_scores(tuning.grid[chosen].scores));
  if (tuning.nested) fmt::print("nested      {}", describe_nested(model, std::string(12, ' ')));
  for (const TuningNote note : tuning.notes) fmt::print("note        {}\n", describe(note, model, spell_name));
}

void InspectCommand::print_model(const LinearModel& fitted, const AnyModel& loaded) const {
  fmt::print(
      "kind        {}\nclasses     {}\nparameters  {}\nintercept   {:.10g}\nfeatures    {} of {} selected\n",
      to_string(fitted.kind), fmt::join(fitted.classes.names, ", "), describe_parameters(fitted),
      fmt::join(fitted.intercept, ", "), fitted.features.size(), fitted.n_features);
  if (fitted.report) {
    std::string solve = describe_solve(*fitted.report);
    solve.insert(solve.find('\n') + 1, "            ");
    fmt::print("solved      {}\n", solve);
  }
  if (const auto* const tuned = std::get_if<TunedModel>(&loaded)) print_tuning(*tuned, pick.one_se);
  if (const auto& calibration = fitted.calibration) {
    fmt::print("probability slope {:.6g}, offset{} {:.6g}; log-loss {:.4f}, Brier score {:.4f}\n",
               calibration->slope, calibration->offsets.size() == 1 ? "" : "s",
               fmt::join(calibration->offsets, ", "), calibration->log_loss, calibration->brier_score);
  }
  if (const auto& stability = fitted.stability) {
    fmt::print("stability   {} random halves of the samples, {:.1f} features selected on one of them\n",
               stability->n_halves, stability->mean_selected);
  }
  print_features(fitted);
}

void InspectCommand::print_features(const LinearModel& fitted) const {
  const auto count = static_cast<std::size_t>(top);
  const char* const beside = fitted.stability ? ", and on how many of the halves they were selected" : "";
  if (fitted.kind == ModelKind::multiclass) {
    fmt::print("by class    {}\n", count_by_class(fitted));
    if (!fitted.features.empty())
      fmt::print("\nlargest coefficients{}\n{}", beside, features_by_class(fitted, count));
  } else if (!fitted.features.empty()) {
    fmt::print("\nlargest coefficients{}\n{}", beside, list_features(fitted, 0, count));
  }
  if (fitted.stability && !fitted.stability->features.empty())
    fmt::print("\nmost stable features\n{}", list_stable_features(fitted, count));
}

int InspectCommand::run() const {
  if (top < 0) throw OptionError(fmt::format("--top {}: must be at least 0", top));
  const AnyModel loaded = load_any_model(model);
  if (const auto* const path = std::get_if<PathModel>(&loaded); path && !pick.lambda1 && !pick.one_se) {
    if (!coefficients.empty()) throw OptionError("--coefficients: of a path, --lambda1 must say which model");
    print_path(*path);
    return kDone;
  }
  const LinearModel fitted = pick_model(loaded, model, pick);
  if (!coefficients.empty()) write_coefficients(fitted, coefficients);
  if (coefficients == "-") return kDone;
  const auto* const tuned = std::get_if<TunedModel>(&loaded);
  if (!json) {
    print_model(fitted, loaded);
  } else if (tuned && !pick.one_se) {
    fmt::print("{}", tuned_to_json(*tuned));
  } else {
    fmt::print("{}", model_to_json(fitted));
  }
  return kDone;
}

}  // namespace

void add_inspect(Command program) {
  auto command = std::make_shared<InspectCommand>();
  Command inspect = program.add_command("inspect", "Tell what a model is and which features it selected");
  inspect.set_footer(
      "Examples:\n  hsvm inspect model.json\n  hsvm inspect model.json --top 0\n  hsvm inspect path.json "
      "--lambda1 0.05\n  hsvm inspect tuned.json --one-se");
  inspect.add({.name = "MODEL", .help = "Model file, from hsvm fit, cv or path", .required = true},
              command->model);
  add_pick_flags(inspect, command->pick);
  add_number(inspect, "--top", command->top, "how many of the largest coefficients to list, 0 for all");
  inspect.add({.name = "--coefficients",
               .help = "Where to write a table of the coefficients (CSV), - for standard output alone",
               .value = "FILE"},
              command->coefficients);
  inspect.add({.name = "--json", .help = "Print the model as JSON"}, command->json);
  inspect.on_run([command] { return command->run(); });
}

}  // namespace hsvm::app
