// A table of words and numbers that a terminal, a Markdown page, a spreadsheet and a web page can show.
//
//   Table table{.name = "features", .caption = "Selected features"};
//   table.columns = {{.name = "feature"}, {.name = "coefficient", .format = "{:.4g}"}};
//   table.rows.push_back({"MYH9", -0.135});
//
// Text, Markdown and HTML show numbers as the column's format says. CSV has every digit, and so has HTML in the attribute
// `value` of <data>: whoever reads them back gets the number itself.
#pragma once

#include <concepts>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace hsvm::report {

// A word, a number, or nothing.
struct Cell {
  Cell() = default;
  Cell(std::string word) : text(std::move(word)) {}
  Cell(const char* word) : text(word) {}
  template <class T>
  requires std::floating_point<T> || std::integral<T> Cell(T value) : number(static_cast<double>(value)) {}
  Cell(const std::optional<double>& value) : number(value) {}

  std::string text;
  std::optional<double> number;
};

struct Column {
  std::string name;
  std::string format = "{:.4g}";  // of its numbers
  bool numeric = true;            // aligned to the right, whatever its cells are
  bool bars = false;              // a web page draws a bar beside each number
};

struct Table {
  std::string name;     // one word: the id in a page, the name of its CSV file
  std::string caption;  // a line
  std::vector<Column> columns = {};
  std::vector<std::vector<Cell>> rows = {};  // one cell for each column
};

// How a cell of this column is shown.
[[nodiscard]] std::string shown(const Column& column, const Cell& cell);
// Every digit that the number has, and no more.
[[nodiscard]] std::string exact(double number);

// Columns side by side, each line beginning with `indent`; without the caption.
[[nodiscard]] std::string to_text(const Table& table, const std::string& indent = "");
[[nodiscard]] std::string to_markdown(const Table& table);
[[nodiscard]] std::string to_csv(const Table& table);
[[nodiscard]] std::string to_html(const Table& table);

}  // namespace hsvm::report
