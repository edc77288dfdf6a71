// The rows are cut twice: into lines, for the delimiter, then into fields.

#include "hsvm/io/formats/csv_head.hpp"

#include <algorithm>
#include <span>
#include <unordered_set>
#include <utility>

#include "hsvm/core/error.hpp"
#include "hsvm/io/formats/csv_fields.hpp"
#include "hsvm/io/streams/parse_number.hpp"
#include "hsvm/io/streams/text.hpp"

namespace hsvm {
namespace {

constexpr std::size_t kHeadEnough = std::size_t{4} << 20;  // bytes: wide tables are judged by fewer rows
constexpr std::size_t kDelimiterEnough = std::size_t{1} << 18;
constexpr std::size_t kWideColumns = 8;             // no slip makes so many
constexpr std::size_t kFewRows = 12;                // but by these at least
constexpr std::string_view kDelimiters = "\t;|, ";  // in the order in which they are believed
constexpr std::string_view kBlanks = " \t\r\n";

// Cuts a line without minding errors: how many columns there are with this delimiter.
std::size_t count_columns(std::string_view line, char delimiter) {
  std::size_t n = 1;
  bool in_quotes = false;
  bool was_blank = true;
  line.remove_suffix(line.size() - (line.find_last_not_of(delimiter == ' ' ? kBlanks : "\r\n") + 1));
  for (const char c : line) {
    if (c == '"') in_quotes = !in_quotes;
    const bool is_blank = c == ' ' || c == '\t';
    if (!in_quotes && (delimiter == ' ' ? is_blank && !was_blank : c == delimiter)) ++n;
    was_blank = is_blank;
  }
  return n;
}

// Whether all lines have as many columns, more than one. A header may be one shorter: row names have no name.
bool is_consistent(std::span<const std::string_view> lines, char delimiter) {
  const std::size_t first = count_columns(lines.front(), delimiter);
  const std::size_t n = lines.size() > 1 ? count_columns(lines[1], delimiter) : first;
  if (n < 2 || (first != n && first + 1 != n)) return false;
  return std::all_of(lines.begin() + 1, lines.end(),
                     [&](std::string_view line) { return count_columns(line, delimiter) == n; });
}

// Spaces are a delimiter only where nothing else is: names and dates have them, too.
char find_delimiter(std::span<const std::string_view> lines) {
  // Of wide tables a few rows tell enough.
  std::size_t n_lines = 0;
  for (std::size_t bytes = 0; n_lines < lines.size() && (n_lines < 3 || bytes < kDelimiterEnough); ++n_lines)
    bytes += lines[n_lines].size();
  lines = lines.first(n_lines);
  for (const char delimiter : kDelimiters) {
    if (is_consistent(lines, delimiter)) return delimiter;
  }
  for (const char delimiter : std::string_view(",;\t|")) {
    if (lines.front().find(delimiter) != std::string_view::npos) return delimiter;
  }
  return ',';
}

bool is_skipped(std::string_view line, std::optional<char> fixed) {
  return line.find_first_not_of(fixed == '\t' ? " \r\n" : kBlanks) == line.npos || line.front() == '#';
}

// The lines of the head, and where they are.
struct HeadLines {
  std::vector<std::string_view> lines;
  std::vector<Count> numbers;
  std::optional<char> said;       // by "sep=;"
  std::string_view last_comment;  // just before the first line, without its mark
  bool is_empty = true;
};

std::optional<char> said_delimiter(std::string_view line) {
  if (line.size() < 5 || lower_case(line.substr(0, 4)) != "sep=") return std::nullopt;
  const std::string_view rest = line.substr(5);
  return rest.find_first_not_of("\r\n") == rest.npos ? std::optional(line[4]) : std::nullopt;
}

HeadLines read_lines(TextInput& input, std::optional<char> fixed, std::vector<TextBlock>& blocks) {
  HeadLines head;
  Count number = 0;
  std::size_t bytes = 0;
  const auto is_enough = [&] {
    return head.lines.size() > kHeadRows || (bytes > kHeadEnough && head.lines.size() > kFewRows);
  };
  while (!is_enough()) {
    TextBlock block = input.next();
    if (block.text.empty()) break;
    head.is_empty = false;
    std::string_view rest = block.text;
    while (!rest.empty() && !is_enough()) {
      const std::string_view line = rest.substr(0, row_size(rest));
      rest.remove_prefix(line.size());
      bytes += line.size();
      const std::optional<char> said = head.lines.empty() ? said_delimiter(line) : std::nullopt;
      if (said) {
        head.said = said;
      } else if (!is_skipped(line, fixed)) {
        head.lines.push_back(line);
        head.numbers.push_back(number);
      } else if (head.lines.empty()) {
        head.last_comment = line.front() == '#' ? line.substr(1) : std::string_view();
      }
      number += std::count(line.begin(), line.end(), '\n');
    }
    blocks.push_back(std::move(block));
  }
  return head;
}

constexpr std::string_view kNulInHead = "NUL byte; expected text (is this a binary or UTF-16 file?)";

// The fields of a line. Those that had quotes are kept in `unquoted`.
std::vector<std::string_view> split_fields(std::string_view line, char delimiter,
                                           std::deque<std::string>& unquoted) {
  std::vector<std::string_view> fields;
  std::string buffer;
  for (const char* p = line.data();;) {
    const CsvField field = read_field(p, line.data() + line.size(), delimiter, buffer);
    const bool is_in_buffer = field.text.data() == buffer.data();
    fields.push_back(is_in_buffer ? std::string_view(unquoted.emplace_back(field.text)) : field.text);
    if (*field.end == '\n') return fields;
    p = field.end + 1;
  }
}

bool reads_as_number(std::string_view field) {
  return number_in<double>(field) || decimal_hint(field) != MarkHint::no_number;
}

// A text that is neither a number nor a missing value.
bool reads_as_word(std::string_view field, const ReadOptions& options) {
  return !is_missing(field, options.na) && !is_not_finite(field) && !reads_as_number(field);
}

// Whether names that the options know stand in the first row.
bool has_known_names(const std::vector<std::string_view>& first, const ReadOptions& options) {
  if (!options.label && !options.groups && !options.model) return false;
  const std::unordered_set<std::string_view> fields(first.begin(), first.end());
  const auto stands = [&](const std::string& name) { return fields.contains(name); };
  if (options.label && reads_as_word(*options.label, options) && stands(*options.label)) return true;
  if (options.groups && reads_as_word(*options.groups, options) && stands(*options.groups)) return true;
  if (!options.model || options.model->feature_names.empty()) return false;
  const ModelColumns& model = *options.model;
  std::vector<char> is_made(model.feature_names.size(), 0);  // of words
  for (const WordColumn& column : model.words) {
    if (!stands(column.name)) return false;
    std::fill_n(is_made.begin() + column.first_feature, column.n_features(), char{1});
  }
  for (std::size_t j = 0; j < model.feature_names.size(); ++j) {
    const bool is_used = model.used.empty() || model.used[j] != 0;
    if (is_used && is_made[j] == 0 && !stands(model.feature_names[j])) return false;
  }
  return true;
}

// Whether the first row is one shorter than the others, which begin with a name of their own.
bool has_row_names(const std::vector<std::vector<std::string_view>>& rows, const ReadOptions& options) {
  const std::size_t n = rows.front().size() + 1;
  std::vector<std::string_view> names;
  bool last_is_there = false;
  for (std::size_t i = 1; i < rows.size(); ++i) {
    if (rows[i].size() != n) return false;
    names.push_back(rows[i].front());
    last_is_there = last_is_there || !is_missing(rows[i].back(), options.na);
  }
  std::ranges::sort(names);
  const auto is_name = [&](std::string_view field) { return reads_as_word(field, options); };
  return last_is_there && std::ranges::adjacent_find(names) == names.end() &&
         std::ranges::all_of(rows.front(), is_name);
}

bool finds_header(const std::vector<std::vector<std::string_view>>& rows, const ReadOptions& options) {
  const std::vector<std::string_view>& first = rows.front();
  if (has_known_names(first, options)) return true;
  if (has_row_names(rows, options)) return true;
  if (rows.size() == 1) {
    // Nothing to compare with: text in any column but the label's is a name.
    const std::size_t label = options.label || first.size() == 1 ? first.size() : 0;
    for (std::size_t c = 0; c < first.size(); ++c) {
      if (c != label && reads_as_word(first[c], options)) return true;
    }
    return false;
  }
  bool has_numbers = false;
  bool stands_again = false;
  for (std::size_t c = 0; c < first.size(); ++c) {
    bool number_below = false;
    for (std::size_t i = 1; i < rows.size(); ++i) {
      if (c >= rows[i].size()) continue;
      number_below = number_below || reads_as_number(rows[i][c]);
      stands_again = stands_again || (rows[i][c] == first[c] && !is_missing(first[c], options.na));
    }
    if (number_below && reads_as_word(first[c], options)) return true;
    has_numbers = has_numbers || number_below || reads_as_number(first[c]);
  }
  std::vector<std::string_view> names = first;
  std::ranges::sort(names);
  const bool all_different = std::ranges::adjacent_find(names) == names.end();
  return !has_numbers && !stands_again && all_different;
}

// What the numbers of the head say of the decimal mark. What only a comma between three digits tells is decided by the
// delimiter: with a comma between columns it is one between thousands, with a semicolon it is the decimal mark.
std::optional<char> find_decimal(const CsvHead& head) {
  bool comma = false;
  bool either = false;
  for (const auto& row : head.rows) {
    for (const std::string_view field : row) {
      if (field.find_first_of(".,") == field.npos) continue;
      const MarkHint hint = decimal_hint(field);
      if (hint == MarkHint::point) return '.';
      comma = comma || hint == MarkHint::comma;
      either = either || hint == MarkHint::either;
    }
  }
  if (comma) return ',';
  if (either && head.delimiter == ',') return '.';
  if (either && head.delimiter == ';') return ',';
  return std::nullopt;
}

void look_at_columns(CsvHead& head, const ReadOptions& options) {
  head.columns.resize(head.names.size());
  for (const auto& row : head.rows) {
    for (std::size_t c = 0; c < std::min(row.size(), head.columns.size()); ++c) {
      if (is_missing(row[c], options.na)) continue;
      ++(reads_as_number(row[c]) || is_not_finite(row[c]) ? head.columns[c].n_numbers
                                                          : head.columns[c].n_words);
    }
  }
}

// Gives back all of the blocks but what is before `begin`, which is in the block of `line` or at its end.
void put_back_rest(TextInput& input, std::string_view line, const char* begin, std::vector<TextBlock>& blocks) {
  for (std::size_t b = blocks.size(); b-- > 0;) {
    const std::string_view text = blocks[b].text;
    const bool has_line = line.data() >= text.data() && line.data() < text.data() + text.size();
    const std::string_view rest = has_line ? text.substr(static_cast<std::size_t>(begin - text.data())) : text;
    if (!rest.empty()) input.put_back({rest, std::move(blocks[b].memory)});
    if (has_line) return;
  }
}

void split_rows(const std::string& file, const HeadLines& found, CsvHead& head) {
  for (std::size_t i = 0; i < found.lines.size(); ++i) {
    try {
      if (i == 0 && found.lines[i].find('\0') != std::string_view::npos)
        throw BrokenField{std::string(kNulInHead)};
      head.rows.push_back(split_fields(found.lines[i], head.delimiter, head.unquoted));
    } catch (const BrokenField& broken) {
      if (i == 0) throw InputError(locate(file, {found.numbers[i], 0}, broken.message));
      return;  // whoever reads all rows will say where
    }
  }
}

// The first row becomes the names.
void take_header(CsvHead& head, const ReadOptions& options) {
  head.has_header = true;
  if (has_row_names(head.rows, options)) head.names.emplace_back();
  head.names.insert(head.names.end(), head.rows.front().begin(), head.rows.front().end());
  head.rows.erase(head.rows.begin());
}

// "#id  a  b": a comment just before the first row that has a name for each of its columns.
bool take_comment_header(const HeadLines& found, const ReadOptions& options, CsvHead& head) {
  if (found.last_comment.empty()) return false;
  std::vector<std::string_view> names;
  try {
    names = split_fields(found.last_comment, head.delimiter, head.unquoted);
  } catch (const BrokenField&) {
    return false;
  }
  const auto is_name = [&](std::string_view field) { return reads_as_word(field, options); };
  if (names.size() < 2 || names.size() != head.rows.front().size() || !std::ranges::all_of(names, is_name))
    return false;
  head.has_header = true;
  --head.header_line;
  head.names.assign(names.begin(), names.end());
  return true;
}

}  // namespace

bool is_missing(std::string_view field, const std::vector<std::string>& na) {
  return is_missing(field) || std::ranges::find(na, field) != na.end();
}

std::vector<TableLine> table_lines(std::string_view text, std::optional<char> fixed) {
  std::vector<TableLine> lines;
  Count number = 0;
  while (!text.empty()) {
    const std::string_view line = text.substr(0, row_size(text));
    text.remove_prefix(line.size());
    const bool says_delimiter = lines.empty() && said_delimiter(line);
    if (!says_delimiter && !is_skipped(line, fixed)) lines.push_back({line, number});
    number += std::count(line.begin(), line.end(), '\n');
  }
  return lines;
}

char table_delimiter(const std::vector<TableLine>& lines) {
  std::vector<std::string_view> texts;
  for (const TableLine& line : lines) texts.push_back(line.text);
  return find_delimiter(texts);
}

bool looks_like_table(std::string_view head, bool tabs) {
  const std::size_t last = head.rfind('\n');
  if (last != head.npos && head.size() >= kHeadBytes) head = head.substr(0, last + 1);
  std::vector<std::string_view> lines;
  std::optional<char> said;
  while (!head.empty()) {
    const std::size_t size = row_size(head);
    const std::string_view line = head.substr(0, size == 0 ? head.size() : size);
    head.remove_prefix(line.size());
    if (lines.empty() && !said && (said = said_delimiter(line))) continue;
    if (!is_skipped(line, std::nullopt)) lines.push_back(line);
  }
  if (said) return (*said == '\t') == tabs;
  if (lines.empty()) return false;
  const char delimiter = find_delimiter(lines);
  if ((delimiter == '\t') != tabs || !is_consistent(lines, delimiter)) return false;
  // A line of LIBSVM is cut by spaces, too, and a comma may be a slip in it.
  const auto has_colon = [](std::string_view line) { return line.find(':') != line.npos; };
  const bool any_colon = std::ranges::any_of(lines, has_colon);
  const bool is_blank = delimiter == ' ' || delimiter == '\t';
  if (any_colon && is_blank) return false;
  const bool is_wide = !is_blank && count_columns(lines.front(), delimiter) > kWideColumns;
  return lines.size() > 1 || (!any_colon && delimiter != ' ') || is_wide;
}

CsvHead read_head(TextInput& input, const ReadOptions& options, std::optional<char> fixed) {
  CsvHead head;
  const HeadLines found = read_lines(input, fixed, head.blocks);
  if (found.lines.empty()) {
    throw InputError(input.name() + (found.is_empty ? ": the file is empty; expected a table"
                                                    : ": no samples; expected one on each line"));
  }
  head.header_line = head.next_line = found.numbers.front();
  head.delimiter = fixed ? *fixed : found.said ? *found.said : find_delimiter(found.lines);
  split_rows(input.name(), found, head);
  const std::string_view first = found.lines.front();
  const char* begin = first.data();
  if (finds_header(head.rows, options)) {
    take_header(head, options);
    begin += first.size();
    head.next_line += std::count(first.begin(), first.end(), '\n');
  } else if (!take_comment_header(found, options, head)) {
    head.names.resize(head.rows.front().size());
  }
  head.decimal = options.decimal ? options.decimal : find_decimal(head);
  look_at_columns(head, options);
  put_back_rest(input, first, begin, head.blocks);
  return head;
}

}  // namespace hsvm
