// What a text must hold, said with plain words instead of regular expressions.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace hsvm::test {

// Whether the text, or a part of it, is like a pattern. In a pattern
//   *   stands for anything within a line, or nothing
//   #   stands for a number: digits, '.', 'e', '+' and '-', at least one of them
// and any other character for itself.
[[nodiscard]] bool is_like(std::string_view text, std::string_view pattern);
[[nodiscard]] bool has_part_like(std::string_view text, std::string_view pattern);

// The lines without their ends. A last line without an end counts, too.
[[nodiscard]] std::vector<std::string> lines_of(std::string_view text);
// How many lines are like the pattern.
[[nodiscard]] int count_lines_like(std::string_view text, std::string_view pattern);

// The text with the only place where `from` stands replaced; throws where there is none, or more than one.
[[nodiscard]] std::string replaced(std::string text, std::string_view from, std::string_view to);

}  // namespace hsvm::test
