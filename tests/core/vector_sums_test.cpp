#include "hsvm/core/vector_sums.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "hsvm/core/parallel.hpp"
#include "hsvm/core/random.hpp"

namespace hsvm {
namespace {

std::vector<double> normal_vector(std::uint64_t seed, std::size_t n) {
  Random random(seed);
  std::vector<double> x(n);
  for (double& value : x) value = random.normal();
  return x;
}

constexpr std::size_t kLengths[] = {0, 1, 7, 8, 9, 8191, 8192, 8193, 50'001};  // of one block and of several

TEST(VectorSums, AreThoseOfPlainLoops) {
  for (const std::size_t n : kLengths) {
    const std::vector<double> x = normal_vector(1, n);
    const std::vector<double> y = normal_vector(2, n);
    long double sum = 0.0, square = 0.0, dot = 0.0;
    for (std::size_t i = 0; i < n; ++i) {
      sum += x[i];
      square += static_cast<long double>(x[i]) * x[i];
      dot += static_cast<long double>(x[i]) * y[i];
    }
    const double close = 1e-14 * static_cast<double>(n + 1);
    EXPECT_NEAR(sum_of(x), static_cast<double>(sum), close) << n;
    EXPECT_NEAR(squared_norm_of(x), static_cast<double>(square), close) << n;
    EXPECT_NEAR(dot_of(x, y), static_cast<double>(dot), close) << n;
  }
}

TEST(VectorSums, AddToEveryEntry) {
  for (const std::size_t n : kLengths) {
    const std::vector<double> x = normal_vector(3, n);
    const std::vector<double> before = normal_vector(4, n);
    std::vector<double> out = before;
    add_scaled(-0.75, x, out);
    add_constant(0.5, out);
    for (std::size_t i = 0; i < n; ++i) ASSERT_EQ(out[i], (before[i] + -0.75 * x[i]) + 0.5) << i << " of " << n;
  }
}

TEST(VectorSums, CopyAndCompareEveryEntry) {
  for (const std::size_t n : kLengths) {
    const std::vector<double> x = normal_vector(4, n);
    std::vector<double> y(n);
    copy_to(x, y);
    EXPECT_EQ(x, y) << n;
    EXPECT_TRUE(are_equal(x, y)) << n;
    EXPECT_TRUE(are_all(std::vector<double>(n, 1.0), 1.0)) << n;
    EXPECT_FALSE(are_equal(x, std::vector<double>(n + 1))) << n;
    for (const std::size_t i : {std::size_t{0}, n / 2, n - 1}) {
      if (n == 0) break;
      std::vector<double> ones(n, 1.0);
      ones[i] = 2.0;
      EXPECT_FALSE(are_all(ones, 1.0)) << n << ", " << i;
      y[i] += 1.0;
      EXPECT_FALSE(are_equal(x, y)) << n << ", " << i;
      y[i] = x[i];
    }
  }
}

TEST(VectorSums, HaveTheSameBitsForAnyNumberOfThreads) {
  const std::vector<double> x = normal_vector(5, 100'003);
  const std::vector<double> y = normal_vector(6, x.size());
  std::vector<std::vector<double>> results;
  for (const int threads : {1, 2, 8}) {
    with_threads(threads, [&] { results.push_back({sum_of(x), squared_norm_of(x), dot_of(x, y)}); });
  }
  EXPECT_EQ(results[0], results[1]);
  EXPECT_EQ(results[0], results[2]);
}

}  // namespace
}  // namespace hsvm
