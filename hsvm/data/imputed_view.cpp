#include "hsvm/data/imputed_view.hpp"

#include <algorithm>
#include <cassert>
#include <utility>

namespace hsvm {

ImputedView::ImputedView(const Design& design, const MissingEntries& missing, std::vector<double> fill)
    : design_(&design), missing_(&missing), fill_(std::move(fill)) {
  assert(fill_.size() == missing.columns.size());
}

ImputedView::Patch ImputedView::patch_of(Index j) const {
  const auto found = std::ranges::lower_bound(missing_->columns, j, {}, &MissingEntries::Column::feature);
  if (found == missing_->columns.end() || found->feature != j) return {};
  const double value = fill_[static_cast<std::size_t>(found - missing_->columns.begin())];
  return value == 0.0 ? Patch{} : Patch{&found->rows, value};
}

void ImputedView::multiply(Columns columns, std::span<const double> w, std::span<double> out) const {
  design_->multiply(columns, w, out);
  for (std::size_t c = 0; c < columns.size(); ++c) {
    if (w[c] == 0.0) continue;
    const auto [rows, value] = patch_of(columns[c]);
    if (rows == nullptr) continue;
    for (const Index i : *rows) out[static_cast<std::size_t>(i)] += value * w[c];
  }
}

void ImputedView::multiply_transposed(Columns columns, std::span<const double> r, std::span<double> out) const {
  design_->multiply_transposed(columns, r, out);
  for (std::size_t c = 0; c < columns.size(); ++c) {
    const auto [rows, value] = patch_of(columns[c]);
    if (rows == nullptr) continue;
    double sum = 0.0;
    for (const Index i : *rows) sum += r[static_cast<std::size_t>(i)];
    out[c] += value * sum;
  }
}

void ImputedView::multiply(std::span<const double> w, std::span<double> out) const {
  const SparseCoefficients active = nonzeros(w);
  multiply(active.columns, active.values, out);
}

void ImputedView::multiply_transposed(std::span<const double> r, std::span<double> out) const {
  design_->multiply_transposed(r, out);
  for (std::size_t c = 0; c < fill_.size(); ++c) {
    if (fill_[c] == 0.0) continue;
    double sum = 0.0;
    for (const Index i : missing_->columns[c].rows) sum += r[static_cast<std::size_t>(i)];
    out[static_cast<std::size_t>(missing_->columns[c].feature)] += fill_[c] * sum;
  }
}

void ImputedView::multiply(Columns columns, const ClassMatrix& w, ClassMatrix& out) const {
  design_->multiply(columns, w, out);
  for (std::size_t c = 0; c < columns.size(); ++c) {
    const auto [rows, value] = patch_of(columns[c]);
    if (rows == nullptr) continue;
    const std::span<const double> factors = w.row(static_cast<Index>(c));
    for (const Index i : *rows) {
      double* const scores = out.data(i);
      for (std::size_t k = 0; k < factors.size(); ++k) scores[k] += value * factors[k];
    }
  }
}

void ImputedView::multiply_transposed(Columns columns, const ClassMatrix& r, ClassMatrix& out) const {
  design_->multiply_transposed(columns, r, out);
  for (std::size_t c = 0; c < columns.size(); ++c) {
    const auto [rows, value] = patch_of(columns[c]);
    if (rows == nullptr) continue;
    double* const products = out.data(static_cast<Index>(c));
    for (std::size_t k = 0; k < static_cast<std::size_t>(r.n_classes()); ++k) {
      double sum = 0.0;
      for (const Index i : *rows) sum += r.data(i)[k];
      products[k] += value * sum;
    }
  }
}

double ImputedView::column_dot(Index j, std::span<const double> r) const {
  const double dot = design_->column_dot(j, r);
  const auto [rows, value] = patch_of(j);
  if (rows == nullptr) return dot;
  double sum = 0.0;
  for (const Index i : *rows) sum += r[static_cast<std::size_t>(i)];
  return dot + value * sum;
}

void ImputedView::add_column(Index j, double factor, std::span<const double> s, std::span<double> out) const {
  design_->add_column(j, factor, s, out);
  const auto [rows, value] = patch_of(j);
  if (rows == nullptr) return;
  for (const Index i : *rows)
    out[static_cast<std::size_t>(i)] += factor * value * s[static_cast<std::size_t>(i)];
}

void ImputedView::column_dot(Index j, const ClassMatrix& r, std::span<double> out) const {
  design_->column_dot(j, r, out);
  const auto [rows, value] = patch_of(j);
  if (rows == nullptr) return;
  for (std::size_t k = 0; k < static_cast<std::size_t>(r.n_classes()); ++k) {
    double sum = 0.0;
    for (const Index i : *rows) sum += r.data(i)[k];
    out[k] += value * sum;
  }
}

void ImputedView::add_column(Index j, std::span<const double> factors, const ClassMatrix& s,
                             ClassMatrix& out) const {
  design_->add_column(j, factors, s, out);
  const auto [rows, value] = patch_of(j);
  if (rows == nullptr) return;
  for (const Index i : *rows) {
    for (std::size_t k = 0; k < static_cast<std::size_t>(s.n_classes()); ++k)
      out.data(i)[k] += factors[k] * value * s.data(i)[k];
  }
}

ColumnView ImputedView::column(Index j, ColumnBuffer& buffer) const {
  if (patch_of(j).rows == nullptr) return design_->column(j, buffer);
  const ColumnPart whole = column_between(j, 0, rows(), buffer);
  return {.sparse = false, .rows = {}, .values = {whole.values, whole.size}};
}

ColumnPart ImputedView::column_between(Index j, Index begin, Index end, ColumnBuffer& buffer) const {
  const auto [rows, value] = patch_of(j);
  if (rows == nullptr) return design_->column_between(j, begin, end, buffer);
  ColumnBuffer inner;
  const ColumnPart stored = design_->column_between(j, begin, end, inner);
  buffer.values.assign(static_cast<std::size_t>(end - begin), 0.0);
  for (std::size_t e = 0; e < stored.size; ++e)
    buffer.values[stored.sparse ? static_cast<std::size_t>(stored.rows[e] - begin) : e] = stored[e];
  for (auto i = std::ranges::lower_bound(*rows, begin); i != rows->end() && *i < end; ++i)
    buffer.values[static_cast<std::size_t>(*i - begin)] = value;
  return {.size = buffer.values.size(), .values = buffer.values.data()};
}

void ImputedView::gather(Index j, std::span<const Index> samples, double* out, Index stride) const {
  design_->gather(j, samples, out, stride);
  const auto [rows, value] = patch_of(j);
  if (rows == nullptr) return;
  for (std::size_t k = 0; k < samples.size(); ++k) {
    if (std::ranges::binary_search(*rows, samples[k])) out[k * static_cast<std::size_t>(stride)] = value;
  }
}

}  // namespace hsvm
