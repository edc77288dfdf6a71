// What a command line looks like to those who read about it: commands with their flags. Help, man pages, completions and
// "did you mean" are all made from it.
#pragma once

#include <deque>
#include <string>
#include <vector>

namespace hsvm::app {

// A flag as the help shows it.
struct FlagInfo {
  std::string name;                // "-m,--model"; "DATA", without dashes, is an argument
  std::string help;                // one line
  std::string value = "TEXT";      // what stands for the value
  std::string group = "Options";   // the heading it stands under
  std::string shown_default = {};  // empty: none is shown
  bool required = false;
  bool takes_value = true;                // filled in where the flag is added
  bool hidden = false;                    // likewise
  std::vector<std::string> choices = {};  // the words it takes, where they are few

  [[nodiscard]] bool is_argument() const { return !name.starts_with("-"); }
  // "-m", "--model", "--no-model": what may be typed.
  [[nodiscard]] std::vector<std::string> spellings() const;
};

struct CommandInfo {
  std::string name;  // with those it belongs to: "hsvm fit"
  std::string description;
  std::string footer;  // notes and examples
  std::vector<FlagInfo> flags;
  std::deque<CommandInfo> commands;

  [[nodiscard]] std::string verb() const { return name.substr(name.rfind(' ') + 1); }
  [[nodiscard]] const CommandInfo* find(const std::string& verb) const;  // null where there is none
  // The flags that are shown, in the order of their groups; arguments first.
  [[nodiscard]] std::vector<const FlagInfo*> shown_flags() const;
};

// The word nearest to what was typed, empty where none is near: a third of its letters, two at least, may be wrong.
[[nodiscard]] std::string nearest_word(const std::string& typed, const std::vector<std::string>& words);

[[nodiscard]] std::string help_text(const CommandInfo& command);
// A page of the manual, section 1, in the language of man(7).
[[nodiscard]] std::string man_page(const CommandInfo& command, const std::string& version);
// For bash, zsh or fish.
[[nodiscard]] std::string completion_script(const CommandInfo& program, const std::string& shell);

}  // namespace hsvm::app
