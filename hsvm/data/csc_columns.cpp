// Single columns of a sparse design.

#include <algorithm>
#include <cassert>

#include "hsvm/core/clones.hpp"
#include "hsvm/core/lanes.hpp"
#include "hsvm/data/csc_matrix.hpp"

namespace hsvm {
namespace {

// Sums term(e) over entries, four at a time: one alone would wait for each addition.
template <class Term>
[[gnu::always_inline]] inline double sum_entries(std::size_t size, const Term& term) {
  double sum[4] = {};
  std::size_t e = 0;
  for (; e + 4 <= size; e += 4) {
    for (std::size_t lane = 0; lane < 4; ++lane) sum[lane] += term(e + lane);
  }
  for (; e < size; ++e) sum[0] += term(e);
  return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

template <class T>
[[gnu::always_inline]] inline void class_dot_body(std::span<const Index> rows, const T* values, const double* r,
                                                  std::size_t stride, double* out) {
  for (std::size_t k = 0; k < stride; k += kLanes) {
    Lanes sum[4] = {};
    std::size_t e = 0;
    const auto term = [&](std::size_t entry) {
      return static_cast<double>(values[entry]) * load(r + static_cast<std::size_t>(rows[entry]) * stride + k);
    };
    for (; e + 4 <= rows.size(); e += 4) {
      for (std::size_t lane = 0; lane < 4; ++lane) sum[lane] += term(e + lane);
    }
    for (; e < rows.size(); ++e) sum[0] += term(e);
    store(out + k, (sum[0] + sum[1]) + (sum[2] + sum[3]));
  }
}

template <class T>
[[gnu::always_inline]] inline void class_add_body(std::span<const Index> rows, const T* values, const double* s,
                                                  const double* factors, std::size_t stride, double* out) {
  for (std::size_t k = 0; k < stride; k += kLanes) {
    const Lanes by = load(factors + k);
    for (std::size_t e = 0; e < rows.size(); ++e) {
      const std::size_t place = static_cast<std::size_t>(rows[e]) * stride + k;
      store(out + place, load(out + place) + load(s + place) * (static_cast<double>(values[e]) * by));
    }
  }
}

#define HSVM_KERNELS(T)                                                                     \
  HSVM_CLONES void class_dot(std::span<const Index> rows, const T* values, const double* r, \
                             std::size_t stride, double* out) {                             \
    class_dot_body(rows, values, r, stride, out);                                           \
  }                                                                                         \
  HSVM_CLONES void class_add(std::span<const Index> rows, const T* values, const double* s, \
                             const double* factors, std::size_t stride, double* out) {      \
    class_add_body(rows, values, s, factors, stride, out);                                  \
  }
HSVM_KERNELS(double)
HSVM_KERNELS(float)
#undef HSVM_KERNELS

}  // namespace

template <class T>
double CscMatrix<T>::column_dot(Index j, std::span<const double> r) const {
  const Column x = column(j);
  return sum_entries(x.rows.size(), [&](std::size_t e) {
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
double CscMatrix<T>::standardized_squared_norm(Index j, double center, double scale, std::span<const double> s,
                                               double total) const {
  const Column x = column(j);
  const auto weight = [&](std::size_t e) { return s[static_cast<std::size_t>(x.rows[e])]; };
  const double stored = sum_entries(x.rows.size(), [&](std::size_t e) {
    const double value = scale * (static_cast<double>(x.values[e]) - center);
    return weight(e) * value * value;
  });
  if (center == 0.0) return stored;
  const double at_zero = scale * center;
  return stored + at_zero * at_zero * std::max(0.0, total - sum_entries(x.rows.size(), weight));
}

template <class T>
void CscMatrix<T>::column_squared_norms(std::span<const Index> columns, std::span<const double> s,
                                        std::span<double> out) const {
  assert(std::ssize(s) == rows_ && out.size() == columns.size());
  for_columns(columns, out, [&](Index j) { return standardized_squared_norm(j, 0.0, 1.0, s, 0.0); });
}

#define HSVM_INSTANTIATE(T)                                                                                \
  template double CscMatrix<T>::column_dot(Index, std::span<const double>) const;                          \
  template void CscMatrix<T>::add_column(Index, double, std::span<const double>, std::span<double>) const; \
  template void CscMatrix<T>::column_dot(Index, const ClassMatrix&, std::span<double>) const;              \
  template void CscMatrix<T>::add_column(Index, std::span<const double>, const ClassMatrix&, ClassMatrix&) \
      const;                                                                                               \
  template double CscMatrix<T>::standardized_squared_norm(Index, double, double, std::span<const double>,  \
                                                          double) const;                                   \
  template void CscMatrix<T>::column_squared_norms(std::span<const Index>, std::span<const double>,        \
                                                   std::span<double>) const
HSVM_INSTANTIATE(double);
HSVM_INSTANTIATE(float);
#undef HSVM_INSTANTIATE

}  // namespace hsvm
