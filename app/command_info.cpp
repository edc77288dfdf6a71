#include "app/command_info.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace hsvm::app {
namespace {

constexpr std::size_t kHelpWidth = 100;
constexpr std::size_t kHelpIndent = 28;

// Words joined into lines of at most `width` letters.
std::vector<std::string> wrap(const std::string& text, std::size_t width) {
  std::vector<std::string> lines(1);
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find(' ', begin), text.size());
    const std::string word = text.substr(begin, end - begin);
    if (!lines.back().empty() && lines.back().size() + 1 + word.size() > width) lines.emplace_back();
    lines.back() += (lines.back().empty() ? "" : " ") + word;
    begin = end + 1;
  }
  return lines;
}

// "-m, --model FILE", "--[no-]standardize", "DATA"
std::string shown_name(const FlagInfo& flag) {
  if (flag.is_argument()) return flag.name;
  const std::vector<std::string> all = flag.spellings();
  std::string text;
  for (const std::string& spelling : all) {
    const bool taken_back = spelling.starts_with("--no-") && all.size() > 1 && spelling != all.front();
    if (taken_back) {
      text.insert(text.rfind("--") + 2, "[no-]");
    } else {
      text += (text.empty() ? "" : ", ") + spelling;
    }
  }
  return flag.takes_value ? text + " " + flag.value : text;
}

std::string shown_help(const FlagInfo& flag) {
  return flag.shown_default.empty() ? flag.help
                                    : fmt::format("{} (default: {})", flag.help, flag.shown_default);
}

// Two columns: what is typed, and what it means.
std::string entry(const std::string& left, const std::string& right) {
  std::string text = "  " + left;
  const std::vector<std::string> lines = wrap(right, kHelpWidth - kHelpIndent);
  if (text.size() + 2 > kHelpIndent) {
    text += '\n' + std::string(kHelpIndent, ' ');
  } else {
    text.resize(kHelpIndent, ' ');
  }
  for (std::size_t l = 0; l < lines.size(); ++l)
    text += (l == 0 ? "" : '\n' + std::string(kHelpIndent, ' ')) + lines[l];
  return text + '\n';
}

std::string usage(const CommandInfo& command) {
  std::string text = command.name;
  if (!command.commands.empty()) text += " COMMAND";
  for (const FlagInfo& flag : command.flags) {
    if (flag.is_argument()) text += flag.required ? " " + flag.name : " [" + flag.name + "]";
  }
  return text + " [OPTIONS]";
}

}  // namespace

std::vector<std::string> FlagInfo::spellings() const {
  std::vector<std::string> result;
  for (std::size_t begin = 0; begin <= name.size();) {
    const std::size_t end = std::min(name.find(',', begin), name.size());
    result.push_back(
        name.substr(begin + (name[begin] == '!' ? 1 : 0), end - begin - (name[begin] == '!' ? 1 : 0)));
    begin = end + 1;
  }
  return result;
}

const CommandInfo* CommandInfo::find(const std::string& wanted) const {
  const auto found = std::ranges::find(commands, wanted, &CommandInfo::verb);
  return found == commands.end() ? nullptr : &*found;
}

std::vector<const FlagInfo*> CommandInfo::shown_flags() const {
  std::vector<std::string> groups;
  for (const FlagInfo& flag : flags) {
    if (std::ranges::find(groups, flag.group) == groups.end()) groups.push_back(flag.group);
  }
  std::vector<const FlagInfo*> result;
  const auto add = [&](auto wanted) {
    for (const FlagInfo& flag : flags) {
      if (!flag.hidden && wanted(flag)) result.push_back(&flag);
    }
  };
  add([](const FlagInfo& flag) { return flag.is_argument(); });
  for (const std::string& group : groups)
    add([&](const FlagInfo& flag) { return !flag.is_argument() && flag.group == group; });
  return result;
}

std::string nearest_word(const std::string& typed, const std::vector<std::string>& words) {
  std::string nearest;
  std::size_t least = std::max<std::size_t>(2, typed.size() / 3) + 1;
  for (const std::string& word : words) {
    // The edit distance: how many letters must be put in, taken out or exchanged.
    std::vector<std::size_t> row(word.size() + 1);
    std::iota(row.begin(), row.end(), std::size_t{0});
    for (std::size_t i = 0; i < typed.size(); ++i) {
      std::size_t diagonal = row[0];
      row[0] = i + 1;
      for (std::size_t j = 0; j < word.size(); ++j) {
        const std::size_t exchanged = diagonal + (typed[i] == word[j] ? 0 : 1);
        diagonal = row[j + 1];
        row[j + 1] = std::min({exchanged, row[j] + 1, row[j + 1] + 1});
      }
    }
    if (row.back() >= least) continue;
    least = row.back();
    nearest = word;
  }
  return nearest;
}

std::string help_text(const CommandInfo& command) {
  std::string text = fmt::format("{}\n\nUsage: {}\n", command.description, usage(command));
  std::string group;
  for (const FlagInfo* const flag : command.shown_flags()) {
    const std::string heading = flag->is_argument() ? "Arguments" : flag->group;
    if (heading != group) text += fmt::format("\n{}:\n", group = heading);
    text += entry(shown_name(*flag), shown_help(*flag));
  }
  if (!command.commands.empty()) {
    text += "\nCommands:\n";
    for (const CommandInfo& one : command.commands) text += entry(one.verb(), one.description);
    text += fmt::format("\nMore on one of them: {} help COMMAND\n", command.name);
  }
  if (!command.footer.empty()) text += '\n' + command.footer + '\n';
  return text;
}

namespace {

// Text for man(7): no letter means anything there.
std::string man_text(const std::string& text) {
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool line_begins = i == 0 || text[i - 1] == '\n';
    if (line_begins && (text[i] == '.' || text[i] == '\'')) result += "\\&";
    if (text[i] == '\\') {
      result += "\\e";
    } else if (text[i] == '-') {
      result += "\\-";
    } else {
      result += text[i];
    }
  }
  return result;
}

std::string dashed(std::string name) {
  std::ranges::replace(name, ' ', '-');
  return name;
}

std::string upper(std::string text) {
  std::ranges::transform(text, text.begin(),
                         [](char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c; });
  return text;
}

constexpr const char* kExitStatus =
    ".SH EXIT STATUS\n"
    ".TP\n0\ndone and, where something was solved, certified to the tolerance\n"
    ".TP\n1\nbad data, a bad model, or a file that cannot be read or written\n"
    ".TP\n2\nwrong command line\n"
    ".TP\n3\nstopped before the tolerance; the best point was still written\n"
    ".TP\n130\ninterrupted, likewise\n";

}  // namespace

std::string man_page(const CommandInfo& command, const std::string& version) {
  const std::string title = dashed(command.name);
  std::string first_line = command.description.substr(0, command.description.find('\n'));
  std::string text = fmt::format(
      ".TH {} 1 \"\" \"{}\" \"User Commands\"\n.SH NAME\n{} \\- {}\n.SH SYNOPSIS\n.B {}\n", upper(title),
      man_text(version), man_text(title), man_text(first_line), man_text(usage(command)));
  if (!command.footer.empty()) text += fmt::format(".SH DESCRIPTION\n.nf\n{}\n.fi\n", man_text(command.footer));
  std::string group;
  for (const FlagInfo* const flag : command.shown_flags()) {
    const std::string heading = flag->is_argument() ? "Arguments" : flag->group;
    if (heading != group) text += fmt::format(".SH {}\n", upper(group = heading));
    text += fmt::format(".TP\n.B {}\n{}\n", man_text(shown_name(*flag)), man_text(shown_help(*flag)));
  }
  if (!command.commands.empty()) {
    text += ".SH COMMANDS\n";
    for (const CommandInfo& one : command.commands)
      text += fmt::format(".TP\n.B {}\n{} See\n.BR {} (1).\n", man_text(one.verb()),
                          man_text(one.description + "."), man_text(dashed(one.name)));
  }
  return text + kExitStatus;
}

namespace {

// What may follow a command, separated by spaces.
std::string flags_of(const CommandInfo& command) {
  std::string text;
  for (const FlagInfo* const flag : command.shown_flags()) {
    if (flag->is_argument()) continue;
    for (const std::string& spelling : flag->spellings()) text += (text.empty() ? "" : " ") + spelling;
  }
  return text;
}

std::string verbs_of(const CommandInfo& program) {
  std::string text;
  for (const CommandInfo& one : program.commands) text += (text.empty() ? "" : " ") + one.verb();
  return text;
}

// In single quotes for a shell.
std::string quoted(const std::string& text) {
  std::string result = "'";
  for (const char c : text) result += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return result + "'";
}

std::string bash_completion(const CommandInfo& program) {
  std::string text = fmt::format(
      "# bash completion for {0}\n_{0}() {{\n  local word=\"${{COMP_WORDS[COMP_CWORD]}}\" "
      "before=\"${{COMP_WORDS[COMP_CWORD-1]}}\"\n"
      "  if [[ $COMP_CWORD == 1 ]]; then\n    COMPREPLY=($(compgen -W '{1} --help --version' -- \"$word\"))\n"
      "    return\n  fi\n  case \"${{COMP_WORDS[1]}}:$before\" in\n",
      program.name, verbs_of(program));
  for (const CommandInfo& command : program.commands) {
    for (const FlagInfo* const flag : command.shown_flags()) {
      if (flag->choices.empty() || flag->is_argument()) continue;
      text += fmt::format("    {}:{}) COMPREPLY=($(compgen -W '{}' -- \"$word\")); return ;;\n", command.verb(),
                          flag->spellings().back(), fmt::join(flag->choices, " "));
    }
  }
  text += "  esac\n  [[ $word == -* ]] || return\n  case \"${COMP_WORDS[1]}\" in\n";
  for (const CommandInfo& command : program.commands)
    text += fmt::format("    {}) COMPREPLY=($(compgen -W '{}' -- \"$word\")) ;;\n", command.verb(),
                        flags_of(command));
  return text + fmt::format("  esac\n}}\ncomplete -o default -F _{0} {0}\n", program.name);
}

std::string zsh_completion(const CommandInfo& program) {
  const auto plain = [](std::string help) {  // brackets and colons mean something there
    std::erase_if(help, [](char c) { return c == '[' || c == ']'; });
    std::ranges::replace(help, ':', ';');
    return help;
  };
  std::string text = fmt::format(
      "#compdef {0}\n_{0}() {{\n  if (( CURRENT == 2 )); then\n    local -a verbs=(\n", program.name);
  for (const CommandInfo& command : program.commands)
    text += fmt::format("      {}\n", quoted(command.verb() + ":" + plain(command.description)));
  text += "    )\n    _describe command verbs\n    return\n  fi\n  case $words[2] in\n";
  for (const CommandInfo& command : program.commands) {
    text += fmt::format("    {})\n      _arguments -s '1: :'", command.verb());
    for (const FlagInfo* const flag : command.shown_flags()) {
      if (flag->is_argument()) continue;
      for (const std::string& spelling : flag->spellings()) {
        std::string action;
        if (flag->takes_value && flag->choices.empty()) action = ":" + flag->value + ":_files";
        if (!flag->choices.empty())
          action = fmt::format(":{}:({})", flag->value, fmt::join(flag->choices, " "));
        text += " \\\n        " + quoted(fmt::format("{}[{}]{}", spelling, plain(flag->help), action));
      }
    }
    text += " \\\n        '*:file:_files'\n      ;;\n";
  }
  return text + fmt::format("  esac\n}}\n_{0} \"$@\"\n", program.name);
}

std::string fish_completion(const CommandInfo& program) {
  std::string text = fmt::format("# fish completion for {}\n", program.name);
  for (const CommandInfo& command : program.commands) {
    text += fmt::format("complete -c {} -n __fish_use_subcommand -f -a {} -d {}\n", program.name,
                        command.verb(), quoted(command.description));
    for (const FlagInfo* const flag : command.shown_flags()) {
      if (flag->is_argument()) continue;
      text += fmt::format("complete -c {} -n '__fish_seen_subcommand_from {}'", program.name, command.verb());
      for (const std::string& spelling : flag->spellings())
        text += spelling.starts_with("--") ? " -l " + spelling.substr(2) : " -s " + spelling.substr(1);
      if (flag->takes_value) text += " -r";
      if (!flag->choices.empty()) text += " -f -a " + quoted(fmt::format("{}", fmt::join(flag->choices, " ")));
      text += " -d " + quoted(flag->help) + "\n";
    }
  }
  return text;
}

}  // namespace

std::string completion_script(const CommandInfo& program, const std::string& shell) {
  if (shell == "zsh") return zsh_completion(program);
  return shell == "fish" ? fish_completion(program) : bash_completion(program);
}

}  // namespace hsvm::app
