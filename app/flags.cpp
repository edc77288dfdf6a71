#include "app/flags.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>

#include "app/command_line.hpp"

namespace hsvm::app {
namespace {

template <class Choice>
Choice parse_choice(const std::string& flag, const std::string& text, const std::vector<Choice>& choices) {
  std::string known;
  for (const Choice choice : choices) {
    if (text == to_string(choice)) return choice;
    known += fmt::format("{}{}", known.empty() ? "" : ", ", to_string(choice));
  }
  throw FlagError(flag + " " + text + ": must be one of " + known);
}

// 'balanced', or LABEL=WEIGHT,...; of a label given twice, the last.
ClassWeights parse_class_weights(const std::string& flag, const std::string& text) {
  if (text == "balanced") return {.balanced = true};
  ClassWeights weights;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    const std::string item = text.substr(begin, end - begin);
    begin = end + 1;
    const std::size_t equals = item.rfind('=');
    char* rest = nullptr;
    const char* const number = equals == std::string::npos ? "" : item.c_str() + equals + 1;
    const double weight = std::strtod(number, &rest);
    if (rest == number || *rest != '\0')
      throw FlagError(
          fmt::format("{} {}: '{}' must be LABEL=WEIGHT with a weight of at least 0", flag, text, item));
    weights.by_label[item.substr(0, equals)] = weight;
  }
  return weights;
}

// Adds a flag for each described option.
class AddFlags {
 public:
  AddFlags(Command& command, std::string group) : command_(command), group_(std::move(group)) {}

  void operator()(const OptionInfo& info, double& value) const {
    command_.add(flag(info, "NUMBER", std::isinf(value) ? "" : fmt::format("{}", value)), value);
  }
  void operator()(const OptionInfo& info, int& value) const {
    command_.add(flag(info, "NUMBER", std::to_string(value)), value);
  }
  void operator()(const OptionInfo& info, std::uint64_t& value) const {
    command_.add(flag(info, "NUMBER", std::to_string(value)), value);
  }
  template <class T>
  void operator()(const OptionInfo& info, std::optional<T>& value) const {
    command_.add(flag(info, "NUMBER"), value);
  }
  // One number, or several for a grid.
  void lambda1(const OptionInfo& info, std::optional<double>& value, std::vector<double>& list) const {
    command_.add(flag(info, "NUMBER"), [&value, &list, name = spell_name(info.name)](const std::string& text) {
      std::vector<double> numbers = parse_numbers(name, text);
      if (numbers.size() == 1) {
        value = numbers[0];
      } else {
        list = std::move(numbers);
      }
    });
  }
  void operator()(const OptionInfo& info, bool& value) const {
    // --no-X takes --X back; the last of them counts.
    FlagInfo shown = flag(info, "");
    if (value) shown.help += " (default: yes)";
    if (!shown.name.starts_with("--no-")) shown.name += ",!--no-" + shown.name.substr(2);
    command_.add(shown, value);
  }
  void operator()(const OptionInfo& info, ClassWeights& value) const {
    command_.add(flag(info, "TEXT"), [&value, name = spell_name(info.name)](const std::string& text) {
      value = parse_class_weights(name, text);
    });
  }
  void operator()(const OptionInfo& info, std::string& value) const { command_.add(flag(info, "TEXT"), value); }
  void operator()(const OptionInfo& info, std::optional<Solver>& value) const {
    add_choice(flag(info, "WORD"), value, std::vector{Solver::newton, Solver::pg, Solver::pg2});
  }
  void operator()(const OptionInfo& info, Score& value) const {
    add_choice(flag(info, "WORD", to_string(value)), value, tuning_scores());
  }
  void operator()(const OptionInfo& info, Loss& value) const {
    add_choice(flag(info, "WORD", to_string(value)), value, std::vector{Loss::huberized, Loss::squared_hinge});
  }
  void operator()(const OptionInfo& info, std::optional<Margins>& value) const {
    add_choice(flag(info, "WORD"), value, std::vector{Margins::relative, Margins::absolute});
  }
  void operator()(const OptionInfo& info, Stopping& value) const {
    add_choice(flag(info, "WORD", to_string(value)), value, std::vector{Stopping::gap, Stopping::paper});
  }

 private:
  [[nodiscard]] FlagInfo flag(const OptionInfo& info, const char* value,
                              std::string_view shown_default = "") const {
    return {.name = spell_name(info.name),
            .help = info.help,
            .value = value,
            .group = group_,
            .shown_default = std::string(shown_default)};
  }
  template <class Field, class Choice>
  void add_choice(const FlagInfo& info, Field& value, std::vector<Choice> choices) const {
    FlagInfo shown = info;
    for (const Choice choice : choices) shown.choices.emplace_back(to_string(choice));
    command_.add(shown, [&value, name = info.name, choices = std::move(choices)](const std::string& text) {
      value = parse_choice(name, text, choices);
    });
  }

  Command& command_;
  std::string group_;
};

}  // namespace

void add_number(Command& command, const std::string& flag, Index& value, const std::string& help) {
  AddFlags(command, "Options")(OptionInfo{flag.substr(2), help}, value);
}
void add_number(Command& command, const std::string& flag, double& value, const std::string& help) {
  AddFlags(command, "Options")(OptionInfo{flag.substr(2), help}, value);
}
void add_number(Command& command, const std::string& flag, std::uint64_t& value, const std::string& help) {
  AddFlags(command, "Options")(OptionInfo{flag.substr(2), help}, value);
}

void add_print_flags(Command& command, PrintFlags& flags, bool with_json) {
  const std::string group = "Output";
  command.add({.name = "--quiet,-q", .help = "Say nothing but errors", .group = group}, flags.quiet);
  command.add({.name = "--verbose,-v", .help = "Say more", .group = group}, flags.verbose);
  if (with_json) {
    command.add({.name = "--json", .help = "Print one JSON object on standard output", .group = group},
                flags.json);
  }
}

namespace {

std::vector<std::string> format_names() {
  std::vector<std::string> names;
  for (const DataFormat& format : data_formats()) names.push_back(format.name);
  return names;
}

bool groups_are_in_file(const DataFlags& flags) {
  std::error_code ignored;
  return std::filesystem::is_regular_file(flags.groups, ignored);
}

}  // namespace

std::vector<NamedFile> DataFlags::files(std::vector<NamedFile> more) const {
  more.insert(more.end(), {{"--names", names}, {"--labels", labels}, {"--groups", groups}});
  return more;
}

void add_data_flags(Command& command, DataFlags& flags) {
  const std::string group = "Data";
  command.add(
      {.name = "--format",
       .help = "Format of the data: " + list_format_names() + " (default: by its content, then its name)",
       .value = "WORD",
       .group = group,
       .choices = format_names()},
      flags.format);
  command.add({.name = "--features",
               .help = "Number of features; an index above it is refused",
               .value = "NUMBER",
               .group = group},
              flags.features);
  command.add(
      {.name = "--labels",
       .help =
           "File with the label of each sample, one a line: for data without labels in it (default for .npy and "
           ".mtx: the file with .labels after the data's name)",
       .value = "FILE",
       .group = group},
      flags.labels);
  command.add({.name = "--zero-based", .help = "LIBSVM: indices count from 0", .group = group},
              flags.zero_based);
  command.add(
      {.name = "--groups",
       .help = "What belongs together (a patient's samples) and never stands on both sides of a fold, half "
               "or split: a table's column, or a file with a word for each sample",
       .value = "COLUMN|FILE",
       .group = group},
      flags.groups);
  command.add(
      {.name = "--names", .help = "File with the features' names, one a line", .value = "FILE", .group = group},
      flags.names);
  describe_table(flags.table, AddFlags(command, "Tables"));
}

Precision parse_precision(const std::string& text) {
  if (text == "double") return Precision::double_precision;
  if (text == "single") return Precision::single_precision;
  throw FlagError("--precision " + text + ": must be one of double, single");
}

ReadOptions read_options(const DataFlags& flags) {
  ReadOptions options;
  if (!flags.format.empty()) options.format = &format_named(flags.format);
  if (!flags.groups.empty() && !groups_are_in_file(flags)) options.groups = flags.groups;
  options.n_features = flags.features;
  apply(flags.table, options);
  options.labels_file = flags.labels;
  options.zero_based = flags.zero_based;
  return options;
}

std::vector<Index> read_groups(const DataFlags& flags, const Dataset& data, const Collective& ranks) {
  if (flags.groups.empty()) return {};
  if (!groups_are_in_file(flags)) {
    if (!ranks.any(!data.groups.empty()))
      throw InputError(fmt::format("--groups {}: there is no such file, and {} has no columns with names",
                                   flags.groups, data.source));
    return numbers_of_words(ranks.gather_words(data.groups));
  }
  const auto n_samples = static_cast<Count>(ranks.sum(static_cast<double>(data.n_samples())));
  std::vector<std::string> words = read_words(flags.groups);
  leave_out_dropped(data, words);
  if (std::ssize(words) != n_samples)
    throw InputError(fmt::format("{}: {} groups for the {} samples of {}: there must be one for each",
                                 flags.groups, words.size(), n_samples, data.source));
  return numbers_of_words(words);
}

std::vector<std::string> read_feature_names(const DataFlags& flags, const Dataset& data) {
  if (flags.names.empty()) return {};
  std::vector<std::string> names = read_names(flags.names);
  if (std::ssize(names) != data.n_features()) {
    throw InputError(fmt::format("{}: {} names for the {} features of {}: there must be one for each",
                                 flags.names, names.size(), data.n_features(), data.source));
  }
  return names;
}

void add_fit_flags(Command& command, FitOptions& options, std::vector<double>& lambda1_list) {
  const AddFlags add(command, "Model");
  describe_model(options, [&](const OptionInfo& info, auto& value) {
    if constexpr (std::is_same_v<decltype(value), std::optional<double>&>) {
      if (info.name == "lambda1") return add.lambda1(info, value, lambda1_list);
    }
    add(info, value);
  });
  describe_solver(options, AddFlags(command, "Solver"));
}

void add_path_flags(Command& command, PathOptions& options) {
  describe_path(options, AddFlags(command, "Path"));
}

void add_lambda_grid_flag(Command& command, std::string& values_or_file) {
  command.add({.name = "--lambda-grid",
               .help = "The values of lambda1, in any order: such as 0.5,0.1, or a file with one a line",
               .value = "LIST|FILE",
               .group = "Path"},
              values_or_file);
}

std::vector<double> read_lambda_grid(const std::string& values_or_file,
                                     const std::vector<double>& lambda1_list) {
  if (!values_or_file.empty() && !lambda1_list.empty())
    throw OptionError("--lambda-grid and several values of --lambda1 exclude each other");
  if (values_or_file.empty()) return lambda1_list;
  std::error_code ignored;
  const bool is_list = values_or_file.find_first_not_of("0123456789.,eE+-") == std::string::npos;
  if (!is_list || std::filesystem::exists(values_or_file, ignored)) return read_numbers(values_or_file);
  try {
    return parse_numbers("--lambda-grid", values_or_file);
  } catch (const FlagError& error) {
    throw OptionError(error.what());
  }
}

void add_tune_flags(Command& command, TuneOptions& options) {
  describe_tuning(options, AddFlags(command, "Cross-validation"));
}

void add_pick_flags(Command& command, PickFlags& flags) {
  AddFlags(command, "Options")(
      OptionInfo{"lambda1", "of a path: the model at this lambda1, interpolated between two points"},
      flags.lambda1);
  command.add(
      {.name = "--one-se", .help = "Of a tuned model: the sparser one, within one standard error of the best"},
      flags.one_se);
}

}  // namespace hsvm::app
