#include "hsvm/io/formats/csv_layout.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <unordered_map>

#include "hsvm/core/error.hpp"
#include "hsvm/io/formats/csv_fields.hpp"
#include "hsvm/io/streams/text.hpp"

namespace hsvm {
namespace {

constexpr std::array<std::string_view, 14> kLabelParts = {
    "label", "class",     "target",   "y",        "status", "outcome", "group",
    "type",  "diagnosis", "response", "category", "result", "species", "labels"};

class TrainingLayout {
 public:
  TrainingLayout(const CsvHead& head, const ColumnNames& names, const std::string& file,
                 const ReadOptions& options, const CsvFindings& findings)
      : head_(head), names_(names), file_(file), options_(options), findings_(findings) {}

  CsvLayout find() {
    layout_.has_names = head_.has_header;
    layout_.role.assign(names_.all().size(), kIgnoredColumn);
    free_.assign(names_.all().size(), 1);
    const std::vector<char> dropped = names_.find_all(options_.drop, "drop");
    for (std::size_t c = 0; c < free_.size(); ++c) {
      if (dropped[c] != 0) free_[c] = 0;
      if (is_empty_column(static_cast<Index>(c))) {
        free_[c] = 0;
        layout_.role[c] = kEmptyColumn;
      }
    }
    if (options_.groups) take_groups();
    find_label_and_id();
    add_features();
    return std::move(layout_);
  }

 private:
  [[nodiscard]] InputError refusal(const std::string& message) const {
    return InputError(file_ + ": " + message);
  }

  // A delimiter at the end of every line, as Excel leaves it.
  [[nodiscard]] bool is_empty_column(Index c) const {
    const ColumnSight& seen = head_.columns[static_cast<std::size_t>(c)];
    return head_.has_header && c > 0 && names_[c].empty() && seen.n_numbers + seen.n_words == 0 &&
           !head_.rows.empty();
  }

  void take(Index column, Index role) {
    free_[static_cast<std::size_t>(column)] = 0;
    layout_.role[static_cast<std::size_t>(column)] = role;
  }

  // Before all others: a column that is called "group" is no label where it has the groups.
  void take_groups() {
    const Index column = names_.find(*options_.groups, "the groups");
    if (options_.label && names_.find(*options_.label, "the label") == column)
      throw refusal(names_.describe(column) + " is both the label and the groups; expected two columns");
    layout_.groups = column;
    take(column, kGroupsColumn);
  }

  void find_label_and_id() {
    const std::vector<char> only = names_.find_all(options_.only, "only");
    if (options_.label) {
      layout_.label = names_.find(*options_.label, "the label");
      set_label(*layout_.label, "");
    } else if (!expects_all_columns()) {
      if (const auto named = head_.has_header ? detail::find_label_name(names_, file_, free_) : std::nullopt)
        set_label(*named, "");
    }
    std::vector<char> free_for_id = free_;
    for (std::size_t c = 0; c < only.size(); ++c) free_for_id[c] = only[c] != 0 ? char{0} : free_for_id[c];
    const bool may_have_id = !expects_all_columns();
    layout_.id = may_have_id ? detail::find_id(head_, names_, options_, findings_, free_for_id) : std::nullopt;
    if (layout_.id) {
      if (layout_.id == layout_.label)
        throw refusal(names_.describe(*layout_.id) +
                      " is both the label and the samples' names; expected two columns");
      take(*layout_.id, kIdColumn);
      layout_.notes.push_back("samples named by " + names_.describe(*layout_.id));
    }
    if (!layout_.label && may_have_id) choose_label();
  }

  // Without labels, and with just as many columns as features are expected.
  [[nodiscard]] bool expects_all_columns() const {
    return !options_.labels_required && !options_.label && options_.n_features == names_.size();
  }

  void set_label(Index column, const char* why) {
    layout_.label = column;
    take(column, kLabelColumn);
    layout_.notes.push_back("label: " + names_.describe(column) + why);
  }

  void choose_label() {
    std::vector<Index> words;
    std::vector<Index> columns;
    for (Index c = 0; c < names_.size(); ++c) {
      if (free_[static_cast<std::size_t>(c)] == 0) continue;
      columns.push_back(c);
      if (detail::holds_words(head_, findings_, c)) words.push_back(c);
    }
    if (columns.empty()) throw refusal("no column is left for the label; expected at least two columns");
    if (words.size() == 1) return set_label(words.front(), ", the only one with words");
    const std::vector<std::string> parts = detail::name_parts(names_[columns.back()]);
    const bool says_so = std::ranges::any_of(parts, [](const std::string& part) {
      return std::ranges::find(kLabelParts, part) != kLabelParts.end();
    });
    if (says_so) return set_label(columns.back(), ", the last one");
    set_label(columns.front(), ", the first one");
  }

  void add_features() {
    const std::vector<char> only = names_.find_all(options_.only, "only");
    const std::vector<char> as_words = names_.find_all(options_.words, "words");
    std::unordered_map<std::string, Index> seen;
    if (layout_.label && head_.has_header) seen.emplace(names_[*layout_.label], *layout_.label);
    for (Index c = 0; c < names_.size(); ++c) {
      const auto at = static_cast<std::size_t>(c);
      if (!options_.only.empty() && only[at] != 0 && layout_.role[at] != kIgnoredColumn)
        throw refusal(names_.describe(c) + " of the option only is no feature; expected another column");
      if (free_[at] == 0 || (!options_.only.empty() && only[at] == 0)) continue;
      CsvSlot slot{.column = c, .name = names_[c]};
      slot.is_any_text = as_words[at] != 0;
      slot.is_words = slot.is_any_text || detail::holds_words(head_, findings_, c);
      slot.is_sure = slot.is_any_text || (!slot.is_words && head_.columns[at].n_numbers > 0);
      if (head_.has_header && slot.name.empty()) {
        slot.name = fmt::format("x{}", c + 1);
        layout_.notes.push_back(fmt::format("column {} has no name, called {}", c + 1, slot.name));
      }
      if (head_.has_header) {
        const auto [other, is_new] = seen.emplace(slot.name, c);
        if (!is_new) {
          throw refusal(
              fmt::format("two columns are named {}, number {} and number {}; expected different names",
                          in_quotes(slot.name), other->second + 1, c + 1));
        }
      }
      const auto k = static_cast<Index>(layout_.slots.size());
      layout_.role[at] = slot.is_words ? word_role(k) : k;
      layout_.slots.push_back(std::move(slot));
    }
    if (layout_.slots.empty())
      throw refusal(layout_.label ? "a label and no features; expected at least two columns"
                                  : "no features; expected at least one column");
    check_count();
  }

  void check_count() const {
    const auto n = static_cast<Index>(layout_.slots.size());
    if (!options_.n_features || n == *options_.n_features) return;
    throw refusal(fmt::format("{} feature{} in {} column{}{}; expected {}", n, n == 1 ? "" : "s", names_.size(),
                              names_.size() == 1 ? "" : "s", layout_.label ? ", one being the label" : "",
                              *options_.n_features));
  }

  const CsvHead& head_;
  const ColumnNames& names_;
  const std::string& file_;
  const ReadOptions& options_;
  const CsvFindings& findings_;
  std::vector<char> free_;  // columns that are nothing yet
  CsvLayout layout_;
};

void check_names(const CsvHead& head, const ColumnNames& names, const std::string& file) {
  for (Index c = 0; c < names.size(); ++c) {
    if (is_utf8(names[c])) continue;
    throw InputError(
        locate(file, {head.header_line, c},
               in_quotes(names[c]) + " is not UTF-8; expected the file in UTF-8 (iconv converts it)"));
  }
}

}  // namespace

CsvLayout find_layout(const CsvHead& head, const ColumnNames& names, const std::string& file,
                      const ReadOptions& options, const CsvFindings& findings) {
  check_names(head, names, file);
  return options.model ? detail::find_model_layout(head, names, file, options, findings)
                       : TrainingLayout(head, names, file, options, findings).find();
}

}  // namespace hsvm
