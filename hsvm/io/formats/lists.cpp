#include "hsvm/io/formats/lists.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <string_view>

#include "hsvm/core/error.hpp"
#include "hsvm/io/streams/parse_number.hpp"
#include "hsvm/io/streams/text.hpp"
#include "hsvm/io/streams/text_input.hpp"

namespace hsvm {
namespace {

constexpr std::string_view kSpaces = " \t\r\n";

// Calls visit(line number from 0, the line without spaces around it).
template <class Visit>
void for_each_line(const std::string& path, const Visit& visit) {
  const TextBlock block = read_whole_text(path);
  if (block.text.empty())
    throw InputError((path == "-" ? "standard input" : path) + ": the file is empty; expected a list");
  std::string_view rest = block.text;
  for (Count line = 0; !rest.empty(); ++line) {
    std::string_view item = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(item.size() + 1);
    const std::size_t nul = item.find('\0');
    if (nul != item.npos)
      throw InputError(locate(path, {line, static_cast<Count>(nul)}, "NUL byte; expected text"));
    item.remove_prefix(std::min(item.size(), item.find_first_not_of(kSpaces)));
    item.remove_suffix(item.size() - (item.find_last_not_of(kSpaces) + 1));
    visit(line, item);
  }
}

// The items of a list, which may have comments; parse(item) gives one or none.
template <class Item, class Parse>
std::vector<Item> read_list(const std::string& path, const char* what, const char* expected,
                            const Parse& parse) {
  std::vector<Item> items;
  for_each_line(path, [&](Count line, std::string_view item) {
    item = item.substr(0, item.find('#'));
    item.remove_suffix(item.size() - (item.find_last_not_of(kSpaces) + 1));
    if (item.empty()) return;
    std::optional<Item> parsed = parse(item);
    if (!parsed)
      throw InputError(
          locate(path, {line, 0}, in_quotes(item) + "; expected " + expected + ", one on each line"));
    items.push_back(std::move(*parsed));
  });
  if (items.empty()) throw InputError(path + ": no " + what + "; expected one on each line");
  return items;
}

}  // namespace

std::vector<double> read_numbers(const std::string& path) {
  return read_list<double>(path, "numbers", "a finite number", [](std::string_view item) {
    const std::optional<double> number = number_in<double>(item);
    return number && std::isfinite(*number) ? number : std::nullopt;
  });
}

std::vector<double> read_factors(const std::string& path) {
  return read_list<double>(path, "numbers", "a number of at least 0, or inf", [](std::string_view item) {
    if (item == "inf" || item == "Inf") return std::optional(std::numeric_limits<double>::infinity());
    const std::optional<double> number = number_in<double>(item);
    return number && std::isfinite(*number) && *number >= 0.0 ? number : std::nullopt;
  });
}

std::vector<std::string> read_words(const std::string& path) {
  return read_list<std::string>(path, "words", "a word",
                                [](std::string_view item) { return std::optional(std::string(item)); });
}

std::vector<std::string> read_names(const std::string& path) {
  std::vector<std::string> names;
  std::optional<Count> empty_line;
  for_each_line(path, [&](Count line, std::string_view item) {
    if (item.empty()) {
      if (!empty_line) empty_line = line;
      return;
    }
    if (empty_line) throw InputError(locate(path, {*empty_line, 0}, "empty line; expected a name"));
    names.emplace_back(item);
  });
  if (names.empty()) throw InputError(path + ": no names; expected one on each line");
  return names;
}

}  // namespace hsvm
