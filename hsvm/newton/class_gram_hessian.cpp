#include "hsvm/newton/class_gram_hessian.hpp"

#include <algorithm>
#include <utility>

#include "hsvm/core/vector_sums.hpp"

namespace hsvm {
void ClassGramHessian::begin(std::vector<const SymmetricMatrix*> grams, std::vector<double> scales,
                             std::span<const double> ridge, const ClassMatrix& g) {
  grams_ = std::move(grams);
  scales_ = std::move(scales);
  ridge_ = ridge;
  const std::size_t m = ridge.size();
  q_.resize(m * grams_.size());
  scratch_.resize(q_.size());
  for (std::size_t j = 0; j < m; ++j) {
    const std::span<const double> row = g.row(static_cast<Index>(j));
    for (std::size_t k = 0; k < row.size(); ++k) q_[k * m + j] = row[k];
  }
}

void ClassGramHessian::gradient(Index j, std::span<double> q) const {
  for (std::size_t k = 0; k < q.size(); ++k) q[k] = q_[k * ridge_.size() + static_cast<std::size_t>(j)];
}

void ClassGramHessian::curvature(Index j, std::span<double> h) const {
  for (std::size_t k = 0; k < h.size(); ++k) {
    h[k] = scales_[k] * (*grams_[k])(j, j) + ridge_[static_cast<std::size_t>(j)];
  }
}

void ClassGramHessian::add_row(Index j, std::span<const double> change, AlignedBuffer<double>& to) const {
  const std::size_t m = ridge_.size();
  for (std::size_t k = 0; k < change.size(); ++k) {
    if (change[k] == 0.0) continue;
    add_scaled(scales_[k] * change[k], {grams_[k]->row(j), m}, {to.data() + k * m, m});
    to[k * m + static_cast<std::size_t>(j)] += ridge_[static_cast<std::size_t>(j)] * change[k];
  }
}

void ClassGramHessian::move(Index j, std::span<const double> change) {
  add_row(j, change, q_);
}

void ClassGramHessian::apply(std::span<const Index> rows, const ClassMatrix& d, ClassMatrix& out) {
  std::fill(scratch_.begin(), scratch_.end(), 0.0);
  for (const Index j : rows) add_row(j, d.row(j), scratch_);
  for (const Index j : rows) {
    const std::span<double> to = out.row(j);
    for (std::size_t k = 0; k < to.size(); ++k)
      to[k] = scratch_[k * ridge_.size() + static_cast<std::size_t>(j)];
  }
}

}  // namespace hsvm
