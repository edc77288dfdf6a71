// A command line: the commands of a program, their flags, and what happens when one of them runs.
//
//   return run_command_line("hsvm", argc, argv, [](Command program) {
//     Command fit = program.add_command("fit", "Fit one model");
//     fit.add({.name = "DATA", .help = "Data file", .required = true}, flags->data);
//     fit.on_run([flags] { return run_fit(*flags); });
//   });
//
// Fields are bound by reference and must outlive the run. The package that reads the command line stays inside
// command_line.cpp, because its headers take seconds to compile.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "app/command_info.hpp"

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace hsvm::app {

enum ExitCode : int {
  kDone = 0,          // and, where something was solved, certified to the tolerance
  kBadInput = 1,      // bad data, bad model, a file that cannot be read or written
  kUsage = 2,         // wrong command line
  kNotCertified = 3,  // stopped before the tolerance; the best point was still written
  kInterrupted = 130
};

// A name of the library as the command line has it: lambda1_ratio is --lambda1-ratio, fit() is hsvm fit.
[[nodiscard]] std::string spell_name(const std::string& name);

// A value that a flag cannot take: "--n 12x: expected a whole number".
class FlagError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// "0.5,0.1": numbers between commas. Throws FlagError.
[[nodiscard]] std::vector<double> parse_numbers(const std::string& flag, const std::string& text);

// Says a text on standard error, after all that standard output was told before. Where nobody can hear it (a closed or full
// standard error) the program goes on: its exit code tells.
void tell(std::string_view text);

// A command that is being described. A handle: copies mean the same command.
class Command {
 public:
  void set_description(const std::string& text);
  void set_footer(const std::string& text);  // notes and examples at the end of the help
  Command add_command(const std::string& name, const std::string& description);
  void require_command();  // one of those that were added must be given

  void add(const FlagInfo& info, std::string& value);                // a file's name must not be empty
  void add(const FlagInfo& info, std::vector<std::string>& values);  // of an argument: any number of them
  void add(const FlagInfo& info, bool& value);                       // a flag without a value
  // Numbers are read strictly: "12x" is refused with what would be right.
  void add(const FlagInfo& info, int& value);
  void add(const FlagInfo& info, double& value);
  void add(const FlagInfo& info, std::uint64_t& value);
  void add(const FlagInfo& info, std::optional<int>& value);
  void add(const FlagInfo& info, std::optional<double>& value);
  // Numbers between commas.
  void add(const FlagInfo& info, std::vector<double>& values);
  // Hands the text to `read`, which throws FlagError where it cannot take it.
  void add(const FlagInfo& info, std::function<void(const std::string& text)> read);

  // A flag without a value, which does something.
  void add(const FlagInfo& info, std::function<void()> act);

  // Keeps a flag out of the help; it is still read.
  void hide(const std::string& flag);
  [[nodiscard]] bool was_given(const std::string& flag) const;
  // The words the program was called with, as a shell would take them again; the program's name without its folder.
  [[nodiscard]] const std::string& words() const { return *words_; }
  // What the command does; returns the exit code.
  void on_run(std::function<int()> run);

 private:
  friend int run_command_line(const char* name, int argc, char** argv, void (*add_commands)(Command program));
  Command(CLI::App& command, CommandInfo& info, int& exit_code, const std::string& words);
  void show(CLI::Option& option, FlagInfo info, bool takes_value);

  CLI::App* command_;
  CommandInfo* info_;
  int* exit_code_;
  const std::string* words_;
};

// Runs a program: `add_commands` describes it, the command line chooses one of its commands, that one is run.
// Returns its exit code, or another after one line on standard error for whatever went wrong.
[[nodiscard]] int run_command_line(const char* name, int argc, char** argv,
                                   void (*add_commands)(Command program));

}  // namespace hsvm::app
