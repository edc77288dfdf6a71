#include "hsvm/data/stacked_design.hpp"

#include <algorithm>
#include <cassert>
#include <utility>

#include "hsvm/core/vector_sums.hpp"

namespace hsvm {

StackedDesign::StackedDesign(std::vector<SharedDesign> blocks) : blocks_(std::move(blocks)), first_rows_(1, 0) {
  assert(!blocks_.empty());
  for (const SharedDesign& block : blocks_) {
    assert(block->cols() == cols() && block->is_sparse() == is_sparse());
    first_rows_.push_back(first_rows_.back() + block->rows());
  }
}

Count StackedDesign::stored() const {
  Count sum = 0;
  for (const SharedDesign& block : blocks_) sum += block->stored();
  return sum;
}

Count StackedDesign::stored(Index j) const {
  Count sum = 0;
  for (const SharedDesign& block : blocks_) sum += block->stored(j);
  return sum;
}

void StackedDesign::multiply(Columns columns, std::span<const double> w, std::span<double> out) const {
  for (std::size_t b = 0; b < blocks_.size(); ++b) blocks_[b]->multiply(columns, w, part(out, b));
}

void StackedDesign::multiply_transposed(Columns columns, std::span<const double> r,
                                        std::span<double> out) const {
  std::vector<double> products(out.size());
  blocks_[0]->multiply_transposed(columns, part(r, 0), out);
  for (std::size_t b = 1; b < blocks_.size(); ++b) {
    blocks_[b]->multiply_transposed(columns, part(r, b), products);
    add_scaled(1.0, products, out);
  }
}

void StackedDesign::multiply(Columns columns, const ClassMatrix& w, ClassMatrix& out) const {
  ClassMatrix scores;
  out.reset(rows(), w.n_classes());
  for (std::size_t b = 0; b < blocks_.size(); ++b) {
    blocks_[b]->multiply(columns, w, scores);
    std::ranges::copy(scores.values(), out.data(first_rows_[b]));
  }
}

void StackedDesign::multiply_transposed(Columns columns, const ClassMatrix& r, ClassMatrix& out) const {
  ClassMatrix residuals;
  ClassMatrix products;
  out.reset(static_cast<Index>(columns.size()), r.n_classes());
  for (std::size_t b = 0; b < blocks_.size(); ++b) {
    residuals.reset(blocks_[b]->rows(), r.n_classes());
    std::copy_n(r.data(first_rows_[b]), residuals.values().size(), residuals.values().begin());
    blocks_[b]->multiply_transposed(columns, residuals, products);
    add_scaled(1.0, products.values(), out.values());
  }
}

double StackedDesign::column_dot(Index j, std::span<const double> r) const {
  double sum = 0.0;
  for (std::size_t b = 0; b < blocks_.size(); ++b) sum += blocks_[b]->column_dot(j, part(r, b));
  return sum;
}

void StackedDesign::add_column(Index j, double factor, std::span<const double> s, std::span<double> out) const {
  for (std::size_t b = 0; b < blocks_.size(); ++b) blocks_[b]->add_column(j, factor, part(s, b), part(out, b));
}

ColumnView StackedDesign::column(Index j, ColumnBuffer& buffer) const {
  const ColumnPart whole = column_between(j, 0, rows(), buffer);
  return {.sparse = whole.sparse, .rows = whole.rows, .values = buffer.values};
}

ColumnPart StackedDesign::column_between(Index j, Index begin, Index end, ColumnBuffer& buffer) const {
  buffer.rows.clear();
  buffer.values.clear();
  ColumnBuffer of_block;
  for (std::size_t b = 0; b < blocks_.size(); ++b) {
    const Index from = std::max(begin, first_rows_[b]) - first_rows_[b];
    const Index to = std::min(end, first_rows_[b + 1]) - first_rows_[b];
    if (from >= to) continue;
    const ColumnPart part = blocks_[b]->column_between(j, from, to, of_block);
    for (const Index i : part.rows) buffer.rows.push_back(first_rows_[b] + i);
    for (std::size_t e = 0; e < part.size; ++e) buffer.values.push_back(part[e]);
  }
  return {
      .sparse = is_sparse(), .rows = buffer.rows, .size = buffer.values.size(), .values = buffer.values.data()};
}

std::shared_ptr<const void> StackedDesign::keep_in_memory(Columns columns) const {
  auto kept = std::make_shared<std::vector<std::shared_ptr<const void>>>();
  for (const SharedDesign& block : blocks_) kept->push_back(block->keep_in_memory(columns));
  return kept;
}

}  // namespace hsvm
