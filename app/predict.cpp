// hsvm predict MODEL DATA [-o FILE]

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <memory>

#include "app/commands.hpp"
#include "app/flags.hpp"
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
  [[nodiscard]] Dataset read(const LinearModel& fitted) const;
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

Dataset PredictCommand::read(const LinearModel& fitted) const {
  ReadOptions reading = read_options(data_flags);
  reading.labels_required = false;
  reading.feature_names = fitted.feature_names;
  // A sparse file may name features the training data did not have; a table must have the model's columns.
  if (reading.format.value_or(detect_format(data)) != DataFormat::libsvm)
    reading.n_features = fitted.n_features;
  return read_dataset(data, reading);
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
  for (std::size_t i = 0; i < answers.prediction.classes.size(); ++i) {
    text += classes.names[static_cast<std::size_t>(answers.prediction.classes[i])];
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

// The samples' classes by the numbers the model has for them, kUnknownClass for a label it does not know.
std::vector<Index> classes_in_model(const Labels& labels, const Classes& classes) {
  std::vector<Index> class_in_model(labels.classes.names.size());
  std::transform(labels.classes.names.begin(), labels.classes.names.end(), class_in_model.begin(),
                 [&](const std::string& name) { return classes.find(name); });
  std::vector<Index> truth(labels.of_sample.size());
  std::transform(labels.of_sample.begin(), labels.of_sample.end(), truth.begin(),
                 [&](Index k) { return class_in_model[static_cast<std::size_t>(k)]; });
  return truth;
}

// "Log-loss = 0.31, Brier score = 0.18", over the samples with a label the model knows.
std::string judge_probabilities(const std::vector<double>& probabilities, const std::vector<Index>& truth,
                                std::size_t n_classes) {
  double log_loss = 0.0;
  double brier_score = 0.0;
  std::size_t n_known = 0;
  for (std::size_t i = 0; i < truth.size(); ++i) {
    if (truth[i] == kUnknownClass) continue;
    ++n_known;
    for (std::size_t k = 0; k < n_classes; ++k) {
      const double p = probabilities[i * n_classes + k];
      const bool is_true = k == static_cast<std::size_t>(truth[i]);
      if (is_true) log_loss -= std::log(std::max(p, std::numeric_limits<double>::min()));
      brier_score += (p - (is_true ? 1.0 : 0.0)) * (p - (is_true ? 1.0 : 0.0));
    }
  }
  if (n_known == 0) return "no sample has a label the model knows: no log-loss, no Brier score";
  const auto n = static_cast<double>(n_known);
  return fmt::format("Log-loss = {:.6g}, Brier score = {:.6g}{}", log_loss / n, brier_score / n,
                     n_known == truth.size() ? "" : fmt::format(" ({} of {} samples)", n_known, truth.size()));
}

int PredictCommand::run() const {
  const LinearModel fitted = load();
  Dataset dataset;
  Answers answers;
  with_threads(threads, [&] {
    dataset = read(fitted);
    answers.prediction = predict(fitted, dataset.design);
  });
  if (probability) answers.probabilities = probabilities(*fitted.calibration, answers.prediction.scores);
  write_answers(answers, fitted.classes, scores, output);

  if (!dataset.labels || print.quiet) return kDone;
  const std::vector<Index>& predicted = answers.prediction.classes;
  const std::vector<Index> truth = classes_in_model(*dataset.labels, fitted.classes);
  Count right = 0;
  for (std::size_t i = 0; i < truth.size(); ++i) right += truth[i] == predicted[i] ? 1 : 0;
  fmt::print(stderr, "Accuracy = {:.6g}% ({}/{})\n",
             100.0 * static_cast<double>(right) / static_cast<double>(truth.size()), right, truth.size());
  if (probability) {
    fmt::print(stderr, "{}\n", judge_probabilities(answers.probabilities, truth, fitted.classes.names.size()));
  }
  if (print.verbose) fmt::print(stderr, "{}", confusion_table(fitted.classes, truth, predicted));
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
