#include "app/flags.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <system_error>

#include "app/command_line.hpp"

namespace hsvm::app {
namespace {

template <class T>
T parse_number(const std::string& flag, const std::string& text) {
  T value{};
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, value);
  if (error == std::errc::result_out_of_range)
    throw CLI::ValidationError(flag + " " + text + ": the number is too large");
  bool good = error == std::errc() && rest == end;
  if constexpr (std::is_floating_point_v<T>) good = good && std::isfinite(value);
  if (!good) {
    throw CLI::ValidationError(flag + " " + text + ": expected a " +
                               (std::is_integral_v<T> ? "whole number" : "number"));
  }
  return value;
}

template <class Choice>
Choice parse_choice(const std::string& flag, const std::string& text, const std::vector<Choice>& choices) {
  std::string known;
  for (const Choice choice : choices) {
    if (text == to_string(choice)) return choice;
    known += fmt::format("{}{}", known.empty() ? "" : ", ", to_string(choice));
  }
  throw CLI::ValidationError(flag + " " + text + ": must be one of " + known);
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
      throw CLI::ValidationError(
          fmt::format("{} {}: '{}' must be LABEL=WEIGHT with a weight of at least 0", flag, text, item));
    weights.by_label[item.substr(0, equals)] = weight;
  }
  return weights;
}

template <class T>
CLI::Option* add_strict(CLI::App& command, const std::string& flag, const std::string& help, T assign,
                        const std::string& shown_default = "") {
  CLI::Option* const option = command.add_option_function<std::string>(flag, assign, help);
  if (!shown_default.empty()) option->default_str(shown_default);
  return option;
}

// What is chosen where a field holds a choice, or none yet.
template <class Field>
struct Chosen {
  using Type = Field;
};
template <class Field>
struct Chosen<std::optional<Field>> {
  using Type = Field;
};
template <class Field>
using ChoiceOf = typename Chosen<Field>::Type;

// Adds a command-line flag for each described option.
class AddFlags {
 public:
  AddFlags(CLI::App& command, std::string group) : command_(command), group_(std::move(group)) {}

  void operator()(const OptionInfo& info, double& value) const {
    number(info, value, std::isinf(value) ? "" : fmt::format("{}", value));
  }
  void operator()(const OptionInfo& info, int& value) const { number(info, value, std::to_string(value)); }
  void operator()(const OptionInfo& info, std::uint64_t& value) const {
    number(info, value, std::to_string(value));
  }
  template <class T>
  void operator()(const OptionInfo& info, std::optional<T>& value) const {
    const std::string flag = spell_name(info.name);
    add_strict(command_, flag, info.help,
               [&value, flag](const std::string& text) { value = parse_number<T>(flag, text); })
        ->group(group_)
        ->type_name("NUMBER");
  }
  void operator()(const OptionInfo& info, bool& value) const {
    // --no-X takes --X back, so that the last word is whoever's comes last.
    const std::string flag = spell_name(info.name);
    const std::string taken_back = flag.starts_with("--no-") ? "" : ",!--no-" + flag.substr(2);
    command_.add_flag(flag + taken_back, value, info.help)
        ->group(group_)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
  }
  void operator()(const OptionInfo& info, ClassWeights& value) const {
    const std::string flag = spell_name(info.name);
    add_strict(command_, flag, info.help,
               [&value, flag](const std::string& text) { value = parse_class_weights(flag, text); })
        ->group(group_)
        ->type_name("TEXT");
  }
  void operator()(const OptionInfo& info, std::optional<Solver>& value) const {
    choice(info, value, {Solver::newton, Solver::pg, Solver::pg2}, "");
  }
  void operator()(const OptionInfo& info, Score& value) const {
    choice(info, value, tuning_scores(), to_string(value));
  }
  void operator()(const OptionInfo& info, Loss& value) const {
    choice(info, value, {Loss::huberized, Loss::squared_hinge}, to_string(value));
  }
  void operator()(const OptionInfo& info, Stopping& value) const {
    choice(info, value, {Stopping::gap, Stopping::paper}, to_string(value));
  }

 private:
  template <class T>
  void number(const OptionInfo& info, T& value, const std::string& shown_default) const {
    const std::string flag = spell_name(info.name);
    add_strict(
        command_, flag, info.help,
        [&value, flag](const std::string& text) { value = parse_number<T>(flag, text); }, shown_default)
        ->group(group_)
        ->type_name("NUMBER");
  }
  template <class Field>
  void choice(const OptionInfo& info, Field& value, const std::vector<ChoiceOf<Field>>& choices,
              std::string_view shown_default) const {
    const std::string flag = spell_name(info.name);
    add_strict(
        command_, flag, info.help,
        [&value, flag, choices](const std::string& text) { value = parse_choice(flag, text, choices); },
        std::string(shown_default))
        ->group(group_)
        ->type_name("WORD");
  }

  CLI::App& command_;
  std::string group_;
};

}  // namespace

void add_number(CLI::App& command, const std::string& flag, Index& value, const std::string& help) {
  AddFlags(command, "Options")(OptionInfo{flag.substr(2), help}, value);
}
void add_number(CLI::App& command, const std::string& flag, double& value, const std::string& help) {
  AddFlags(command, "Options")(OptionInfo{flag.substr(2), help}, value);
}
void add_number(CLI::App& command, const std::string& flag, std::uint64_t& value, const std::string& help) {
  AddFlags(command, "Options")(OptionInfo{flag.substr(2), help}, value);
}

void add_speech_flags(CLI::App& command, Speech& speech, bool with_json) {
  command.add_flag("--quiet,-q", speech.quiet, "Say nothing but errors")->group("Speech");
  command.add_flag("--verbose,-v", speech.verbose, "Say more")->group("Speech");
  if (with_json) {
    command.add_flag("--json", speech.json, "Print one JSON object on standard output")->group("Speech");
  }
}

void add_data_flags(CLI::App& command, DataFlags& flags) {
  command
      .add_option("--format", flags.format,
                  "Format of the data: libsvm, csv or tsv (default: by the file's name)")
      ->group("Data")
      ->type_name("WORD");
  add_strict(command, "--features", "Number of features; an index above it is refused",
             [&flags](const std::string& text) {
               const auto value = parse_number<Index>("--features", text);
               if (value < 1) throw CLI::ValidationError("--features " + text + ": must be at least 1");
               flags.features = value;
             })
      ->group("Data")
      ->type_name("NUMBER");
  command
      .add_option("--label", flags.label,
                  "CSV: column of the label, by name or number (1 is the first, -1 the last)")
      ->group("Data")
      ->type_name("COLUMN");
  command.add_option("--names", flags.names, "File with the features' names, one a line")
      ->group("Data")
      ->type_name("FILE");
}

ReadOptions read_options(const DataFlags& flags) {
  ReadOptions options;
  if (!flags.format.empty()) options.format = &format_named(flags.format);
  if (!flags.label.empty()) options.label = flags.label;
  options.n_features = flags.features;
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

void add_fit_flags(CLI::App& command, FitOptions& options) {
  describe_model(options, AddFlags(command, "Model"));
  describe_solver(options, AddFlags(command, "Solver"));
}

void add_path_flags(CLI::App& command, PathOptions& options) {
  describe_path(options, AddFlags(command, "Path"));
}

void add_lambda_grid_flag(CLI::App& command, std::string& file) {
  command.add_option("--lambda-grid", file, "File with the values of lambda1, one a line, in any order")
      ->group("Path")
      ->type_name("FILE");
}

void add_tune_flags(CLI::App& command, TuneOptions& options) {
  describe_tuning(options, AddFlags(command, "Cross-validation"));
}

void add_pick_flags(CLI::App& command, PickFlags& flags) {
  AddFlags(command, "Options")(
      OptionInfo{"lambda1", "of a path: the model at this lambda1, interpolated between two points"},
      flags.lambda1);
  command.add_flag("--one-se", flags.one_se,
                   "Of a tuned model: the sparser one, within one standard error of the best");
}

void add_number_list(CLI::App& command, const std::string& flag, std::vector<double>& values,
                     const std::string& help, const std::string& group) {
  add_strict(command, flag, help,
             [&values, flag](const std::string& text) {
               values.clear();
               for (std::size_t begin = 0; begin <= text.size();) {
                 const std::size_t end = std::min(text.find(',', begin), text.size());
                 if (end == begin)
                   throw CLI::ValidationError(
                       fmt::format("{} {}: expected numbers, one between two commas", flag, text));
                 values.push_back(parse_number<double>(flag, text.substr(begin, end - begin)));
                 begin = end + 1;
               }
             })
      ->group(group)
      ->type_name("LIST");
}

}  // namespace hsvm::app
