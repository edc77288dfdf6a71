// hsvm predict MODEL DATA [-o FILE]

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <memory>

#include "app/commands.hpp"
#include "app/csv_table.hpp"
#include "app/files.hpp"
#include "app/flags.hpp"
#include "app/model_data.hpp"
#include "app/pick_model.hpp"
#include "app/print.hpp"
#include "app/ranks.hpp"
#include "app/tables.hpp"

namespace hsvm::app {
namespace {

struct PredictCommand {
  std::string model;
  std::string data;
  std::string output = "-";
  PickFlags pick;
  bool scores = false;
  bool probability = false;
  bool metrics = false;
  int threads = 0;
  DataFlags data_flags;
  PrintFlags print;

  [[nodiscard]] int run(const Collective& ranks) const;
  [[nodiscard]] LinearModel load() const;
  void write(const Answers& answers, const LinearModel& fitted, const Dataset& dataset,
             const std::optional<Metrics>& measured) const;
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

void write_lines(const Answers& answers, const Classes& classes, bool scores, bool probability,
                 const std::string& output) {
  OutputFile file(output);
  std::string text;
  constexpr std::size_t kFlushBytes = 1 << 16;
  const auto n_outputs = static_cast<std::size_t>(answers.prediction.n_outputs);
  std::vector<std::string> shown;  // a line break in a label would make two lines of one
  for (const std::string& name : classes.names) shown.push_back(escape_controls(name));
  for (std::size_t i = 0; i < answers.prediction.classes.size(); ++i) {
    text += shown[static_cast<std::size_t>(answers.prediction.classes[i])];
    if (scores) append_row(text, answers.prediction.scores, i, n_outputs);
    if (probability) append_row(text, answers.probabilities, i, classes.names.size());
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
std::string describe_accuracy(const Metrics& metrics, bool probability) {
  const auto value = [&](Score score) { return metrics.scores[static_cast<std::size_t>(score)]; };
  const auto n = static_cast<double>(metrics.n_samples);
  const double right = std::round(value(Score::accuracy).value_or(0.0) * n);
  std::string text =
      fmt::format("Accuracy = {:.6g}% ({:.0f}/{})\n", 100.0 * right / n, right, metrics.n_samples);
  if (!probability) return text;
  if (!value(Score::log_loss))
    return text + "no sample has a label the model knows: no log-loss, no Brier score\n";
  return text + fmt::format("Log-loss = {:.6g}, Brier score = {:.6g}{}\n", *value(Score::log_loss),
                            *value(Score::brier_score),
                            metrics.n_unknown == 0
                                ? ""
                                : fmt::format(" ({} of {} samples)", metrics.n_samples - metrics.n_unknown,
                                              metrics.n_samples));
}

// A line for each score that there is.
std::string describe_metrics(const Metrics& metrics) {
  std::string text;
  for (std::size_t which = 0; which < kNumScores; ++which) {
    if (!metrics.scores[which]) continue;
    std::string name(to_string(static_cast<Score>(which)));
    std::replace(name.begin(), name.end(), '_', ' ');
    text += fmt::format("{:<18} {:.6g}\n", name, *metrics.scores[which]);
  }
  return text;
}

// To a table, to lines, or as JSON; with --json, lines are written only where a file is named.
void PredictCommand::write(const Answers& answers, const LinearModel& fitted, const Dataset& dataset,
                           const std::optional<Metrics>& measured) const {
  if (is_table_name(output)) {
    write_predictions(answers, dataset, fitted.classes, output);
  } else if (!print.json || output != "-") {
    write_lines(answers, fitted.classes, scores, probability, output);
  }
  if (print.json)
    fmt::print("{}\n", predictions_to_json(fitted, answers.prediction, answers.probabilities, dataset,
                                           metrics ? measured : std::nullopt));
}

// What the ranks say of their samples becomes what is said of all: on every rank, since little is left to do.
void gather_answers(const Collective& ranks, Dataset& dataset, Prediction& prediction) {
  if (ranks.is_alone()) return;
  prediction.scores = ranks.gather(std::span<const double>(prediction.scores));
  prediction.classes = ranks.gather(std::span<const Index>(prediction.classes));
  dataset.sample_names = ranks.gather_words(dataset.sample_names);
  if (dataset.labels)
    dataset.labels->of_sample = ranks.gather(std::span<const Index>(dataset.labels->of_sample));
}

int PredictCommand::run(const Collective& ranks) const {
  refuse_overwriting(data_flags.files({{"MODEL", model}, {"DATA", data}}), {{"--output", output}});
  const LinearModel fitted = load();
  Dataset dataset;
  Answers answers;
  with_threads(threads_of_rank(ranks, threads), [&] {
    dataset = read_for_model(data, data_flags, fitted, print.quiet, ranks);
    agree_on_errors(ranks, [&] { answers.prediction = predict(fitted, dataset); });
  });
  gather_answers(ranks, dataset, answers.prediction);
  if (metrics && !dataset.labels)
    throw InputError(dataset.source + ": no labels, which --metrics compares the predictions with");
  if (fitted.calibration) answers.probabilities = probabilities(*fitted.calibration, answers.prediction.scores);
  std::optional<Metrics> measured;
  std::vector<Index> truth;
  if (dataset.labels) {
    truth = class_numbers(*dataset.labels, fitted.classes);
    measured = measure(fitted, answers.prediction, answers.probabilities, truth, metrics);
  }
  if (ranks.rank() == 0) write(answers, fitted, dataset, measured);

  if (!measured || print.quiet) return kDone;
  if (std::ranges::all_of(truth, [](Index k) { return k == kUnknownClass; })) {
    tell(fmt::format("note: no sample has a label the model knows{}: no accuracy\n",
                     dataset.table.label && !dataset.table.label->name.empty()
                         ? " (column '" + escape_controls(dataset.table.label->name) + "')"
                         : ""));
    return kDone;
  }
  tell(describe_accuracy(*measured, probability));
  if (metrics && !print.json) tell(describe_metrics(*measured));
  if (print.verbose || (metrics && !print.json))
    tell(confusion_table(fitted.classes, truth, answers.prediction.classes));
  return kDone;
}

}  // namespace

void add_predict(Command program) {
  auto command = std::make_shared<PredictCommand>();
  Command predict = program.add_command("predict", "Predict the classes of new samples");
  predict.set_footer(
      "Examples:\n"
      "  hsvm predict model.json test.libsvm.xz\n"
      "  hsvm predict model.json new.csv -o predicted.csv\n"
      "  hsvm predict model.json test.csv --metrics --json\n"
      "  hsvm predict tuned.json new.csv --probability --one-se\n"
      "  hsvm predict path.json test.libsvm.xz --lambda1 0.05");
  predict.add({.name = "MODEL", .help = "Model file, from hsvm fit, cv or path", .required = true},
              command->model);
  predict.add({.name = "DATA", .help = "Data file, or - for standard input", .required = true}, command->data);
  predict.add(
      {.name = "-o,--output",
       .help =
           "Where to write (default: standard output): one line a sample, or where the name ends in .csv or .tsv "
           "a table with the samples' names, scores and, where the model has them, probabilities",
       .value = "FILE"},
      command->output);
  add_pick_flags(predict, command->pick);
  predict.add({.name = "--scores", .help = "Add the decision values"}, command->scores);
  predict.add(
      {.name = "--probability",
       .help = "Add the probability of every class (after the decision values), where the model has them"},
      command->probability);
  predict.add(
      {.name = "--metrics",
       .help =
           "Tell how good the predictions are: confusion table, balanced accuracy, AUC, macro F1, log-loss, "
           "Brier score; the data must have labels"},
      command->metrics);
  add_number(predict, "--threads", command->threads, "number of threads, 0 for all cores");
  add_data_flags(predict, command->data_flags);
  add_print_flags(predict, command->print, true);
  predict.on_run(
      [command] { return run_over_ranks([&](const Collective& ranks) { return command->run(ranks); }); });
}

}  // namespace hsvm::app
