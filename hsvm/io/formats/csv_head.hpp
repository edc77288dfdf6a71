// The first rows of a table: what separates its columns, whether its first row is a header, and what the columns seem to hold.
//
//   delimiter   a comma, a semicolon, a tab, a bar or spaces: the one that cuts all of the first rows into as many columns; a first
//               line "sep=;" says it
//   header      the first row is one where it has text and the column below has a number; or, in a table without numbers, where
//               nothing of it stands again in the column below. Otherwise a comment just before it is one, where that has a
//               name for each column
//   row names   a header that is one shorter than the rows, as R writes it, has no name for the first column
#pragma once

#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "hsvm/core/types.hpp"
#include "hsvm/io/formats/number_style.hpp"
#include "hsvm/io/formats/read_options.hpp"
#include "hsvm/io/streams/text_input.hpp"

namespace hsvm {

inline constexpr std::size_t kHeadRows = 64;

// What the first rows of a column hold.
struct ColumnSight {
  Index n_numbers = 0;
  Index n_words = 0;

  [[nodiscard]] bool has_words() const { return n_words > n_numbers; }
};

struct CsvHead {
  char delimiter = ',';
  std::optional<char> decimal = {};  // absent: no number tells
  bool has_header = false;
  std::vector<std::string> names = {};  // of the columns; empty texts where there is no header
  std::vector<ColumnSight> columns = {};
  std::vector<std::vector<std::string_view>> rows = {};  // without the header
  Count header_line = 0;                                 // of the first row, from 0
  Count next_line = 0;                                   // that the input goes on with

  std::vector<TextBlock> blocks = {};     // what the rows refer to
  std::deque<std::string> unquoted = {};  // likewise
};

// A line of a table that is neither blank nor a comment nor "sep=;", and its number from 0.
struct TableLine {
  std::string_view text;  // with its '\n'
  Count number = 0;
};
[[nodiscard]] std::vector<TableLine> table_lines(std::string_view text, std::optional<char> fixed);
[[nodiscard]] char table_delimiter(const std::vector<TableLine>& lines);

// Whether the beginning of a file looks like a table with such a delimiter; `tabs` for tabs, else for any of the others.
[[nodiscard]] bool looks_like_table(std::string_view head, bool tabs);

// Reads the head of a table and puts back what comes after the header. `fixed` is the delimiter where it is known. Throws
// InputError where there is no row at all.
[[nodiscard]] CsvHead read_head(TextInput& input, const ReadOptions& options, std::optional<char> fixed);

// Whether a field stands for a missing value, by the usual texts or the options'.
[[nodiscard]] bool is_missing(std::string_view field, const std::vector<std::string>& na);

}  // namespace hsvm
