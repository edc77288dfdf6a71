// Decimal numbers, read exactly: the nearest double (or float) to what is written, as std::from_chars gives it, but
// several times faster for the short numbers that data files are full of.
//
//   number = [+-] (digits [. [digits]] | . digits) [(e|E) [+-] digits]
//
// Digits are taken eight at a time: a word of text is turned into its digit values, shifted so that what follows the
// digits falls out, and summed by three multiplications. A mantissa m <= 2^53 with a power of ten <= 10^22 needs one
// correctly rounded division; up to 19 digits need a product or two (nearest_number.hpp); all else goes to std::from_chars.
// Words such as nan, inf and 0x1p3 are no numbers here.
//
// parse_number reads up to kTextPadding bytes beyond the last byte it uses: the text must be followed by as many.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <optional>
#include <string_view>
#include <type_traits>

#include "hsvm/core/types.hpp"
#include "hsvm/io/streams/nearest_number.hpp"

namespace hsvm {

inline constexpr std::size_t kTextPadding = 16;

inline constexpr auto kIntegerPowersOfTen = [] {
  std::array<std::uint64_t, 20> powers = {1};
  for (std::size_t k = 1; k < powers.size(); ++k) powers[k] = 10 * powers[k - 1];
  return powers;
}();
inline constexpr double kPowersOfTen[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                          1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                          1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
inline constexpr std::uint64_t kExactMantissa = std::uint64_t{1} << 53;
inline constexpr int kExactPowerOfTen = 22;
inline constexpr unsigned kMantissaDigits = 19;  // as many fit in 64 bits

[[nodiscard]] inline bool is_digit(char c) {
  return static_cast<unsigned char>(c - '0') < 10;
}

// Eight bytes of text, the first in the lowest byte.
[[nodiscard]] inline std::uint64_t load_word(const char* text) {
  std::uint64_t word;
  std::memcpy(&word, text, sizeof(word));
  if constexpr (std::endian::native == std::endian::big) word = __builtin_bswap64(word);
  return word;
}

// The number of digits a word begins with, 0 to 8.
[[nodiscard]] inline unsigned count_digits(std::uint64_t word) {
  const std::uint64_t values = word ^ 0x3030303030303030U;  // digits become 0 .. 9
  // The top bit of each byte above 9. A carry out of such a byte spoils only bytes after it; the first one counts.
  const std::uint64_t others = ((values + 0x7676767676767676U) | values) & 0x8080808080808080U;
  return static_cast<unsigned>(std::countr_zero(others)) / 8;
}

// The value of the first `n` digits of a word, 1 <= n <= 8.
[[nodiscard]] inline std::uint64_t digits_value(std::uint64_t word, unsigned n) {
  word = (word ^ 0x3030303030303030U) << (64 - 8 * n);  // leading zeros before the n digits
  word = word * 10 + (word >> 8);                       // pairs of digits, in every other byte
  return (((word & 0x000000ff000000ffU) * 0x000f424000000064U) +
          (((word >> 16) & 0x000000ff000000ffU) * 0x0000271000000001U)) >>
         32;
}

namespace detail {
template <class T>
const char* parse_any_number(const char* text, T& value);
extern template const char* parse_any_number(const char* text, double& value);
extern template const char* parse_any_number(const char* text, float& value);

// Whether rounding a number first to double and then to T gives what rounding it once would. A double halfway between
// two floats may be there only by rounding, and small floats have fewer bits.
template <class T>
[[nodiscard]] bool rounds_once(double value) {
  if constexpr (std::is_same_v<T, float>) {
    constexpr std::uint64_t kBelowFloat = (std::uint64_t{1} << 29) - 1;
    const double size = value < 0.0 ? -value : value;
    return (std::bit_cast<std::uint64_t>(value) & kBelowFloat) != (std::uint64_t{1} << 28) &&
           (size >= static_cast<double>(std::numeric_limits<float>::min()) || value == 0.0);
  } else {
    return true;
  }
}
}  // namespace detail

// Reads the number that `text` begins with. Returns a pointer to the byte after it, or null where there is none. A
// number that is too large becomes infinite, one that is too small zero.
template <class T>
[[nodiscard]] inline const char* parse_number(const char* text, T& value) {
  // Short forms, [-]ddd[.ddd]. How many digits there are varies from number to number: that is computed, not branched
  // on. What rarely varies is left to branch prediction, which shortens the chain of computations.
  const char* p = text;
  const bool negative = *p == '-';
  if (negative) ++p;
  std::uint64_t mantissa = static_cast<std::uint64_t>(*p - '0');
  unsigned n_whole = 1;
  if (!is_digit(p[0]) || is_digit(p[1])) {
    const std::uint64_t whole = load_word(p);
    n_whole = count_digits(whole);
    if (n_whole - 1 >= 7) return detail::parse_any_number(text, value);
    mantissa = digits_value(whole, n_whole);
  }
  p += n_whole;
  unsigned n_fraction = 0;
  if (*p == '.') {
    const std::uint64_t fraction = load_word(++p);
    n_fraction = count_digits(fraction);
    if (n_fraction == 0) return detail::parse_any_number(text, value);
    mantissa = mantissa * kIntegerPowersOfTen[n_fraction] + digits_value(fraction, n_fraction);
    p += n_fraction;
    if (n_fraction == 8 && is_digit(*p)) {
      const std::uint64_t rest = load_word(p);
      const unsigned n_rest = count_digits(rest);
      if (n_whole + 8 + n_rest > kMantissaDigits) return detail::parse_any_number(text, value);
      mantissa = mantissa * kIntegerPowersOfTen[n_rest] + digits_value(rest, n_rest);
      p += n_rest;
      n_fraction += n_rest;
      // 15 to 17 digits after some zeros, as printed by %.17g. There are none or a few: computed, not branched on.
      if (n_rest == 8) {
        const std::uint64_t last = load_word(p);
        const unsigned n_last = count_digits(last);
        if (n_last == 8 || mantissa >= kIntegerPowersOfTen[kMantissaDigits - n_last])
          return detail::parse_any_number(text, value);
        mantissa = mantissa * kIntegerPowersOfTen[n_last] + digits_value((last << 8) | '0', n_last + 1);
        p += n_last;
        n_fraction += n_last;
      }
    }
  }
  if ((*p | 0x20) == 'e') return detail::parse_any_number(text, value);
  if (mantissa <= kExactMantissa && n_fraction <= kExactPowerOfTen) {
    const double size = static_cast<double>(mantissa) / kPowersOfTen[n_fraction];
    if (!detail::rounds_once<T>(size)) return detail::parse_any_number(text, value);
    value = static_cast<T>(negative ? -size : size);
    return p;
  }
  if (mantissa == 0 || !nearest_number(mantissa, -static_cast<std::int64_t>(n_fraction), value))
    return detail::parse_any_number(text, value);
  if (negative) value = -value;
  return p;
}

// The number that a text consists of; none where the text is something else. `text` needs no padding.
template <class T>
[[nodiscard]] std::optional<T> number_in(std::string_view text);
extern template std::optional<double> number_in(std::string_view text);
extern template std::optional<float> number_in(std::string_view text);
// The same for whole numbers, which have no + before them.
[[nodiscard]] std::optional<Index> integer_in(std::string_view text);

}  // namespace hsvm
