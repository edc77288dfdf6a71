// hsvm demo: the whole journey on built-in data.

#include <fmt/format.h>

#include <memory>

#include "app/commands.hpp"
#include "app/print.hpp"
#include "app/terminal.hpp"

namespace hsvm::app {
namespace {

struct DemoCommand {
  std::string model = "demo-model.json";

  [[nodiscard]] int run() const;
};

int DemoCommand::run() const {
  // The paper's correlated design, with ten times as many features as samples.
  GaussianDesign design{.n = 200, .p = 2000, .s = 20, .rho = 0.5, .seed = 1};
  const Dataset train = generate(design);
  design.n = 2000;
  design.seed = 2;
  const Dataset test = generate(design);
  fmt::print(
      "1. Data. {} samples with {} features; only the first {} (x1 .. x{}) differ between the classes.\n\n",
      train.n_samples(), train.n_features(), design.s, design.s);

  fmt::print("2. Fit. The sparse huberized SVM with lambda1 at 0.2 of lambda1_max.\n");
  FitOptions options;
  options.lambda1_ratio = 0.2;
  options.lambda2 = 0.1;
  const InterruptGuard guard;
  const LinearModel fitted = fit({train}, options, terminal_monitor(false));
  clear_progress(false);
  std::string solve = describe_solve(*fitted.report);
  solve.insert(solve.find('\n') + 1, "   ");
  fmt::print("   {}\n   {}\n\n", describe_parameters(fitted), solve);

  Index relevant = 0;
  for (const Index j : fitted.features) relevant += j < design.s ? 1 : 0;
  fmt::print(
      "3. Features. {} of {} were selected, {} of them among the {} that matter. The largest "
      "coefficients:\n{}\n",
      fitted.features.size(), fitted.n_features, relevant, design.s, list_features(fitted, 0, 8));

  const Prediction prediction = predict(fitted, test.design);
  Count right = 0;
  for (std::size_t i = 0; i < prediction.classes.size(); ++i) {
    right += prediction.classes[i] == test.labels->of_sample[i] ? 1 : 0;
  }
  fmt::print("4. Prediction. {} new samples: accuracy {:.1f}% ({}/{}).\n\n", test.n_samples(),
             100.0 * static_cast<double>(right) / static_cast<double>(prediction.classes.size()), right,
             prediction.classes.size());

  save_model(fitted, model);
  fmt::print("5. Model. Saved to {}. Look at it with: hsvm inspect {}\n", model, model);
  return exit_code_of(fitted.report->status);
}

}  // namespace

void add_demo(CLI::App& program, int& exit_code) {
  auto command = std::make_shared<DemoCommand>();
  CLI::App& demo = *program.add_subcommand("demo", "Show the whole journey on built-in data");
  demo.add_option("-m,--model", command->model, "Where to write the model")
      ->type_name("FILE")
      ->capture_default_str();
  demo.callback([command, &exit_code] { exit_code = command->run(); });
}

}  // namespace hsvm::app
