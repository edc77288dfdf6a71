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

// Factors the block of columns and rows begin .. end-1, from which all earlier blocks are subtracted already;
// `floor` as in Cholesky::factor. Then `inverse`, where it is asked for (kBlock x kBlock, by rows), is the
// transpose of the inverse of its factor.
HSVM_CLONES bool factor_block(SymmetricMatrix& l, Index begin, Index end, const double* floor,
                              double* inverse) {
  // Rows are updated by whole Lanes: entries above the diagonal are anything, finished ones have zeros in `column`.
  double column[kBlock] = {};
  const Index n_lanes = (end - begin + kLanes - 1) / kLanes;
  for (Index j = begin; j < end; ++j) {
    const double value = std::max(l.row(j)[j], floor[j]);
    if (!(value > 0.0) || !std::isfinite(value)) return false;
    const double root = std::sqrt(value);
    const double reciprocal = 1.0 / root;
    l.row(j)[j] = root;
    column[j - begin] = 0.0;
    for (Index i = j + 1; i < end; ++i) column[i - begin] = l.row(i)[j] *= reciprocal;
    const Index first = (j + 1 - begin) / kLanes;
    for (Index i = j + 1; i < end; ++i) {
      double* const row = l.row(i) + begin;
      const double factor = column[i - begin];
      const Index last = std::min(n_lanes, (i - begin) / kLanes + 1);
      for (Index part = first; part < last; ++part) {
        store(row + part * kLanes, load(row + part * kLanes) - factor * load(column + part * kLanes));
      }
    }
  }
  if (inverse == nullptr) return true;
  // Row k of the inverse's transpose is column k of L^{-1}, by forward substitution on unit vectors.
  const Index size = end - begin;
  std::fill(inverse, inverse + kBlock * kBlock, 0.0);
  for (Index i = 0; i < size; ++i) {
    const double* const row = l.row(begin + i) + begin;
    const double reciprocal = 1.0 / row[i];
    for (Index k = 0; k < i; ++k) {
      double total = 0.0;
      for (Index j = k; j < i; ++j) total += row[j] * inverse[k * kBlock + j];
      inverse[k * kBlock + i] = -total * reciprocal;
    }
    inverse[i * kBlock + i] = reciprocal;
  }
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
