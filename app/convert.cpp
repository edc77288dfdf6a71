// hsvm convert IN OUT

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <charconv>
#include <cmath>
#include <memory>
#include <string_view>

#include "app/commands.hpp"
#include "app/files.hpp"
#include "app/flags.hpp"
#include "app/print.hpp"

namespace hsvm::app {
namespace {

// "500M": bytes.
std::size_t parse_size(const std::string& text) {
  constexpr std::string_view kUnits = "KMG";
  double size = 0.0;
  const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), size);
  const std::string_view unit(rest, static_cast<std::size_t>(text.data() + text.size() - rest));
  const std::size_t known = unit.empty() ? 0 : kUnits.find(unit);
  const double bytes = size * (unit.empty() ? 1.0 : std::pow(1024.0, static_cast<double>(known + 1)));
  if (error != std::errc() || known == kUnits.npos || !(bytes >= 1.0 && bytes < 1e18))
    throw FlagError("--memory " + text + ": must be a number of bytes, such as 500M or 2G");
  return static_cast<std::size_t>(bytes);
}

struct ConvertCommand {
  std::string input;
  std::string output;
  std::string to;
  Precision precision = Precision::double_precision;
  FolderOptions folder;
  DataFlags data_flags;
  PrintFlags print;

  [[nodiscard]] int run() const {
    refuse_overwriting(data_flags.files({{"IN", input}}), {{"OUT", output}, {"OUT", output + ".labels"}});
    const DataFormat* const wanted = to.empty() ? nullptr : &format_named(to);
    ReadOptions reading = read_options(data_flags);
    reading.precision = precision;
    apply_for_copy(data_flags.table, reading);
    if (!wanted && output != "-" && names_folder(output)) return write_folder_of(reading);
    Dataset data = read_dataset(input, reading);
    if (!data_flags.names.empty()) data.feature_names = read_feature_names(data_flags, data);
    write_dataset(data, output, wanted);
    if (!print.quiet && output != "-") fmt::print("{}: {}\n", output, describe_data(data));
    return kDone;
  }

 private:
  [[nodiscard]] int write_folder_of(const ReadOptions& reading) const {
    FolderOptions options = folder;
    if (!data_flags.names.empty()) options.feature_names = read_words(data_flags.names);
    const FolderHeader header = convert_to_folder(input, reading, output, options);
    if (print.quiet) return kDone;
    fmt::print("{}: {} samples, {} features, {}\n", output, header.n_samples, header.n_features,
               header.storage == Storage::dense ? "dense" : fmt::format("{} nonzeros", header.n_entries));
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
      "Examples:\n  hsvm convert genes.csv genes.libsvm.xz --label tumour\n  hsvm convert old.txt - --to csv\n"
      "  hsvm convert huge.libsvm.xz huge.hsvm/ --precision single --memory 2G");
  convert.add({.name = "IN", .help = "Data file, or - for standard input", .required = true}, command->input);
  convert.add(
      {.name = "OUT",
       .help = "Where to write; the name says the format, - is standard output. A name that ends in / or .hsvm "
               "is a folder of arrays, for data larger than memory",
       .required = true},
      command->output);
  convert.add({.name = "--to",
               .help = "Format to write: " + list_written_formats() + " (default: by the name)",
               .value = "WORD"},
              command->to);
  convert.add({.name = "--precision",
               .help = "How numbers are read and stored: double or single (default: double)",
               .value = "WORD",
               .choices = {"double", "single"}},
              [command](const std::string& text) { command->precision = parse_precision(text); });
  convert.add({.name = "--memory",
               .help = "Into a folder: how much memory LIBSVM text is sorted in, such as 500M (default: 1G)",
               .value = "SIZE"},
              [command](const std::string& text) { command->folder.memory = parse_size(text); });
  convert.add(
      {.name = "--row-blocks",
       .help = "Into a folder, sparse: blocks of samples, one at least for each process that is to read some "
               "of them (default: 1)",
       .value = "NUMBER"},
      command->folder.row_blocks);
  add_data_flags(convert, command->data_flags);
  add_print_flags(convert, command->print, false);
  convert.on_run([command] { return command->run(); });
}

}  // namespace hsvm::app
