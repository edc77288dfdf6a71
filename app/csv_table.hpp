// A table to be written as CSV: a header, then rows of words and numbers. Words are quoted where they need it; numbers have
// the fewest digits that tell them.
#pragma once

#include <concepts>
#include <string>
#include <string_view>
#include <vector>

namespace hsvm::app {

// Whether a name says that a table is wanted: .csv or .tsv, perhaps compressed.
[[nodiscard]] bool is_table_name(const std::string& file);

class CsvTable {
 public:
  // The name of the file says the delimiter: a tab for .tsv.
  CsvTable(const std::string& file, const std::vector<std::string>& header);

  CsvTable& operator<<(std::string_view word);
  CsvTable& operator<<(double number);
  CsvTable& operator<<(std::integral auto number) {
    begin_field();
    text_ += std::to_string(number);
    return *this;
  }
  void end_row();

  // Writes the table, complete or not at all.
  void write() const;

 private:
  void begin_field();

  std::string file_;
  char delimiter_;
  std::string text_;
  bool row_begins_ = true;
};

}  // namespace hsvm::app
