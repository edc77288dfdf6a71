// The first row is read on its own and says what the columns are; the rest is parsed block by block. A number
// without quotes, by far the most common field, is parsed in place; any other field is first cut out.

#include "hsvm/io/formats/csv.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string_view>
#include <utility>

#include "hsvm/core/error.hpp"
#include "hsvm/io/formats/csv_fields.hpp"
#include "hsvm/io/formats/csv_layout.hpp"
#include "hsvm/io/streams/parse_number.hpp"
#include "hsvm/io/streams/row_block.hpp"
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
    const std::size_t room = text_.size() / kShortestField + static_cast<std::size_t>(layout_.n_features) + 1;
    if (scratch_.size() < room) scratch_.resize(room);
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
    block_.take_panel(scratch_.data());
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

  // Both return the place of the delimiter or '\n' after the field.
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
    }
    return field.end;
  }

  [[nodiscard]] T value_of(std::string_view field) const {
    if (is_missing(field)) throw BrokenField{"missing value" + in_column() + "; expected a number"};
    if (field.find('\0') != field.npos) throw BrokenField{std::string(kNulByte)};
    const std::optional<T> value = number_in<T>(field);
    if (value && std::isfinite(*value)) return *value;
    if (value) throw BrokenField{quoted(field) + in_column() + " too large; expected a finite number"};
    throw BrokenField{quoted(field) + in_column() +
                      (is_not_finite(field) ? "; expected a finite number" : "; expected a number")};
  }

  [[nodiscard]] std::string in_column() const {
    return layout_.column_names.empty() ? "" : " in column " + quoted(layout_.column_names[column_]);
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

struct FirstRow {
  std::vector<std::string> fields;
  char delimiter = ',';
  Count line = 0;
};

// Finds the first row after blank lines and comments. The input goes on at its line, or after it where
// `is_header` says so.
template <class IsHeader>
FirstRow read_first_row(TextInput& input, DataFormat format, const IsHeader& is_header) {
  FirstRow row;
  bool is_empty = true;
  for (TextBlock block = input.next(); !block.text.empty(); block = input.next()) {
    is_empty = false;
    while (!block.text.empty()) {
      const std::string_view line = block.text.substr(0, block.text.find('\n') + 1);
      const bool blank = line.find_first_not_of(format == DataFormat::tsv ? " \r\n" : " \t\r\n") == line.npos;
      if (!blank && line.front() != '#') {
        const bool has_comma = line.find(',') != line.npos;
        row.delimiter = format == DataFormat::tsv                   ? '\t'
                        : !has_comma && line.find(';') != line.npos ? ';'
                                                                    : ',';
        if (line.find('\0') != line.npos)
          throw InputError(locate(input.name(), {row.line, 0}, std::string(kNulByte)));
        try {
          row.fields = split_line(line.data(), row.delimiter);
        } catch (const BrokenField& broken) {
          throw InputError(locate(input.name(), {row.line, 0}, broken.message));
        }
        if (is_header(row)) {
          block.text.remove_prefix(line.size());
          ++row.line;
        }
        input.put_back(std::move(block));
        return row;
      }
      block.text.remove_prefix(line.size());
      ++row.line;
    }
  }
  throw InputError(input.name() + (is_empty ? ": the file is empty; expected a table"
                                            : ": no samples; expected one on each line"));
}

template <class T>
Dataset read_as(const std::string& path, const ReadOptions& options, DataFormat format) {
  TextInput input(path, options.block_bytes);
  CsvLayout layout;
  const FirstRow first = read_first_row(input, format, [&](const FirstRow& row) {
    layout = find_layout(input.name(), row.fields, options);
    return layout.has_header;
  });
  auto blocks =
      parse_rows<T, Scratch<T>>(input, [&](std::string_view text, Scratch<T>& scratch, RowBlock<T>& block) {
        BlockParser<T>(text, first.delimiter, layout, options.labels_required, scratch, block).parse();
      });
  return join_blocks(std::move(blocks), {.source = input.name(),
                                         .first_line = first.line,
                                         .n_features = layout.n_features,
                                         .storage = options.storage,
                                         .feature_names = layout.feature_names});
}

}  // namespace

Dataset read_csv(const std::string& path, const ReadOptions& options, DataFormat format) {
  return options.precision == Precision::double_precision ? read_as<double>(path, options, format)
                                                          : read_as<float>(path, options, format);
}

}  // namespace hsvm
