#include "hsvm/core/status.hpp"

#include <gtest/gtest.h>

#include <set>

namespace hsvm {
namespace {

template <class Enum, std::size_t size>
void expect_words_of_their_own(const std::array<std::string_view, size>& names) {
  EXPECT_EQ(std::set<std::string_view>(names.begin(), names.end()).size(), size);
  for (std::size_t k = 0; k < size; ++k) {
    const auto found = find_named<Enum>(names, to_string(static_cast<Enum>(k)));
    ASSERT_TRUE(found.has_value());
    EXPECT_EQ(static_cast<std::size_t>(*found), k);
  }
  EXPECT_FALSE(find_named<Enum>(names, "").has_value());
  EXPECT_FALSE(find_named<Enum>(names, "Converged").has_value());
}

TEST(Words, AreReadBackAsWhatTheyStandFor) {
  expect_words_of_their_own<Status>(kStatusNames);
  expect_words_of_their_own<Solver>(kSolverNames);
  expect_words_of_their_own<Stopping>(kStoppingNames);
}

}  // namespace
}  // namespace hsvm
