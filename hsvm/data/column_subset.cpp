#include "hsvm/data/column_subset.hpp"

#include <algorithm>
#include <utility>

namespace hsvm {

ColumnSubset::ColumnSubset(const Design& design, std::vector<Index> columns)
    : design_(&design), columns_(std::move(columns)) {}

Count ColumnSubset::stored() const {
  Count total = 0;
  for (const Index j : columns_) total += design_->stored(j);
  return total;
}

std::vector<Index> ColumnSubset::in_design(Columns columns) const {
  std::vector<Index> result(columns.size());
  std::ranges::transform(columns, result.begin(), [&](Index j) { return in_design(j); });
  return result;
}

void ColumnSubset::multiply_transposed(std::span<const double> r, std::span<double> out) const {
  design_->multiply_transposed(columns_, r, out);
}

void ColumnSubset::multiply(Columns columns, std::span<const double> w, std::span<double> out) const {
  design_->multiply(in_design(columns), w, out);
}

void ColumnSubset::multiply_transposed(Columns columns, std::span<const double> r,
                                       std::span<double> out) const {
  design_->multiply_transposed(in_design(columns), r, out);
}

void ColumnSubset::multiply(Columns columns, const ClassMatrix& w, ClassMatrix& out) const {
  design_->multiply(in_design(columns), w, out);
}

void ColumnSubset::multiply_transposed(Columns columns, const ClassMatrix& r, ClassMatrix& out) const {
  design_->multiply_transposed(in_design(columns), r, out);
}

void ColumnSubset::column_squared_norms(Columns columns, std::span<const double> s,
                                        std::span<double> out) const {
  design_->column_squared_norms(in_design(columns), s, out);
}

ColumnView ColumnSubset::column(Index j, ColumnBuffer& buffer) const {
  return design_->column(in_design(j), buffer);
}

ColumnPart ColumnSubset::column_between(Index j, Index begin, Index end, ColumnBuffer& buffer) const {
  return design_->column_between(in_design(j), begin, end, buffer);
}

void ColumnSubset::gather(Index j, std::span<const Index> samples, double* out, Index stride) const {
  design_->gather(in_design(j), samples, out, stride);
}

}  // namespace hsvm
