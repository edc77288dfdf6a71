#include "hsvm/io/streams/nearest_number.hpp"

#include <gtest/gtest.h>

#include <charconv>
#include <cmath>
#include <limits>
#include <string>
#include <system_error>

#include "hsvm/core/random.hpp"

namespace hsvm {
namespace {

// m * 10^power as the standard library reads it; none outside the range of normal numbers.
template <class T>
bool standard_nearest(std::uint64_t m, std::int64_t power, T& value) {
  char text[64];
  char* end = std::to_chars(text, text + sizeof(text), m).ptr;
  *end++ = 'e';
  end = std::to_chars(end, text + sizeof(text), power).ptr;
  return std::from_chars(text, end, value).ec == std::errc() && std::isnormal(value);
}

struct AnswerCounts {
  int n_normal = 0;
  int n_answered = 0;
};

// Where there is an answer it must be right, and it must be a normal number.
template <class T>
void check_answer(std::uint64_t m, std::int64_t power, AnswerCounts& counts) {
  T expected = 0;
  T value = 0;
  const bool is_normal = standard_nearest(m, power, expected);
  const bool is_answered = nearest_number(m, power, value);
  if (is_normal) ++counts.n_normal;
  if (!is_answered) return;
  ++counts.n_answered;
  ASSERT_TRUE(is_normal) << m << "e" << power;
  ASSERT_EQ(value, expected) << m << "e" << power;
}

template <class T>
class NearestNumber : public testing::Test {};
using Numbers = testing::Types<double, float>;
TYPED_TEST_SUITE(NearestNumber, Numbers);

TYPED_TEST(NearestNumber, EqualsTheStandardWhereItAnswers) {
  Random random(3);
  AnswerCounts counts;
  for (int trial = 0; trial < 400'000; ++trial) {
    const std::uint64_t m = (random.bits() >> random.below(64)) | 1;
    const std::int64_t range = trial % 2 == 0 ? 25 : 360;
    const std::int64_t power = static_cast<std::int64_t>(random.below(2 * range + 1)) - range;
    ASSERT_NO_FATAL_FAILURE(check_answer<TypeParam>(m, power, counts));
  }
  // All but exact halves and the largest binade are answered.
  EXPECT_GT(counts.n_answered, 0.99 * counts.n_normal);
}

// m 10^power next to the middle of two neighbours, and on it where 64 bits hold it.
TYPED_TEST(NearestNumber, IsRightNextToMiddles) {
  constexpr int kDigits = std::numeric_limits<TypeParam>::digits;
  Random random(4);
  AnswerCounts counts;
  for (int trial = 0; trial < 60'000; ++trial) {
    const std::int64_t power = static_cast<std::int64_t>(random.below(60)) - 40;
    // An odd number of half units in the last place, at about 10^18 10^power.
    const std::uint64_t odd =
        (std::uint64_t{1} << kDigits) + 2 * random.below(std::uint64_t{1} << (kDigits - 1)) + 1;
    const long double scale = std::pow(10.0L, static_cast<long double>(power));
    const int exponent = std::ilogb(1e18L * scale) - kDigits;
    const long double middle = std::ldexp(static_cast<long double>(odd), exponent) / scale;
    const auto m = static_cast<std::uint64_t>(middle);
    for (std::uint64_t near = m - 3; near != m + 4; ++near)
      ASSERT_NO_FATAL_FAILURE(check_answer<TypeParam>(near, power, counts));
  }
  EXPECT_GT(counts.n_answered, 0.8 * counts.n_normal);
}

TYPED_TEST(NearestNumber, LeavesExactHalvesAlone) {
  constexpr std::uint64_t kOneMore = (std::uint64_t{1} << std::numeric_limits<TypeParam>::digits) + 1;
  TypeParam value = 0;
  EXPECT_FALSE(nearest_number(kOneMore, 0, value));
  EXPECT_FALSE(nearest_number(10 * kOneMore, -1, value));
  ASSERT_TRUE(nearest_number(10 * kOneMore + 1, -1, value));
  EXPECT_EQ(value, static_cast<TypeParam>(kOneMore + 1));
  ASSERT_TRUE(nearest_number(10 * kOneMore - 1, -1, value));
  EXPECT_EQ(value, static_cast<TypeParam>(kOneMore - 1));
}

TYPED_TEST(NearestNumber, LeavesTheEndsOfTheRangeAlone) {
  TypeParam value = 0;
  const std::int64_t far_powers[] = {-100'000'000'000, -2000, -343, -342, 309, 2000, 100'000'000'000};
  for (const std::int64_t power : far_powers) EXPECT_FALSE(nearest_number(1, power, value)) << power;
  const bool is_double = sizeof(TypeParam) == sizeof(double);
  // Just below the normal numbers.
  EXPECT_FALSE(nearest_number(is_double ? 22250738585072009 : 11754942, is_double ? -324 : -45, value));
  EXPECT_FALSE(nearest_number(5, is_double ? -324 : -45, value));
  EXPECT_FALSE(nearest_number(18, is_double ? 307 : 38, value));
  ASSERT_TRUE(nearest_number(3, is_double ? -308 : -38, value));
  EXPECT_EQ(value, static_cast<TypeParam>(is_double ? 3e-308 : 3e-38));
}

}  // namespace
}  // namespace hsvm
