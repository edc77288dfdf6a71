// Single columns of a dense design.

#include <cassert>
#include <functional>
#include <type_traits>

#include "hsvm/core/clones.hpp"
#include "hsvm/core/lanes.hpp"
#include "hsvm/core/parallel.hpp"
#include "hsvm/data/column_kernels.hpp"
#include "hsvm/data/dense_matrix.hpp"

namespace hsvm {
namespace {

template <class T>
[[gnu::always_inline]] inline double dot_body(const T* x, const double* r, std::size_t size) {
  Lanes first = {};
  Lanes second = {};
  std::size_t i = 0;
  for (; i + 2 * kLanes <= size; i += 2 * kLanes) {
    first += load(x + i) * load(r + i);
    second += load(x + i + kLanes) * load(r + i + kLanes);
  }
  double rest = 0.0;
  for (; i < size; ++i) rest += static_cast<double>(x[i]) * r[i];
  return sum(first + second) + rest;
}

template <class T>
[[gnu::always_inline]] inline void add_body(const T* x, const double* s, double factor, std::size_t size,
                                            double* out) {
  by_lanes(
      size, [&](std::size_t i) { store(out + i, load(out + i) + factor * (load(s + i) * load(x + i))); },
      [&](std::size_t i) { out[i] += factor * (s[i] * static_cast<double>(x[i])); });
}

#define HSVM_KERNELS(T)                                                                                        \
  HSVM_CLONES double dot(const T* x, const double* r, std::size_t size) {                                      \
    return dot_body(x, r, size);                                                                               \
  }                                                                                                            \
  HSVM_CLONES void add(const T* x, const double* s, double factor, std::size_t size, double* out) {            \
    add_body(x, s, factor, size, out);                                                                         \
  }                                                                                                            \
  HSVM_CLONES void class_dot(const T* x, std::size_t size, const double* r, std::size_t stride, double* out) { \
    detail::class_dot(size, x, std::identity{}, r, stride, out);                                               \
  }                                                                                                            \
  HSVM_CLONES void class_add(const T* x, std::size_t size, const double* s, const double* factors,             \
                             std::size_t stride, double* out) {                                                \
    detail::class_add(size, x, std::identity{}, s, factors, stride, out);                                      \
  }
HSVM_KERNELS(double)
HSVM_KERNELS(float)
#undef HSVM_KERNELS

}  // namespace

template <class T>
double DenseMatrix<T>::column_dot(Index j, std::span<const double> r) const {
  assert(std::ssize(r) == rows_);
  return dot(column(j).data(), r.data(), r.size());
}

template <class T>
void DenseMatrix<T>::add_column(Index j, double factor, std::span<const double> s,
                                std::span<double> out) const {
  assert(std::ssize(s) == rows_ && std::ssize(out) == rows_);
  add(column(j).data(), s.data(), factor, out.size(), out.data());
}

template <class T>
void DenseMatrix<T>::column_dot(Index j, const ClassMatrix& r, std::span<double> out) const {
  assert(r.rows() == rows_ && std::ssize(out) == r.stride());
  class_dot(column(j).data(), column(j).size(), r.values().data(), out.size(), out.data());
}

template <class T>
void DenseMatrix<T>::add_column(Index j, std::span<const double> factors, const ClassMatrix& s,
                                ClassMatrix& out) const {
  assert(s.rows() == rows_ && out.rows() == rows_ && std::ssize(factors) == out.stride());
  class_add(column(j).data(), column(j).size(), s.values().data(), factors.data(), factors.size(),
            out.values().data());
}

template <class T>
ColumnView DenseMatrix<T>::column(Index j, ColumnBuffer& buffer) const {
  const std::span<const T> values = column(j);
  if constexpr (std::is_same_v<T, double>) {
    return {.sparse = false, .rows = {}, .values = values};
  } else {
    buffer.values.assign(values.begin(), values.end());
    return {.sparse = false, .rows = {}, .values = buffer.values};
  }
}

template <class T>
void DenseMatrix<T>::gather(Index j, std::span<const Index> samples, double* out, Index stride) const {
  const std::span<const T> values = column(j);
  for (std::size_t k = 0; k < samples.size(); ++k)
    out[k * static_cast<std::size_t>(stride)] =
        static_cast<double>(values[static_cast<std::size_t>(samples[k])]);
}

template <class T>
std::shared_ptr<const Design> DenseMatrix<T>::take_rows(std::span<const Index> rows) const {
  auto result = std::make_shared<DenseMatrix>(static_cast<Index>(rows.size()), cols_);
  parallel_for(cols_, [&](Index j) {
    const std::span<const T> values = column(j);
    for (std::size_t k = 0; k < rows.size(); ++k)
      (*result)(static_cast<Index>(k), j) = values[static_cast<std::size_t>(rows[k])];
  });
  return result;
}

#define HSVM_INSTANTIATE(T)                                                                                  \
  template double DenseMatrix<T>::column_dot(Index, std::span<const double>) const;                          \
  template void DenseMatrix<T>::add_column(Index, double, std::span<const double>, std::span<double>) const; \
  template void DenseMatrix<T>::column_dot(Index, const ClassMatrix&, std::span<double>) const;              \
  template void DenseMatrix<T>::add_column(Index, std::span<const double>, const ClassMatrix&, ClassMatrix&) \
      const;                                                                                                 \
  template ColumnView DenseMatrix<T>::column(Index, ColumnBuffer&) const;                                    \
  template void DenseMatrix<T>::gather(Index, std::span<const Index>, double*, Index) const;                 \
  template std::shared_ptr<const Design> DenseMatrix<T>::take_rows(std::span<const Index>) const
HSVM_INSTANTIATE(double);
HSVM_INSTANTIATE(float);
#undef HSVM_INSTANTIATE

}  // namespace hsvm
