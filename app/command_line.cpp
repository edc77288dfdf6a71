// The only file that sees CLI11.

#include "app/command_line.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <exception>
#include <memory>
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

// Assigns the number in the text to `field`, a T or an optional one.
template <class T, class Field>
std::function<void(const std::string&)> number_into(Field& field, const std::string& flag) {
  return [&field, flag](const std::string& text) { field = parse_number<T>(flag, text); };
}

// "unknown flag --lamda1: did you mean --lambda1?"; empty where there is no flag among what was left over.
std::string explain_flag(const std::vector<std::string>& left_over, const CommandInfo& command) {
  const auto is_flag = [](const std::string& word) { return word.size() > 1 && word[0] == '-'; };
  const auto typed = std::ranges::find_if(left_over, is_flag);
  if (typed == left_over.end()) return "";
  std::vector<std::string> known;
  for (const FlagInfo& flag : command.flags) {
    if (flag.is_argument() || flag.hidden) continue;
    for (const std::string& spelling : flag.spellings()) known.push_back(spelling);
  }
  const std::string name = typed->substr(0, typed->find('='));
  const std::string nearest = nearest_word(name, known);
  return fmt::format("unknown flag {}{}", name,
                     nearest.empty() ? "" : fmt::format(": did you mean {}?", nearest));
}

// What is wrong with the command line, and which help to ask for.
std::string explain(const CLI::App& program, const CommandInfo& all, const CLI::ParseError& error) {
  const CLI::App* command = &program;  // the innermost that was recognised
  const CommandInfo* info = &all;
  std::string name = program.get_name();
  while (!command->get_subcommands().empty()) {
    command = command->get_subcommands().front();
    name += " " + command->get_name();
    if (info) info = info->find(command->get_name());
  }
  const auto known = command->get_subcommands([](const CLI::App*) { return true; });
  std::string what = error.what();
  if (!known.empty() && !command->remaining().empty() && !command->remaining().front().starts_with("-")) {
    std::vector<std::string> verbs;
    for (const CLI::App* one : known) verbs.push_back(one->get_name());
    const std::string nearest = nearest_word(command->remaining().front(), verbs);
    what =
        fmt::format("unknown command '{}': {}must be one of {}", command->remaining().front(),
                    nearest.empty() ? "" : fmt::format("did you mean {}? It ", nearest), fmt::join(verbs, " "));
  } else if (info) {
    const std::string flag = explain_flag(command->remaining(), *info);
    if (!flag.empty()) what = flag;
  }
  return fmt::format("{} (see {} --help)", what, name);
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

// Reads the command line and runs the command it names, which fills in the exit code.
int parse_and_run(CLI::App& program, const CommandInfo& info, int argc, char** argv, const int& exit_code) {
  try {
    program.parse(argc, argv);
  } catch (const CLI::Success& success) {  // --help, --version
    return program.exit(success);
  } catch (const CLI::ParseError& error) {
    throw OptionError(explain(program, info, error));
  }
  return exit_code;
}

}  // namespace

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

namespace {

// A closed standard stream would be opened again as the next file, and messages would go into the model. What stands in for
// it cannot be used: reading and writing fail as they did.
void fill_closed_streams() {
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (fcntl(stream, F_GETFD) >= 0) continue;
    const int opened = open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY);
    if (opened >= 0 && opened != stream) close(opened);
  }
}

}  // namespace

void tell(std::string_view text) {
  std::fflush(stdout);
  std::fwrite(text.data(), 1, text.size(), stderr);
  std::fflush(stderr);
}

std::string spell_name(const std::string& name) {
  if (name.ends_with("()")) return "hsvm " + name.substr(0, name.size() - 2);
  if (name == "n_features") return "--features";
  if (name == "fold_of_sample") return "--folds-file";  // the field has the numbers, the flag their file
  if (name == "group_of_sample") return "--groups";
  std::string flag = "--" + name;
  std::replace(flag.begin(), flag.end(), '_', '-');
  return flag;
}

Command::Command(CLI::App& command, CommandInfo& info, int& exit_code, const std::string& words)
    : command_(&command), info_(&info), exit_code_(&exit_code), words_(&words) {
  command.formatter_fn([&info](const CLI::App* /*app*/, const std::string& /*name*/,
                               CLI::AppFormatMode /*mode*/) { return help_text(info); });
  command.set_help_flag("-h,--help", "");
  info.flags.push_back({.name = "-h,--help", .help = "Print this help", .takes_value = false});
}

void Command::show(CLI::Option& option, FlagInfo info, bool takes_value) {
  option.required(info.required);
  info.takes_value = takes_value;
  info_->flags.push_back(std::move(info));
}

void Command::set_description(const std::string& text) {
  info_->description = text;
}

void Command::set_footer(const std::string& text) {
  info_->footer = text;
}

Command Command::add_command(const std::string& name, const std::string& description) {
  CommandInfo& info = info_->commands.emplace_back();
  info.name = info_->name + " " + name;
  info.description = description;
  return {*command_->add_subcommand(name), info, *exit_code_, *words_};
}

void Command::require_command() {
  command_->require_subcommand(1);
}

void Command::add(const FlagInfo& info, std::string& value) {
  if (info.value != "FILE") return show(*command_->add_option(info.name, value), info, true);
  add(info, [&value, flag = info.name](const std::string& text) {
    if (text.empty()) throw FlagError(flag + ": the name is empty; expected that of a file");
    value = text;
  });
}

void Command::add(const FlagInfo& info, std::vector<std::string>& values) {
  show(*command_->add_option(info.name, values), info, true);
}

void Command::add(const FlagInfo& info, bool& value) {
  show(*command_->add_flag(info.name, value), info, false);  // of several, the last counts
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
  show(*command_->add_option_function<std::string>(info.name, read_or_refuse), info, true);
}

void Command::add(const FlagInfo& info, std::function<void()> act) {
  show(*command_->add_flag_callback(info.name, std::move(act)), info, false);
}

void Command::hide(const std::string& flag) {
  for (FlagInfo& info : info_->flags) {
    if (std::ranges::count(info.spellings(), flag) > 0) info.hidden = true;
  }
}

bool Command::was_given(const std::string& flag) const {
  return command_->count(flag) > 0;
}

void Command::on_run(std::function<int()> run) {
  command_->callback([run = std::move(run), exit_code = exit_code_] { *exit_code = run(); });
}

namespace {

void add_help_command(Command& program, const CommandInfo& info, const std::string& version) {
  struct HelpCommand {
    std::string verb;
    bool man = false;
    std::string shell;
  };
  auto asked = std::make_shared<HelpCommand>();
  Command help = program.add_command("help", "Tell what a command does and what its flags mean");
  help.add({.name = "COMMAND", .help = "One of the commands (default: all of them, in a line each)"},
           asked->verb);
  help.add({.name = "--man", .help = "As a page of the manual, in the language of man(7)"}, asked->man);
  help.add({.name = "--completion",
            .help = "Instead: what a shell needs to complete this program's command lines",
            .value = "SHELL",
            .choices = {"bash", "zsh", "fish"}},
           [asked](const std::string& text) {
             if (text != "bash" && text != "zsh" && text != "fish")
               throw FlagError("--completion " + text + ": must be one of bash, zsh, fish");
             asked->shell = text;
           });
  help.on_run([asked, &info, version] {
    const CommandInfo* const found = asked->verb.empty() ? &info : info.find(asked->verb);
    if (!found) {
      std::vector<std::string> verbs;
      for (const CommandInfo& one : info.commands) verbs.push_back(one.verb());
      const std::string nearest = nearest_word(asked->verb, verbs);
      throw OptionError(fmt::format("unknown command '{}': {}must be one of {}", asked->verb,
                                    nearest.empty() ? "" : fmt::format("did you mean {}? It ", nearest),
                                    fmt::join(verbs, " ")));
    }
    fmt::print("{}", !asked->shell.empty() ? completion_script(info, asked->shell)
                     : asked->man          ? man_page(*found, version)
                                           : help_text(*found));
    return kDone;
  });
}

}  // namespace

int run_command_line(const char* name, int argc, char** argv, void (*add_commands)(Command program)) {
  const auto complain = [name](const char* what, int code) {
    std::string line = what;  // one line, whatever the message
    for (char& c : line) {
      if (c == '\n' || c == '\r') c = ' ';
    }
    tell(fmt::format("{}: {}\n", name, escape_controls(line)));
    return code;
  };
  fill_closed_streams();
  end_on_lost_bytes(name, kBadInput);
  try {
    CLI::App program("", name);
    int exit_code = kDone;
    const std::string version = fmt::format("{} " HSVM_VERSION, name);
    CommandInfo info{.name = name, .description = {}, .footer = {}, .flags = {}, .commands = {}};
    program.set_version_flag("--version", version);
    program.require_subcommand(1);
    const std::string words = words_for_shell(name, argc, argv);
    Command top(program, info, exit_code, words);
    info.flags.push_back({.name = "--version", .help = "Print the version", .takes_value = false});
    add_commands(top);
    add_help_command(top, info, version);
    exit_code = parse_and_run(program, info, argc, argv, exit_code);
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
