// Columns are factored a block at a time: copied out, so that Lanes go down a column, finished in panels of four, and written back.
// What a finished block takes off the columns after it is an outer product.

#include "hsvm/linalg/cholesky.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "hsvm/core/clones.hpp"
#include "hsvm/core/widths.hpp"

namespace hsvm {
namespace {

constexpr Index kWhole = 96;     // columns: up to so many are one block
constexpr Index kBlock = 48;     // columns of a block, where there are several; a multiple of the tile
constexpr Index kPanel = 4;      // columns that are finished together
constexpr Index kPanelRows = 3;  // registers of each of them that are worked on together
static_assert(kPanel == kLanes && kBlock % SymmetricMatrix::kTile == 0);

[[gnu::always_inline]] inline double dot(const double* a, const double* b, Index size) {
  Lanes total = {};
  double rest = 0.0;
  by_lanes(
      static_cast<std::size_t>(size), [&](std::size_t k) { total += load(a + k) * load(b + k); },
      [&](std::size_t k) { rest += a[k] * b[k]; });
  return sum(total) + rest;
}

// The entries of some columns on and below the diagonal, by columns. Above the diagonal and below the last row there is room
// for whole Lanes, and whatever is there.
struct FactorBlock {
  double* entries;
  Index width, height;  // columns and rows
  Index stride;         // rows in whole Lanes

  [[gnu::always_inline]] double* column(Index k) const { return entries + k * stride; }
};

// What finishes a panel's rows: the reciprocals of its pivots' roots and its entries below the diagonal. Zeros after the last column.
struct PanelHead {
  double reciprocal[kPanel] = {};
  double below[kPanel][kPanel] = {};
};

// A Part of the rows of the panel of columns at k, minus what the columns before it contribute.
template <class Part>
struct PanelRows {
  Part rows[kPanel];

  [[gnu::always_inline]] PanelRows(const FactorBlock& block, Index k, Index first_row) {
    for (Index c = 0; c < kPanel; ++c) rows[c].load(block.column(k + c) + first_row);
    for (Index j = 0; j < k; ++j) {
      const double* const finished = block.column(j);
      Part there;
      there.load(finished + first_row);
      for (Index c = 0; c < kPanel; ++c) rows[c].add(-finished[k + c], there);
    }
  }

  [[gnu::always_inline]] void finish(const PanelHead& head) {
    for (Index c = 0; c < kPanel; ++c) {
      for (Index before = 0; before < c; ++before) rows[c].add(-head.below[c][before], rows[before]);
      rows[c].each([&](auto& lanes, Index) HSVM_INLINED { lanes *= head.reciprocal[c]; });
    }
  }

  [[gnu::always_inline]] void write(const FactorBlock& block, Index k, Index first_row) {
    for (Index c = 0; c < kPanel; ++c) rows[c].store(block.column(k + c) + first_row);
  }
};

// Finishes the first rows of the panel at k, its triangle. False where a pivot is not positive and finite.
[[gnu::always_inline]] inline bool finish_head(const FactorBlock& block, Index k, const double* floor,
                                               PanelHead& head) {
  PanelRows<RowPart<0, 1>>(block, k, k).write(block, k, k);
  for (Index c = 0; c < kPanel && k + c < block.width; ++c) {
    double* const column = block.column(k + c) + k;
    const double pivot = std::max(column[c], floor[k + c]);
    if (!(pivot > 0.0) || !std::isfinite(pivot)) return false;
    column[c] = std::sqrt(pivot);
    head.reciprocal[c] = 1.0 / column[c];
    for (Index i = c + 1; i < kPanel; ++i) head.below[i][c] = column[i] *= head.reciprocal[c];
    for (Index next = c + 1; next < kPanel; ++next) {
      double* const to = block.column(k + next) + k;
      for (Index i = next; i < kPanel; ++i) to[i] -= head.below[next][c] * column[i];
    }
  }
  return true;
}

// Columns begin .. begin + width - 1, rows begin .. l.size() - 1.
HSVM_CLONES void copy_from(const SymmetricMatrix& l, Index begin, const FactorBlock& block) {
  for (Index i = 0; i < block.height; i += kLanes) {
    const double* from[kLanes];
    for (Index r = 0; r < kLanes; ++r) from[r] = l.row(begin + std::min(i + r, block.height - 1)) + begin;
    const Index last = std::min(block.width, i + kLanes);
    for (Index k = 0; k < last; ++k)
      store(block.column(k) + i, Lanes{from[0][k], from[1][k], from[2][k], from[3][k]});
  }
}

void copy_to(SymmetricMatrix& l, Index begin, const FactorBlock& block) {
  for (Index i = 0; i < block.height; ++i) {
    double* const row = l.row(begin + i) + begin;
    const Index last = std::min(block.width, i + 1);
    for (Index k = 0; k < last; ++k) row[k] = block.column(k)[i];
  }
}

// Finishes the rows of the panel at k from `row` on, as many as whole Parts have; the row after them.
template <class Part>
[[gnu::always_inline]] inline Index finish_rows(const FactorBlock& block, Index k, const PanelHead& head,
                                                Index row) {
  constexpr Index kRows = Part::kSize;
  for (; row + kRows <= block.stride; row += kRows) {
    PanelRows<Part> rows(block, k, row);
    rows.finish(head);
    rows.write(block, k, row);
  }
  return row;
}

template <bool wide>
[[gnu::always_inline]] inline bool factor_block(FactorBlock block, const double* floor) {
  for (Index k = 0; k < block.width; k += kPanel) {
    PanelHead head;
    if (!finish_head(block, k, floor, head)) return false;
    Index row = k + kLanes;
    if constexpr (wide) {
      row = finish_rows<RowPart<kPanelRows, 0>>(block, k, head, row);
      row = finish_rows<RowPart<1, 0>>(block, k, head, row);
    } else {
      row = finish_rows<RowPart<0, kPanelRows>>(block, k, head, row);
    }
    finish_rows<RowPart<0, 1>>(block, k, head, row);
  }
  return true;
}

// Factors columns begin .. begin + width - 1, from which all earlier ones are subtracted already; `floor` as in Cholesky::factor.
bool factor_columns(SymmetricMatrix& l, Index begin, Index width, const double* floor,
                    AlignedBuffer<double>& space) {
  const Index height = l.size() - begin;
  const Index stride = (height + kLanes - 1) / kLanes * kLanes;
  space.resize(static_cast<std::size_t>((width + kPanel - 1) / kPanel * kPanel * stride));
  const FactorBlock block{space.data(), width, height, stride};
  copy_from(l, begin, block);
  if (!at_best_width([=]<bool wide>() HSVM_INLINED { return factor_block<wide>(block, floor + begin); }))
    return false;
  copy_to(l, begin, block);
  return true;
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
  floor_.resize(static_cast<std::size_t>(m));
  for (Index i = 0; i < m; ++i) floor_[static_cast<std::size_t>(i)] = tiny * l_(i, i);
  const Index width = m <= kWhole ? m : kBlock;
  for (Index begin = 0; begin < m; begin += width) {
    const Index end = std::min(m, begin + width);
    if (!factor_columns(l_, begin, end - begin, floor_.data(), block_)) return false;
    if (end == m) break;
    panel_.reset(end - begin, m - end);
    for (Index i = end; i < m; ++i) {
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
