#include "hsvm/io/formats/csv_fields.hpp"

#include "hsvm/io/streams/text.hpp"

namespace hsvm {

CsvField read_field(const char* p, char delimiter, std::string& unescaped) {
  p = skip_spaces(p, delimiter);
  if (*p != '"') {
    const char* end = p;
    while (*end != delimiter && !at_line_end(end)) ++end;
    std::string_view text(p, static_cast<std::size_t>(end - p));
    text.remove_suffix(text.size() - (text.find_last_not_of(delimiter == '\t' ? " " : " \t") + 1));
    return {text, *end == '\r' ? end + 1 : end};
  }
  unescaped.clear();
  for (++p; *p != '"' || p[1] == '"'; ++p) {
    if (*p == '\n') throw BrokenField{"quotes that are not closed on their line; expected a closing \""};
    if (*p == '"') ++p;
    unescaped += *p;
  }
  p = skip_spaces(p + 1, delimiter);
  if (*p != delimiter && !at_line_end(p))
    throw BrokenField{"text after a closing \"; expected the next column"};
  return {unescaped, *p == '\r' ? p + 1 : p};
}

std::vector<std::string> split_line(const char* p, char delimiter) {
  std::vector<std::string> fields;
  std::string unescaped;
  for (;;) {
    const CsvField field = read_field(p, delimiter, unescaped);
    fields.emplace_back(field.text);
    if (*field.end == '\n') return fields;
    p = field.end + 1;
  }
}

bool is_missing(std::string_view field) {
  return field.empty() || field == "NA" || field == "?";
}

bool is_not_finite(std::string_view field) {
  std::string word = lower_case(field.substr(0, 10));  // long enough for all of them
  if (word.starts_with('-') || word.starts_with('+')) word.erase(0, 1);
  return word == "nan" || word == "inf" || word == "infinity";
}

}  // namespace hsvm
