// X w scatters column by column. To run on several threads, the columns are cut into chunks of about equal
// numbers of nonzeros, each scattered into a partial vector of its own, and the partials are added in order;
// there are only so many chunks that the partials cost a small part of the product. X' r gathers, column by
// column.

#include "hsvm/data/csc_matrix.hpp"

#include <algorithm>
#include <cassert>
#include <numeric>
#include <ranges>
#include <type_traits>
#include <utility>

#include "hsvm/core/clones.hpp"
#include "hsvm/core/parallel.hpp"
#include "hsvm/data/column_kernels.hpp"

namespace hsvm {
namespace {

constexpr Count kMaxChunks = 16;           // of a product X w
constexpr Count kNonzerosPerPartial = 32;  // nonzeros of a chunk per row of its partial sums, at least
constexpr Index kDotBlockColumns = 512;    // columns in one task of X' r

// Cuts columns of `rows` rows into chunks of about equal numbers of nonzeros: the first column of each chunk, and the
// number of columns. `before` is the number of nonzeros before each column, the total at its end.
std::vector<std::size_t> cut_chunks(const ColumnStarts& before, Index rows) {
  const Count total = before[before.size() - 1];
  const Count n_chunks =
      std::clamp<Count>(total / std::max<Count>(1, kNonzerosPerPartial * rows), 1, kMaxChunks);
  std::vector<std::size_t> begins = {0};
  for (Count chunk = 1; chunk < n_chunks; ++chunk) {
    const auto all = std::views::iota(std::size_t{0}, before.size());
    begins.push_back(
        *std::ranges::lower_bound(all, total * chunk / n_chunks, {}, [&](std::size_t j) { return before[j]; }));
  }
  begins.push_back(before.size() - 1);
  return begins;
}

#define HSVM_KERNELS(T)                                                                                       \
  HSVM_CLONES void class_dot(std::span<const Index> rows, const T* x, const double* r, std::size_t stride,    \
                             double* out) {                                                                   \
    const auto row_of = [&](std::size_t e) { return static_cast<std::size_t>(rows[e]); };                     \
    detail::class_dot(rows.size(), x, row_of, r, stride, out);                                                \
  }                                                                                                           \
  HSVM_CLONES void class_add(std::span<const Index> rows, const T* x, const double* s, const double* factors, \
                             std::size_t stride, double* out) {                                               \
    const auto row_of = [&](std::size_t e) { return static_cast<std::size_t>(rows[e]); };                     \
    detail::class_add(rows.size(), x, row_of, s, factors, stride, out);                                       \
  }
HSVM_KERNELS(double)
HSVM_KERNELS(float)
#undef HSVM_KERNELS

// Where each old row goes: to next[begin[i]] .. next[begin[i+1] - 1], ascending.
struct NewRows {
  std::vector<std::size_t> begin;
  std::vector<Index> next;

  NewRows(Index n_rows, std::span<const Index> rows)
      : begin(static_cast<std::size_t>(n_rows) + 1, 0), next(rows.size()) {
    for (const Index i : rows) ++begin[static_cast<std::size_t>(i) + 1];
    std::partial_sum(begin.begin(), begin.end(), begin.begin());
    std::vector<std::size_t> free(begin.begin(), begin.end() - 1);
    for (std::size_t k = 0; k < rows.size(); ++k)
      next[free[static_cast<std::size_t>(rows[k])]++] = static_cast<Index>(k);
  }
  [[nodiscard]] std::span<const Index> of(Index i) const {
    const auto row = static_cast<std::size_t>(i);
    return std::span<const Index>(next).subspan(begin[row], begin[row + 1] - begin[row]);
  }
};

}  // namespace

template <class T>
CscMatrix<T>::CscMatrix(Index rows, ColumnStarts starts, std::span<const Index> row_indices,
                        std::span<const T> values, std::shared_ptr<const void> owner)
    : rows_(rows), starts_(starts), row_indices_(row_indices), values_(values), owner_(std::move(owner)) {
  assert(starts_.size() > 0 && starts_[0] == 0);
  assert(std::ssize(row_indices_) == stored() && std::ssize(values_) == stored());
}

template <class T>
CscMatrix<T>::CscMatrix(Index rows, AlignedBuffer<Count> starts, AlignedBuffer<Index> row_indices,
                        AlignedBuffer<T> values) {
  struct Arrays {
    AlignedBuffer<Count> starts;
    AlignedBuffer<Index> row_indices;
    AlignedBuffer<T> values;
  };
  auto own =
      std::make_shared<const Arrays>(Arrays{std::move(starts), std::move(row_indices), std::move(values)});
  const std::span<const Count> in_place(own->starts);
  const std::span<const Index> indices(own->row_indices);
  const std::span<const T> entries(own->values);
  *this = CscMatrix(rows, in_place, indices, entries, std::move(own));
}

template <class T>
void CscMatrix<T>::multiply(std::span<const double> w, std::span<double> out) const {
  assert(std::ssize(w) == cols());
  const auto n_active =
      static_cast<std::size_t>(std::count_if(w.begin(), w.end(), [](double x) { return x != 0.0; }));
  if (2 * n_active > w.size()) {  // the columns as they stand
    const std::vector<std::size_t> begins = cut_chunks(starts_, rows_);
    sum_columns(
        begins, [&](std::size_t j) { return static_cast<Index>(j); }, w, out);
  } else {
    const SparseCoefficients active = nonzeros(w);
    multiply(active.columns, active.values, out);
  }
}

template <class T>
void CscMatrix<T>::multiply(std::span<const Index> columns, std::span<const double> w,
                            std::span<double> out) const {
  assert(columns.size() == w.size());
  sum_columns(
      cut_columns(columns), [&](std::size_t c) { return columns[c]; }, w, out);
}

// out = sum over c of w_c times column column_of(c), chunk k being c = begins[k] .. begins[k + 1] - 1.
template <class T>
template <class ColumnOf>
void CscMatrix<T>::sum_columns(const std::vector<std::size_t>& begins, const ColumnOf& column_of,
                               std::span<const double> w, std::span<double> out) const {
  assert(std::ssize(out) == rows_);
  std::fill(out.begin(), out.end(), 0.0);
  const std::size_t n_rows = out.size();
  std::vector<double> partials(n_rows * (begins.size() - 2), 0.0);  // chunk 0 sums into out
  parallel_for(static_cast<Index>(begins.size()) - 1, [&](Index task) {
    const auto chunk = static_cast<std::size_t>(task);
    double* const sums = chunk == 0 ? out.data() : partials.data() + (chunk - 1) * n_rows;
    for (std::size_t c = begins[chunk]; c < begins[chunk + 1]; ++c) {
      const Column x = column(column_of(c));
      const double weight = w[c];
      for (std::size_t k = 0; k < x.rows.size(); ++k)
        sums[x.rows[k]] += weight * static_cast<double>(x.values[k]);
    }
  });
  for (std::size_t begin = 0; begin < partials.size(); begin += n_rows) {
    for (std::size_t i = 0; i < n_rows; ++i) out[i] += partials[begin + i];
  }
}

template <class T>
std::vector<std::size_t> CscMatrix<T>::cut_columns(std::span<const Index> columns) const {
  std::vector<Count> nonzeros_before(columns.size() + 1, 0);
  for (std::size_t c = 0; c < columns.size(); ++c) {
    nonzeros_before[c + 1] = nonzeros_before[c] + std::ssize(column(columns[c]).rows);
  }
  return cut_chunks(std::span<const Count>(nonzeros_before), rows_);
}

template <class T>
void CscMatrix<T>::multiply_transposed(std::span<const double> r, std::span<double> out) const {
  assert(std::ssize(r) == rows_ && std::ssize(out) == cols());
  parallel_blocks(cols(), kDotBlockColumns, [&](Index begin, Index end) {
    for (Index j = begin; j < end; ++j) out[static_cast<std::size_t>(j)] = column_dot(j, r);
  });
}

template <class T>
void CscMatrix<T>::multiply_transposed(std::span<const Index> columns, std::span<const double> r,
                                       std::span<double> out) const {
  assert(std::ssize(r) == rows_ && out.size() == columns.size());
  parallel_blocks(static_cast<Index>(columns.size()), kDotBlockColumns, [&](Index begin, Index end) {
    for (auto c = static_cast<std::size_t>(begin); c < static_cast<std::size_t>(end); ++c)
      out[c] = column_dot(columns[c], r);
  });
}

template <class T>
double CscMatrix<T>::column_dot(Index j, std::span<const double> r) const {
  const Column x = column(j);
  return detail::sum_entries<double>(x.rows.size(), [&](std::size_t e) {
    return static_cast<double>(x.values[e]) * r[static_cast<std::size_t>(x.rows[e])];
  });
}

template <class T>
void CscMatrix<T>::add_column(Index j, double factor, std::span<const double> s, std::span<double> out) const {
  const Column x = column(j);
  for (std::size_t e = 0; e < x.rows.size(); ++e) {
    const auto i = static_cast<std::size_t>(x.rows[e]);
    out[i] += factor * (s[i] * static_cast<double>(x.values[e]));
  }
}

template <class T>
void CscMatrix<T>::column_dot(Index j, const ClassMatrix& r, std::span<double> out) const {
  assert(r.rows() == rows_ && std::ssize(out) == r.stride());
  class_dot(column(j).rows, column(j).values.data(), r.values().data(), out.size(), out.data());
}

template <class T>
void CscMatrix<T>::add_column(Index j, std::span<const double> factors, const ClassMatrix& s,
                              ClassMatrix& out) const {
  assert(s.rows() == rows_ && out.rows() == rows_ && std::ssize(factors) == out.stride());
  class_add(column(j).rows, column(j).values.data(), s.values().data(), factors.data(), factors.size(),
            out.values().data());
}

template <class T>
ColumnView CscMatrix<T>::column(Index j, ColumnBuffer& buffer) const {
  const Column x = column(j);
  if constexpr (std::is_same_v<T, double>) {
    return {.sparse = true, .rows = x.rows, .values = x.values};
  } else {
    buffer.values.assign(x.values.begin(), x.values.end());
    return {.sparse = true, .rows = x.rows, .values = buffer.values};
  }
}

template <class T>
std::shared_ptr<const Design> CscMatrix<T>::take_rows(std::span<const Index> rows) const {
  const NewRows new_rows(rows_, rows);
  const bool sorted = std::is_sorted(rows.begin(), rows.end());
  AlignedBuffer<Count> starts(1, 0);
  AlignedBuffer<Index> row_indices;
  AlignedBuffer<T> values;
  std::vector<std::pair<Index, T>> entries;  // of one column
  for (Index j = 0; j < cols(); ++j) {
    const Column x = column(j);
    entries.clear();
    for (std::size_t k = 0; k < x.rows.size(); ++k) {
      for (const Index row : new_rows.of(x.rows[k])) entries.emplace_back(row, x.values[k]);
    }
    if (!sorted) std::sort(entries.begin(), entries.end());
    for (const auto& [row, value] : entries) {
      row_indices.push_back(row);
      values.push_back(value);
    }
    starts.push_back(static_cast<Count>(row_indices.size()));
  }
  return std::make_shared<const CscMatrix>(static_cast<Index>(rows.size()), std::move(starts),
                                           std::move(row_indices), std::move(values));
}

template class CscMatrix<double>;
template class CscMatrix<float>;

}  // namespace hsvm
