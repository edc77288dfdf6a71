#include "hsvm/io/streams/parse_number.hpp"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <string>
#include <system_error>

namespace hsvm {
namespace detail {
namespace {

// Larger ones are cut to it: no text has as many digits.
constexpr std::int64_t kHugeExponent = 1'000'000'000'000;

// A number taken apart: mantissa * 10^power <= value <= (mantissa + 1) * 10^power, equal to the left side where all
// significant digits fit the mantissa.
struct Parts {
  const char* begin = nullptr;  // after the sign
  const char* end = nullptr;    // null: not a number
  bool negative = false;
  bool fits = true;  // all digits are in the mantissa
  std::uint64_t mantissa = 0;
  std::int64_t power = 0;      // of ten
  std::int64_t magnitude = 0;  // 0.1 <= value / 10^magnitude < 1, unless the value is 0
};

// Reads a run of digits into the mantissa, eight at a time while they fit. Returns how many there were.
std::int64_t take_digits(const char*& p, Parts& parts) {
  const char* const begin = p;
  constexpr std::uint64_t kRoomForEight = kIntegerPowersOfTen[kMantissaDigits - 8];
  for (std::uint64_t word = load_word(p); parts.mantissa < kRoomForEight && count_digits(word) == 8;
       word = load_word(p)) {
    parts.mantissa = parts.mantissa * kIntegerPowersOfTen[8] + digits_value(word, 8);
    p += 8;
  }
  for (; is_digit(*p); ++p) {
    if (parts.mantissa < kIntegerPowersOfTen[kMantissaDigits - 1]) {
      parts.mantissa = parts.mantissa * 10 + static_cast<std::uint64_t>(*p - '0');
    } else {
      parts.fits = parts.fits && *p == '0';
      ++parts.power;
    }
  }
  return p - begin;
}

// The number of digits of a mantissa.
std::int64_t n_decimal_digits(std::uint64_t mantissa) {
  return std::ranges::upper_bound(kIntegerPowersOfTen, mantissa) - kIntegerPowersOfTen.begin();
}

Parts take_apart(const char* p) {
  Parts parts;
  parts.negative = *p == '-';
  if (*p == '-' || *p == '+') ++p;
  parts.begin = p;
  std::int64_t n_digits = take_digits(p, parts);
  if (*p == '.') {
    ++p;
    const std::int64_t n_fraction = take_digits(p, parts);
    parts.power -= n_fraction;
    n_digits += n_fraction;
  }
  if (n_digits == 0) return parts;
  if ((*p | 0x20) == 'e') {
    const char* q = p + 1;
    const bool negative = *q == '-';
    if (*q == '-' || *q == '+') ++q;
    if (is_digit(*q)) {
      std::int64_t exponent = 0;
      for (; is_digit(*q); ++q) exponent = std::min(kHugeExponent, exponent * 10 + (*q - '0'));
      parts.power += negative ? -exponent : exponent;
      p = q;
    }
  }
  parts.end = p;
  parts.magnitude = parts.power + n_decimal_digits(parts.mantissa);
  return parts;
}

// True where `size` is now the nearest number: exact operations, or products that are sure; of more digits than fit, where both
// ends of what they may be are nearest to the same number.
template <class T>
bool nearest_to(const Parts& parts, T& size) {
  if (parts.fits && parts.mantissa <= kExactMantissa && std::abs(parts.power) <= kExactPowerOfTen) {
    const auto mantissa = static_cast<double>(parts.mantissa);
    const double exact =
        parts.power < 0 ? mantissa / kPowersOfTen[-parts.power] : mantissa * kPowersOfTen[parts.power];
    size = static_cast<T>(exact);
    if (rounds_once<T>(exact)) return true;
  }
  if (!nearest_number(parts.mantissa, parts.power, size)) return false;
  T above = size;
  return parts.fits || (nearest_number(parts.mantissa + 1, parts.power, above) && above == size);
}

}  // namespace

template <class T>
const char* parse_any_number(const char* text, T& value) {
  const Parts parts = take_apart(text);
  if (parts.end == nullptr) return nullptr;

  T size = 0;
  const bool done = parts.mantissa == 0 || nearest_to(parts, size);
  if (!done) {
    const auto [end, error] = std::from_chars(parts.begin, parts.end, size);
    if (error == std::errc::result_out_of_range)
      size = parts.magnitude > 0 ? std::numeric_limits<T>::infinity() : T{0};
  }
  value = parts.negative ? -size : size;
  return parts.end;
}

template const char* parse_any_number(const char* text, double& value);
template const char* parse_any_number(const char* text, float& value);

}  // namespace detail

template <class T>
std::optional<T> number_in(std::string_view text) {
  std::string padded(text);
  padded.append(kTextPadding, '\0');
  T value = 0;
  if (parse_number(padded.c_str(), value) != padded.data() + text.size()) return std::nullopt;
  return value;
}

template std::optional<double> number_in(std::string_view text);
template std::optional<float> number_in(std::string_view text);

std::optional<Index> integer_in(std::string_view text) {
  Index number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size() ? std::optional(number) : std::nullopt;
}

}  // namespace hsvm
