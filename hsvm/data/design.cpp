// What every design can do once it can multiply, and the norms of single columns.

#include "hsvm/data/design.hpp"

#include <algorithm>
#include <cassert>
#include <numeric>

#include "hsvm/core/clones.hpp"
#include "hsvm/core/parallel.hpp"
#include "hsvm/core/vector_sums.hpp"
#include "hsvm/data/column_kernels.hpp"
#include "hsvm/data/dense_matrix.hpp"

namespace hsvm {
namespace {

HSVM_CLONES double dense_squared_norm(const double* x, double center, double scale, const double* s,
                                      std::size_t size) {
  constexpr std::size_t kSums = 4;  // at a time: one alone would wait for each addition
  Lanes total[kSums] = {};
  std::size_t i = 0;
  for (; i + kSums * kLanes <= size; i += kSums * kLanes) {
    for (std::size_t k = 0; k < kSums; ++k) {
      const Lanes value = scale * (load(x + i + k * kLanes) - center);
      total[k] += load(s + i + k * kLanes) * value * value;
    }
  }
  double rest = 0.0;
  for (; i < size; ++i) {
    const double value = scale * (x[i] - center);
    rest += s[i] * value * value;
  }
  return sum((total[0] + total[1]) + (total[2] + total[3])) + rest;
}

std::vector<double> class_column(const ClassMatrix& matrix, Index k) {
  std::vector<double> result(static_cast<std::size_t>(matrix.rows()));
  for (Index i = 0; i < matrix.rows(); ++i) result[static_cast<std::size_t>(i)] = matrix.data(i)[k];
  return result;
}

void set_class_column(std::span<const double> from, Index k, ClassMatrix& matrix) {
  for (Index i = 0; i < matrix.rows(); ++i) matrix.data(i)[k] = from[static_cast<std::size_t>(i)];
}

}  // namespace

void Design::multiply(std::span<const double> w, std::span<double> out) const {
  assert(std::ssize(w) == cols());
  const SparseCoefficients active = nonzeros(w);
  multiply(active.columns, active.values, out);
}

void Design::multiply_transposed(std::span<const double> r, std::span<double> out) const {
  multiply_transposed(all_indices(cols()), r, out);
}

void Design::multiply(Columns columns, const ClassMatrix& w, ClassMatrix& out) const {
  out.reset(rows(), w.n_classes());
  std::vector<double> scores(static_cast<std::size_t>(rows()));
  for (Index k = 0; k < w.n_classes(); ++k) {
    multiply(columns, class_column(w, k), scores);
    set_class_column(scores, k, out);
  }
}

void Design::multiply_transposed(Columns columns, const ClassMatrix& r, ClassMatrix& out) const {
  out.reset(static_cast<Index>(columns.size()), r.n_classes());
  std::vector<double> products(columns.size());
  for (Index k = 0; k < r.n_classes(); ++k) {
    multiply_transposed(columns, class_column(r, k), products);
    set_class_column(products, k, out);
  }
}

void Design::multiply_transposed(const ClassMatrix& r, ClassMatrix& out) const {
  multiply_transposed(all_indices(cols()), r, out);
}

void Design::column_squared_norms(Columns columns, std::span<const double> s, std::span<double> out) const {
  assert((s.empty() || std::ssize(s) == rows()) && out.size() == columns.size());
  if (columns.empty()) return;
  if (s.empty() && rows() > 0) {
    const std::vector<double> ones(static_cast<std::size_t>(rows()), 1.0);
    return Design::column_squared_norms(columns, ones, out);
  }
  constexpr Index kBlock = 64;
  const double total = is_sparse() ? sum_of(s) : 0.0;  // of a dense column all entries are there
  for_each_piece(columns, [&](std::size_t first, std::size_t last) {
    parallel_blocks(static_cast<Index>(last - first), kBlock, [&](Index begin, Index end) {
      ColumnBuffer buffer;
      for (auto c = first + static_cast<std::size_t>(begin); c < first + static_cast<std::size_t>(end); ++c) {
        const Affine seen = affine(columns[c]);
        out[c] = seen.scale == 0.0 ? 0.0 : squared_norm(source().column(columns[c], buffer), seen, s, total);
      }
    });
  });
}

double Design::column_dot(Index j, std::span<const double> r) const {
  double product = 0.0;
  multiply_transposed(Columns(&j, 1), r, std::span(&product, 1));
  return product;
}

void Design::add_column(Index j, double factor, std::span<const double> s, std::span<double> out) const {
  ColumnBuffer buffer;
  for_each_entry(column(j, buffer), [&](std::size_t i, double x) { out[i] += factor * (s[i] * x); });
}

void Design::column_dot(Index j, const ClassMatrix& r, std::span<double> out) const {
  ClassMatrix product;
  multiply_transposed(Columns(&j, 1), r, product);
  std::copy_n(product.data(0), out.size(), out.begin());
}

void Design::add_column(Index j, std::span<const double> factors, const ClassMatrix& s,
                        ClassMatrix& out) const {
  ColumnBuffer buffer;
  for_each_entry(column(j, buffer), [&](std::size_t i, double x) {
    const double* const weights = s.data(static_cast<Index>(i));
    double* const to = out.data(static_cast<Index>(i));
    for (std::size_t k = 0; k < factors.size(); ++k) to[k] += weights[k] * (x * factors[k]);
  });
}

ColumnView Design::column(Index j, ColumnBuffer& buffer) const {
  constexpr double kOne = 1.0;
  buffer.values.resize(static_cast<std::size_t>(rows()));
  multiply(Columns(&j, 1), std::span(&kOne, 1), buffer.values);
  return {.sparse = false, .rows = {}, .values = buffer.values};
}

ColumnPart Design::column_between(Index j, Index begin, Index end, ColumnBuffer& buffer) const {
  const ColumnView whole = column(j, buffer);
  auto first = static_cast<std::size_t>(begin);
  auto last = static_cast<std::size_t>(end);
  if (!whole.sparse) return {.size = last - first, .values = whole.values.data() + first};
  first = static_cast<std::size_t>(std::ranges::lower_bound(whole.rows, begin) - whole.rows.begin());
  last = static_cast<std::size_t>(std::ranges::lower_bound(whole.rows, end) - whole.rows.begin());
  return {.sparse = true,
          .rows = whole.rows.subspan(first, last - first),
          .size = last - first,
          .values = whole.values.data() + first};
}

void Design::gather(Index j, std::span<const Index> samples, double* out, Index stride) const {
  ColumnBuffer buffer;
  const ColumnView view = column(j, buffer);
  std::size_t e = 0;
  for (std::size_t k = 0; k < samples.size(); ++k) {
    const Index i = samples[k];
    double value = 0.0;
    if (!view.sparse) {
      value = view.values[static_cast<std::size_t>(i)];
    } else {
      if (k > 0 && i < samples[k - 1]) e = 0;
      while (e < view.rows.size() && view.rows[e] < i) ++e;
      if (e < view.rows.size() && view.rows[e] == i) value = view.values[e];
    }
    out[k * static_cast<std::size_t>(stride)] = value;
  }
}

std::shared_ptr<const Design> Design::take_rows(std::span<const Index> rows) const {
  DenseMatrix<double> result(static_cast<Index>(rows.size()), cols());
  for (Index j = 0; j < cols() && !rows.empty(); ++j) gather(j, rows, &result(0, j), 1);
  return std::make_shared<const DenseMatrix<double>>(std::move(result));
}

SharedDesign::SharedDesign() : SharedDesign(DenseMatrix<double>()) {}

double squared_norm(const ColumnView& column, const Affine& seen, std::span<const double> s, double total) {
  if (!column.sparse)
    return dense_squared_norm(column.values.data(), seen.center, seen.scale, s.data(), s.size());
  const auto weight = [&](std::size_t e) { return s[static_cast<std::size_t>(column.rows[e])]; };
  const double stored = detail::sum_entries<double>(column.rows.size(), [&](std::size_t e) {
    const double value = seen.scale * (column.values[e] - seen.center);
    return weight(e) * value * value;
  });
  if (seen.center == 0.0) return stored;
  const double of_zero = seen.scale * seen.center;
  return stored +
         of_zero * of_zero * std::max(0.0, total - detail::sum_entries<double>(column.rows.size(), weight));
}

std::vector<Index> all_indices(Index n) {
  std::vector<Index> result(static_cast<std::size_t>(n));
  std::iota(result.begin(), result.end(), Index{0});
  return result;
}

double SparseCoefficients::operator[](Index j) const {
  const auto found = std::ranges::lower_bound(columns, j);
  return found == columns.end() || *found != j ? 0.0
                                               : values[static_cast<std::size_t>(found - columns.begin())];
}

SparseCoefficients nonzeros(std::span<const double> w) {
  SparseCoefficients result;
  for (std::size_t j = 0; j < w.size(); ++j) {
    if (w[j] != 0.0) result.add(static_cast<Index>(j), w[j]);
  }
  return result;
}

}  // namespace hsvm
