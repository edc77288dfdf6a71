#include "hsvm/io/formats/csv_layout.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>
#include <unordered_map>

#include "hsvm/core/error.hpp"
#include "hsvm/io/formats/csv_fields.hpp"
#include "hsvm/io/streams/parse_number.hpp"
#include "hsvm/io/streams/text.hpp"

namespace hsvm {
namespace {

constexpr std::array<std::string_view, 4> kLabelNames = {"label", "class", "target", "y"};

class LayoutFinder {
 public:
  LayoutFinder(const std::string& file, const std::vector<std::string>& row, const ReadOptions& options)
      : file_(file), row_(row), options_(options), n_columns_(static_cast<Index>(row.size())) {
    for (Index c = 0; c < n_columns_; ++c) {
      const auto [named, is_new] = column_named_.emplace(row[static_cast<std::size_t>(c)], c);
      if (!is_new) named->second = kTwice;
    }
  }

  CsvLayout find() {
    CsvLayout layout;
    layout.has_header = has_header();
    const std::optional<Index> label = layout.has_header ? label_with_header() : label_without_header();
    layout.has_label = label.has_value();
    layout.role.assign(row_.size(), kIgnoredColumn);
    const std::optional<Index> groups = groups_column(label);
    if (layout.has_header && !options_.feature_names.empty()) {
      assign_named_features(label, layout);
    } else {
      assign_all_features(label, groups, layout);
    }
    if (groups) {
      layout.role[static_cast<std::size_t>(*groups)] = kGroupsColumn;
      layout.groups_name = layout.has_header ? row_[static_cast<std::size_t>(*groups)] : "group";
    }
    if (label) layout.role[static_cast<std::size_t>(*label)] = kLabelColumn;
    if (layout.has_header) layout.column_names = row_;
    return layout;
  }

 private:
  static constexpr Index kTwice = -1;

  [[nodiscard]] InputError refusal(const std::string& message) const {
    return InputError(file_ + ": " + message);
  }

  // The number of features the file should have, where it is known.
  [[nodiscard]] std::optional<Index> expected_features() const {
    if (options_.n_table_features) return options_.n_table_features;
    if (options_.n_features) return options_.n_features;
    if (!options_.feature_names.empty()) return static_cast<Index>(options_.feature_names.size());
    return std::nullopt;
  }

  [[nodiscard]] std::optional<Index> label_number() const {
    if (!options_.label) return std::nullopt;
    const std::optional<Index> given = integer_in(*options_.label);
    if (!given) return std::nullopt;
    const Index number = *given;
    if (number == 0 || number > n_columns_ || number < -n_columns_) {
      const std::string n = std::to_string(n_columns_);
      throw refusal("no column " + *options_.label + " for the label; expected 1 to " + n + ", or -1 to -" + n +
                    " from the end");
    }
    return number > 0 ? number - 1 : n_columns_ + number;
  }

  [[nodiscard]] std::optional<Index> groups_column(std::optional<Index> label) const {
    if (!options_.groups) return std::nullopt;
    std::optional<Index> column;
    if (const auto named = column_named_.find(*options_.groups); named != column_named_.end()) {
      if (named->second == kTwice)
        throw refusal("two columns are named " + in_quotes(*options_.groups) + "; expected the groups' number");
      column = named->second;
    } else if (const std::optional<Index> number = integer_in(*options_.groups);
               number && *number != 0 && *number <= n_columns_ && *number >= -n_columns_) {
      column = *number > 0 ? *number - 1 : n_columns_ + *number;
    }
    if (!column)
      throw refusal("no file and no column is named " + in_quotes(*options_.groups) +
                    " for the groups; the first row has " + list_columns());
    if (column == label)
      throw refusal("column " + in_quotes(*options_.groups) +
                    " is both the label and the groups; expected two");
    return column;
  }

  [[nodiscard]] bool has_header() const {
    const auto is_text = [](const std::string& field) {
      return !is_missing(field) && !is_not_finite(field) && !number_in<double>(field);
    };
    const std::vector<std::string>& names = options_.feature_names;
    const auto is_column = [&](const std::string& name) { return column_named_.contains(name); };
    if (!names.empty() && std::ranges::all_of(names, is_column)) return true;
    const std::optional<Index> label = label_without_header();
    if (options_.label && is_column(*options_.label) && is_text(*options_.label)) return true;
    if (options_.groups && is_column(*options_.groups) && is_text(*options_.groups)) return true;
    if (options_.label && !is_column(*options_.label) && !label)
      throw refusal("no column is named " + in_quotes(*options_.label) + " for the label; the first row has " +
                    list_columns());
    if (n_columns_ == 1) return is_text(row_.front());
    for (Index c = 0; c < n_columns_; ++c) {
      if (c != label && is_text(row_[static_cast<std::size_t>(c)])) return true;
    }
    return false;
  }

  [[nodiscard]] std::optional<Index> label_without_header() const {
    if (options_.label) return label_number();
    if (!options_.labels_required && expected_features() == n_columns_) return std::nullopt;
    return 0;
  }

  [[nodiscard]] std::optional<Index> label_with_header() const {
    if (options_.label) {
      const auto named = column_named_.find(*options_.label);
      if (named == column_named_.end()) return label_number();
      if (named->second == kTwice)
        throw refusal("two columns are named " + in_quotes(*options_.label) + "; expected the label's number");
      return named->second;
    }
    const auto is_among = [](const auto& names, const std::string& name) {
      return std::ranges::find(names, name) != names.end();
    };
    std::optional<Index> label;
    for (Index c = 0; c < n_columns_; ++c) {
      const std::string& name = row_[static_cast<std::size_t>(c)];
      if (!is_among(kLabelNames, lower_case(name)) || is_among(options_.feature_names, name)) continue;
      if (label) {
        throw refusal("columns " + in_quotes(row_[static_cast<std::size_t>(*label)]) + " and " +
                      in_quotes(name) + " could both be the label; expected the option label to say which");
      }
      label = c;
    }
    if (label) return label;
    if (options_.feature_names.empty()) return label_without_header();
    if (!is_among(options_.feature_names, row_.front())) return 0;
    if (options_.labels_required)
      throw refusal("no label column: the first is a feature; expected the option label to name one");
    return std::nullopt;
  }

  void assign_named_features(std::optional<Index> label, CsvLayout& layout) const {
    for (const std::string& name : options_.feature_names) {
      const auto named = column_named_.find(name);
      if (named == column_named_.end())
        throw refusal("no column is named " + in_quotes(name) + "; the header has " + list_columns());
      const Index column = named->second;
      if (column == kTwice) throw refusal("two columns are named " + in_quotes(name) + "; expected one");
      if (column == label)
        throw refusal("column " + in_quotes(name) + " is both the label and a feature; expected another label");
      Index& role = layout.role[static_cast<std::size_t>(column)];
      if (role != kIgnoredColumn)
        throw refusal("feature " + in_quotes(name) + " is asked for twice; expected different names");
      role = layout.n_features++;
    }
    layout.feature_names = options_.feature_names;
  }

  void assign_all_features(std::optional<Index> label, std::optional<Index> groups, CsvLayout& layout) const {
    for (Index c = 0; c < n_columns_; ++c) {
      if (c == label || c == groups) continue;
      layout.role[static_cast<std::size_t>(c)] = layout.n_features++;
      if (layout.has_header) layout.feature_names.push_back(row_[static_cast<std::size_t>(c)]);
    }
    if (layout.n_features == 0) throw refusal("a label and no features; expected at least two columns");
    if (expected_features() && layout.n_features != *expected_features()) {
      throw refusal(fmt::format("{} feature{} in {} column{}{}; expected {}", layout.n_features,
                                layout.n_features == 1 ? "" : "s", n_columns_, n_columns_ == 1 ? "" : "s",
                                label ? ", one being the label" : "", *expected_features()));
    }
  }

  [[nodiscard]] std::string list_columns() const {
    constexpr Index kMost = 8;  // a gene table has thousands
    std::string list;
    for (Index c = 0; c < std::min(n_columns_, kMost); ++c) {
      list += (c == 0 ? "" : ", ") + in_quotes(row_[static_cast<std::size_t>(c)]);
    }
    return n_columns_ > kMost ? list + ", and " + std::to_string(n_columns_ - kMost) + " more" : list;
  }

  const std::string& file_;
  const std::vector<std::string>& row_;
  const ReadOptions& options_;
  Index n_columns_;
  std::unordered_map<std::string, Index> column_named_;
};

}  // namespace

CsvLayout find_layout(const std::string& file, const std::vector<std::string>& first_row,
                      const ReadOptions& options) {
  return LayoutFinder(file, first_row, options).find();
}

}  // namespace hsvm
