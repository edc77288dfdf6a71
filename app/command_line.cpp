// The only file that sees CLI11.

#include "app/command_line.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <exception>
#include <new>
#include <system_error>
#include <type_traits>

#include "hsvm/api.hpp"

namespace hsvm::app {
namespace {

template <class T>
T parse_number(const std::string& flag, const std::string& text) {
  T value{};
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, value);
  if (error == std::errc::result_out_of_range) throw FlagError(flag + " " + text + ": the number is too large");
  bool good = error == std::errc() && rest == end;
  if constexpr (std::is_floating_point_v<T>) good = good && std::isfinite(value);
  if (!good) {
    throw FlagError(flag + " " + text + ": expected a " + (std::is_integral_v<T> ? "whole number" : "number"));
  }
  return value;
}

std::vector<double> parse_numbers(const std::string& flag, const std::string& text) {
  std::vector<double> values;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    if (end == begin)
      throw FlagError(fmt::format("{} {}: expected numbers, one between two commas", flag, text));
    values.push_back(parse_number<double>(flag, text.substr(begin, end - begin)));
    begin = end + 1;
  }
  return values;
}

void show(CLI::Option& option, const FlagInfo& info) {
  option.group(info.group)->required(info.required)->type_name(info.value);
  if (!info.shown_default.empty()) option.default_str(info.shown_default);
}

// Assigns the number in the text to `field`, a T or an optional one.
template <class T, class Field>
std::function<void(const std::string&)> number_into(Field& field, const std::string& flag) {
  return [&field, flag](const std::string& text) { field = parse_number<T>(flag, text); };
}

// What is wrong with the command line, and which help to ask for.
std::string explain(const CLI::App& program, const CLI::ParseError& error) {
  const CLI::App* command = &program;  // the innermost that was recognised
  std::string name = program.get_name();
  while (!command->get_subcommands().empty()) {
    command = command->get_subcommands().front();
    name += " " + command->get_name();
  }
  const auto known = command->get_subcommands([](const CLI::App*) { return true; });
  std::string what = error.what();
  if (!known.empty() && !command->remaining().empty() && !command->remaining().front().starts_with("-")) {
    what = fmt::format("unknown command '{}': must be one of", command->remaining().front());
    for (const CLI::App* one : known) what += " " + one->get_name();
  }
  return fmt::format("{} (see {} --help)", what, name);
}

// Reads the command line and runs the command it names, which fills in the exit code.
int parse_and_run(CLI::App& program, int argc, char** argv, const int& exit_code) {
  try {
    program.parse(argc, argv);
  } catch (const CLI::Success& success) {  // --help, --version
    return program.exit(success);
  } catch (const CLI::ParseError& error) {
    throw OptionError(explain(program, error));
  }
  return exit_code;
}

// Quoted where a shell would read more than one plain word.
std::string words_for_shell(const char* name, int argc, char** argv) {
  std::string text = name;
  for (int k = 1; k < argc; ++k) {
    const std::string word = argv[k];
    const bool plain = !word.empty() && word.find_first_not_of(
                                            "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                            "_-+=./,:@%") == std::string::npos;
    text += plain ? " " + word : " '";
    if (plain) continue;
    for (const char c : word) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
    text += "'";
  }
  return text;
}

}  // namespace

std::string spell_name(const std::string& name) {
  if (name.ends_with("()")) return "hsvm " + name.substr(0, name.size() - 2);
  if (name == "n_features") return "--features";
  if (name == "fold_of_sample") return "--folds-file";  // the field has the numbers, the flag their file
  std::string flag = "--" + name;
  std::replace(flag.begin(), flag.end(), '_', '-');
  return flag;
}

void Command::set_description(const std::string& text) {
  command_->description(text);
}

void Command::set_footer(const std::string& text) {
  command_->footer(text);
}

Command Command::add_command(const std::string& name, const std::string& description) {
  return {*command_->add_subcommand(name, description), *exit_code_, *words_};
}

void Command::require_command() {
  command_->require_subcommand(1);
}

void Command::add(const FlagInfo& info, std::string& value) {
  show(*command_->add_option(info.name, value, info.help), info);
}

void Command::add(const FlagInfo& info, std::vector<std::string>& values) {
  show(*command_->add_option(info.name, values, info.help), info);
}

void Command::add(const FlagInfo& info, bool& value) {
  command_->add_flag(info.name, value, info.help)->group(info.group);  // of several, the last counts
}

void Command::add(const FlagInfo& info, int& value) {
  add(info, number_into<int>(value, info.name));
}
void Command::add(const FlagInfo& info, double& value) {
  add(info, number_into<double>(value, info.name));
}
void Command::add(const FlagInfo& info, std::uint64_t& value) {
  add(info, number_into<std::uint64_t>(value, info.name));
}
void Command::add(const FlagInfo& info, std::optional<int>& value) {
  add(info, number_into<int>(value, info.name));
}
void Command::add(const FlagInfo& info, std::optional<double>& value) {
  add(info, number_into<double>(value, info.name));
}

void Command::add(const FlagInfo& info, std::vector<double>& values) {
  add(info, [&values, flag = info.name](const std::string& text) { values = parse_numbers(flag, text); });
}

void Command::add(const FlagInfo& info, std::function<void(const std::string& text)> read) {
  const auto read_or_refuse = [read = std::move(read)](const std::string& text) {
    try {
      read(text);
    } catch (const FlagError& error) {
      throw CLI::ValidationError(error.what());
    }
  };
  show(*command_->add_option_function<std::string>(info.name, read_or_refuse, info.help), info);
}

void Command::hide(const std::string& flag) {
  command_->get_option(flag)->group("");
}

bool Command::was_given(const std::string& flag) const {
  return command_->count(flag) > 0;
}

void Command::on_run(std::function<int()> run) {
  command_->callback([run = std::move(run), exit_code = exit_code_] { *exit_code = run(); });
}

int run_command_line(const char* name, int argc, char** argv, void (*add_commands)(Command program)) {
  const auto complain = [name](const char* what, int code) {
    std::string line = what;  // one line, whatever the message
    for (char& c : line) {
      if (c == '\n' || c == '\r') c = ' ';
    }
    fmt::print(stderr, "{}: {}\n", name, line);
    return code;
  };
  try {
    CLI::App program("", name);
    int exit_code = kDone;
    program.set_version_flag("--version", fmt::format("{} " HSVM_VERSION, name));
    program.require_subcommand(1);
    program.set_help_all_flag("--help-all", "Help for all commands");
    const std::string words = words_for_shell(name, argc, argv);
    add_commands({program, exit_code, words});
    exit_code = parse_and_run(program, argc, argv, exit_code);
    errno = 0;
    if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0)
      throw file_error("standard output", "cannot write");
    return exit_code;
  } catch (const OptionError& error) {
    return complain(error.message(spell_name).c_str(), kUsage);
  } catch (const Error& error) {
    return complain(error.what(), kBadInput);
  } catch (const std::bad_alloc&) {
    return complain("not enough memory for this data", kBadInput);
  } catch (const std::length_error&) {  // more than any memory could hold
    return complain("not enough memory for this data", kBadInput);
  } catch (const std::exception& error) {
    return complain(error.what(), kBadInput);
  }
}

}  // namespace hsvm::app
