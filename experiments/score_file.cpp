#include "experiments/score_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include "hsvm/core/error.hpp"
#include "hsvm/io/formats/csv_fields.hpp"
#include "hsvm/io/streams/parse_number.hpp"
#include "hsvm/io/streams/text.hpp"
#include "hsvm/io/streams/text_input.hpp"

namespace hsvm::lab {
namespace {

class ScoreReader {
 public:
  explicit ScoreReader(const std::string& path)
      : name_(path == "-" ? "standard input" : path), block_(read_whole_text(path)) {}

  stats::ScoreTable read() {
    std::string_view rest = block_.text;
    for (line_ = 0; !rest.empty(); ++line_) {
      const std::string_view line = rest.substr(0, rest.find('\n') + 1);
      rest.remove_prefix(line.size());
      if (line.find_first_not_of(" \t\r\n") == line.npos) continue;
      if (!has_header_ && line.starts_with('#')) continue;
      if (line.find('\0') != line.npos) refuse(0, "NUL byte; expected text");
      if (has_header_) {
        read_row(fields_of(line));
      } else {
        choose_delimiter(line);
        read_header(fields_of(line));
      }
    }
    if (!has_header_) throw InputError(name_ + ": no rows; expected a first row with the methods' names");
    if (table_.datasets.empty())
      throw InputError(name_ + ": no rows but the first; expected one for each dataset");
    table_.check();
    return table_;
  }

 private:
  void choose_delimiter(std::string_view line) {
    for (const char delimiter : {'\t', ';', ','}) {
      if (line.find(delimiter) != line.npos) delimiter_ = delimiter;
    }
  }

  std::vector<std::string> fields_of(std::string_view line) const {
    try {
      return split_row(line, delimiter_);
    } catch (const BrokenField& broken) {
      refuse(0, broken.message);
    }
  }

  void read_header(const std::vector<std::string>& fields) {
    for (std::size_t column = 1; column < fields.size(); ++column)
      add_name("method", fields[column], column, table_.methods);
    if (table_.methods.size() < 2)
      refuse(0,
             fmt::format("{} columns; expected the datasets' names and two methods at least", fields.size()));
    has_header_ = true;
  }

  void read_row(const std::vector<std::string>& fields) {
    if (fields.size() != table_.methods.size() + 1)
      refuse(0, fmt::format("{} columns; expected {} as in the first row", fields.size(),
                            table_.methods.size() + 1));
    add_name("dataset", fields[0], 0, table_.datasets);
    for (std::size_t column = 1; column < fields.size(); ++column) {
      const std::string& field = fields[column];
      const std::string where = " for method " + in_quotes(table_.methods[column - 1]);
      if (is_missing(field)) refuse(column, "missing value" + where + "; expected a number");
      const std::optional<double> score = number_in<double>(field);
      if (!score || !std::isfinite(*score))
        refuse(column, in_quotes(field) + where + "; expected a finite number");
      table_.scores.push_back(*score);
    }
  }

  void add_name(const char* what, const std::string& name, std::size_t column,
                std::vector<std::string>& names) {
    if (name.empty()) refuse(column, fmt::format("empty name; expected that of a {}", what));
    if (std::find(names.begin(), names.end(), name) != names.end())
      refuse(column,
             fmt::format("{} {} for the second time; expected names that differ", what, in_quotes(name)));
    names.push_back(name);
  }

  [[noreturn]] void refuse(std::size_t column, const std::string& message) const {
    throw InputError(locate(name_, {line_, static_cast<Count>(column)}, message));
  }

  std::string name_;
  TextBlock block_;
  Count line_ = 0;
  char delimiter_ = ',';
  bool has_header_ = false;
  stats::ScoreTable table_;
};

}  // namespace

stats::ScoreTable read_scores(const std::string& path) {
  return ScoreReader(path).read();
}

}  // namespace hsvm::lab
