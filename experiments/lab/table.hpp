// What an experiment prints: a table of cells, ours beside the paper's number.
//
//   Table table{.name = "times", .caption = "Seconds of one solve", .row_header = "(n, p, s)"};
//   table.columns = {{.name = "B-PGH", .compare = Compare::ratio, .format = "{:.4f}"}};
//   table.rows.push_back({"(500, 50, 5)", {{.ours = 0.001, .paper = 0.0060}}});
//
// In Markdown a cell is "ours (paper's, ours/paper's)" or, for differences, "ours (paper's, ours - paper's)".
#pragma once

#include <initializer_list>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "hsvm/report/table.hpp"

namespace hsvm::lab {

using Json = nlohmann::ordered_json;

enum class Compare { nothing, ratio, difference };

struct Column {
  std::string name;
  Compare compare = Compare::nothing;
  std::string format = "{:.4g}";  // of ours and the paper's
};

// Empty where there is neither number nor word.
struct Cell {
  std::optional<double> ours = {};
  std::optional<double> paper = {};
  std::optional<double> spread = {};  // of ours over the trials
  std::string word = {};              // instead of ours: "out of memory", "> 1800 s"
};

struct Row {
  std::string label;
  std::vector<Cell> cells;  // one for each column
};

struct Table {
  std::string name;     // one word, for whoever reads the JSON
  std::string caption;  // which table of the paper, and what the cells are
  std::string row_header = {};
  std::vector<Column> columns = {};
  std::vector<Row> rows = {};
  std::vector<std::string> notes = {};

  // Columns that are alike but for their names.
  void add_columns(std::initializer_list<const char*> names, Compare compare, const char* format);
  // Throws std::logic_error where a row has not one cell for each column or a number is not finite.
  void check() const;
};

[[nodiscard]] Json to_json(const Table& table);
// From what to_json gave. Throws InputError where that is something else.
[[nodiscard]] Table table_from_json(const Json& json);

// The table with its caption and notes.
[[nodiscard]] std::string to_markdown(const Table& table);
// The same cells for a web page.
[[nodiscard]] report::Table to_report(const Table& table);
// A list, a note a line; empty for none.
[[nodiscard]] std::string notes_to_markdown(const std::vector<std::string>& notes);

}  // namespace hsvm::lab
