#include "hsvm/io/formats/csv_transpose.hpp"

#include <algorithm>

#include "hsvm/core/error.hpp"
#include "hsvm/io/formats/csv_fields.hpp"
#include "hsvm/io/formats/csv_head.hpp"
#include "hsvm/io/formats/number_style.hpp"
#include "hsvm/io/streams/text.hpp"

namespace hsvm {

TransposedText transpose_table(TextInput& input, std::optional<char> fixed) {
  std::string whole;
  for (TextBlock block = input.next(); !block.text.empty(); block = input.next()) whole += block.text;
  const std::vector<TableLine> lines = table_lines(whole, fixed);
  if (lines.empty()) throw InputError(input.name() + ": no samples; expected one in each column");

  TransposedText result;
  result.delimiter = fixed ? *fixed : table_delimiter(lines);
  std::vector<std::vector<std::string>> rows;
  for (const TableLine& line : lines) {
    try {
      rows.push_back(split_row(line.text, result.delimiter));
    } catch (const BrokenField& broken) {
      throw InputError(locate(input.name(), {line.number, 0}, broken.message));
    }
    result.lines.push_back(line.number);
  }
  const std::size_t n_columns = rows.back().size();
  std::vector<std::string>& first = rows.front();
  if (first.size() + 1 == n_columns)
    first.insert(first.begin(), "");  // row names without a name, as R writes them
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (rows[i].size() == n_columns) continue;
    throw InputError(locate(input.name(), {result.lines[i], static_cast<Count>(rows[i].size())},
                            std::to_string(rows[i].size()) + " columns; expected " + std::to_string(n_columns) +
                                " as in the last row"));
  }
  // The samples' names: what stands above them names a column of the features' names, not one of the samples'.
  const auto is_number = [](const std::string& field) { return decimal_hint(field) != MarkHint::no_number; };
  if (!std::all_of(first.begin() + 1, first.end(), is_number)) first.front().clear();
  if (result.delimiter == ' ') result.delimiter = '\t';
  for (std::size_t c = 0; c < n_columns; ++c) {
    for (std::size_t i = 0; i < rows.size(); ++i) {
      if (i > 0) result.text += result.delimiter;
      if (!rows[i][c].empty()) result.text += quote_field(rows[i][c], result.delimiter, input.name());
    }
    result.text += '\n';
  }
  return result;
}

}  // namespace hsvm
