// Single columns of a sparse design.

#include <algorithm>
#include <cassert>
#include <numeric>
#include <type_traits>
#include <utility>

#include "hsvm/core/clones.hpp"
#include "hsvm/data/column_kernels.hpp"
#include "hsvm/data/csc_matrix.hpp"

namespace hsvm {
namespace {

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

}  // namespace

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

namespace {

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

#define HSVM_INSTANTIATE(T)                                                                                \
  template double CscMatrix<T>::column_dot(Index, std::span<const double>) const;                          \
  template void CscMatrix<T>::add_column(Index, double, std::span<const double>, std::span<double>) const; \
  template void CscMatrix<T>::column_dot(Index, const ClassMatrix&, std::span<double>) const;              \
  template void CscMatrix<T>::add_column(Index, std::span<const double>, const ClassMatrix&, ClassMatrix&) \
      const;                                                                                               \
  template ColumnView CscMatrix<T>::column(Index, ColumnBuffer&) const;                                    \
  template std::shared_ptr<const Design> CscMatrix<T>::take_rows(std::span<const Index>) const
HSVM_INSTANTIATE(double);
HSVM_INSTANTIATE(float);
#undef HSVM_INSTANTIATE

}  // namespace hsvm
