#include "hsvm/io/formats/number_style.hpp"

#include <algorithm>
#include <string>

#include "hsvm/io/streams/parse_number.hpp"

namespace hsvm {
namespace {

constexpr std::size_t kLongestStyled = 64;  // no number with marks is longer

// The size of the mark between thousands at the beginning of the text, other than '.' and ',': a space, an apostrophe, or one of
// the narrow spaces of Unicode; 0 where there is none.
std::size_t space_mark_size(std::string_view text) {
  if (text.starts_with(' ') || text.starts_with('\'')) return 1;
  if (text.starts_with("\xc2\xa0")) return 2;                                           // no-break space
  return text.starts_with("\xe2\x80\xaf") || text.starts_with("\xe2\x80\x89") ? 3 : 0;  // narrow, thin
}

std::size_t n_digits_of(std::string_view text) {
  std::size_t n = 0;
  while (n < text.size() && is_digit(text[n])) ++n;
  return n;
}

// A number in parts. Groups are what stands between marks before the decimal one.
struct NumberParts {
  std::string digits;  // sign and whole part, without marks
  int n_marks = 0;     // between thousands
  std::string_view rest;
};

// Reads sign and whole part, with `mark` (or a space) between thousands. None where groups are not of three digits.
std::optional<NumberParts> whole_part(std::string_view text, char mark) {
  NumberParts parts;
  if (text.starts_with('-') || text.starts_with('+')) {
    if (text.front() == '-') parts.digits = "-";
    text.remove_prefix(1);
  }
  for (std::size_t group = 0;; ++group) {
    const std::size_t n = n_digits_of(text);
    if (group > 0 && n != 3) return std::nullopt;
    parts.digits += text.substr(0, n);
    text.remove_prefix(n);
    const std::size_t size = text.starts_with(mark) ? 1 : space_mark_size(text);
    if (size == 0) break;
    if (group == 0 && (n == 0 || n > 3)) return std::nullopt;
    ++parts.n_marks;
    text.remove_prefix(size);
  }
  parts.rest = text;
  return parts;
}

}  // namespace

template <class T>
std::optional<T> styled_number(std::string_view field, char decimal) {
  if (field.size() > kLongestStyled) return std::nullopt;
  const std::optional<NumberParts> parts = whole_part(field, decimal == '.' ? ',' : '.');
  if (!parts) return std::nullopt;
  std::string plain = parts->digits;
  if (parts->rest.starts_with(decimal)) {
    plain += '.';
    plain += parts->rest.substr(1);
  } else {
    plain += parts->rest;
  }
  return number_in<T>(plain);
}

template std::optional<double> styled_number(std::string_view field, char decimal);
template std::optional<float> styled_number(std::string_view field, char decimal);

MarkHint decimal_hint(std::string_view field) {
  if (field.size() > kLongestStyled) return number_in<double>(field) ? MarkHint::point : MarkHint::no_number;
  const bool as_point = styled_number<double>(field, '.').has_value();
  const bool as_comma = styled_number<double>(field, ',').has_value();
  if (!as_point && !as_comma) return MarkHint::no_number;
  if (as_point != as_comma) return as_point ? MarkHint::point : MarkHint::comma;
  if (field.find_first_of(".,") == field.npos) return MarkHint::none;
  // 0.125 and 0,125: nobody writes a thousand like that.
  const std::size_t first = field.find_first_not_of("+-");
  if (field.substr(first).starts_with("0.")) return MarkHint::point;
  if (field.substr(first).starts_with("0,")) return MarkHint::comma;
  // 1.234 is far more often a number with three decimals; 1,234 is what the table must decide.
  return field.find(',') == field.npos ? MarkHint::none : MarkHint::either;
}

}  // namespace hsvm
