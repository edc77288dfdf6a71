#include "hsvm/data/row_search.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <tuple>
#include <vector>

#include "hsvm/core/random.hpp"

namespace hsvm {
namespace {

// As a plain search does, wherever the entries are: spread evenly, at one end, or none at all.
TEST(RowSearch, FindsWhatAPlainSearchFinds) {
  constexpr Index kRows = 3000;
  Random random(5);
  for (const auto& [begin, end, share] :
       {std::tuple(0, kRows, 2), {0, kRows, 50}, {0, 300, 1}, {2700, kRows, 1}, {0, 0, 1}}) {
    std::vector<Index> rows;
    for (Index i = begin; i < end; ++i) {
      if (random.below(static_cast<std::uint64_t>(share)) == 0) rows.push_back(i);
    }
    for (Index row = 0; row <= kRows; ++row) {
      const auto expected = static_cast<std::size_t>(std::ranges::lower_bound(rows, row) - rows.begin());
      ASSERT_EQ(detail::first_at(rows, row, kRows), expected) << row;
      for (const std::size_t at : {std::size_t{0}, expected / 2, expected})
        ASSERT_EQ(detail::first_from(rows, at, row), expected) << row << " from " << at;
    }
  }
}

}  // namespace
}  // namespace hsvm
