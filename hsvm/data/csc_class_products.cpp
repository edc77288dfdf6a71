// X W and X' R of a sparse design for all J classes in one pass over its entries: an entry meets a whole row of
// W or R.
//
// X' R takes one column after the other. X W, where columns are long, walks down the rows in tiles, so that the
// scores it adds to stay in the L2 cache; a column's entries in a tile are found by bisection (mnist: 25 to 20
// ms). Where columns are short that would cost more than it saves: X W is then cut into chunks of columns with
// partial sums of their own, as in csc_matrix.cpp.

#include <algorithm>
#include <cassert>

#include "hsvm/core/parallel.hpp"
#include "hsvm/core/widths.hpp"
#include "hsvm/data/csc_matrix.hpp"

namespace hsvm {
namespace {

constexpr Index kRowRegisters = 8;          // of four classes: longer rows come in parts
constexpr Index kGatherColumns = 128;       // columns in one task of X' R
constexpr Index kScatterDoubles = 1 << 16;  // of scores in a tile of rows: 512 KiB
constexpr Count kNonzerosPerTile = 16;      // of a column in a tile, on average, for tiles to pay

// out[row] += value w for all entries of a column, for the classes of a Part.
template <class Part, class T>
[[gnu::always_inline]] inline void scatter_part(std::span<const Index> rows, const T* values, const double* w,
                                                double* out, Index stride) {
  Part of_w;
  of_w.load(w);
  for (std::size_t e = 0; e < rows.size(); ++e)
    of_w.add_to(out + Count{rows[e]} * stride, static_cast<double>(values[e]));
}

template <class T>
void scatter_row(std::span<const Index> rows, const T* values, const double* w, double* out, Index stride) {
  at_best_width([=]<bool wide>() HSVM_INLINED {
    by_row_parts<wide, kRowRegisters>(stride, [&]<class Part>(Index first) HSVM_INLINED {
      scatter_part<Part>(rows, values, w + first, out + first, stride);
    });
  });
}

// Rows in a tile of X W; all of them where tiles would not pay.
template <class T>
Index tile_rows_for(const CscMatrix<T>& x, Index stride) {
  const Index tile_rows = std::max(Index{1}, kScatterDoubles / stride);
  const Count n_tiles = (x.rows() + tile_rows - 1) / tile_rows;
  return x.stored() >= kNonzerosPerTile * n_tiles * x.cols() ? tile_rows : x.rows();
}

// The entries of a column in the rows from `begin` to `end`.
template <class T>
typename CscMatrix<T>::Column entries_between(const typename CscMatrix<T>::Column& x, Index begin, Index end) {
  const auto first = std::lower_bound(x.rows.begin(), x.rows.end(), begin);
  const auto last = std::lower_bound(first, x.rows.end(), end);
  const auto offset = static_cast<std::size_t>(first - x.rows.begin());
  const auto count = static_cast<std::size_t>(last - first);
  return {x.rows.subspan(offset, count), x.values.subspan(offset, count)};
}

// out += value r[row] for all entries of a column, for the classes of a Part.
template <class Part, class T>
[[gnu::always_inline]] inline void gather_part(std::span<const Index> rows, const T* values, const double* r,
                                               double* out, Index stride) {
  Part sum = {};
  for (std::size_t e = 0; e < rows.size(); ++e)
    sum.add(static_cast<double>(values[e]), r + Count{rows[e]} * stride);
  sum.add_to(out);
}

template <class T>
void gather_row(std::span<const Index> rows, const T* values, const double* r, double* out, Index stride) {
  at_best_width([=]<bool wide>() HSVM_INLINED {
    by_row_parts<wide, kRowRegisters>(stride, [&]<class Part>(Index first) HSVM_INLINED {
      gather_part<Part>(rows, values, r + first, out + first, stride);
    });
  });
}

}  // namespace

template <class T>
void CscMatrix<T>::multiply(std::span<const Index> columns, const ClassMatrix& w, ClassMatrix& out) const {
  assert(std::ssize(columns) == w.rows());
  out.reset(rows_, w.n_classes());
  if (columns.empty() || rows_ == 0) return;
  const Index tile_rows = tile_rows_for(*this, w.stride());
  if (tile_rows < rows_) {
    parallel_blocks(rows_, tile_rows, [&](Index begin, Index end) {
      for (std::size_t c = 0; c < columns.size(); ++c) {
        const Column x = entries_between<T>(column(columns[c]), begin, end);
        scatter_row(x.rows, x.values.data(), w.data(static_cast<Index>(c)), out.data(0), w.stride());
      }
    });
    return;
  }
  const std::vector<std::size_t> begins = cut_columns(columns);

  std::vector<ClassMatrix> partials(begins.size() - 2);  // chunk 0 sums into out
  parallel_for(static_cast<Index>(begins.size()) - 1, [&](Index task) {
    const auto chunk = static_cast<std::size_t>(task);
    if (chunk > 0) partials[chunk - 1].reset(rows_, w.n_classes());
    ClassMatrix& sums = chunk == 0 ? out : partials[chunk - 1];
    for (std::size_t c = begins[chunk]; c < begins[chunk + 1]; ++c) {
      const Column x = column(columns[c]);
      scatter_row(x.rows, x.values.data(), w.data(static_cast<Index>(c)), sums.data(0), w.stride());
    }
  });
  for (const ClassMatrix& partial : partials) {
    for (std::size_t k = 0; k < partial.values().size(); ++k) out.values()[k] += partial.values()[k];
  }
}

template <class T>
void CscMatrix<T>::multiply_transposed(std::span<const Index> columns, const ClassMatrix& r,
                                       ClassMatrix& out) const {
  assert(r.rows() == rows_);
  const Index n_columns = static_cast<Index>(columns.size());
  out.reset(n_columns, r.n_classes());
  if (columns.empty() || rows_ == 0) return;
  parallel_blocks(n_columns, kGatherColumns, [&](Index begin, Index end) {
    for (Index c = begin; c < end; ++c) {
      const Column x = column(columns[static_cast<std::size_t>(c)]);
      gather_row(x.rows, x.values.data(), r.data(0), out.data(c), r.stride());
    }
  });
}

#define HSVM_INSTANTIATE(T)                                                                                 \
  template void CscMatrix<T>::multiply(std::span<const Index>, const ClassMatrix&, ClassMatrix&) const;     \
  template void CscMatrix<T>::multiply_transposed(std::span<const Index>, const ClassMatrix&, ClassMatrix&) \
      const
HSVM_INSTANTIATE(double);
HSVM_INSTANTIATE(float);
#undef HSVM_INSTANTIATE

}  // namespace hsvm
