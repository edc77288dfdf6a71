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
      EXPECT_EQ(indices_near(x, 1e300, {y, 0.5, limit}, {}), reaching);
    }
  }
}

// With and without factors; where an entry is found its sum is written, and only there it has to be.
TEST(FindIndices, FindsWhatIsNearInASumAsInTheVectorItself) {
  Random random(2);
  const std::vector<double> alpha = {0.5, -2.0, 1.0};
  for (const std::size_t size : {0, 1, 15, 16, 17, 257, 1000}) {
    std::vector<std::vector<double>> parts(3, std::vector<double>(size));
    std::vector<double> x(size), y(size), v(size);
    for (std::size_t j = 0; j < size; ++j) {
      for (std::size_t s = 0; s < 3; ++s) {
        parts[s][j] = random.normal();
        x[j] += alpha[s] * parts[s][j];
      }
      y[j] = random.uniform();
      v[j] = 0.5 + random.uniform();
    }
    const std::vector<std::span<const double>> views(parts.begin(), parts.end());
    for (const double least : {0.0, 1.0, 3.0, 100.0}) {
      for (const bool has_factors : {false, true}) {
        std::vector<Index> near;
        for (std::size_t j = 0; j < size; ++j) {
          const double factor = has_factors ? v[j] : 1.0;
          if (std::abs(x[j]) >= least * factor || std::abs(x[j]) + 0.5 * y[j] >= 2.0 * factor)
            near.push_back(static_cast<Index>(j));
        }
        const MayReach reach{y, 0.5, 2.0};
        const std::span<const double> factors =
            has_factors ? std::span<const double>(v) : std::span<const double>{};
        EXPECT_EQ(indices_near(x, least, reach, factors), near);
        std::vector<double> sum(size, -1.0);
        EXPECT_EQ(combination_above(views, alpha, least, reach, factors, sum), near);
        for (const Index j : near) EXPECT_EQ(sum[static_cast<std::size_t>(j)], x[static_cast<std::size_t>(j)]);
      }
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
