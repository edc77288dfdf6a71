#include "hsvm/core/option_info.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <optional>
#include <string>

namespace hsvm {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
const double kNan = std::numeric_limits<double>::quiet_NaN();

std::string message(const Range& range, double value) {
  try {
    RangeCheck{}(OptionInfo{"width", "help", range}, value);
  } catch (const OptionError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(Range, EndsAreInOrOut) {
  const double above_one = std::nextafter(1.0, 2.0);
  const double below_one = std::nextafter(1.0, 0.0);
  EXPECT_TRUE(at_least(1).contains(1.0));
  EXPECT_FALSE(at_least(1).contains(below_one));
  EXPECT_FALSE(above(1).contains(1.0));
  EXPECT_TRUE(above(1).contains(above_one));
  EXPECT_TRUE(between(0, 1).contains(0.0));
  EXPECT_TRUE(between(0, 1).contains(1.0));
  EXPECT_FALSE(between(0, 1).contains(above_one));
  EXPECT_FALSE(between(0, 1).contains(-std::numeric_limits<double>::denorm_min()));
  const Range half_open{.low = 0, .high = 1, .low_included = true, .high_included = false};
  EXPECT_TRUE(half_open.contains(0.0));
  EXPECT_TRUE(half_open.contains(below_one));
  EXPECT_FALSE(half_open.contains(1.0));
}

TEST(Range, InfinityIsInOnlyWhereItIsAskedFor) {
  EXPECT_FALSE(at_least(0).contains(kInfinity));
  EXPECT_FALSE(above(0).contains(kInfinity));
  EXPECT_FALSE(between(0, 1).contains(kInfinity));
  EXPECT_TRUE(above_or_infinite(0).contains(kInfinity));
  EXPECT_FALSE(above_or_infinite(0).contains(0.0));
  EXPECT_TRUE(at_least(0).contains(std::numeric_limits<double>::max()));
}

TEST(Range, NothingContainsNan) {
  EXPECT_FALSE(Range{}.contains(kNan));
  EXPECT_FALSE(at_least(0).contains(kNan));
  EXPECT_FALSE(above(0).contains(kNan));
  EXPECT_FALSE(between(0, 1).contains(kNan));
}

TEST(Range, DescribesItself) {
  EXPECT_EQ(at_least(0).describe(), "at least 0");
  EXPECT_EQ(above(0).describe(), "greater than 0");
  EXPECT_EQ(between(0, 1).describe(), "at least 0 and at most 1");
  EXPECT_EQ((Range{.low = 0, .high = 1, .low_included = false, .high_included = false}.describe()),
            "greater than 0 and less than 1");
  EXPECT_EQ(Range{.high = 2.5}.describe(), "at most 2.5");
  EXPECT_EQ(Range{}.describe(), "a number");
}

TEST(RangeCheck, NamesTheOptionItsValueAndTheRange) {
  EXPECT_EQ(message(above(0), 0.0), "width 0: must be greater than 0");
  EXPECT_EQ(message(at_least(0), -0.5), "width -0.5: must be at least 0");
  EXPECT_EQ(message(between(0, 1), 1.5), "width 1.5: must be at least 0 and at most 1");
  EXPECT_EQ(message(at_least(0), kNan), "width nan: must be at least 0");
  EXPECT_EQ(message(at_least(0), kInfinity), "width inf: must be at least 0 and finite");
  EXPECT_EQ(message(between(0, 1), kInfinity), "width inf: must be at least 0 and at most 1");
  EXPECT_EQ(message(above_or_infinite(0), kInfinity), "accepted");
  EXPECT_EQ(message(at_least(0), 0.0), "accepted");
  EXPECT_EQ(message(between(0, 1), 1.0), "accepted");
  EXPECT_EQ(message(above(0), 1e-300), "accepted");
}

TEST(RangeCheck, LooksAtNumbersOnly) {
  const OptionInfo info{"width", "help", above(0)};
  EXPECT_NO_THROW(RangeCheck{}(info, false));
  EXPECT_NO_THROW(RangeCheck{}(info, std::string("-1")));
  EXPECT_NO_THROW(RangeCheck{}(info, std::optional<double>()));
  EXPECT_THROW(RangeCheck{}(info, std::optional<double>(-1.0)), OptionError);
  EXPECT_THROW(RangeCheck{}(info, 0), OptionError);
  EXPECT_THROW(RangeCheck{}(info, -kInfinity), OptionError);
}

}  // namespace
}  // namespace hsvm
