#include "hsvm/io/formats/column_list.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "hsvm/core/error.hpp"
#include "hsvm/io/streams/parse_number.hpp"
#include "hsvm/io/streams/text.hpp"

namespace hsvm {
namespace {

bool matches(std::string_view name, std::string_view pattern) {
  if (pattern.empty()) return name.empty();
  if (pattern.front() == '*') {
    for (std::size_t skipped = 0; skipped <= name.size(); ++skipped) {
      if (matches(name.substr(skipped), pattern.substr(1))) return true;
    }
    return false;
  }
  return !name.empty() && (pattern.front() == '?' || pattern.front() == name.front()) &&
         matches(name.substr(1), pattern.substr(1));
}

}  // namespace

ColumnNames::ColumnNames(std::string file, std::vector<std::string> names)
    : file_(std::move(file)), names_(std::move(names)) {
  for (Index c = 0; c < size(); ++c) {
    const std::string& name = names_[static_cast<std::size_t>(c)];
    if (!name.empty() && !first_named_.emplace(name, c).second) second_named_.emplace(name, c);
  }
}

std::optional<Index> ColumnNames::named(const std::string& name) const {
  const auto first = first_named_.find(name);
  if (first == first_named_.end()) return std::nullopt;
  const auto second = second_named_.find(name);
  if (second != second_named_.end()) {
    throw InputError(
        fmt::format("{}: two columns are named {}, number {} and number {}; expected different names", file_,
                    in_quotes(name), first->second + 1, second->second + 1));
  }
  return first->second;
}

std::optional<Index> ColumnNames::numbered(const std::string& text) const {
  const std::optional<Index> number = integer_in(text);
  if (!number || *number == 0 || *number > size() || *number < -size()) return std::nullopt;
  return *number > 0 ? *number - 1 : size() + *number;
}

Index ColumnNames::find(const std::string& name_or_number, const std::string& what) const {
  if (const std::optional<Index> column = named(name_or_number)) return *column;
  if (const std::optional<Index> column = numbered(name_or_number)) return *column;
  if (integer_in(name_or_number)) {
    throw InputError(fmt::format("{}: no column {} for {}; expected 1 to {}, or -1 to -{} from the end", file_,
                                 name_or_number, what, size(), size()));
  }
  throw InputError(
      fmt::format("{}: no column is named {} for {}; {}", file_, in_quotes(name_or_number), what, list()));
}

bool ColumnNames::add_range(const std::string& item, std::vector<char>& chosen) const {
  const std::size_t colon = item.find(':');
  const std::size_t middle = colon != item.npos ? colon : item.find('-', 1);
  if (middle == item.npos || middle + 1 == item.size()) return false;
  const auto end_of = [&](const std::string& text) { return named(text) ? named(text) : numbered(text); };
  const std::optional<Index> first = end_of(item.substr(0, middle));
  const std::optional<Index> last = end_of(item.substr(middle + 1));
  if (!first || !last || *last < *first) return false;
  std::fill(chosen.begin() + *first, chosen.begin() + *last + 1, char{1});
  return true;
}

std::vector<char> ColumnNames::find_all(const std::string& list, const std::string& option) const {
  std::vector<char> chosen(names_.size(), 0);
  if (list.empty()) return chosen;
  if (const std::optional<Index> column = named(list)) {  // a name may have commas in it
    chosen[static_cast<std::size_t>(*column)] = 1;
    return chosen;
  }
  for (std::size_t begin = 0; begin <= list.size();) {
    const std::size_t end = std::min(list.find(',', begin), list.size());
    const std::string item = list.substr(begin, end - begin);
    begin = end + 1;
    const std::optional<Index> column = named(item) ? named(item) : numbered(item);
    if (column) {
      chosen[static_cast<std::size_t>(*column)] = 1;
      continue;
    }
    if (add_range(item, chosen)) continue;
    bool found = false;
    for (std::size_t c = 0; c < names_.size() && item.find_first_of("*?") != item.npos; ++c) {
      if (!matches(names_[c], item)) continue;
      chosen[c] = 1;
      found = true;
    }
    if (!found) {
      throw InputError(fmt::format(
          "{}: {} of the option {} is no column; expected names, numbers from 1 to {}, ranges or patterns: {}",
          file_, in_quotes(item), option, size(), this->list()));
    }
  }
  return chosen;
}

std::string ColumnNames::list() const {
  constexpr std::size_t kMost = 8;  // a gene table has thousands
  if (std::ranges::all_of(names_, &std::string::empty))
    return fmt::format("the {} columns have no names", size());
  std::string result = "the first row has ";
  for (std::size_t c = 0; c < std::min(names_.size(), kMost); ++c)
    result += (c == 0 ? "" : ", ") + in_quotes(names_[c]);
  return names_.size() > kMost ? fmt::format("{}, and {} more", result, names_.size() - kMost) : result;
}

std::string ColumnNames::describe(Index column) const {
  return "column " + ((*this)[column].empty() ? std::to_string(column + 1) : in_quotes((*this)[column]));
}

std::string ColumnNames::in_column(Index column) const {
  return (*this)[column].empty() ? "" : " in column " + in_quotes((*this)[column]);
}

}  // namespace hsvm
