// Small things that the tests of the Newton solver share: matrices that every storage holds exactly, and plain
// loops for what the solver does in tiles.
#pragma once

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

#include "hsvm/core/random.hpp"
#include "hsvm/linalg/symmetric_matrix.hpp"
#include "tests/support/problems.hpp"
#include "tests/support/standardized.hpp"

namespace hsvm::test {

using Square = std::vector<std::vector<double>>;

// Gaussian entries rounded to multiples of 1/64, so that float holds them, too.
[[nodiscard]] inline DenseMatrix<double> coarse_matrix(Random& random, Index n, Index p, double density = 1.0) {
  DenseMatrix<double> x(n, p);
  for (Index j = 0; j < p; ++j) {
    for (Index i = 0; i < n; ++i) {
      if (density < 1.0 && random.uniform() >= density) continue;
      x(i, j) = std::round(64.0 * random.normal()) / 64.0;
    }
  }
  return x;
}

// Calls visit(design) with the same numbers in every storage, seen through a standardisation, too.
template <class Visit>
void for_each_storage(const DenseMatrix<double>& x, const Visit& visit) {
  visit(to_dense<double>(x));
  visit(to_dense<float>(x));
  visit(to_csc<double>(x));
  visit(to_csc<float>(x));
  visit(Standardized<DenseMatrix<double>>(x).design);
  visit(Standardized<DenseMatrix<float>>(x).design);
  visit(Standardized<CscMatrix<double>>(x).design);
  visit(Standardized<CscMatrix<float>>(x).design);
}

// Entry (i, c) of the working columns, column 0 being ones where there is such a one.
[[nodiscard]] inline double working_entry(const DenseMatrix<double>& x, std::span<const Index> columns,
                                          Index ones, Index i, Index c) {
  return c < ones ? 1.0 : x(i, columns[static_cast<std::size_t>(c - ones)]);
}

// sum over rows i of weight_i x_i x_i'
[[nodiscard]] inline Square naive_gram(const DenseMatrix<double>& x, std::span<const Index> columns, Index ones,
                                       std::span<const Index> rows, std::span<const double> weights) {
  const auto m = columns.size() + static_cast<std::size_t>(ones);
  Square gram(m, std::vector<double>(m));
  for (const Index i : rows) {
    for (std::size_t a = 0; a < m; ++a) {
      for (std::size_t b = 0; b < m; ++b) {
        gram[a][b] += weights[static_cast<std::size_t>(i)] *
                      working_entry(x, columns, ones, i, static_cast<Index>(a)) *
                      working_entry(x, columns, ones, i, static_cast<Index>(b));
      }
    }
  }
  return gram;
}

[[nodiscard]] inline double largest_entry(const Square& a) {
  double largest = 0.0;
  for (const auto& row : a) {
    for (const double value : row) largest = std::max(largest, std::abs(value));
  }
  return largest;
}

// The largest difference of two matrices, relative to the largest entry; below: on and below the diagonal
// alone.
[[nodiscard]] inline double relative_difference(const SymmetricMatrix& a, const Square& b, bool below = false) {
  double worst = a.size() == static_cast<Index>(b.size()) ? 0.0 : HUGE_VAL;
  for (Index i = 0; i < a.size() && worst < HUGE_VAL; ++i) {
    for (Index j = 0; j < (below ? i + 1 : a.size()); ++j) {
      const double off = std::abs(a(i, j) - b[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)]);
      worst = off <= worst ? worst : off;  // not a number counts
    }
  }
  return worst / std::max(largest_entry(b), 1e-300);
}

[[nodiscard]] inline std::vector<double> random_weights(Random& random, std::size_t size) {
  std::vector<double> weights(size);
  for (double& weight : weights) weight = random.uniform() < 0.1 ? 0.0 : 0.2 + random.uniform();
  return weights;
}

// Some of 0 .. end-1, ascending.
[[nodiscard]] inline std::vector<Index> random_subset(Random& random, Index end, double share) {
  std::vector<Index> result;
  for (Index k = 0; k < end; ++k) {
    if (random.uniform() < share) result.push_back(k);
  }
  return result;
}

}  // namespace hsvm::test
