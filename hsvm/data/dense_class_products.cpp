// X W and X' R of a dense design for all J classes in one pass over X. Vector registers run over classes: an
// entry of X is broadcast and meets a row of W or R. Classes are taken up to three registers at a time, columns in small groups; rows are cut into tiles that keep the group's entries and the rows of
// the other matrix in the L1 cache meanwhile.

#include <algorithm>
#include <cassert>

#include "hsvm/core/parallel.hpp"
#include "hsvm/core/widths.hpp"
#include "hsvm/data/dense_matrix.hpp"

namespace hsvm {
namespace {

// Columns at a time, in wide registers twice as many: with three of classes each they are full.
constexpr Index kColumns = 4;
constexpr Index kTileDoubles = 2048;  // of scores or of R in a tile: 16 KiB
constexpr Index kBlockColumns = 64;   // in one task of X' R

// A group of columns of X over a tile of rows, and the other matrix's rows for the same classes.
template <class T>
struct Tile {
  const T* const* columns;
  Index n_columns;
  Index rows;
};

// out[i] += sum over columns c of columns[c][i] w[c], for the classes of a Part; the rows of w stay in registers.
template <class Part, Index group, class T>
[[gnu::always_inline]] inline void add_group(Tile<T> x, const double* w, Index w_stride, double* out,
                                             Index out_stride) {
  Part of_w[group];
  for (Index c = 0; c < group; ++c) of_w[c].load(w + Count{c} * w_stride);
  for (Index i = 0; i < x.rows; ++i) {
    double* const row = out + Count{i} * out_stride;
    Part sum;
    sum.load(row);
    for (Index c = 0; c < group; ++c) sum.add(static_cast<double>(x.columns[c][i]), of_w[c]);
    sum.store(row);
  }
}

// out[c] += sum over i of columns[c][i] r[i]. The order of a column's sum does not depend on the group it is
// in.
template <class Part, Index group, class T>
[[gnu::always_inline]] inline void dot_group(Tile<T> x, const double* r, Index r_stride, double* out,
                                             Index out_stride) {
  Part sum[group] = {};
  for (Index i = 0; i < x.rows; ++i) {
    const double* const row = r + Count{i} * r_stride;
    for (Index c = 0; c < group; ++c) sum[c].add(static_cast<double>(x.columns[c][i]), row);
  }
  for (Index c = 0; c < group; ++c) sum[c].add_to(out + Count{c} * out_stride);
}

// Calls run.operator()<size>(c) for groups of columns from c on that together are all of a tile: of `group` columns, and what is left
// by halves of that.
template <Index group, class Run>
[[gnu::always_inline]] inline void by_groups(Index n_columns, Index c, const Run& run) {
  for (; c + group <= n_columns; c += group) run.template operator()<group>(c);
  if constexpr (group > 1) by_groups<group / 2>(n_columns, c, run);
}

template <class T>
void add_tile(Tile<T> x, const double* w, double* out, Index stride) {
  at_best_width([=]<bool wide>() HSVM_INLINED {
    by_groups<wide ? 2 * kColumns : kColumns>(x.n_columns, 0, [&]<Index group>(Index c) HSVM_INLINED {
      by_row_parts<wide>(stride, [&]<class Part>(Index k) HSVM_INLINED {
        add_group<Part, group>(Tile<T>{x.columns + c, group, x.rows}, w + Count{c} * stride + k, stride,
                               out + k, stride);
      });
    });
  });
}

template <class T>
void dot_tile(Tile<T> x, const double* r, double* out, Index stride) {
  at_best_width([=]<bool wide>() HSVM_INLINED {
    by_groups<wide ? 2 * kColumns : kColumns>(x.n_columns, 0, [&]<Index group>(Index c) HSVM_INLINED {
      by_row_parts<wide>(stride, [&]<class Part>(Index k) HSVM_INLINED {
        dot_group<Part, group>(Tile<T>{x.columns + c, group, x.rows}, r + k, stride,
                               out + Count{c} * stride + k, stride);
      });
    });
  });
}

}  // namespace

template <class T>
void DenseMatrix<T>::multiply(std::span<const Index> columns, const ClassMatrix& w, ClassMatrix& out) const {
  assert(std::ssize(columns) == w.rows());
  out.reset(rows_, w.n_classes());
  if (columns.empty() || rows_ == 0) return;
  const Index tile_rows = std::max(Index{16}, kTileDoubles / w.stride());
  parallel_blocks(rows_, tile_rows, [&](Index begin, Index end) {
    const std::vector<const T*> pointers = column_pointers(columns, begin);
    add_tile(Tile<T>{pointers.data(), w.rows(), end - begin}, w.data(0), out.data(begin), w.stride());
  });
}

template <class T>
void DenseMatrix<T>::multiply_transposed(std::span<const Index> columns, const ClassMatrix& r,
                                         ClassMatrix& out) const {
  assert(r.rows() == rows_);
  const Index n_columns = static_cast<Index>(columns.size());
  out.reset(n_columns, r.n_classes());
  if (columns.empty() || rows_ == 0) return;
  const Index tile_rows = std::max(Index{16}, kTileDoubles / r.stride());
  parallel_blocks(n_columns, kBlockColumns, [&](Index begin, Index end) {
    const Index count = end - begin;
    std::vector<const T*> pointers =
        column_pointers(columns.subspan(static_cast<std::size_t>(begin), static_cast<std::size_t>(count)), 0);
    for (Index first_row = 0; first_row < rows_; first_row += tile_rows) {
      const Index rows = std::min(tile_rows, rows_ - first_row);
      dot_tile(Tile<T>{pointers.data(), count, rows}, r.data(first_row), out.data(begin), r.stride());
      for (const T*& pointer : pointers) pointer += rows;
    }
  });
}

#define HSVM_INSTANTIATE(T)                                                                                   \
  template void DenseMatrix<T>::multiply(std::span<const Index>, const ClassMatrix&, ClassMatrix&) const;     \
  template void DenseMatrix<T>::multiply_transposed(std::span<const Index>, const ClassMatrix&, ClassMatrix&) \
      const
HSVM_INSTANTIATE(double);
HSVM_INSTANTIATE(float);
#undef HSVM_INSTANTIATE

}  // namespace hsvm
