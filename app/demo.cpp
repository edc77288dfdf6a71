// hsvm demo: the whole journey on built-in data.

#include <fmt/format.h>

#include <cmath>
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

  fmt::print(
      "2. Cross-validation. The paths of ten folds and of all samples; which lambda1 and lambda2 predict what "
      "they have not seen?\n");
  const InterruptGuard guard;
  TuneMonitor monitor;
  monitor.interrupted = InterruptGuard::interrupted;
  const TunedModel tuned = tune({train}, {}, {}, {.stability = 20}, monitor);
  const ScoreSummary in_folds = tuned.tuning.grid[tuned.tuning.best].score(Score::accuracy).value();
  const LinearModel& fitted = tuned.best;
  std::string solve = describe_solve(*fitted.report);
  solve.insert(solve.find('\n') + 1, "   ");
  fmt::print("   accuracy {:.1f}% +- {:.1f}% at the best of {} values, in {:.2g} s\n   {}\n   {}\n\n",
             100.0 * in_folds.mean, 100.0 * in_folds.standard_error, tuned.tuning.grid.size(),
             tuned.tuning.seconds, describe_parameters(fitted), solve);

  Index relevant = 0;
  for (const Index j : fitted.features) relevant += j < design.s ? 1 : 0;
  fmt::print(
      "3. Features. {} of {} were selected, {} of them among the {} that matter. The largest "
      "coefficients:\n{}\n",
      fitted.features.size(), fitted.n_features, relevant, design.s, list_features(fitted, 0, 8));

  const Prediction prediction = predict(fitted, test.design);
  const double accuracy =
      score(Score::accuracy, {.truth = test.labels->of_sample, .predicted = prediction.classes}).value();
  const double right = std::round(accuracy * test.n_samples());
  const std::vector<double> p = probabilities(*fitted.calibration, prediction.scores);
  fmt::print(
      "4. Prediction. {} new samples: accuracy {:.1f}% ({:.0f}/{}). The first is of class {} with probability "
      "{:.2f}.\n\n",
      test.n_samples(), 100.0 * right / test.n_samples(), right, test.n_samples(),
      fitted.classes.names[static_cast<std::size_t>(prediction.classes[0])],
      p[static_cast<std::size_t>(prediction.classes[0])]);

  save_tuned(tuned, model);
  fmt::print("5. Model. Saved to {}. Look at it with: hsvm inspect {}\n", model, model);
  return exit_code_of(tuned.tuning.status);
}

}  // namespace

void add_demo(Command program) {
  auto command = std::make_shared<DemoCommand>();
  Command demo = program.add_command("demo", "Show the whole journey on built-in data");
  demo.add({.name = "-m,--model",
            .help = "Where to write the model",
            .value = "FILE",
            .shown_default = command->model},
           command->model);
  demo.on_run([command] { return command->run(); });
}

}  // namespace hsvm::app
