// hsvm inspect MODEL

#include <fmt/format.h>

#include <memory>

#include "app/commands.hpp"
#include "app/flags.hpp"
#include "app/pick_model.hpp"
#include "app/print.hpp"

namespace hsvm::app {
namespace {

struct InspectCommand {
  std::string model;
  std::optional<double> lambda1;
  Index top = 20;
  bool json = false;

  [[nodiscard]] int run() const;
};

int InspectCommand::run() const {
  if (top < 0) throw OptionError(fmt::format("--top {}: must be at least 0", top));
  const AnyModel loaded = load_any_model(model);
  if (const auto* const path = std::get_if<PathModel>(&loaded); path && !lambda1) {
    if (json) {
      fmt::print("{}", path_to_json(*path));
    } else {
      fmt::print("kind        {} path\nclasses     {}\npath        {}\nsolved      {}\n\n{}",
                 path->kind == ModelKind::binary ? "binary" : "multiclass",
                 fmt::join(path->classes.names, ", "), describe_path_range(*path), describe_path_solve(*path),
                 path_table(*path, true));
    }
    return kDone;
  }
  const LinearModel fitted = pick_model(loaded, model, lambda1);
  if (json) {
    fmt::print("{}", model_to_json(fitted));
    return kDone;
  }
  fmt::print(
      "kind        {}\nclasses     {}\nparameters  {}\nintercept   {:.10g}\nfeatures    {} of {} selected\n",
      fitted.kind == ModelKind::binary ? "binary" : "multiclass", fmt::join(fitted.classes.names, ", "),
      describe_parameters(fitted), fmt::join(fitted.intercept, ", "), fitted.features.size(),
      fitted.n_features);
  if (fitted.report) {
    std::string solve = describe_solve(*fitted.report);
    solve.insert(solve.find('\n') + 1, "            ");
    fmt::print("solved      {}\n", solve);
  }
  if (fitted.kind == ModelKind::multiclass) {
    fmt::print("by class    {}\n", count_by_class(fitted));
    for (Index k = 0; k < fitted.classes.size(); ++k) {
      const std::string features = list_features(fitted, k, static_cast<std::size_t>(top));
      fmt::print("\nlargest coefficients of class {}\n{}", fitted.classes.names[static_cast<std::size_t>(k)],
                 features);
    }
  } else if (!fitted.features.empty()) {
    fmt::print("\nlargest coefficients\n{}", list_features(fitted, 0, static_cast<std::size_t>(top)));
  }
  return kDone;
}

}  // namespace

void add_inspect(CLI::App& program, int& exit_code) {
  auto command = std::make_shared<InspectCommand>();
  CLI::App& inspect = *program.add_subcommand("inspect", "Tell what a model is and which features it selected");
  inspect.footer(
      "Examples:\n  hsvm inspect model.json\n  hsvm inspect model.json --top 0\n  hsvm inspect path.json "
      "--lambda1 0.05");
  inspect.add_option("MODEL", command->model, "Model file, from hsvm fit or hsvm path")->required();
  add_lambda1_flag(inspect, command->lambda1);
  add_number(inspect, "--top", command->top, "how many of the largest coefficients to list, 0 for all");
  inspect.add_flag("--json", command->json, "Print the model as JSON");
  inspect.callback([command, &exit_code] { exit_code = command->run(); });
}

}  // namespace hsvm::app
