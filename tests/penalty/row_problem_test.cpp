#include "hsvm/penalty/row_problem.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "hsvm/core/random.hpp"
#include "tests/support/problems.hpp"

namespace hsvm {
namespace {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) || !defined(NDEBUG)
constexpr int kRows = 50'000;
#else
constexpr int kRows = 1'000'000;
#endif

using Vector = std::vector<double>;

constexpr double kTiny = 200.0 * std::numeric_limits<double>::denorm_min();  // what rounds away next to zero

double largest(const Vector& z) {
  double result = 0.0;
  for (const double value : z) result = std::max(result, std::abs(value));
  return result;
}

// The solution by bisection on sigma in long double, for sum_k S_lambda(h_k z_k - sigma)/h_k = 0; h may be
// empty, for ones.
Vector bisect(const Vector& z, const Vector& h, double lambda) {
  const auto key = [&](std::size_t k) {
    return h.empty() ? static_cast<long double>(z[k]) : static_cast<long double>(h[k]) * z[k];
  };
  const auto entry = [&](std::size_t k, long double sigma) {
    const long double t = key(k) - sigma;
    const long double w = t > lambda ? t - lambda : t < -lambda ? t + lambda : 0.0L;
    return h.empty() ? w : w / h[k];
  };
  long double low = key(0);
  long double high = low;
  for (std::size_t k = 1; k < z.size(); ++k) {
    low = std::min(low, key(k));
    high = std::max(high, key(k));
  }
  if (high - low <= 2.0L * lambda) return Vector(z.size(), 0.0);
  for (;;) {
    const long double sigma = low + 0.5L * (high - low);
    if (sigma == low || sigma == high) break;
    long double sum = 0.0;
    for (std::size_t k = 0; k < z.size(); ++k) sum += entry(k, sigma);
    if (sum == 0.0L) {
      low = sigma;
      break;
    }
    (sum > 0.0L ? low : high) = sigma;
  }
  Vector w(z.size());
  for (std::size_t k = 0; k < z.size(); ++k) w[k] = static_cast<double>(entry(k, low));
  return w;
}

struct Row {
  Vector z;
  double lambda = 0.0;
};

// Ties, zeros, offsets, and a lambda from nothing to too much, at scales from 1e-300 to 1e300.
Row random_row(Random& random) {
  const std::uint64_t kind = random.below(100);
  const std::size_t size = kind < 80   ? 2 + random.below(7)
                           : kind < 98 ? 9 + random.below(32)
                                       : 41 + random.below(160);
  const double scale = std::vector{1.0, 1.0, 1.0, 1e-300, 1e300, 1e-6, 1e12}[random.below(7)];
  const bool grid = random.below(3) == 0;
  const bool zeros = random.below(4) == 0;
  Row row;
  for (std::size_t k = 0; k < size; ++k) {
    double value = random.normal();
    if (grid) value = std::round(2.0 * value);
    if (zeros && random.below(2) == 0) value = 0.0;
    row.z.push_back(scale * value);
  }
  const double offset =
      std::vector{0.0, 0.0, 3.0, scale < 1e300 ? -1e6 : -10.0}[random.below(4)];  // sums stay finite
  for (double& value : row.z) value += scale * offset;
  const double range = half_range(row.z);
  switch (random.below(8)) {
    case 0:
      row.lambda = 0.0;
      break;
    case 1:
      row.lambda = 1e-300;
      break;
    case 2:
      row.lambda = 1e300;
      break;
    case 3:
      row.lambda = range;
      break;
    case 4:
      row.lambda = 0.5 * std::abs(row.z[0] - row.z[1]);
      break;  // a break of the walk on another
    case 5:
      row.lambda = range * (1.0 + 4e-16 * (random.uniform() - 0.5));
      break;
    default:
      row.lambda = 1.1 * random.uniform() * range;
  }
  return row;
}

TEST(HalfRange, ByHand) {
  EXPECT_EQ(half_range(Vector{3.0}), 0.0);
  EXPECT_EQ(half_range(Vector{-1.0, 5.0, 2.0}), 3.0);
  EXPECT_EQ(half_range(Vector{5.0, 5.0, 5.0}), 0.0);
}

TEST(RowProblem, ByHand) {
  RowSolver solver(3);
  Vector w(3);
  // lambda = 0: z less its mean.
  EXPECT_TRUE(solver.solve(Vector{1.0, 2.0, 6.0}, 0.0, w));
  EXPECT_EQ(w, (Vector{-2.0, -1.0, 3.0}));
  // z = (6, 0, 0), lambda = 1: sigma + 1 = 6 - w_1 and 0 - sigma + 1 = w_2, so 5 - sigma + 2 (1 - sigma) = 0
  // and sigma = 7/3.
  EXPECT_TRUE(solver.solve(Vector{6.0, 0.0, 0.0}, 1.0, w));
  EXPECT_NEAR(w[0], 8.0 / 3.0, 1e-15);
  EXPECT_NEAR(w[1], -4.0 / 3.0, 1e-15);
  // z = (4, 0, -4), lambda = 1: the middle one stays zero.
  EXPECT_TRUE(solver.solve(Vector{4.0, 0.0, -4.0}, 1.0, w));
  EXPECT_EQ(w, (Vector{3.0, 0.0, -3.0}));
  // The half-range is lambda.
  EXPECT_FALSE(solver.solve(Vector{4.0, 0.0, -4.0}, 4.0, w));
  EXPECT_EQ(w, Vector(3, 0.0));
}

TEST(RowProblem, IsWhatBisectionFinds) {
  Random random(11);
  double worst = 0.0;
  Row worst_row;
  for (int trial = 0; trial < kRows; ++trial) {
    const Row row = random_row(random);
    Vector w(row.z.size(), 1e30);
    RowSolver solver(static_cast<Index>(w.size()));
    solver.solve(row.z, row.lambda, w);
    const Vector expected = bisect(row.z, {}, row.lambda);
    const double scale = largest(row.z) + row.lambda;
    for (std::size_t k = 0; k < w.size(); ++k) {
      const double error = scale > 0.0 ? std::abs(w[k] - expected[k]) / scale : std::abs(w[k]);
      if (!(error <= worst)) {  // a NaN counts, too
        worst = error;
        worst_row = row;
      }
    }
  }
  EXPECT_LE(worst, 1e-12) << testing::PrintToString(worst_row.z) << ", lambda " << worst_row.lambda;
}

TEST(RowProblem, SumsToZeroAndIsZeroWhenTheHalfRangeAllowsIt) {
  Random random(12);
  int zero = 0;
  for (int trial = 0; trial < kRows; ++trial) {
    const Row row = random_row(random);
    Vector w(row.z.size());
    RowSolver solver(static_cast<Index>(w.size()));
    const bool nonzero = solver.solve(row.z, row.lambda, w);
    if (half_range(row.z) <= row.lambda) {
      ASSERT_FALSE(nonzero) << testing::PrintToString(row.z) << ", lambda " << row.lambda;
    } else if (half_range(row.z) >
               row.lambda + 1e-15 * (largest(row.z) + row.lambda)) {  // closer, rounding decides
      ASSERT_TRUE(nonzero) << testing::PrintToString(row.z) << ", lambda " << row.lambda;
    }
    ASSERT_EQ(nonzero, w != Vector(w.size(), 0.0))
        << testing::PrintToString(row.z) << ", lambda " << row.lambda;
    long double sum = 0.0;
    long double size = 0.0;
    for (const double value : w) {
      sum += value;
      size += std::abs(value);
    }
    ASSERT_LE(std::abs(sum), 1e-12L * size + kTiny)
        << testing::PrintToString(row.z) << ", lambda " << row.lambda;
    zero += nonzero ? 0 : 1;
  }
  EXPECT_GT(zero, kRows / 10);  // both kinds were met
  EXPECT_LT(zero, kRows * 9 / 10);
}

// There is a sigma with z_k - w_k - lambda sign(w_k) = sigma where w_k is not zero and |z_k - sigma| <= lambda
// where it is.
TEST(RowProblem, MeetsTheOptimalityConditions) {
  Random random(13);
  for (int trial = 0; trial < kRows / 10; ++trial) {
    const Row row = random_row(random);
    Vector w(row.z.size());
    RowSolver solver(static_cast<Index>(w.size()));
    solver.solve(row.z, row.lambda, w);
    const double rounding =
        1e-12 * (largest(row.z) + row.lambda);  // an entry as small as that may be zero or either sign
    double low = -std::numeric_limits<double>::infinity();
    double high = std::numeric_limits<double>::infinity();
    for (std::size_t k = 0; k < w.size(); ++k) {
      low = std::max(low, row.z[k] - w[k] - (w[k] < -rounding ? -row.lambda : row.lambda));
      high = std::min(high, row.z[k] - w[k] + (w[k] > rounding ? -row.lambda : row.lambda));
    }
    ASSERT_LE(low - high, rounding) << testing::PrintToString(row.z) << ", lambda " << row.lambda;
  }
}

TEST(RowProblem, BeatsItsNeighbours) {
  Random random(14);
  for (int trial = 0; trial < 300; ++trial) {
    const Vector z = test::random_vector(static_cast<std::uint64_t>(trial), 2 + random.below(6));
    const double lambda = random.uniform();
    Vector w(z.size());
    RowSolver(static_cast<Index>(z.size())).solve(z, lambda, w);
    const auto value = [&](const Vector& at) {
      double total = 0.0;
      for (std::size_t k = 0; k < at.size(); ++k)
        total += 0.5 * (at[k] - z[k]) * (at[k] - z[k]) + lambda * std::abs(at[k]);
      return total;
    };
    const double best = value(w);
    for (std::size_t a = 0; a < z.size(); ++a) {
      for (std::size_t c = 0; c < z.size(); ++c) {
        for (double step = 1e-4; step < 3.0; step *= 3.0) {
          Vector other = w;
          other[a] += step;
          other[c] -= step;
          ASSERT_GE(value(other), best - 1e-14);
        }
      }
    }
  }
}

TEST(RowProblem, MayWriteOverItsInput) {
  Random random(15);
  for (int trial = 0; trial < 2000; ++trial) {
    const Row row = random_row(random);
    Vector w(row.z.size());
    Vector in_place = row.z;
    RowSolver solver(static_cast<Index>(w.size()));
    const bool nonzero = solver.solve(row.z, row.lambda, w);
    EXPECT_EQ(solver.solve(in_place, row.lambda, in_place), nonzero);
    ASSERT_EQ(in_place, w);

    const Vector h(row.z.size(), 2.0);
    in_place = row.z;
    solver.solve_weighted(row.z, h, row.lambda, w);
    solver.solve_weighted(in_place, h, row.lambda, in_place);
    ASSERT_EQ(in_place, w);
  }
}

TEST(RowProblem, ASolverKeepsNothingFromRowToRow) {
  RowSolver used(40);
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const Vector z = test::random_vector(seed, 40);
    const double lambda = 0.02 * static_cast<double>(seed);
    Vector w(40);
    Vector fresh(40);
    used.solve(z, lambda, w);
    RowSolver(40).solve(z, lambda, fresh);
    ASSERT_EQ(w, fresh);
  }
}

TEST(WeightedRowProblem, IsWhatBisectionFinds) {
  Random random(16);
  for (int trial = 0; trial < kRows / 10; ++trial) {
    Row row = random_row(random);
    Vector h;
    double smallest = std::numeric_limits<double>::infinity();
    double key = 0.0;
    for (const double value : row.z) {
      h.push_back(std::pow(10.0, 3.0 * random.uniform() - 2.0));
      smallest = std::min(smallest, h.back());
      key = std::max(key, std::abs(h.back() * value));
    }
    if (key > 1e300) continue;  // sums of them would overflow
    if (row.lambda > 0.0 && random.below(2) == 0) row.lambda = random.uniform() * key;
    Vector w(row.z.size());
    RowSolver solver(static_cast<Index>(w.size()));
    const bool nonzero = solver.solve_weighted(row.z, h, row.lambda, w);
    const Vector expected = bisect(row.z, h, row.lambda);
    double sum = 0.0;
    double size = 0.0;
    for (std::size_t k = 0; k < w.size(); ++k) {
      ASSERT_LE(std::abs(w[k] - expected[k]), 1e-12 * (key + row.lambda) / smallest)
          << testing::PrintToString(row.z) << testing::PrintToString(h) << ", lambda " << row.lambda;
      sum += w[k];
      size += std::abs(w[k]);
    }
    ASSERT_LE(std::abs(sum), 1e-12 * size + kTiny)
        << testing::PrintToString(row.z) << testing::PrintToString(h) << row.lambda;
    ASSERT_EQ(nonzero, w != Vector(w.size(), 0.0));
  }
}

TEST(WeightedRowProblem, WithOnesIsTheUnweightedOne) {
  Random random(17);
  for (int trial = 0; trial < kRows / 10; ++trial) {
    const Row row = random_row(random);
    Vector plain(row.z.size());
    Vector weighted(row.z.size());
    RowSolver solver(static_cast<Index>(plain.size()));
    solver.solve(row.z, row.lambda, plain);
    solver.solve_weighted(row.z, Vector(plain.size(), 1.0), row.lambda, weighted);
    for (std::size_t k = 0; k < plain.size(); ++k) {
      ASSERT_NEAR(weighted[k], plain[k], 1e-13 * (largest(row.z) + row.lambda))
          << testing::PrintToString(row.z) << ", lambda " << row.lambda;
    }
  }
}

// The breaks of the outermost entries may coincide by rounding although the half-range is above lambda.
TEST(WeightedRowProblem, IsFiniteAtTheHalfRange) {
  Random random(18);
  for (int trial = 0; trial < 20'000; ++trial) {
    const std::size_t size = 2 + random.below(6);
    Vector z(size);
    for (double& value : z) value = -10.0 + random.normal();
    const double lambda = half_range(z) * (1.0 - 1e-16 * static_cast<double>(random.below(6)));
    Vector w(size);
    RowSolver solver(static_cast<Index>(size));
    solver.solve(z, lambda, w);
    for (const double value : w) ASSERT_LE(std::abs(value), 1e-13);
    solver.solve_weighted(z, Vector(size, 1.0), lambda, w);
    for (const double value : w) ASSERT_LE(std::abs(value), 1e-13);
  }
}

// sum_k h_k/2 (w_k - z_k)^2 + lambda |w|_1 by hand: z = (2, -2), h = (1, 3), lambda = 1. w = (a, -a):
// (a - 2) + 3 (a - 2) + 2 = 0.
TEST(WeightedRowProblem, ByHand) {
  RowSolver solver(2);
  Vector w(2);
  EXPECT_TRUE(solver.solve_weighted(Vector{2.0, -2.0}, Vector{1.0, 3.0}, 1.0, w));
  EXPECT_NEAR(w[0], 1.5, 1e-15);
  EXPECT_NEAR(w[1], -1.5, 1e-15);
  EXPECT_FALSE(solver.solve_weighted(Vector{2.0, -2.0}, Vector{1.0, 3.0}, 4.0, w));  // half of 2 + 6
  EXPECT_EQ(w, Vector(2, 0.0));
}

}  // namespace
}  // namespace hsvm
