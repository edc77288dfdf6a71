#include "hsvm/io/formats/csv_fields.hpp"

#include <algorithm>
#include <array>

#include "hsvm/core/error.hpp"
#include "hsvm/io/streams/text.hpp"

namespace hsvm {
namespace {

constexpr std::array<std::string_view, 16> kMissingTexts = {"",     ".",    "?",    "NA",  "N/A", "n/a",
                                                            "#N/A", "#NA",  "<NA>", "NaN", "nan", "NAN",
                                                            "-nan", "null", "NULL", "Null"};

}  // namespace

CsvField read_field(const char* p, const char* text_end, char delimiter, std::string& unescaped) {
  p = skip_spaces(p, delimiter);
  if (*p != '"') {
    const char* end = p;
    while (*end != delimiter && !(delimiter == ' ' && *end == '\t') && !at_line_end(end)) ++end;
    std::string_view text(p, static_cast<std::size_t>(end - p));
    text.remove_suffix(text.size() - (text.find_last_not_of(delimiter == '\t' ? " " : " \t") + 1));
    return {text, delimiter == ' ' ? skip_to_field_end(end, delimiter) : *end == '\r' ? end + 1 : end};
  }
  unescaped.clear();
  Count n_breaks = 0;
  for (++p; *p != '"' || p[1] == '"'; ++p) {
    if (p + 1 >= text_end) throw BrokenField{"quotes that are not closed; expected a closing \""};
    if (*p == '\n') ++n_breaks;
    if (*p == '"') ++p;
    unescaped += *p;
  }
  const char* const end = skip_to_field_end(p + 1, delimiter);
  if (*end != delimiter && *end != '\n' && !(delimiter == ' ' && *end == '\t'))
    throw BrokenField{"text after a closing \"; expected the next column"};
  return {unescaped, end, n_breaks};
}

std::vector<std::string> split_row(std::string_view text, char delimiter) {
  std::vector<std::string> fields;
  std::string unescaped;
  const char* p = text.data();
  for (;;) {
    const CsvField field = read_field(p, text.data() + text.size(), delimiter, unescaped);
    fields.emplace_back(field.text);
    if (*field.end == '\n') return fields;
    p = field.end + 1;
  }
}

std::size_t row_size(std::string_view text) {
  bool in_quotes = false;
  for (std::size_t k = 0; k < text.size(); ++k) {
    if (text[k] == '"') in_quotes = !in_quotes;
    if (text[k] == '\n' && !in_quotes) return k + 1;
  }
  return std::min(text.size(), text.find('\n') + 1);
}

bool is_missing(std::string_view field) {
  return field.size() <= 4 && std::ranges::find(kMissingTexts, field) != kMissingTexts.end();
}

bool is_not_finite(std::string_view field) {
  std::string word = lower_case(field.substr(0, 10));  // long enough for all of them
  if (word.starts_with('-') || word.starts_with('+')) word.erase(0, 1);
  return word == "nan" || word == "inf" || word == "infinity";
}

int truth_of(std::string_view field) {
  if (field.size() > 5) return -1;
  const std::string word = lower_case(field);
  if (word == "true" || word == "yes") return 1;
  return word == "false" || word == "no" ? 0 : -1;
}

std::string quote_field(std::string_view text, char delimiter, const std::string& file) {
  if (text.find('\0') != text.npos)
    throw InputError(file + ": " + in_quotes(text) + " cannot be written; expected text without NUL bytes");
  const auto is_blank = [](char c) { return c == ' ' || c == '\t'; };
  const bool is_plain = !text.empty() && text.find(delimiter) == text.npos &&
                        text.find_first_of("\"\r\n") == text.npos && !is_blank(text.front()) &&
                        !is_blank(text.back()) && text.front() != '#';
  if (is_plain) return std::string(text);
  std::string field = "\"";
  for (const char c : text) {
    if (c == '"') field += '"';
    field += c;
  }
  return field + '"';
}

}  // namespace hsvm
