// hsvm: the command line. Parses, calls the library, prints; one line on standard error for whatever goes
// wrong.

#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <exception>
#include <new>
#include <stdexcept>
#include <string>

#include "app/commands.hpp"
#include "hsvm/core/error.hpp"

namespace {

int complain(const char* what, int exit_code) {
  std::string line = what;  // one line, whatever the message
  for (char& c : line) {
    if (c == '\n' || c == '\r') c = ' ';
  }
  fmt::print(stderr, "hsvm: {}\n", line);
  return exit_code;
}

// What is wrong with the command line, and which help to ask for.
std::string explain(const CLI::App& program, const CLI::ParseError& error) {
  const CLI::App* command = &program;  // the innermost that was recognised
  std::string name = "hsvm";
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

int run(int argc, char** argv) {
  using namespace hsvm::app;
  CLI::App program(
      "Sparse linear support vector machines with the huberized hinge loss, with a proof of optimality.\n"
      "Start with: hsvm demo",
      "hsvm");
  program.set_version_flag("--version", "hsvm " HSVM_VERSION);
  program.require_subcommand(1);
  program.set_help_all_flag("--help-all", "Help for all commands");
  int exit_code = kDone;
  add_fit(program, exit_code);
  add_path(program, exit_code);
  add_cv(program, exit_code);
  add_predict(program, exit_code);
  add_inspect(program, exit_code);
  add_generate(program, exit_code);
  add_convert(program, exit_code);
  add_split(program, exit_code);
  add_demo(program, exit_code);
  add_options(program, exit_code);
  try {
    program.parse(argc, argv);
  } catch (const CLI::Success& success) {  // --help, --version
    return program.exit(success);
  } catch (const CLI::ParseError& error) {
    return complain(explain(program, error).c_str(), kUsage);
  }
  return exit_code;
}

}  // namespace

int main(int argc, char** argv) {
  using namespace hsvm::app;
  try {
    const int exit_code = run(argc, argv);
    errno = 0;
    if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0)
      throw hsvm::file_error("standard output", "cannot write");
    return exit_code;
  } catch (const hsvm::OptionError& error) {
    return complain(error.what(), kUsage);
  } catch (const hsvm::Error& error) {
    return complain(error.what(), kBadInput);
  } catch (const std::bad_alloc&) {
    return complain("not enough memory for this data", kBadInput);
  } catch (const std::length_error&) {  // more than any memory could hold
    return complain("not enough memory for this data", kBadInput);
  } catch (const std::exception& error) {
    return complain(error.what(), kBadInput);
  }
}
