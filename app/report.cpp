// hsvm report MODEL... -o FILE.html [--data TEST]

#include <fmt/format.h>

#include <memory>

#include "app/commands.hpp"
#include "app/files.hpp"
#include "app/flags.hpp"
#include "app/model_data.hpp"
#include "app/pick_model.hpp"
#include "hsvm/report/report.hpp"

namespace hsvm::app {
namespace {

struct ReportCommand {
  std::vector<std::string> models;
  std::string output;
  std::string data;
  std::string date;
  PickFlags pick;
  int threads = 0;
  DataFlags data_flags;
  bool quiet = false;

  [[nodiscard]] int run() const;
  [[nodiscard]] report::Reported load(const std::string& file) const;
  void add_samples(report::Reported& reported) const;
};

report::Reported ReportCommand::load(const std::string& file) const {
  report::Reported reported{.name = file, .model = load_any_model(file)};
  const bool is_path = std::holds_alternative<PathModel>(reported.model);
  if (!is_path || pick.lambda1)
    static_cast<void>(pick_model(reported.model, file, pick));  // refuses what does not apply
  if (is_path && pick.one_se) static_cast<void>(pick_model(reported.model, file, pick));
  reported.one_se = pick.one_se;
  reported.lambda1 = pick.lambda1;
  return reported;
}

// As predict reads them.
void ReportCommand::add_samples(report::Reported& reported) const {
  const LinearModel fitted = report::shown_model(reported);
  with_threads(threads, [&] {
    const Dataset dataset = read_for_model(data, data_flags, fitted, quiet);
    report::NewSamples samples{
        .source = data, .truth = {}, .prediction = predict(fitted, dataset), .names = dataset.sample_names};
    samples.truth.assign(static_cast<std::size_t>(dataset.n_samples()), kUnknownClass);
    if (dataset.labels) samples.truth = class_numbers(*dataset.labels, fitted.classes);
    reported.samples = std::move(samples);
  });
}

int ReportCommand::run() const {
  std::vector<NamedFile> inputs = data_flags.files({{"--data", data}});
  for (const std::string& file : models) inputs.push_back({"MODEL", file});
  refuse_overwriting(inputs, {{"--output", output}});
  const OutputFile probe(output);  // before anything is read
  std::vector<report::Reported> reported;
  for (const std::string& file : models) {
    reported.push_back(load(file));
    if (!data.empty()) add_samples(reported.back());
  }
  report::save_report(reported, output, {.date = date, .command = {}, .spell = spell_name});
  if (!quiet && output != "-") fmt::print("saved     {}\n", output);
  return kDone;
}

}  // namespace

void add_report(Command program) {
  auto command = std::make_shared<ReportCommand>();
  Command report = program.add_command("report", "Write a web page that shows a model, or compares several");
  report.set_footer(
      "The page stands alone: it opens in any browser, without a network, and can be sent and printed.\n"
      "Models of hsvm cv have most to show; of several files the page compares scores, features and ranks.\n"
      "Its date is that of --date, of SOURCE_DATE_EPOCH, or today's.\n"
      "Examples:\n"
      "  hsvm report tuned.json -o report.html\n"
      "  hsvm report tuned.json -o report.html --data test.libsvm.xz\n"
      "  hsvm report a.json b.json -o both.html");
  report.add({.name = "MODEL", .help = "Model files, from hsvm fit, cv or path", .required = true},
             command->models);
  report.add({.name = "-o,--output", .help = "The page to write", .value = "FILE", .required = true},
             command->output);
  report.add(
      {.name = "--data", .help = "Data with labels: also show how the model does on it", .value = "FILE"},
      command->data);
  report.add({.name = "--date", .help = "The date that the page bears", .value = "TEXT"}, command->date);
  add_pick_flags(report, command->pick);
  add_number(report, "--threads", command->threads, "number of threads, 0 for all cores");
  add_data_flags(report, command->data_flags);
  report.add({.name = "--quiet,-q", .help = "Say nothing but errors", .group = "Output"}, command->quiet);
  report.on_run([command] { return command->run(); });
}

}  // namespace hsvm::app
