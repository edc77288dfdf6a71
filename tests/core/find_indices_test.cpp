#include "hsvm/core/find_indices.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "hsvm/core/random.hpp"

namespace hsvm {
namespace {

// From none to all, in vectors of whole blocks and of what is left of them, longer than what is kept on the way.
TEST(FindIndices, FindsWhatALoopFinds) {
  Random random(1);
  for (const std::size_t size : {0, 1, 15, 16, 17, 255, 256, 257, 1000}) {
    std::vector<double> x(size), y(size);
    for (std::size_t j = 0; j < size; ++j) {
      x[j] = random.normal();
      y[j] = random.uniform();
    }
    for (const double limit : {-1.0, 0.0, 0.5, 2.0, 100.0}) {
      std::vector<Index> above, reaching;
      for (std::size_t j = 0; j < size; ++j) {
        if (std::abs(x[j]) > limit) above.push_back(static_cast<Index>(j));
        if (std::abs(x[j]) + 0.5 * y[j] >= limit) reaching.push_back(static_cast<Index>(j));
      }
      EXPECT_EQ(indices_above(x, limit), above);
      EXPECT_EQ(indices_reaching(x, y, 0.5, limit), reaching);
    }
  }
}

TEST(FindIndices, LeavesOutWhatIsNoNumber) {
  std::vector<double> x(40, std::numeric_limits<double>::quiet_NaN());
  x[3] = 2.0;
  x[38] = -2.0;
  EXPECT_EQ(indices_above(x, 1.0), (std::vector<Index>{3, 38}));
  EXPECT_EQ(indices_reaching(x, std::vector<double>(40, 0.0), 1.0, 2.0), (std::vector<Index>{3, 38}));
}

}  // namespace
}  // namespace hsvm
