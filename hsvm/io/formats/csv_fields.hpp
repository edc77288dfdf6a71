// The fields of one line of a CSV or TSV file, as in RFC 4180: separated by a delimiter, and in quotes where they
// contain one; a quote within quotes is doubled. Spaces around a field do not belong to it unless quoted. A line break
// within quotes is refused: blocks of a file are parsed at the same time, and only line ends tell where one begins.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace hsvm {

// Thrown for a field that cannot be read; caught by whoever knows its position.
struct BrokenField {
  std::string message;
};

struct CsvField {
  std::string_view text;  // in the line, or in `unescaped` where quotes had to be removed
  const char* end;        // the delimiter or '\n' after it
};

// Whether p is at the end of its line: at '\n', or at the '\r' before it.
[[nodiscard]] inline bool at_line_end(const char* p) {
  return *p == '\n' || (*p == '\r' && p[1] == '\n');
}

[[nodiscard]] inline const char* skip_spaces(const char* p, char delimiter) {
  while (*p == ' ' || (*p == '\t' && delimiter != '\t')) ++p;
  return p;
}

// Reads the field at p, in text whose lines end with '\n'.
[[nodiscard]] CsvField read_field(const char* p, char delimiter, std::string& unescaped);
// All fields of the line at p.
[[nodiscard]] std::vector<std::string> split_line(const char* p, char delimiter);

// Whether a field is empty, NA or ?: nothing was measured.
[[nodiscard]] bool is_missing(std::string_view field);
// Whether a field says nan or inf, in any of their spellings.
[[nodiscard]] bool is_not_finite(std::string_view field);

}  // namespace hsvm
