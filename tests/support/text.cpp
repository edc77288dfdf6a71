#include "tests/support/text.hpp"

#include <algorithm>
#include <stdexcept>

namespace hsvm::test {
namespace {

bool in_number(char c) {
  return (c >= '0' && c <= '9') || c == '.' || c == 'e' || c == '+' || c == '-';
}

// Whether the beginning of the text, or all of it, is like the pattern.
bool begins_like(std::string_view text, std::string_view pattern, bool to_the_end) {
  if (pattern.empty()) return !to_the_end || text.empty();
  const char first = pattern.front();
  const std::string_view rest = pattern.substr(1);
  if (first != '*' && first != '#')
    return !text.empty() && text.front() == first && begins_like(text.substr(1), rest, to_the_end);
  for (std::size_t length = first == '*' ? 0 : 1; length <= text.size(); ++length) {
    if (length > 0) {
      const char last = text[length - 1];
      if (first == '*' ? last == '\n' : !in_number(last)) return false;
    }
    if (begins_like(text.substr(length), rest, to_the_end)) return true;
  }
  return false;
}

}  // namespace

bool is_like(std::string_view text, std::string_view pattern) {
  return begins_like(text, pattern, true);
}

bool has_part_like(std::string_view text, std::string_view pattern) {
  for (std::size_t begin = 0; begin <= text.size(); ++begin) {
    if (begins_like(text.substr(begin), pattern, false)) return true;
  }
  return false;
}

std::vector<std::string> lines_of(std::string_view text) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    lines.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

int count_lines_like(std::string_view text, std::string_view pattern) {
  const std::vector<std::string> lines = lines_of(text);
  return static_cast<int>(std::count_if(lines.begin(), lines.end(),
                                        [&](const std::string& line) { return is_like(line, pattern); }));
}

std::string replaced(std::string text, std::string_view from, std::string_view to) {
  const std::size_t begin = text.find(from);
  if (begin == std::string::npos || text.find(from, begin + 1) != std::string::npos)
    throw std::invalid_argument("not exactly once in the text: " + std::string(from));
  return text.replace(begin, from.size(), to);
}

}  // namespace hsvm::test
