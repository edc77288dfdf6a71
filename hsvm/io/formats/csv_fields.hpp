// The fields of one row of a table, as in RFC 4180: separated by a delimiter, and in quotes where they contain one; a quote
// within quotes is doubled, and a line break within quotes belongs to the field. Spaces around a field do not belong to it
// unless quoted. The delimiter ' ' stands for any number of spaces and tabs.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "hsvm/core/types.hpp"

namespace hsvm {

// Thrown for a field that cannot be read; caught by whoever knows its position.
struct BrokenField {
  std::string message;
};

struct CsvField {
  std::string_view text;  // in the row, or in `unescaped` where quotes had to be removed
  const char* end;        // the delimiter or '\n' after it
  Count n_breaks = 0;     // of lines, within it
};

// Whether p is at the end of its line: at '\n', or at the '\r' before it.
[[nodiscard]] inline bool at_line_end(const char* p) {
  return *p == '\n' || (*p == '\r' && p[1] == '\n');
}

[[nodiscard]] inline const char* skip_spaces(const char* p, char delimiter) {
  while (*p == ' ' || (*p == '\t' && delimiter != '\t')) ++p;
  return p;
}

// From just after a field's text to the delimiter, the last of several spaces, or '\n'; p stays where there is something else.
[[nodiscard]] inline const char* skip_to_field_end(const char* p, char delimiter) {
  const char* const begin = p;
  p = skip_spaces(p, delimiter);
  if (*p == '\r' && p[1] == '\n') ++p;
  return delimiter == ' ' && p != begin && *p != '\n' ? p - 1 : p;
}

// Reads the field at p, in text whose lines end with '\n', the last at text_end.
[[nodiscard]] CsvField read_field(const char* p, const char* text_end, char delimiter, std::string& unescaped);
// All fields of the row at the beginning of the text.
[[nodiscard]] std::vector<std::string> split_row(std::string_view text, char delimiter);
// How long the row at the beginning of the text is, with its '\n', whatever the delimiter is: a line break within quotes does
// not end it, unless the quotes are never closed.
[[nodiscard]] std::size_t row_size(std::string_view text);

// Whether a field is one of the texts that stand for nothing measured: empty, NA, NaN, null, N/A, ., ? and the like.
[[nodiscard]] bool is_missing(std::string_view field);
// Whether a field says inf or nan, in any of their spellings.
[[nodiscard]] bool is_not_finite(std::string_view field);
// Whether a field says yes or no: true and yes are 1, false and no are 0; anything else is -1.
[[nodiscard]] int truth_of(std::string_view field);

// A text as a field, in quotes where it needs them. Throws InputError for a NUL byte; `file` is for its message.
[[nodiscard]] std::string quote_field(std::string_view text, char delimiter, const std::string& file);

}  // namespace hsvm
