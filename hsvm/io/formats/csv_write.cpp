// A table is written as it was read: words are words again, missing values NA, and the label and the samples' names stand where they
// stood.

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "hsvm/io/formats/by_rows.hpp"
#include "hsvm/io/formats/csv.hpp"
#include "hsvm/io/formats/csv_fields.hpp"
#include "hsvm/io/streams/text.hpp"

namespace hsvm {
namespace {

constexpr std::string_view kMissingText = "NA";

enum class Content { label, id, groups, number, words };
struct WrittenColumn {
  Content content = Content::number;
  Index feature = 0;
  const WordColumn* words = nullptr;
};

// The columns of a table, in their order.
std::vector<WrittenColumn> columns_of(const Dataset& data) {
  std::vector<WrittenColumn> columns;
  std::size_t next_words = 0;
  for (Index j = 0; j < data.n_features();) {
    const std::vector<WordColumn>& words = data.table.words;
    if (next_words < words.size() && words[next_words].first_feature == j) {
      columns.push_back({Content::words, j, &words[next_words]});
      j += std::max<Index>(1, words[next_words++].n_features());
    } else {
      columns.push_back({Content::number, j++});
    }
  }
  struct Place {
    Content content;
    Index place;
  };
  std::vector<Place> places;
  if (data.labels) places.push_back({Content::label, data.table.label ? data.table.label->place : 0});
  if (data.table.id && !data.sample_names.empty()) places.push_back({Content::id, data.table.id->place});
  if (!data.groups.empty())
    places.push_back({Content::groups, data.table.groups ? data.table.groups->place : 0});
  std::ranges::sort(places, {}, &Place::place);
  for (const Place& place : places) {
    const auto at = std::min<std::ptrdiff_t>(place.place, std::ssize(columns));
    columns.insert(columns.begin() + at, WrittenColumn{place.content});
  }
  return columns;
}

class TableWriter {
 public:
  TableWriter(const Dataset& data, OutputFile& file, char delimiter)
      : data_(data), file_(file), delimiter_(delimiter), columns_(columns_of(data)) {
    if (!data.labels) return;
    for (const std::string& label : data.labels->classes.names) classes_.push_back(quoted(label));
  }

  void write() {
    write_header();
    missing_of_row_ = missing_by_rows();
    for_each_row(data_.design, [&](Index i, std::span<const Index> columns, const auto values) {
      write_row(i, columns, values);
    });
  }

 private:
  [[nodiscard]] std::string quoted(std::string_view text) const {
    return quote_field(text, delimiter_, file_.name());
  }

  void write_header() {
    std::string line;
    for (const WrittenColumn& column : columns_) {
      if (&column != &columns_.front()) line += delimiter_;
      line += quoted(name_of(column));
    }
    file_.write(line + '\n');
  }

  [[nodiscard]] std::string name_of(const WrittenColumn& column) const {
    if (column.content == Content::label)
      return data_.table.label && !data_.table.label->name.empty() ? data_.table.label->name : "label";
    if (column.content == Content::id) return data_.table.id->name;
    if (column.content == Content::groups)
      return data_.table.groups && !data_.table.groups->name.empty() ? data_.table.groups->name : "group";
    if (column.content == Content::words) return column.words->name;
    return data_.feature_names.empty() ? fmt::format("x{}", column.feature + 1)
                                       : data_.feature_names[static_cast<std::size_t>(column.feature)];
  }

  // The features that are missing in each row.
  [[nodiscard]] std::vector<std::vector<Index>> missing_by_rows() const {
    std::vector<std::vector<Index>> result;
    if (data_.missing.empty()) return result;
    result.resize(static_cast<std::size_t>(data_.n_samples()));
    for (const MissingEntries::Column& column : data_.missing.columns) {
      for (const Index i : column.rows) result[static_cast<std::size_t>(i)].push_back(column.feature);
    }
    return result;
  }

  template <class T>
  void write_row(Index i, std::span<const Index> columns, std::span<const T> values) {
    const std::span<const Index> missing =
        missing_of_row_.empty() ? std::span<const Index>() : missing_of_row_[static_cast<std::size_t>(i)];
    line_.clear();
    std::size_t next = 0;  // of the nonzeros
    std::size_t next_missing = 0;
    for (const WrittenColumn& column : columns_) {
      if (&column != &columns_.front()) line_ += delimiter_;
      if (column.content == Content::label) {
        const Index k = data_.labels->of_sample[static_cast<std::size_t>(i)];
        line_ += classes_[static_cast<std::size_t>(k)];
        continue;
      }
      if (column.content == Content::id || column.content == Content::groups) {
        const std::vector<std::string>& texts =
            column.content == Content::id ? data_.sample_names : data_.groups;
        line_ += quoted(texts[static_cast<std::size_t>(i)]);
        continue;
      }
      const Index end = column.feature + (column.words != nullptr ? column.words->n_features() : 1);
      bool is_missing = false;
      for (; next_missing < missing.size() && missing[next_missing] < end; ++next_missing) is_missing = true;
      std::optional<std::size_t> entry;
      for (; next < columns.size() && columns[next] < end; ++next) {
        if (values[next] != T{0}) entry = next;
      }
      if (is_missing || (column.words != nullptr && !column.words->truth && !entry)) {
        line_ += kMissingText;
      } else if (column.words != nullptr) {
        const Index word = column.words->truth ? (entry ? 1 : 0) : columns[*entry] - column.feature;
        line_ += quoted(column.words->words[static_cast<std::size_t>(word)]);
      } else if (entry) {
        append_number(line_, values[*entry]);
      } else {
        line_ += '0';
      }
    }
    line_ += '\n';
    file_.write(line_);
  }

  const Dataset& data_;
  OutputFile& file_;
  char delimiter_;
  std::vector<WrittenColumn> columns_;
  std::vector<std::string> classes_;
  std::vector<std::vector<Index>> missing_of_row_;
  std::string line_;
};

}  // namespace

void write_csv(const Dataset& dataset, OutputFile& file) {
  TableWriter(dataset, file, ',').write();
}

void write_tsv(const Dataset& dataset, OutputFile& file) {
  TableWriter(dataset, file, '\t').write();
}

}  // namespace hsvm
