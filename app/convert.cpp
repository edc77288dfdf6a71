// hsvm convert IN OUT

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <memory>

#include "app/commands.hpp"
#include "app/files.hpp"
#include "app/flags.hpp"
#include "app/print.hpp"

namespace hsvm::app {
namespace {

struct ConvertCommand {
  std::string input;
  std::string output;
  std::string to;
  DataFlags data_flags;
  PrintFlags print;

  [[nodiscard]] int run() const {
    refuse_overwriting(data_flags.files({{"IN", input}}), {{"OUT", output}, {"OUT", output + ".labels"}});
    const DataFormat* const wanted = to.empty() ? nullptr : &format_named(to);
    ReadOptions reading = read_options(data_flags);
    apply_for_copy(data_flags.table, reading);
    Dataset data = read_dataset(input, reading);
    if (!data_flags.names.empty()) data.feature_names = read_feature_names(data_flags, data);
    write_dataset(data, output, wanted);
    if (!print.quiet && output != "-") fmt::print("{}: {}\n", output, describe_data(data));
    return kDone;
  }
};

std::string list_written_formats() {
  std::vector<std::string> names;
  for (const DataFormat& format : data_formats()) {
    if (format.write != nullptr) names.push_back(format.name);
  }
  return fmt::format("{}", fmt::join(names, ", "));
}

}  // namespace

void add_convert(Command program) {
  auto command = std::make_shared<ConvertCommand>();
  Command convert = program.add_command("convert", "Convert between data formats");
  convert.set_footer(
      "Examples:\n  hsvm convert genes.csv genes.libsvm.xz --label tumour\n  hsvm convert old.txt - --to csv");
  convert.add({.name = "IN", .help = "Data file, or - for standard input", .required = true}, command->input);
  convert.add({.name = "OUT",
               .help = "Where to write; the name says the format, - is standard output",
               .required = true},
              command->output);
  convert.add({.name = "--to",
               .help = "Format to write: " + list_written_formats() + " (default: by the name)",
               .value = "WORD"},
              command->to);
  add_data_flags(convert, command->data_flags);
  add_print_flags(convert, command->print, false);
  convert.on_run([command] { return command->run(); });
}

}  // namespace hsvm::app
