// hsvm predict MODEL DATA [-o FILE]

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <memory>

#include "app/commands.hpp"
#include "app/flags.hpp"
#include "app/pick_model.hpp"
#include "app/print.hpp"
#include "hsvm/io/output_file.hpp"

namespace hsvm::app {
namespace {

struct PredictCommand {
  std::string model;
  std::string data;
  std::string output = "-";
  std::optional<double> lambda1;
  bool scores = false;
  int threads = 0;
  DataFlags data_flags;
  Speech speech;

  [[nodiscard]] int run() const;
};

int PredictCommand::run() const {
  const LinearModel fitted = pick_model(model, lambda1);
  ReadOptions reading = read_options(data_flags);
  reading.labels_required = false;
  reading.feature_names = fitted.feature_names;
  // A sparse file may name features the training data did not have; a table must have the model's columns.
  if (reading.format.value_or(detect_format(data)) != DataFormat::libsvm)
    reading.n_features = fitted.n_features;
  Dataset dataset;
  Prediction prediction;
  with_threads(threads, [&] {
    dataset = read_dataset(data, reading);
    prediction = predict(fitted, dataset.design);
  });

  OutputFile file(output);
  std::string text;
  constexpr std::size_t kFlushBytes = 1 << 16;
  const auto n_outputs = static_cast<std::size_t>(prediction.n_outputs);
  for (std::size_t i = 0; i < prediction.classes.size(); ++i) {
    text += fitted.classes.names[static_cast<std::size_t>(prediction.classes[i])];
    for (std::size_t k = 0; scores && k < n_outputs; ++k) {
      fmt::format_to(std::back_inserter(text), " {}", prediction.scores[i * n_outputs + k]);
    }
    text += '\n';
    if (text.size() >= kFlushBytes) {
      file.write(text);
      text.clear();
    }
  }
  file.write(text);
  file.commit();

  if (!dataset.labels || speech.quiet) return kDone;
  const Classes& known = dataset.labels->classes;
  std::vector<Index> class_in_model(known.names.size());
  std::transform(known.names.begin(), known.names.end(), class_in_model.begin(),
                 [&](const std::string& name) { return fitted.classes.find(name); });
  std::vector<Index> truth(dataset.labels->of_sample.size());
  std::transform(dataset.labels->of_sample.begin(), dataset.labels->of_sample.end(), truth.begin(),
                 [&](Index k) { return class_in_model[static_cast<std::size_t>(k)]; });
  Count right = 0;
  for (std::size_t i = 0; i < truth.size(); ++i) right += truth[i] == prediction.classes[i] ? 1 : 0;
  fmt::print(stderr, "Accuracy = {:.6g}% ({}/{})\n",
             100.0 * static_cast<double>(right) / static_cast<double>(truth.size()), right, truth.size());
  if (speech.verbose) fmt::print(stderr, "{}", confusion_table(fitted.classes, truth, prediction.classes));
  return kDone;
}

}  // namespace

void add_predict(CLI::App& program, int& exit_code) {
  auto command = std::make_shared<PredictCommand>();
  CLI::App& predict = *program.add_subcommand("predict", "Predict the classes of new samples");
  predict.footer(
      "Examples:\n"
      "  hsvm predict model.json test.libsvm.xz\n"
      "  hsvm predict model.json new.csv --scores -o predicted.txt\n"
      "  hsvm predict path.json test.libsvm.xz --lambda1 0.05");
  predict.add_option("MODEL", command->model, "Model file, from hsvm fit or hsvm path")->required();
  predict.add_option("DATA", command->data, "Data file, or - for standard input")->required();
  predict
      .add_option("-o,--output", command->output,
                  "Where to write, one line a sample (default: standard output)")
      ->type_name("FILE");
  add_lambda1_flag(predict, command->lambda1);
  predict.add_flag("--scores", command->scores, "Add the decision values");
  add_number(predict, "--threads", command->threads, "number of threads, 0 for all cores");
  add_data_flags(predict, command->data_flags);
  add_speech_flags(predict, command->speech, false);
  predict.callback([command, &exit_code] { exit_code = command->run(); });
}

}  // namespace hsvm::app
