#include "hsvm/penalty/half_ranges.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "hsvm/core/random.hpp"
#include "hsvm/penalty/row_problem.hpp"

namespace hsvm {
namespace {

// Whole groups of four rows and what is left of them, classes likewise, from any row on.
TEST(HalfRanges, AreThoseOfEachRowToTheBit) {
  Random random(1);
  for (const Index n_classes : {2, 3, 4, 5, 8, 11}) {
    ClassMatrix z(11, n_classes);
    for (Index j = 0; j < z.rows(); ++j) {
      for (double& value : z.row(j)) value = random.normal() - 3.0;  // what pads a row must not be its largest
    }
    for (const Index first : {0, 1, 4}) {
      std::vector<double> found(static_cast<std::size_t>(z.rows() - first));
      half_ranges(z, first, found);
      for (std::size_t k = 0; k < found.size(); ++k)
        EXPECT_EQ(found[k], half_range(z.row(first + static_cast<Index>(k))))
            << n_classes << " " << first << " " << k;
    }
  }
}

}  // namespace
}  // namespace hsvm
