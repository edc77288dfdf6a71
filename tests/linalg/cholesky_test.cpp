#include "hsvm/linalg/cholesky.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "tests/newton/newton_support.hpp"

namespace hsvm {
namespace {

constexpr Index kMatrixSizes[] = {1, 2, 3, 4, 5, 11, 12, 13, 24, 29, 47, 48, 49, 60, 95, 96, 97, 145, 200};
constexpr double kInfinity = std::numeric_limits<double>::infinity();

// B'B + ridge I for a random B (depth x size); scaled: coordinates of very different sizes.
test::Square random_matrix(std::uint64_t seed, Index size, Index depth, double ridge, bool scaled = false) {
  Random random(seed);
  const auto m = static_cast<std::size_t>(size);
  test::Square h(m, std::vector<double>(m));
  std::vector<double> scales(m, 1.0);
  if (scaled) {
    for (double& scale : scales) scale = std::pow(10.0, 16.0 * random.uniform() - 8.0);
  }
  std::vector<double> row(m);
  for (Index k = 0; k < depth; ++k) {
    for (std::size_t i = 0; i < m; ++i) row[i] = scales[i] * random.normal();
    for (std::size_t i = 0; i < m; ++i) {
      for (std::size_t j = 0; j < m; ++j) h[i][j] += row[i] * row[j];
    }
  }
  for (std::size_t i = 0; i < m; ++i) h[i][i] += ridge * scales[i] * scales[i];
  return h;
}

// Only what stands on and below the diagonal may matter.
void fill(const test::Square& h, Cholesky& cholesky) {
  const auto size = static_cast<Index>(h.size());
  cholesky.matrix().reset(size);
  for (Index i = 0; i < size; ++i) {
    for (Index j = 0; j < size; ++j) {
      cholesky.matrix().row(i)[j] = j <= i ? h[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)]
                                           : std::numeric_limits<double>::quiet_NaN();
    }
  }
}

double dot(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

TEST(Cholesky, FactorTimesItsTransposeIsTheMatrix) {
  for (const Index size : kMatrixSizes) {
    for (const bool scaled : {false, true}) {
      SCOPED_TRACE(size);
      const test::Square h = random_matrix(static_cast<std::uint64_t>(size), size, 2 * size, 1.0, scaled);
      Cholesky cholesky;
      fill(h, cholesky);
      ASSERT_TRUE(cholesky.factor());
      for (std::size_t i = 0; i < h.size(); ++i) {
        for (std::size_t j = 0; j <= i; ++j) {
          double sum = 0.0;
          for (std::size_t k = 0; k <= j; ++k) {
            sum += cholesky.matrix()(static_cast<Index>(i), static_cast<Index>(k)) *
                   cholesky.matrix()(static_cast<Index>(j), static_cast<Index>(k));
          }
          EXPECT_NEAR(sum, h[i][j], 1e-12 * std::sqrt(h[i][i] * h[j][j]));
        }
      }
    }
  }
}

TEST(Cholesky, Solves) {
  for (const Index size : kMatrixSizes) {
    SCOPED_TRACE(size);
    const test::Square h = random_matrix(100 + static_cast<std::uint64_t>(size), size, 2 * size, 1.0);
    const std::vector<double> right = test::random_vector(7, h.size());
    Cholesky cholesky;
    fill(h, cholesky);
    ASSERT_TRUE(cholesky.factor());
    std::vector<double> x = right;
    cholesky.solve(x);
    for (std::size_t i = 0; i < h.size(); ++i) EXPECT_NEAR(dot(h[i], x), right[i], 1e-11);
  }
}

TEST(Cholesky, CanBeUsedAgainForAnotherSize) {
  Cholesky cholesky;
  for (const Index size : {60, 13, 49, 1}) {
    const test::Square h = random_matrix(3, size, size, 0.5);
    fill(h, cholesky);
    ASSERT_TRUE(cholesky.factor());
    std::vector<double> x(h.size(), 1.0);
    cholesky.solve(x);
    for (std::size_t i = 0; i < h.size(); ++i) EXPECT_NEAR(dot(h[i], x), 1.0, 1e-10);
  }
}

// Rank deficient, with and without coordinates that are the same: whatever comes out must be a direction in
// which a step can be taken, that is, finite and with a positive product with what was asked for.
TEST(Cholesky, GivesADirectionWhereTheMatrixIsSingular) {
  for (const Index size : {2, 12, 13, 25, 49, 60}) {
    for (const Index rank : {1, size / 2}) {
      SCOPED_TRACE(testing::Message() << size << ", rank " << rank);
      const test::Square h = random_matrix(static_cast<std::uint64_t>(size), size, rank, 0.0);
      for (std::uint64_t seed = 1; seed <= 3; ++seed) {
        const std::vector<double> right = test::random_vector(seed, h.size());
        Cholesky cholesky;
        fill(h, cholesky);
        ASSERT_TRUE(cholesky.factor());
        std::vector<double> x = right;
        cholesky.solve(x);
        for (const double value : x) EXPECT_TRUE(std::isfinite(value));
        EXPECT_GT(dot(right, x), 0.0);
      }
    }
  }
}

TEST(Cholesky, SolvesWhatASingularMatrixCanSolve) {
  const test::Square h(30, std::vector<double>(30, 2.0));  // thirty times the same coordinate
  Cholesky cholesky;
  fill(h, cholesky);
  ASSERT_TRUE(cholesky.factor());
  std::vector<double> x(30, 1.0);
  cholesky.solve(x);
  for (const auto& row : h) EXPECT_NEAR(dot(row, x), 1.0, 1e-9);
}

TEST(Cholesky, RefusesWhatHasNoCurvatureAtAll) {
  for (const std::size_t place : {0U, 5U, 24U, 29U}) {
    test::Square h = random_matrix(2, 30, 60, 1.0);
    for (std::size_t k = 0; k < h.size(); ++k) h[place][k] = h[k][place] = 0.0;
    Cholesky cholesky;
    fill(h, cholesky);
    EXPECT_FALSE(cholesky.factor());
  }
}

TEST(Cholesky, RefusesWhatIsNotFinite) {
  for (const double bad : {std::numeric_limits<double>::quiet_NaN(), kInfinity, -kInfinity}) {
    for (const std::size_t i : {0U, 3U, 23U, 24U, 29U}) {
      test::Square h = random_matrix(2, 30, 60, 1.0);
      h[i][i] = bad;
      Cholesky cholesky;
      fill(h, cholesky);
      EXPECT_FALSE(cholesky.factor()) << bad << " at " << i;
    }
  }
}

TEST(Cholesky, RefusesWhatIsNotFiniteBelowTheDiagonal) {
  for (const double bad : {std::numeric_limits<double>::quiet_NaN(), kInfinity, -kInfinity}) {
    for (const std::size_t i : {3U, 23U, 24U, 29U}) {
      test::Square h = random_matrix(2, 30, 60, 1.0);
      h[i][1] = bad;
      Cholesky cholesky;
      fill(h, cholesky);
      EXPECT_FALSE(cholesky.factor()) << bad << " at " << i << ", 1";
    }
    test::Square h = random_matrix(2, 10, 20, 1.0);
    h[9][1] = bad;
    Cholesky cholesky;
    fill(h, cholesky);
    EXPECT_FALSE(cholesky.factor()) << bad << " in the last row of a single block";
  }
}

}  // namespace
}  // namespace hsvm
