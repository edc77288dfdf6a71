// Columns of a table, chosen by a list with commas between: names, numbers (1 first, -1 last), ranges of either (3-7, a:c) and
// patterns with * and ?. What is the name of a column means that column, whatever else it could mean.
#pragma once

#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "hsvm/core/types.hpp"

namespace hsvm {

class ColumnNames {
 public:
  // One name for each column; all empty where the table has none. `file` is for messages.
  ColumnNames(std::string file, std::vector<std::string> names);

  [[nodiscard]] Index size() const { return static_cast<Index>(names_.size()); }
  [[nodiscard]] const std::string& operator[](Index column) const {
    return names_[static_cast<std::size_t>(column)];
  }
  [[nodiscard]] const std::vector<std::string>& all() const { return names_; }

  // The column with this name; none where there is none. Throws InputError where there are two.
  [[nodiscard]] std::optional<Index> named(const std::string& name) const;
  // By name, else by number. Throws InputError where there is no such column; `what` it is for is said.
  [[nodiscard]] Index find(const std::string& name_or_number, const std::string& what) const;
  // Which of the columns a list means; `option` is its name in messages.
  [[nodiscard]] std::vector<char> find_all(const std::string& list, const std::string& option) const;

  // "'a', 'b', and 17 more"
  [[nodiscard]] std::string list() const;
  // "column 'a'", or "column 3" where it has no name.
  [[nodiscard]] std::string describe(Index column) const;
  // " in column 'a'", or "" where it has no name.
  [[nodiscard]] std::string in_column(Index column) const;

 private:
  [[nodiscard]] std::optional<Index> numbered(const std::string& text) const;
  [[nodiscard]] bool add_range(const std::string& item, std::vector<char>& chosen) const;

  std::string file_;
  std::vector<std::string> names_;
  std::unordered_map<std::string, Index> first_named_;  // not the empty ones
  std::unordered_map<std::string, Index> second_named_;
};

}  // namespace hsvm
