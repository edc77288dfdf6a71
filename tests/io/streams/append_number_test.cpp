#include "hsvm/io/streams/append_number.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <string>

namespace hsvm {
namespace {

template <class Number>
std::string text_of(Number number) {
  std::string text = "x";
  append_number(text, number);
  return text;
}

TEST(AppendNumber, WritesTheShortestForm) {
  EXPECT_EQ(text_of(0), "x0");
  EXPECT_EQ(text_of(-12), "x-12");
  EXPECT_EQ(text_of(0.1), "x0.1");
  EXPECT_EQ(text_of(0.1F), "x0.1");
  EXPECT_EQ(text_of(1e300), "x1e+300");
  EXPECT_EQ(text_of(-std::numeric_limits<double>::min()), "x-2.2250738585072014e-308");
}

}  // namespace
}  // namespace hsvm
