// hsvm split DATA --train SHARE

#include <fmt/format.h>

#include <memory>

#include "app/commands.hpp"
#include "app/files.hpp"
#include "app/flags.hpp"
#include "app/print.hpp"

namespace hsvm::app {
namespace {

struct SplitCommand {
  std::string data;
  double share = 0.7;
  std::uint64_t seed = 1;
  std::string prefix;
  std::string train_file;
  std::string test_file;
  DataFlags data_flags;
  PrintFlags print;

  [[nodiscard]] int run();
  void name_files();
  [[nodiscard]] const DataFormat& format_of_data() const;
  void refuse_same_files() const;
};

// The name of a data file: data.train and .csv.gz, the ending that says format and compression.
struct NameParts {
  std::string stem;
  std::string ending;
};

NameParts split_name(const std::string& name, const DataFormat& format) {
  const std::string_view compressed = compression_ending(compression_of_name(name));
  NameParts parts = {name.substr(0, name.size() - compressed.size()), {}};
  for (const std::string& known : format.endings) {
    if (parts.stem.ends_with(known)) {
      parts.ending = known;
      parts.stem.resize(parts.stem.size() - known.size());
      break;
    }
  }
  if (parts.ending.empty()) parts.ending = format.endings.front();
  parts.ending += compressed;
  return parts;
}

// By the content, as it is read; of standard input that is not known yet.
const DataFormat& SplitCommand::format_of_data() const {
  if (data == "-") return detect_format(data);
  InputFile file(data);
  return format_of_file(data, file);
}

// PREFIX.train.libsvm.xz and PREFIX.test.libsvm.xz of a .libsvm.xz file, where they have no names of their own.
void SplitCommand::name_files() {
  if (!train_file.empty() && !test_file.empty()) {
    if (!prefix.empty()) throw OptionError("--output is not needed beside --train-file and --test-file");
    return;
  }
  if (prefix.empty() && data == "-")
    throw OptionError(
        "standard input has no name to make others from: give --output, or both --train-file "
        "and --test-file");
  const DataFormat& format = data_flags.format.empty() ? format_of_data() : format_named(data_flags.format);
  const NameParts parts = split_name(data == "-" ? "" : data, format);
  const std::string& stem = prefix.empty() ? parts.stem : prefix;
  if (train_file.empty()) train_file = stem + ".train" + parts.ending;
  if (test_file.empty()) test_file = stem + ".test" + parts.ending;
}

void SplitCommand::refuse_same_files() const {
  for (const std::string* const file : {&train_file, &test_file}) {
    if (*file == "-") throw OptionError("- cannot be one of two files: give it a name");
  }
  refuse_overwriting(data_flags.files({{"DATA", data}}),
                     {{"--train-file", train_file}, {"--test-file", test_file}});
}

int SplitCommand::run() {
  if (!(share > 0.0 && share < 1.0))
    throw OptionError(fmt::format("--train {}: must be greater than 0 and less than 1", share));
  name_files();
  refuse_same_files();
  const DataFormat& train_format = detect_format(train_file);
  const DataFormat& test_format = detect_format(test_file);
  OutputFile first(train_file);  // before reading: a file that cannot be written should not cost a minute
  OutputFile second(test_file);

  ReadOptions reading = read_options(data_flags);
  apply_for_copy(data_flags.table, reading);
  Dataset whole = read_dataset(data, reading);
  if (!data_flags.names.empty()) whole.feature_names = read_feature_names(data_flags, whole);
  const std::vector<Index> groups = read_groups(data_flags, whole);
  const std::vector<char> in_train = groups.empty() ? stratified_split(*whole.labels, share, seed)
                                                    : grouped_split(*whole.labels, groups, share, seed);
  std::vector<Index> rows[2];
  for (std::size_t i = 0; i < in_train.size(); ++i) rows[in_train[i] ? 0 : 1].push_back(static_cast<Index>(i));
  for (const std::size_t part : {0U, 1U}) {
    if (rows[part].empty()) {
      throw InputError(fmt::format("{}: {} samples are too few to leave one for {}", whole.source,
                                   whole.n_samples(), part == 0 ? train_file : test_file));
    }
  }
  const Dataset train = take_rows(whole, rows[0]);
  const Dataset test = take_rows(whole, rows[1]);
  write_dataset(train, first, train_format);
  write_dataset(test, second, test_format);
  first.finish();
  second.finish();
  first.commit();
  second.commit();
  if (!print.quiet) {
    fmt::print("{}: {}\n{}: {}\n", train_file, describe_data(train), test_file, describe_data(test));
  }
  return kDone;
}

}  // namespace

void add_split(Command program) {
  auto command = std::make_shared<SplitCommand>();
  Command split =
      program.add_command("split", "Split data at random into two files, each class by the same share");
  split.set_footer(
      "data.csv.gz becomes data.train.csv.gz and data.test.csv.gz, unless they are given other names; "
      "the order of samples stays.\n"
      "Examples:\n"
      "  hsvm split data.libsvm.xz --train 0.7 --seed 3\n"
      "  hsvm split genes.csv --label tumour -o parts/genes\n"
      "  zcat all.gz | hsvm split - --train-file train.libsvm --test-file test.libsvm");
  split.add({.name = "DATA", .help = "Data file, or - for standard input", .required = true}, command->data);
  add_number(split, "--train", command->share, "the share of the samples for the first file");
  add_number(split, "--seed", command->seed, "seed of the random numbers");
  split.add({.name = "-o,--output",
             .help = "What the two names begin with (default: the name of DATA without its ending)",
             .value = "PREFIX"},
            command->prefix);
  split.add({.name = "--train-file",
             .help = "Where to write the first part; the name says the format",
             .value = "FILE"},
            command->train_file);
  split.add({.name = "--test-file", .help = "Where to write the second part, likewise", .value = "FILE"},
            command->test_file);
  add_data_flags(split, command->data_flags);
  add_print_flags(split, command->print, false);
  split.on_run([command] { return command->run(); });
}

}  // namespace hsvm::app
