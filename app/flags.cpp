#include "app/flags.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstdlib>

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
    command_.add(info, [&value, name = info.name, choices = std::move(choices)](const std::string& text) {
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

void add_data_flags(Command& command, DataFlags& flags) {
  const std::string group = "Data";
  command.add({.name = "--format",
               .help = "Format of the data: libsvm, csv or tsv (default: by its content, then its name)",
               .value = "WORD",
               .group = group},
              flags.format);
  command.add({.name = "--features",
               .help = "Number of features; an index above it is refused",
               .value = "NUMBER",
               .group = group},
              flags.features);
  command.add(
      {.name = "--names", .help = "File with the features' names, one a line", .value = "FILE", .group = group},
      flags.names);
  describe_table(flags.table, AddFlags(command, "Tables"));
}

ReadOptions read_options(const DataFlags& flags) {
  ReadOptions options;
  if (!flags.format.empty()) options.format = &format_named(flags.format);
  options.n_features = flags.features;
  apply(flags.table, options);
  return options;
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

void add_fit_flags(Command& command, FitOptions& options) {
  describe_model(options, AddFlags(command, "Model"));
  describe_solver(options, AddFlags(command, "Solver"));
}

void add_path_flags(Command& command, PathOptions& options) {
  describe_path(options, AddFlags(command, "Path"));
}

void add_lambda_grid_flag(Command& command, std::string& file) {
  command.add({.name = "--lambda-grid",
               .help = "File with the values of lambda1, one a line, in any order",
               .value = "FILE",
               .group = "Path"},
              file);
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
