#include "hsvm/data/standardized_view.hpp"

#include <algorithm>
#include <cassert>

#include "hsvm/core/vector_sums.hpp"

namespace hsvm {
namespace {

// One sum for each class, padded like a row.
std::vector<double> column_sums(const ClassMatrix& values) {
  const auto stride = static_cast<std::size_t>(values.stride());
  std::vector<double> sums(stride, 0.0);
  for (Index i = 0; i < values.rows(); ++i) {
    const double* const row = values.data(i);
    for (std::size_t k = 0; k < stride; ++k) sums[k] += row[k];
  }
  return sums;
}

}  // namespace

// Which of the columns are not left out: their positions in the list, and the columns themselves. The others are not to be
// read, whatever stands in them: zero times infinity is not zero.
struct StandardizedView::KeptColumns {
  std::vector<std::size_t> positions;
  std::vector<Index> columns;
};

StandardizedView::KeptColumns StandardizedView::kept_of(Columns columns) const {
  KeptColumns kept;
  for (std::size_t c = 0; c < columns.size(); ++c) {
    if (scale(columns[c]) == 0.0) continue;
    kept.positions.push_back(c);
    kept.columns.push_back(columns[c]);
  }
  return kept;
}

StandardizedView::StandardizedView(const Design& matrix, const Standardization& standardization)
    : matrix_(&matrix), standardization_(&standardization) {
  assert(std::ssize(standardization.centers) == cols() && std::ssize(standardization.scales) == cols());
  all_kept_ = std::ranges::find(standardization.scales, 0.0) == standardization.scales.end();
}

void StandardizedView::multiply(Columns columns, std::span<const double> w, std::span<double> out) const {
  const KeptColumns kept = kept_of(columns);
  std::vector<double> v(kept.columns.size());
  double shift = 0.0;
  for (std::size_t c = 0; c < v.size(); ++c) {
    v[c] = scale(kept.columns[c]) * w[kept.positions[c]];
    shift += center(kept.columns[c]) * v[c];
  }
  matrix_->multiply(kept.columns, v, out);
  if (shift != 0.0) add_constant(-shift, out);
}

void StandardizedView::multiply_transposed(std::span<const double> r, std::span<double> out) const {
  if (!all_kept_) return multiply_transposed(all_indices(cols()), r, out);
  matrix_->multiply_transposed(r, out);
  const double total = sum_of(r);
  for (std::size_t j = 0; j < out.size(); ++j)
    out[j] = standardization_->scales[j] * (out[j] - standardization_->centers[j] * total);
}

void StandardizedView::multiply_transposed(Columns columns, std::span<const double> r,
                                           std::span<double> out) const {
  if (!all_kept_) {
    const KeptColumns kept = kept_of(columns);
    if (kept.columns.size() < columns.size()) {
      std::vector<double> products(kept.columns.size());
      multiply_transposed(kept.columns, r, products);
      std::fill(out.begin(), out.end(), 0.0);
      for (std::size_t c = 0; c < products.size(); ++c) out[kept.positions[c]] = products[c];
      return;
    }
  }
  matrix_->multiply_transposed(columns, r, out);
  const double total = sum_of(r);
  for (std::size_t c = 0; c < out.size(); ++c)
    out[c] = scale(columns[c]) * (out[c] - center(columns[c]) * total);
}

void StandardizedView::multiply(Columns columns, const ClassMatrix& w, ClassMatrix& out) const {
  const KeptColumns kept = kept_of(columns);
  ClassMatrix v(static_cast<Index>(kept.columns.size()), w.n_classes());
  std::vector<double> shift(static_cast<std::size_t>(w.stride()), 0.0);
  for (std::size_t c = 0; c < kept.columns.size(); ++c) {
    const Index j = kept.columns[c];
    const double* const from = w.data(static_cast<Index>(kept.positions[c]));
    double* const row = v.data(static_cast<Index>(c));
    for (std::size_t k = 0; k < shift.size(); ++k) {
      row[k] = scale(j) * from[k];
      shift[k] += center(j) * row[k];
    }
  }
  matrix_->multiply(kept.columns, v, out);
  for (Index i = 0; i < out.rows(); ++i) {
    double* const row = out.data(i);
    for (std::size_t k = 0; k < shift.size(); ++k) row[k] -= shift[k];
  }
}

void StandardizedView::multiply_transposed(Columns columns, const ClassMatrix& r, ClassMatrix& out) const {
  if (!all_kept_) {
    const KeptColumns kept = kept_of(columns);
    if (kept.columns.size() < columns.size()) {
      ClassMatrix products;
      multiply_transposed(kept.columns, r, products);
      out.reset(static_cast<Index>(columns.size()), r.n_classes());
      for (std::size_t c = 0; c < kept.positions.size(); ++c) {
        std::copy_n(products.data(static_cast<Index>(c)), products.stride(),
                    out.data(static_cast<Index>(kept.positions[c])));
      }
      return;
    }
  }
  matrix_->multiply_transposed(columns, r, out);
  const std::vector<double> totals = column_sums(r);
  for (std::size_t c = 0; c < columns.size(); ++c) {
    double* const row = out.data(static_cast<Index>(c));
    for (std::size_t k = 0; k < totals.size(); ++k)
      row[k] = scale(columns[c]) * (row[k] - center(columns[c]) * totals[k]);
  }
}

void StandardizedView::column_squared_norms(Columns columns, std::span<const double> s,
                                            std::span<double> out) const {
  const std::vector<double>& known = standardization_->squared_norms;
  if (known.empty() || !are_all(s, 1.0)) return Design::column_squared_norms(columns, s, out);
  std::ranges::transform(columns, out.begin(),
                         [&](Index j) { return scale(j) == 0.0 ? 0.0 : known[static_cast<std::size_t>(j)]; });
}

double StandardizedView::column_dot(Index j, std::span<const double> r) const {
  if (scale(j) == 0.0) return 0.0;
  const double shift = center(j) == 0.0 ? 0.0 : center(j) * sum_of(r);
  return scale(j) * (matrix_->column_dot(j, r) - shift);
}

void StandardizedView::add_column(Index j, double factor, std::span<const double> s,
                                  std::span<double> out) const {
  if (scale(j) == 0.0) return;
  matrix_->add_column(j, factor * scale(j), s, out);
  const double shift = factor * scale(j) * center(j);
  if (shift == 0.0) return;
  for (std::size_t i = 0; i < out.size(); ++i) out[i] -= shift * s[i];
}

void StandardizedView::column_dot(Index j, const ClassMatrix& r, std::span<double> out) const {
  if (scale(j) == 0.0) {
    std::fill(out.begin(), out.end(), 0.0);
    return;
  }
  matrix_->column_dot(j, r, out);
  const std::vector<double> totals = column_sums(r);
  for (std::size_t k = 0; k < out.size(); ++k) out[k] = scale(j) * (out[k] - center(j) * totals[k]);
}

void StandardizedView::add_column(Index j, std::span<const double> factors, const ClassMatrix& s,
                                  ClassMatrix& out) const {
  if (scale(j) == 0.0) return;
  std::vector<double> scaled(factors.begin(), factors.end());
  for (double& factor : scaled) factor *= scale(j);
  matrix_->add_column(j, scaled, s, out);
  for (Index i = 0; i < out.rows(); ++i) {
    double* const row = out.data(i);
    const double* const weights = s.data(i);
    for (std::size_t k = 0; k < scaled.size(); ++k) row[k] -= weights[k] * (center(j) * scaled[k]);
  }
}

ColumnView StandardizedView::column(Index j, ColumnBuffer& buffer) const {
  buffer.values.resize(static_cast<std::size_t>(rows()));
  gather(j, all_indices(rows()), buffer.values.data(), 1);
  return {.sparse = false, .rows = {}, .values = buffer.values};
}

ColumnPart StandardizedView::column_between(Index j, Index begin, Index end, ColumnBuffer& buffer) const {
  const Affine seen = affine(j);
  buffer.values.assign(static_cast<std::size_t>(end - begin), seen(0.0));
  ColumnBuffer inner;
  const ColumnPart stored = seen.scale == 0.0 ? ColumnPart{} : matrix_->column_between(j, begin, end, inner);
  for (std::size_t e = 0; e < stored.size; ++e)
    buffer.values[stored.sparse ? static_cast<std::size_t>(stored.rows[e] - begin) : e] = seen(stored[e]);
  return {.size = buffer.values.size(), .values = buffer.values.data()};
}

void StandardizedView::gather(Index j, std::span<const Index> samples, double* out, Index stride) const {
  const Affine seen = affine(j);
  if (seen.scale != 0.0) matrix_->gather(j, samples, out, stride);
  for (std::size_t k = 0; k < samples.size(); ++k) {
    double& value = out[k * static_cast<std::size_t>(stride)];
    value = seen(value);
  }
}

}  // namespace hsvm
