// hsvm convert IN OUT

#include <fmt/format.h>

#include <memory>

#include "app/commands.hpp"
#include "app/flags.hpp"
#include "app/print.hpp"

namespace hsvm::app {
namespace {

struct ConvertCommand {
  std::string input;
  std::string output;
  std::string to;
  DataFlags data_flags;
  Speech speech;

  [[nodiscard]] int run() const {
    const DataFormat* const wanted = to.empty() ? nullptr : &format_named(to);
    ReadOptions reading = read_options(data_flags);
    Dataset data = read_dataset(input, reading);
    if (!data_flags.names.empty()) data.feature_names = read_feature_names(data_flags, data);
    write_dataset(data, output, wanted);
    if (!speech.quiet && output != "-") fmt::print("{}: {}\n", output, describe_data(data));
    return kDone;
  }
};

}  // namespace

void add_convert(CLI::App& program, int& exit_code) {
  auto command = std::make_shared<ConvertCommand>();
  CLI::App& convert = *program.add_subcommand("convert", "Convert between data formats");
  convert.footer(
      "Examples:\n  hsvm convert genes.csv genes.libsvm.xz --label tumour\n  hsvm convert old.txt - --to csv");
  convert.add_option("IN", command->input, "Data file, or - for standard input")->required();
  convert.add_option("OUT", command->output, "Where to write; the name says the format, - is standard output")
      ->required();
  convert.add_option("--to", command->to, "Format to write: libsvm, csv or tsv (default: by the name)")
      ->type_name("WORD");
  add_data_flags(convert, command->data_flags);
  add_speech_flags(convert, command->speech, false);
  convert.callback([command, &exit_code] { exit_code = command->run(); });
}

}  // namespace hsvm::app
