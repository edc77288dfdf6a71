#include "hsvm/data/ranked_view.hpp"

namespace hsvm {

RankedView::RankedView(const Design& local, const Collective& collective)
    : local_(&local), collective_(&collective) {
  // Counts are whole numbers below 2^53: doubles hold them exactly.
  const auto p = static_cast<std::size_t>(local.cols());
  std::vector<double> counts(p + 2);
  for (std::size_t j = 0; j < p; ++j) counts[j] = static_cast<double>(local.stored(static_cast<Index>(j)));
  counts[p] = static_cast<double>(local.stored());
  counts[p + 1] = static_cast<double>(local.rows());
  collective.sum(counts);
  stored_of_.assign(counts.begin(), counts.begin() + static_cast<std::ptrdiff_t>(p));
  stored_ = static_cast<Count>(counts[p]);
  n_samples_ = static_cast<Count>(counts[p + 1]);
}

void RankedView::multiply(Columns columns, std::span<const double> w, std::span<double> out) const {
  local_->multiply(columns, w, out);
}

void RankedView::multiply_transposed(Columns columns, std::span<const double> r, std::span<double> out) const {
  local_->multiply_transposed(columns, r, out);
  collective_->sum(out);
}

void RankedView::multiply(std::span<const double> w, std::span<double> out) const {
  local_->multiply(w, out);
}

void RankedView::multiply_transposed(std::span<const double> r, std::span<double> out) const {
  local_->multiply_transposed(r, out);
  collective_->sum(out);
}

void RankedView::multiply(Columns columns, const ClassMatrix& w, ClassMatrix& out) const {
  local_->multiply(columns, w, out);
}

void RankedView::multiply_transposed(Columns columns, const ClassMatrix& r, ClassMatrix& out) const {
  local_->multiply_transposed(columns, r, out);
  collective_->sum(out.values());
}

void RankedView::column_squared_norms(Columns columns, std::span<const double> s, std::span<double> out) const {
  local_->column_squared_norms(columns, s, out);
  collective_->sum(out);
}

double RankedView::column_dot(Index j, std::span<const double> r) const {
  return collective_->sum(local_->column_dot(j, r));
}

void RankedView::add_column(Index j, double factor, std::span<const double> s, std::span<double> out) const {
  local_->add_column(j, factor, s, out);
}

void RankedView::column_dot(Index j, const ClassMatrix& r, std::span<double> out) const {
  local_->column_dot(j, r, out);
  collective_->sum(out);
}

void RankedView::add_column(Index j, std::span<const double> factors, const ClassMatrix& s,
                            ClassMatrix& out) const {
  local_->add_column(j, factors, s, out);
}

ColumnView RankedView::column(Index j, ColumnBuffer& buffer) const {
  return local_->column(j, buffer);
}

ColumnPart RankedView::column_between(Index j, Index begin, Index end, ColumnBuffer& buffer) const {
  return local_->column_between(j, begin, end, buffer);
}

void RankedView::gather(Index j, std::span<const Index> samples, double* out, Index stride) const {
  local_->gather(j, samples, out, stride);
}

// Where the local design is as it is stored, so is this one.
const Design& RankedView::source() const {
  const Design& stored = local_->source();
  return &stored == local_ ? static_cast<const Design&>(*this) : stored;
}

}  // namespace hsvm
