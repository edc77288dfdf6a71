// A number without quotes, by far the most common field, is parsed where it stands; any other field is cut out first.

#include "hsvm/io/formats/csv_block.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string_view>

#include "hsvm/io/formats/csv_fields.hpp"
#include "hsvm/io/streams/parse_number.hpp"

namespace hsvm {
namespace {

constexpr std::size_t kShortestField = 2;  // "1,"
constexpr std::string_view kNulByte = "NUL byte; expected text (is this a binary or UTF-16 file?)";

template <class T>
class CsvBlockParser {
 public:
  CsvBlockParser(const CsvRules& rules, AlignedBuffer<T>& scratch, CsvBlock<T>& block)
      : rules_(rules),
        layout_(*rules.layout),
        options_(*rules.options),
        delimiter_(rules.delimiter),
        n_slots_(layout_.slots.size()),
        scratch_(scratch),
        block_(block),
        rows_(block.rows),
        text_end_(block.text.text.data() + block.text.text.size()) {
    block_.n_missing = 0;
    block_.words.clear();
    block_.first_word.clear();
    block_.first_number.clear();
    block_.sample_names.clear();
    block_.groups.clear();
    rows_ = {};
    for (const CsvSlot& slot : layout_.slots) {
      if (slot.is_words) words_.resize(n_slots_);
    }
    const auto is_number = [](const std::string& text) { return number_in<double>(text).has_value(); };
    numbers_are_plain_ = rules.decimal.value_or('.') == '.' && std::ranges::none_of(options_.na, is_number);
    if (delimiter_ != ' ') plain_end_ = delimiter_;
  }

  void parse() {
    const std::string_view text = block_.text.text;
    const std::size_t most_values = text.size() / kShortestField + n_slots_ + 1;
    if (scratch_.size() < most_values) scratch_.resize(most_values);
    next_row_ = scratch_.data();
    rows_.width = static_cast<Index>(n_slots_);
    const char* p = text.data();
    try {
      for (; p != text_end_; ++rows_.n_lines) {
        column_ = 0;
        const char* const begin = skip_spaces(p, delimiter_);
        p = at_line_end(begin) ? begin + (*begin == '\r' ? 2 : 1) : parse_row(p);
      }
    } catch (const BrokenField& broken) {
      rows_.error = TextError{here(), broken.message};
      return;
    }
    rows_.store_panel(scratch_.data());
    rows_.labels = labels_.distinct();
    for (std::size_t k = 0; k < words_.size(); ++k) {
      if (layout_.slots[k].is_words) block_.words.emplace(k, words_[k].distinct());
    }
  }

 private:
  [[nodiscard]] TextPosition here() const { return {rows_.n_lines, static_cast<Count>(column_)}; }

  // Returns the beginning of the next line.
  const char* parse_row(const char* p) {
    const std::size_t n_columns = layout_.role.size();
    const Index* const roles = layout_.role.data();
    for (;; ++p) {
      const Index role = roles[column_];
      p = role >= 0 ? parse_value(p, role) : parse_text(p, role);
      if (++column_ == n_columns || *p == '\n') break;
    }
    if (*p != '\n' || column_ != n_columns) refuse_row_length(p);
    next_row_ += n_slots_;
    ++rows_.n_rows;
    return p + 1;
  }

  // These return a pointer to the delimiter or '\n' after the field.
  [[gnu::always_inline]] inline const char* parse_value(const char* p, Index slot) {
    T& value = next_row_[slot];
    p = skip_spaces(p, delimiter_);
    const char* const end = parse_number(p, value);
    const bool is_whole = numbers_are_plain_ && end != nullptr && (*end == plain_end_ || *end == '\n');
    if (!is_whole || !std::isfinite(value)) [[unlikely]]
      return parse_other_value(p, end, slot);
    value += T{0};  // -0 becomes 0, as a zero that is not stored does
    return end;
  }

  // A number with spaces or a '\r' after it, or anything else; `end` is where a number at p ends, if there is one.
  [[gnu::noinline]] const char* parse_other_value(const char* p, const char* end, Index slot) {
    T& value = next_row_[slot];
    if (end != nullptr) end = skip_to_field_end(end, delimiter_);
    const bool is_whole = numbers_are_plain_ && end != nullptr && (*end == delimiter_ || *end == '\n');
    if (!is_whole || !std::isfinite(value)) {
      const CsvField field = read_field(p, text_end_, delimiter_, unescaped_);
      value = value_of(field.text, static_cast<std::size_t>(slot));
      rows_.n_lines += field.n_breaks;
      end = field.end;
    }
    value += T{0};
    return end;
  }

  const char* parse_text(const char* p, Index role) {
    const CsvField field = read_field(p, text_end_, delimiter_, unescaped_);
    const std::string_view text = field.text;
    if (text.find('\0') != text.npos) throw BrokenField{std::string(kNulByte)};
    if (role == kLabelColumn) {
      if (options_.labels_required && is_missing(text, options_.na)) {
        throw BrokenField{"missing value" + in_column() + "; expected a label"};
      }
      rows_.label_of_row.push_back(number_of(labels_, text));
    } else if (role == kIdColumn) {
      require_utf8(text);
      block_.sample_names.emplace_back(text);
    } else if (role == kGroupsColumn) {
      if (is_missing(text, options_.na))
        throw BrokenField{"missing value" + in_column() + "; expected a group"};
      require_utf8(text);
      block_.groups.emplace_back(text);
    } else if (role == kEmptyColumn) {
      if (!is_missing(text, options_.na))
        throw BrokenField{in_quotes(text) + " in a column without a name; expected a name in the first row"};
    } else if (role != kIgnoredColumn) {
      parse_word(text, static_cast<std::size_t>(slot_of_role(role)));
    }
    rows_.n_lines += field.n_breaks;
    return field.end;
  }

  void parse_word(std::string_view text, std::size_t slot) {
    if (is_missing(text, options_.na)) {
      next_row_[slot] = missing();
      return;
    }
    if (!layout_.slots[slot].is_any_text) note_word(text, slot);
    next_row_[slot] = static_cast<T>(number_of(words_[slot], text));
  }

  // Remembers the first word and the first number of a column that should have only one of them.
  void note_word(std::string_view text, std::size_t slot) {
    if (block_.first_word.contains(slot) && block_.first_number.contains(slot)) return;
    const bool is_number = decimal_hint(text) != MarkHint::no_number;
    (is_number ? block_.first_number : block_.first_word)
        .try_emplace(slot, FoundText{here(), std::string(text)});
  }

  [[nodiscard]] Index number_of(LabelTable& table, std::string_view text) {
    const std::size_t n_known = table.distinct().size();
    const Index number = table.number_of(text);
    if (table.distinct().size() > n_known) require_utf8(text);
    return number;
  }

  void require_utf8(std::string_view text) const {
    if (is_utf8(text)) return;
    throw BrokenField{in_quotes(text) + in_column() +
                      " is not UTF-8; expected the file in UTF-8 (iconv converts it)"};
  }

  [[nodiscard]] T missing() {
    if (block_.n_missing++ == 0) block_.first_missing = here();
    return std::numeric_limits<T>::quiet_NaN();
  }

  [[nodiscard]] T value_of(std::string_view field, std::size_t slot) {
    if (is_missing(field, options_.na)) return missing();
    if (field.find('\0') != field.npos) throw BrokenField{std::string(kNulByte)};
    std::optional<T> value = styled_number<T>(field, rules_.decimal.value_or('.'));
    if (!value && rules_.decimal != ',') value = number_in<T>(field);
    if (!rules_.decimal && field.find(',') != field.npos) {
      const MarkHint hint = decimal_hint(field);
      if (hint == MarkHint::comma) block_.has_decimal_comma = true;
      if (hint == MarkHint::either && !block_.unclear_comma)
        block_.unclear_comma = FoundText{here(), std::string(field)};
      if (hint == MarkHint::comma) return T{0};  // the block will be parsed again
    }
    if (value && std::isfinite(*value)) return *value;
    if (value) throw BrokenField{in_quotes(field) + in_column() + " too large; expected a finite number"};
    if (is_not_finite(field)) throw BrokenField{in_quotes(field) + in_column() + "; expected a finite number"};
    if (!layout_.slots[slot].is_sure) {
      note_word(field, slot);
      return T{0};  // likewise, as words
    }
    refuse_word(field);
  }

  [[noreturn]] void refuse_word(std::string_view field) const {
    const MarkHint hint = decimal_hint(field);
    if (hint == MarkHint::point || hint == MarkHint::comma) {
      throw BrokenField{in_quotes(field) + in_column() + ", though the decimal mark of other numbers is a " +
                        (hint == MarkHint::point ? "comma" : "point") + "; expected one mark in all numbers"};
    }
    throw BrokenField{
        in_quotes(field) + in_column() +
        "; expected a number (the option na takes a text for a missing value, words a column as words)"};
  }

  [[nodiscard]] std::string in_column() const { return rules_.names->in_column(static_cast<Index>(column_)); }

  [[noreturn]] void refuse_row_length(const char* p) {
    const std::size_t n_columns = layout_.role.size();
    std::size_t found = column_;
    for (std::string ignored; *p != '\n'; ++found) p = read_field(p + 1, text_end_, delimiter_, ignored).end;
    throw BrokenField{std::to_string(found) + (found == 1 ? " column" : " columns") + "; expected " +
                      std::to_string(n_columns) + " as in the first row"};
  }

  const CsvRules& rules_;
  const CsvLayout& layout_;
  const ReadOptions& options_;
  char delimiter_;
  std::size_t n_slots_;
  AlignedBuffer<T>& scratch_;
  CsvBlock<T>& block_;
  RowBlock<T>& rows_;
  const char* text_end_;
  bool numbers_are_plain_ = true;  // they may be read where they stand: no comma, and none means something else
  char plain_end_ = '\n';  // what may follow a number that is read where it stands, besides the end of the line
  LabelTable labels_;
  std::vector<LabelTable> words_;  // of each slot, where there are words
  T* next_row_ = nullptr;
  std::size_t column_ = 0;  // the one being read
  std::string unescaped_;
};

}  // namespace

template <class T>
void parse_csv_block(const CsvRules& rules, AlignedBuffer<T>& scratch, CsvBlock<T>& block) {
  CsvBlockParser<T>(rules, scratch, block).parse();
}

template void parse_csv_block(const CsvRules&, AlignedBuffer<double>&, CsvBlock<double>&);
template void parse_csv_block(const CsvRules&, AlignedBuffer<float>&, CsvBlock<float>&);

}  // namespace hsvm
