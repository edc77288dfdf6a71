#include "app/command_line.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <exception>
#include <new>
#include <stdexcept>
#include <string>

#include "hsvm/core/error.hpp"

namespace hsvm::app {
namespace {

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

}  // namespace

std::string spell_name(const std::string& name) {
  if (name.ends_with("()")) return "hsvm " + name.substr(0, name.size() - 2);
  if (name == "fold_of_sample") return "--folds-file";  // the field has the numbers, the flag their file
  std::string flag = "--" + name;
  std::replace(flag.begin(), flag.end(), '_', '-');
  return flag;
}

int run_command_line(const char* name, int argc, char** argv,
                     void (*add_commands)(CLI::App& program, int& exit_code)) {
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
    add_commands(program, exit_code);
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
