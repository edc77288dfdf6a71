#include "hsvm/linalg/cholesky.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "hsvm/core/clones.hpp"
#include "hsvm/core/lanes.hpp"

namespace hsvm {
namespace {

constexpr Index kBlock = 24;  // columns factored at a time; a multiple of the tile

[[gnu::always_inline]] inline double dot(const double* a, const double* b, Index size) {
  Lanes total = {};
  double rest = 0.0;
  by_lanes(
      static_cast<std::size_t>(size), [&](std::size_t k) { total += load(a + k) * load(b + k); },
      [&](std::size_t k) { rest += a[k] * b[k]; });
  return sum(total) + rest;
}

// A block of the factor by columns: entry (i, k) at k kBlock + i, so that Lanes go down a column. What a column holds above the
// diagonal is never used; below the last row are zeros.
using FactorBlock = double[kBlock * kBlock];

// Column k minus what the columns before it contribute, which are finished. Gives the pivot.
[[gnu::always_inline]] inline double subtract_finished(FactorBlock& block, Index k, Index n_lanes) {
  double* const column = block + k * kBlock;
  for (Index part = k / kLanes; part < n_lanes; ++part) {
    Lanes rest = load(column + part * kLanes);
    for (Index j = 0; j < k; ++j) rest -= block[j * kBlock + k] * load(block + j * kBlock + part * kLanes);
    store(column + part * kLanes, rest);
  }
  return column[k];
}

// The transpose of the inverse of the factor, by rows: row k is column k of L^{-1}, by forward substitution on unit vectors, all
// of them together.
[[gnu::always_inline]] inline void invert(const FactorBlock& block, Index size, double* inverse) {
  const Index n_lanes = (size + kLanes - 1) / kLanes;
  std::fill(inverse, inverse + kBlock * kBlock, 0.0);
  for (Index j = 0; j < size; ++j) {
    double below[kBlock];
    std::copy_n(block + j * kBlock, kBlock, below);
    std::fill_n(below, j + 1, 0.0);
    const double reciprocal = 1.0 / block[j * kBlock + j];
    inverse[j * kBlock + j] = 1.0;
    for (Index k = 0; k <= j; ++k) {
      double* const row = inverse + k * kBlock;
      const double value = row[j] *= reciprocal;
      for (Index part = (j + 1) / kLanes; part < n_lanes; ++part)
        store(row + part * kLanes, load(row + part * kLanes) - value * load(below + part * kLanes));
    }
  }
}

// Factors the block of columns and rows begin .. end-1, from which all earlier blocks are subtracted already;
// `floor` as in Cholesky::factor. Then `inverse`, where it is asked for (kBlock x kBlock, by rows), is the
// transpose of the inverse of its factor.
HSVM_CLONES bool factor_block(SymmetricMatrix& l, Index begin, Index end, const double* floor,
                              double* inverse) {
  const Index size = end - begin;
  const Index n_lanes = (size + kLanes - 1) / kLanes;
  FactorBlock block;
  std::fill(std::begin(block), std::end(block), 0.0);
  for (Index i = 0; i < size; ++i) {
    const double* const row = l.row(begin + i) + begin;
    for (Index k = 0; k <= i; ++k) block[k * kBlock + i] = row[k];
  }
  for (Index k = 0; k < size; ++k) {
    const double pivot = std::max(subtract_finished(block, k, n_lanes), floor[begin + k]);
    if (!(pivot > 0.0) || !std::isfinite(pivot)) return false;
    const double root = std::sqrt(pivot);
    const double reciprocal = 1.0 / root;
    double* const column = block + k * kBlock;
    for (Index part = k / kLanes; part < n_lanes; ++part)
      store(column + part * kLanes, reciprocal * load(column + part * kLanes));
    column[k] = root;
  }
  for (Index i = 0; i < size; ++i) {
    double* const row = l.row(begin + i) + begin;
    for (Index k = 0; k <= i; ++k) row[k] = block[k * kBlock + i];
  }
  if (inverse != nullptr) invert(block, size, inverse);
  return true;
}

// Row i of L below the block: its entries times the inverse's transpose.
HSVM_CLONES void finish_row(double* row, const double* inverse) {
  Lanes total[kBlock / kLanes] = {};
  for (Index k = 0; k < kBlock; ++k) {
    const double value = row[k];
    for (Index part = 0; part < kBlock / kLanes; ++part) {
      total[part] += value * load(inverse + k * kBlock + part * kLanes);
    }
  }
  for (Index part = 0; part < kBlock / kLanes; ++part) store(row + part * kLanes, total[part]);
}

HSVM_CLONES void forward(const SymmetricMatrix& l, double* x) {
  for (Index i = 0; i < l.size(); ++i) x[i] = (x[i] - dot(l.row(i), x, i)) / l.row(i)[i];
}

HSVM_CLONES void backward(const SymmetricMatrix& l, double* x) {
  for (Index i = l.size() - 1; i >= 0; --i) {
    const double* const row = l.row(i);
    const double value = x[i] / row[i];
    x[i] = value;
    by_lanes(
        static_cast<std::size_t>(i), [&](std::size_t k) { store(x + k, load(x + k) - value * load(row + k)); },
        [&](std::size_t k) { x[k] -= value * row[k]; });
  }
}

}  // namespace

bool Cholesky::factor(double tiny) {
  const Index m = l_.size();
  std::vector<double> floor(static_cast<std::size_t>(m));
  for (Index i = 0; i < m; ++i) floor[static_cast<std::size_t>(i)] = tiny * l_(i, i);
  double inverse[kBlock * kBlock];
  for (Index begin = 0; begin < m; begin += kBlock) {
    const Index end = std::min(m, begin + kBlock);
    if (!factor_block(l_, begin, end, floor.data(), end < m ? inverse : nullptr)) return false;
    if (end == m) break;
    panel_.reset(end - begin, m - end);
    for (Index i = end; i < m; ++i) {
      finish_row(l_.row(i) + begin, inverse);
      double* const to = panel_.column(i - end);
      const double* const from = l_.row(i) + begin;
      for (Index k = 0; k < end - begin; ++k) to[static_cast<std::size_t>(k) * PackedPanel::kGroup] = from[k];
    }
    add_outer_products(panel_, 0, -1.0, l_, end);
  }
  return true;
}

void Cholesky::solve(std::span<double> x) const {
  assert(std::ssize(x) == l_.size());
  forward(l_, x.data());
  backward(l_, x.data());
}

}  // namespace hsvm
