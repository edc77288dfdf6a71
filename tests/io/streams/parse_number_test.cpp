#include "hsvm/io/streams/parse_number.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <optional>
#include <string>

#include "hsvm/core/random.hpp"

namespace hsvm {
namespace {

template <class T>
T reference(const char* text) {
  if constexpr (std::is_same_v<T, float>) {
    return std::strtof(text, nullptr);
  } else {
    return std::strtod(text, nullptr);
  }
}

template <class T>
void expect_same(const std::string& text) {
  std::string padded = text + " ";
  padded.append(kTextPadding, '9');  // what is read beyond the number must not matter
  T value = 0;
  const char* const end = parse_number(padded.c_str(), value);
  ASSERT_EQ(end, padded.data() + text.size()) << text;
  const T expected = reference<T>(text.c_str());
  using Bits = std::conditional_t<std::is_same_v<T, float>, std::uint32_t, std::uint64_t>;
  ASSERT_EQ(std::bit_cast<Bits>(value), std::bit_cast<Bits>(expected)) << text << " gave " << value;
}

void expect_same_both(const std::string& text) {
  expect_same<double>(text);
  expect_same<float>(text);
}

std::string random_digits(Random& random, std::uint64_t n) {
  std::string digits;
  for (std::uint64_t k = 0; k < n; ++k) digits += static_cast<char>('0' + random.below(10));
  return digits;
}

TEST(ParseNumber, ReadsOrdinaryForms) {
  for (const char* text : {"0",
                           "-0",
                           "+0",
                           "1",
                           "+1",
                           "-1",
                           "7.",
                           ".5",
                           "-.5",
                           "+.25",
                           "0.04381",
                           "1.000000",
                           "1e5",
                           "1E5",
                           "1e+05",
                           "1e-05",
                           "-2.5e-3",
                           "00012",
                           "000.1",
                           "12345678",
                           "123456789",
                           "1234567890123456789",
                           "0.12345678",
                           "0.123456789",
                           "0.1234567890123456",
                           "9007199254740992",
                           "9007199254740993",
                           "9007199254740993.0",
                           "1234567.123456789012",
                           "0.00000000000000000000000000000001",
                           "0e999",
                           "0.0e-999",
                           "1e22",
                           "1e23",
                           "1e-22",
                           "1e-23"}) {
    expect_same_both(text);
  }
}

TEST(ParseNumber, ReadsTheEndsOfTheRange) {
  for (const char* text : {"1.7976931348623157e308",
                           "1.7976931348623159e308",
                           "1e309",
                           "-1e309",
                           "1e999999999999999999999",
                           "4.9e-324",
                           "2.4e-324",
                           "2.5e-324",
                           "1e-400",
                           "-1e-400",
                           "1e-99999999999999999999",
                           "2.2250738585072011e-308",
                           "2.2250738585072014e-308",
                           "3.4028235e38",
                           "3.4028236e38",
                           "1e39",
                           "1.4e-45",
                           "0.7e-45",
                           "1.1754943e-38",
                           "1.17549435e-38",
                           "5e-39",
                           "1e-60"}) {
    expect_same_both(text);
  }
}

TEST(ParseNumber, RefusesWhatIsNoNumber) {
  for (std::string text : {"", "-", "+", ".", "-.", "e5", "nan", "inf", "-inf", "x", "+-1", "--1", " 1"}) {
    text.append(kTextPadding, '\0');
    double value = 0;
    EXPECT_EQ(parse_number(text.c_str(), value), nullptr) << text;
  }
}

TEST(ParseNumber, StopsWhereTheNumberEnds) {
  const auto length = [](std::string text) {
    text.append(kTextPadding, '\0');
    double value = 0;
    return parse_number(text.c_str(), value) - text.c_str();
  };
  EXPECT_EQ(length("1.2.3"), 3);
  EXPECT_EQ(length("1e"), 1);
  EXPECT_EQ(length("1e+"), 1);
  EXPECT_EQ(length("0x10"), 1);
  EXPECT_EQ(length("12,5"), 2);
  EXPECT_EQ(length("0.5:"), 3);
}

TEST(ParseNumber, EqualsTheStandardOnRandomDecimals) {
  Random random(2024);
  for (int trial = 0; trial < 300'000; ++trial) {
    std::string text = random.below(3) == 0 ? "-" : "";
    const std::uint64_t longest = trial % 5 == 0 ? 40 : 9;
    text += random_digits(random, 1 + random.below(longest));
    if (random.below(4) != 0) text.append(".").append(random_digits(random, random.below(longest + 1)));
    if (random.below(4) == 0) {
      const std::uint64_t range = trial % 2 == 0 ? 30 : 330;
      text.append(random.below(2) == 0 ? "e-" : "e").append(std::to_string(random.below(range)));
    }
    ASSERT_NO_FATAL_FAILURE(expect_same_both(text));
  }
}

TEST(ParseNumber, EqualsTheStandardOnRandomBits) {
  Random random(7);
  for (int trial = 0; trial < 100'000; ++trial) {
    const auto value = std::bit_cast<double>(random.bits());
    if (!std::isfinite(value)) continue;
    char text[64];
    const auto [end, error] = std::to_chars(text, text + sizeof(text), value);
    ASSERT_NO_FATAL_FAILURE(expect_same_both(std::string(text, end)));
    const auto small = std::bit_cast<float>(static_cast<std::uint32_t>(random.bits()));
    if (!std::isfinite(small)) continue;
    const auto [small_end, small_error] = std::to_chars(text, text + sizeof(text), small);
    ASSERT_NO_FATAL_FAILURE(expect_same_both(std::string(text, small_end)));
  }
}

TEST(ParseNumber, RoundsHalfwayCases) {
  Random random(11);
  char text[1200];
  for (int trial = 0; trial < 20'000; ++trial) {
    // Just between two neighbouring doubles, in full, and a little to either side of it.
    const double below = std::ldexp(1.0 + random.uniform(), static_cast<int>(random.below(80)) - 40);
    const long double middle =
        (static_cast<long double>(below) + static_cast<long double>(std::nextafter(below, 1e300))) / 2;
    std::snprintf(text, sizeof(text), "%.120Lf", middle);
    ASSERT_NO_FATAL_FAILURE(expect_same<double>(text));
    ASSERT_NO_FATAL_FAILURE(expect_same<double>(std::string(text) + "1"));
    // The same for floats: short enough for the fast path of doubles.
    const auto single =
        static_cast<float>(std::ldexp(1.0 + random.uniform(), static_cast<int>(random.below(20))));
    const double half = (static_cast<double>(single) + static_cast<double>(std::nextafter(single, 1e30F))) / 2;
    std::snprintf(text, sizeof(text), "%.30f", half);
    ASSERT_NO_FATAL_FAILURE(expect_same<float>(text));
    std::snprintf(text, sizeof(text), "%.12f", half);
    ASSERT_NO_FATAL_FAILURE(expect_same<float>(text));
    ASSERT_NO_FATAL_FAILURE(expect_same<float>(std::string(text) + "000000000000000000001"));
  }
}

// As tables have them: %.17g of R and C, all digits of %.18e as NumPy writes it, and what is cut or padded by hand.
TEST(ParseNumber, ReadsAllDigitsOfADouble) {
  Random random(5);
  char text[64];
  for (int trial = 0; trial < 200'000; ++trial) {
    const double size = std::exp((random.uniform() - 0.5) * (trial % 4 == 0 ? 100.0 : 8.0));
    const double value = random.below(2) == 0 ? -size : size;
    const char* const form = trial % 3 == 0 ? "%.17g" : trial % 3 == 1 ? "%.18e" : "%.16g";
    std::snprintf(text, sizeof(text), form, value);
    ASSERT_NO_FATAL_FAILURE(expect_same_both(text));
    std::snprintf(text, sizeof(text), "%.*f", static_cast<int>(random.below(26)), value);
    ASSERT_NO_FATAL_FAILURE(expect_same_both(text));
  }
}

TEST(ParseNumber, RoundsNextToHalves) {
  Random random(6);
  char text[1200];
  for (int trial = 0; trial < 30'000; ++trial) {
    // The middle of two neighbours, cut after so many digits; then one more or less in the last of them.
    const double below = std::ldexp(1.0 + random.uniform(), static_cast<int>(random.below(60)) - 30);
    const long double middle =
        (static_cast<long double>(below) + static_cast<long double>(std::nextafter(below, 1e300))) / 2;
    std::snprintf(text, sizeof(text), "%.*Le", 14 + static_cast<int>(random.below(10)), middle);
    const std::string cut = text;
    const std::size_t last = cut.find('e') - 1;
    for (const int step : {-1, 0, 1}) {
      std::string near = cut;
      if (near[last] + step < '0' || near[last] + step > '9') continue;
      near[last] = static_cast<char>(near[last] + step);
      ASSERT_NO_FATAL_FAILURE(expect_same<double>(near));
      near.insert(last + 1, random_digits(random, random.below(12)));
      ASSERT_NO_FATAL_FAILURE(expect_same<double>(near));
    }
  }
}

TEST(ParseNumber, ReadsZerosOnEitherSide) {
  Random random(9);
  for (int trial = 0; trial < 30'000; ++trial) {
    const std::string zeros(random.below(30), '0');
    const std::string digits = random_digits(random, 1 + random.below(22));
    ASSERT_NO_FATAL_FAILURE(expect_same_both(zeros + digits));
    ASSERT_NO_FATAL_FAILURE(expect_same_both(digits + zeros));
    ASSERT_NO_FATAL_FAILURE(expect_same_both("-0." + zeros + digits));
    ASSERT_NO_FATAL_FAILURE(expect_same_both(zeros + digits + "." + digits + zeros));
    ASSERT_NO_FATAL_FAILURE(expect_same_both("0." + zeros));
  }
}

// Subnormal numbers and the largest ones, with few and with many digits.
TEST(ParseNumber, ReadsNumbersAtTheEndsOfTheRange) {
  Random random(10);
  for (int trial = 0; trial < 40'000; ++trial) {
    const int exponents[] = {-345, -308, 308, -46, -38, 38};
    const int exponent = exponents[random.below(6)] + static_cast<int>(random.below(7)) - 3;
    const std::string digits = random_digits(random, 1 + random.below(21));
    ASSERT_NO_FATAL_FAILURE(
        expect_same_both(digits.substr(0, 1) + "." + digits.substr(1) + "e" + std::to_string(exponent)));
  }
}

TEST(ParseNumber, DoesNotDependOnTheLocale) {
  // A comma is no decimal point, whatever the user's language; std::from_chars knows none, and nothing else is
  // used.
  std::string text = "1,5";
  text.append(kTextPadding, '\0');
  double value = 0;
  EXPECT_EQ(parse_number(text.c_str(), value), text.c_str() + 1);
  EXPECT_EQ(value, 1.0);
}

}  // namespace
}  // namespace hsvm
