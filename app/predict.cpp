// hsvm predict MODEL DATA [-o FILE]

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <memory>

#include "app/commands.hpp"
#include "app/files.hpp"
#include "app/flags.hpp"
#include "app/model_data.hpp"
#include "app/pick_model.hpp"
#include "app/print.hpp"

namespace hsvm::app {
namespace {

struct PredictCommand {
  std::string model;
  std::string data;
  std::string output = "-";
  PickFlags pick;
  bool scores = false;
  bool probability = false;
  int threads = 0;
  DataFlags data_flags;
  PrintFlags print;

  [[nodiscard]] int run() const;
  [[nodiscard]] LinearModel load() const;
};

// What is said of every sample: its class, and what else was asked for.
struct Answers {
  Prediction prediction;
  std::vector<double> probabilities;  // n_samples rows, one for each class; empty where not asked for
};

LinearModel PredictCommand::load() const {
  LinearModel fitted = pick_model(load_any_model(model), model, pick);
  if (probability && !fitted.calibration)
    throw OptionError(fmt::format("--probability: {} has no probabilities: hsvm cv fits them", model));
  return fitted;
}

void append_row(std::string& text, const std::vector<double>& numbers, std::size_t row, std::size_t width) {
  for (std::size_t k = 0; k < width; ++k)
    fmt::format_to(std::back_inserter(text), " {}", numbers[row * width + k]);
}

void write_answers(const Answers& answers, const Classes& classes, bool scores, const std::string& output) {
  OutputFile file(output);
  std::string text;
  constexpr std::size_t kFlushBytes = 1 << 16;
  const auto n_outputs = static_cast<std::size_t>(answers.prediction.n_outputs);
  std::vector<std::string> shown;  // a line break in a label would make two lines of one
  for (const std::string& name : classes.names) shown.push_back(escape_controls(name));
  for (std::size_t i = 0; i < answers.prediction.classes.size(); ++i) {
    text += shown[static_cast<std::size_t>(answers.prediction.classes[i])];
    if (scores) append_row(text, answers.prediction.scores, i, n_outputs);
    if (!answers.probabilities.empty()) append_row(text, answers.probabilities, i, classes.names.size());
    text += '\n';
    if (text.size() >= kFlushBytes) {
      file.write(text);
      text.clear();
    }
  }
  file.write(text);
  file.commit();
}

// "Accuracy = 96.5% (193/200)", and with probabilities "Log-loss = 0.31, Brier score = 0.18", which are over the samples
// with a label the model knows.
std::string describe_scores(const Answers& answers, const std::vector<Index>& truth, Index n_classes) {
  const ScoredSamples samples{.n_classes = n_classes,
                              .truth = truth,
                              .predicted = answers.prediction.classes,
                              .probabilities = answers.probabilities};
  const std::size_t n = truth.size();
  const double right = std::round(score(Score::accuracy, samples).value_or(0.0) * static_cast<double>(n));
  std::string text =
      fmt::format("Accuracy = {:.6g}% ({:.0f}/{})\n", 100.0 * right / static_cast<double>(n), right, n);
  if (answers.probabilities.empty()) return text;
  const std::optional<double> log_loss = score(Score::log_loss, samples);
  if (!log_loss) return text + "no sample has a label the model knows: no log-loss, no Brier score\n";
  const auto n_unknown = static_cast<std::size_t>(std::count(truth.begin(), truth.end(), kUnknownClass));
  return text + fmt::format("Log-loss = {:.6g}, Brier score = {:.6g}{}\n", *log_loss,
                            *score(Score::brier_score, samples),
                            n_unknown == 0 ? "" : fmt::format(" ({} of {} samples)", n - n_unknown, n));
}

int PredictCommand::run() const {
  refuse_overwriting({{"MODEL", model}, {"DATA", data}, {"--names", data_flags.names}}, {{"--output", output}});
  const LinearModel fitted = load();
  Dataset dataset;
  Answers answers;
  with_threads(threads, [&] {
    dataset = read_for_model(data, data_flags, fitted, print.quiet);
    answers.prediction = predict(fitted, dataset);
  });
  if (probability) answers.probabilities = probabilities(*fitted.calibration, answers.prediction.scores);
  write_answers(answers, fitted.classes, scores, output);

  if (!dataset.labels || print.quiet) return kDone;
  const std::vector<Index>& predicted = answers.prediction.classes;
  const std::vector<Index> truth = class_numbers(*dataset.labels, fitted.classes);
  if (std::ranges::all_of(truth, [](Index k) { return k == kUnknownClass; })) {
    tell(fmt::format("note: no sample has a label the model knows{}: no accuracy\n",
                     dataset.table.label && !dataset.table.label->name.empty()
                         ? " (column '" + escape_controls(dataset.table.label->name) + "')"
                         : ""));
    return kDone;
  }
  tell(describe_scores(answers, truth, fitted.classes.size()));
  if (print.verbose) tell(confusion_table(fitted.classes, truth, predicted));
  return kDone;
}

}  // namespace

void add_predict(Command program) {
  auto command = std::make_shared<PredictCommand>();
  Command predict = program.add_command("predict", "Predict the classes of new samples");
  predict.set_footer(
      "Examples:\n"
      "  hsvm predict model.json test.libsvm.xz\n"
      "  hsvm predict model.json new.csv --scores -o predicted.txt\n"
      "  hsvm predict tuned.json new.csv --probability --one-se\n"
      "  hsvm predict path.json test.libsvm.xz --lambda1 0.05");
  predict.add({.name = "MODEL", .help = "Model file, from hsvm fit, cv or path", .required = true},
              command->model);
  predict.add({.name = "DATA", .help = "Data file, or - for standard input", .required = true}, command->data);
  predict.add({.name = "-o,--output",
               .help = "Where to write, one line a sample (default: standard output)",
               .value = "FILE"},
              command->output);
  add_pick_flags(predict, command->pick);
  predict.add({.name = "--scores", .help = "Add the decision values"}, command->scores);
  predict.add(
      {.name = "--probability",
       .help = "Add the probability of every class (after the decision values), where the model has them"},
      command->probability);
  add_number(predict, "--threads", command->threads, "number of threads, 0 for all cores");
  add_data_flags(predict, command->data_flags);
  add_print_flags(predict, command->print, false);
  predict.on_run([command] { return command->run(); });
}

}  // namespace hsvm::app
