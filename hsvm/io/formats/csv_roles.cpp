// Which columns of a table are its label and its samples' names.

#include <algorithm>
#include <array>
#include <string_view>

#include "hsvm/core/error.hpp"
#include "hsvm/io/formats/csv_fields.hpp"
#include "hsvm/io/formats/csv_layout.hpp"
#include "hsvm/io/streams/parse_number.hpp"
#include "hsvm/io/streams/text.hpp"

namespace hsvm::detail {
namespace {

constexpr std::array<std::string_view, 4> kStrongLabelNames = {"label", "class", "target", "y"};
constexpr std::array<std::string_view, 4> kWeakLabelNames = {"status", "outcome", "group", "type"};
constexpr std::array<std::string_view, 24> kIdNames = {
    "id",      "ids",     "index",    "idx",  "name",  "names",   "sample",    "samples",
    "subject", "patient", "patients", "case", "cases", "barcode", "cell",      "row",
    "record",  "key",     "rowname",  "nr",   "no",    "number",  "accession", "uid"};

// How many different whole numbers make a name, by what else speaks for it: chance hardly ever makes that many.
constexpr std::size_t kFewestWords = 3;
constexpr std::size_t kFewestIncreasing = 6;  // by chance once in 720
constexpr std::size_t kFewestDifferent = 10;

// What the first rows of a column say of names.
struct Distinctness {
  bool all_different = false;
  bool whole_numbers = false;  // none negative
  bool increasing = false;
  std::size_t n = 0;
};

Distinctness look_at(const CsvHead& head, Index column, const ReadOptions& options) {
  Distinctness result{.all_different = true, .whole_numbers = true, .increasing = true, .n = 0};
  std::vector<std::string_view> values;
  double previous = 0.0;
  for (const auto& row : head.rows) {
    if (static_cast<std::size_t>(column) >= row.size()) return {};
    const std::string_view field = row[static_cast<std::size_t>(column)];
    if (is_missing(field, options.na)) return {};
    result.whole_numbers = result.whole_numbers && std::ranges::all_of(field, is_digit);
    const double value = result.whole_numbers ? number_in<double>(field).value_or(0.0) : 0.0;
    if (!values.empty()) {
      result.increasing = result.increasing && value > previous;
    }
    previous = value;
    values.push_back(field);
  }
  result.n = values.size();
  std::ranges::sort(values);
  result.all_different = std::ranges::adjacent_find(values) == values.end() && result.n > 1;
  return result;
}

bool is_called_id(const std::string& name) {
  return std::ranges::any_of(name_parts(name), [](const std::string& part) {
    return std::ranges::find(kIdNames, part) != kIdNames.end();
  });
}

}  // namespace

std::vector<std::string> name_parts(const std::string& name) {
  std::vector<std::string> parts;
  bool was_lower = false;
  bool in_part = false;
  for (const char c : name) {
    const bool upper = c >= 'A' && c <= 'Z';
    const bool letter = upper || (c >= 'a' && c <= 'z') || static_cast<unsigned char>(c) >= 0x80;
    if (!letter) {
      in_part = false;
      continue;
    }
    if (!in_part || (upper && was_lower)) parts.emplace_back();
    in_part = true;
    was_lower = !upper;
    parts.back() += lower_case(std::string_view(&c, 1));
  }
  return parts;
}

bool holds_words(const CsvHead& head, const CsvFindings& findings, Index column) {
  const auto c = static_cast<std::size_t>(column);
  return head.columns[c].has_words() || (!findings.has_words.empty() && findings.has_words[c] != 0);
}

std::optional<Index> find_label_name(const ColumnNames& names, const std::string& file,
                                     const std::vector<char>& free) {
  for (const auto& known : {kStrongLabelNames, kWeakLabelNames}) {
    std::optional<Index> label;
    for (Index c = 0; c < names.size(); ++c) {
      if (free[static_cast<std::size_t>(c)] == 0 ||
          std::ranges::find(known, lower_case(names[c])) == known.end())
        continue;
      if (label) {
        throw InputError(file + ": columns " + in_quotes(names[*label]) + " and " + in_quotes(names[c]) +
                         " could both be the label; expected the option label to say which");
      }
      label = c;
    }
    if (label) return label;
  }
  return std::nullopt;
}

std::optional<Index> find_id(const CsvHead& head, const ColumnNames& names, const ReadOptions& options,
                             const CsvFindings& findings, const std::vector<char>& free) {
  if (options.no_id) return std::nullopt;
  if (options.id) return names.find(*options.id, "the samples' names");
  if (head.has_header && names[0].empty() && free[0] != 0) return 0;
  std::vector<Index> candidates;
  for (Index c = 0; c < names.size(); ++c) {
    const bool is_refuted = !findings.no_id.empty() && findings.no_id[static_cast<std::size_t>(c)] != 0;
    if (free[static_cast<std::size_t>(c)] != 0 && !is_refuted) candidates.push_back(c);
  }
  if (candidates.size() < 2) return std::nullopt;  // what is left must be a feature
  for (const Index c : candidates) {
    if (!is_called_id(names[c])) continue;
    const Distinctness seen = look_at(head, c, options);
    if (seen.all_different && (seen.whole_numbers || holds_words(head, findings, c))) return c;
  }
  for (const Index c : candidates) {
    if (!holds_words(head, findings, c)) continue;
    const Distinctness seen = look_at(head, c, options);
    if (seen.all_different && seen.n >= kFewestWords) return c;
  }
  const Index first = 0;
  if (candidates.front() != first) return std::nullopt;
  const Distinctness seen = look_at(head, first, options);
  const bool is_enough = seen.n >= kFewestDifferent || (seen.increasing && seen.n >= kFewestIncreasing);
  if (!seen.all_different || !seen.whole_numbers || !is_enough) return std::nullopt;
  // A table of counts has many such columns: then the first is one of them.
  for (const Index c : candidates) {
    const Distinctness other = c == first ? Distinctness{} : look_at(head, c, options);
    if (other.all_different && other.whole_numbers) return std::nullopt;
  }
  return first;
}

}  // namespace hsvm::detail
