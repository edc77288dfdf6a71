// The first row is read on its own and says what the columns are; the rest is parsed block by block. A number without
// quotes, by far the most common field, is parsed where it stands; any other field is cut out first.

#include "hsvm/io/formats/csv.hpp"

#include <cmath>
#include <optional>
#include <span>
#include <string_view>
#include <utility>

#include "hsvm/core/error.hpp"
#include "hsvm/io/formats/by_rows.hpp"
#include "hsvm/io/formats/csv_fields.hpp"
#include "hsvm/io/formats/csv_layout.hpp"
#include "hsvm/io/formats/label_table.hpp"
#include "hsvm/io/formats/row_block.hpp"
#include "hsvm/io/streams/parse_number.hpp"
#include "hsvm/io/streams/text.hpp"
#include "hsvm/io/streams/text_input.hpp"

namespace hsvm {
namespace {

constexpr std::size_t kShortestField = 2;  // "1,"
constexpr std::string_view kNulByte = "NUL byte; expected text (is this a binary or UTF-16 file?)";

template <class T>
using Scratch = AlignedBuffer<T>;  // a panel of values, row after row

template <class T>
class BlockParser {
 public:
  BlockParser(std::string_view text, char delimiter, const CsvLayout& layout, bool labels_required,
              Scratch<T>& scratch, RowBlock<T>& block)
      : text_(text),
        delimiter_(delimiter),
        layout_(layout),
        labels_required_(labels_required),
        scratch_(scratch),
        block_(block) {}

  void parse() {
    const std::size_t most_values =
        text_.size() / kShortestField + static_cast<std::size_t>(layout_.n_features) + 1;
    if (scratch_.size() < most_values) scratch_.resize(most_values);
    next_row_ = scratch_.data();
    block_.width = layout_.n_features;
    const char* p = text_.data();
    const char* const end = p + text_.size();
    try {
      for (; p != end; ++block_.n_lines) {
        column_ = 0;
        const char* const begin = skip_spaces(p, delimiter_);
        p = at_line_end(begin) ? begin + (*begin == '\r' ? 2 : 1) : parse_row(p);
      }
    } catch (const BrokenField& broken) {
      block_.error = TextError{{block_.n_lines, static_cast<Count>(column_)}, broken.message};
      return;
    }
    block_.store_panel(scratch_.data());
    block_.labels = labels_.distinct();
  }

 private:
  // Returns the beginning of the next line.
  const char* parse_row(const char* p) {
    const std::size_t n_columns = layout_.role.size();
    for (;; ++p) {
      const Index role = layout_.role[column_];
      p = role >= 0 ? parse_value(p, next_row_[role]) : parse_text(p, role);
      if (++column_ == n_columns || *p == '\n') break;
    }
    if (*p != '\n' || column_ != n_columns) refuse_row_length(p);
    next_row_ += layout_.n_features;
    ++block_.n_rows;
    return p + 1;
  }

  // Both return a pointer to the delimiter or '\n' after the field.
  const char* parse_value(const char* p, T& value) {
    p = skip_spaces(p, delimiter_);
    const char* end = parse_number(p, value);
    if (end != nullptr) {
      end = skip_spaces(end, delimiter_);
      if (*end == '\r' && end[1] == '\n') ++end;
    }
    if (end == nullptr || (*end != delimiter_ && *end != '\n') || !std::isfinite(value)) [[unlikely]] {
      const CsvField field = read_field(p, delimiter_, unescaped_);
      value = value_of(field.text);
      end = field.end;
    }
    value += T{0};  // -0 becomes 0, as a zero that is not stored does
    return end;
  }

  const char* parse_text(const char* p, Index role) {
    const CsvField field = read_field(p, delimiter_, unescaped_);
    if (field.text.find('\0') != field.text.npos) throw BrokenField{std::string(kNulByte)};
    if (role == kLabelColumn) {
      if (labels_required_ && is_missing(field.text))
        throw BrokenField{"missing value" + in_column() + "; expected a label"};
      block_.label_of_row.push_back(labels_.number_of(field.text));
    } else if (role == kGroupsColumn) {
      if (is_missing(field.text)) throw BrokenField{"missing value" + in_column() + "; expected a group"};
      block_.groups.emplace_back(field.text);
    }
    return field.end;
  }

  [[nodiscard]] T value_of(std::string_view field) const {
    if (is_missing(field)) throw BrokenField{"missing value" + in_column() + "; expected a number"};
    if (field.find('\0') != field.npos) throw BrokenField{std::string(kNulByte)};
    const std::optional<T> value = number_in<T>(field);
    if (value && std::isfinite(*value)) return *value;
    if (value) throw BrokenField{in_quotes(field) + in_column() + " too large; expected a finite number"};
    throw BrokenField{in_quotes(field) + in_column() +
                      (is_not_finite(field) ? "; expected a finite number" : "; expected a number")};
  }

  [[nodiscard]] std::string in_column() const {
    return layout_.column_names.empty() ? "" : " in column " + in_quotes(layout_.column_names[column_]);
  }

  [[noreturn]] void refuse_row_length(const char* p) {
    const std::size_t n_columns = layout_.role.size();
    std::size_t found = column_;
    for (std::string ignored; *p != '\n'; ++found) p = read_field(p + 1, delimiter_, ignored).end;
    throw BrokenField{std::to_string(found) + (found == 1 ? " column" : " columns") + "; expected " +
                      std::to_string(n_columns) + " as in the first row"};
  }

  std::string_view text_;
  char delimiter_;
  const CsvLayout& layout_;
  bool labels_required_;
  Scratch<T>& scratch_;
  RowBlock<T>& block_;
  LabelTable labels_;
  T* next_row_ = nullptr;
  std::size_t column_ = 0;  // the one being read
  std::string unescaped_;
};

constexpr char kTab = '\t';

// What is known of the delimiter before the first row is seen: that of TSV, nothing of CSV.
using FixedDelimiter = std::optional<char>;

char delimiter_of(std::string_view first_row) {
  const bool has_comma = first_row.find(',') != first_row.npos;
  return !has_comma && first_row.find(';') != first_row.npos ? ';' : ',';
}

struct FirstRow {
  CsvLayout layout;
  char delimiter = ',';
  Count next_line = 0;  // of the text that is still to be read
};

std::vector<std::string> split_first_row(const std::string& file, Count line_number, std::string_view line,
                                         char delimiter) {
  if (line.find('\0') != line.npos) throw InputError(locate(file, {line_number, 0}, std::string(kNulByte)));
  try {
    return split_line(line.data(), delimiter);
  } catch (const BrokenField& broken) {
    throw InputError(locate(file, {line_number, 0}, broken.message));
  }
}

// Finds the first row after blank lines and comments. The input goes on at its line, or after it where it is a header.
FirstRow read_first_row(TextInput& input, const ReadOptions& options, FixedDelimiter fixed) {
  const char* const blanks = fixed == kTab ? " \r\n" : " \t\r\n";
  Count line_number = 0;
  bool is_empty = true;
  for (TextBlock block = input.next(); !block.text.empty(); block = input.next()) {
    is_empty = false;
    for (; !block.text.empty(); ++line_number) {
      const std::string_view line = block.text.substr(0, block.text.find('\n') + 1);
      if (line.find_first_not_of(blanks) == line.npos || line.front() == '#') {
        block.text.remove_prefix(line.size());
        continue;
      }
      const char delimiter = fixed ? *fixed : delimiter_of(line);
      const auto fields = split_first_row(input.name(), line_number, line, delimiter);
      FirstRow row{find_layout(input.name(), fields, options), delimiter, line_number};
      if (row.layout.has_header) {
        block.text.remove_prefix(line.size());
        ++row.next_line;
      }
      input.put_back(std::move(block));
      return row;
    }
  }
  throw InputError(input.name() + (is_empty ? ": the file is empty; expected a table"
                                            : ": no samples; expected one on each line"));
}

template <class T>
Dataset read_as(InputFile& file, const ReadOptions& options, FixedDelimiter fixed) {
  TextInput input(file, options.block_bytes);
  const FirstRow first = read_first_row(input, options, fixed);
  auto blocks =
      parse_rows<T, Scratch<T>>(input, [&](std::string_view text, Scratch<T>& scratch, RowBlock<T>& block) {
        BlockParser<T>(text, first.delimiter, first.layout, options.labels_required, scratch, block).parse();
      });
  Dataset dataset = join_blocks(std::move(blocks), {.source = input.name(),
                                                    .first_line = first.next_line,
                                                    .n_features = first.layout.n_features,
                                                    .storage = options.storage,
                                                    .feature_names = first.layout.feature_names});
  dataset.groups_name = first.layout.groups_name;
  return dataset;
}

Dataset read_table(InputFile& file, const ReadOptions& options, FixedDelimiter fixed) {
  return options.precision == Precision::double_precision ? read_as<double>(file, options, fixed)
                                                          : read_as<float>(file, options, fixed);
}

// A text as a field, in quotes where it needs them.
std::string csv_field(std::string_view text, char delimiter, const std::string& file) {
  if (text.find_first_of(std::string_view("\n\0", 2)) != text.npos) {
    throw InputError(file + ": " + in_quotes(text) +
                     " cannot be written; expected text without line breaks and NUL bytes");
  }
  const auto is_space = [](char c) { return c == ' ' || c == '\t'; };
  const bool is_plain = !text.empty() && text.find(delimiter) == text.npos &&
                        text.find_first_of("\"\r") == text.npos && !is_space(text.front()) &&
                        !is_space(text.back()) && text.front() != '#';
  if (is_plain) return std::string(text);
  std::string field = "\"";
  for (const char c : text) {
    if (c == '"') field += '"';
    field += c;
  }
  return field + '"';
}

std::string header_of(const Dataset& dataset, char delimiter, const std::string& file) {
  std::string line = dataset.labels ? "label" : "";
  const bool grouped = !dataset.groups.empty();
  if (grouped) {
    if (dataset.labels) line += delimiter;
    line += csv_field(dataset.groups_name, delimiter, file);
  }
  for (Index j = 0; j < dataset.n_features(); ++j) {
    if (j > 0 || dataset.labels || grouped) line += delimiter;
    line += dataset.feature_names.empty()
                ? 'x' + std::to_string(j + 1)
                : csv_field(dataset.feature_names[static_cast<std::size_t>(j)], delimiter, file);
  }
  return line + '\n';
}

void write_table(const Dataset& dataset, OutputFile& file, char delimiter) {
  std::vector<std::string> classes;
  if (dataset.labels) {
    for (const std::string& label : dataset.labels->classes.names)
      classes.push_back(csv_field(label, delimiter, file.name()));
  }
  file.write(header_of(dataset, delimiter, file.name()));
  const Index n_features = dataset.n_features();
  std::string line;
  for_each_row(dataset.design, [&](Index i, std::span<const Index> columns, const auto values) {
    line.clear();
    if (dataset.labels) {
      const Index k = dataset.labels->of_sample[static_cast<std::size_t>(i)];
      line += classes[static_cast<std::size_t>(k)];
    }
    const bool grouped = !dataset.groups.empty();
    if (grouped) {
      if (dataset.labels) line += delimiter;
      line += csv_field(dataset.groups[static_cast<std::size_t>(i)], delimiter, file.name());
    }
    std::size_t n_written = 0;  // of the nonzeros
    for (Index j = 0; j < n_features; ++j) {
      if (j > 0 || dataset.labels || grouped) line += delimiter;
      if (n_written < columns.size() && columns[n_written] == j) {
        append_number(line, values[n_written++]);
      } else {
        line += '0';
      }
    }
    line += '\n';
    file.write(line);
  });
}

}  // namespace

Dataset read_csv(InputFile& file, const ReadOptions& options) {
  return read_table(file, options, std::nullopt);
}

Dataset read_tsv(InputFile& file, const ReadOptions& options) {
  return read_table(file, options, kTab);
}

void write_csv(const Dataset& dataset, OutputFile& file) {
  write_table(dataset, file, ',');
}

void write_tsv(const Dataset& dataset, OutputFile& file) {
  write_table(dataset, file, kTab);
}

}  // namespace hsvm
