// What readers and writers of text need: positions in a file, pieces of a file in messages, lower case, numbers as text.
#pragma once

#include <charconv>
#include <string>
#include <string_view>

#include "hsvm/core/types.hpp"

namespace hsvm {

// A position in a text, counted from 0. What a column is, a byte or a field, is up to the format.
struct TextPosition {
  Count line = 0;
  Count column = 0;

  friend auto operator<=>(const TextPosition&, const TextPosition&) = default;
};

struct TextError {
  TextPosition position;
  std::string message;  // "what was found; expected what"
};

// "FILE:LINE:COLUMN: message", with the position printed from 1.
[[nodiscard]] std::string locate(const std::string& file, TextPosition position, const std::string& message);

// A piece of a file as a message shows it: in quotes, on one line, printable, at most 40 bytes of it.
[[nodiscard]] std::string in_quotes(std::string_view text);

// A text with its control characters written as \x1b, so that showing it does nothing to a terminal.
[[nodiscard]] std::string escape_controls(std::string_view text);

// Whether a text is UTF-8, as names and labels must be.
[[nodiscard]] bool is_utf8(std::string_view text);

// Only the letters A to Z change, whatever the locale is.
[[nodiscard]] std::string lower_case(std::string_view text);

// In the shortest form that reads back exactly: what parse_number.hpp reads.
template <class Number>
void append_number(std::string& text, Number number) {
  char digits[32];  // the longest double has 24
  text.append(digits, std::to_chars(digits, digits + sizeof(digits), number).ptr);
}

}  // namespace hsvm
