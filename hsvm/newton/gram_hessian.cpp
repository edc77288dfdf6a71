#include "hsvm/newton/gram_hessian.hpp"

#include <cassert>

#include "hsvm/core/vector_sums.hpp"

namespace hsvm {
void GramHessian::begin(const SymmetricMatrix& gram, double scale, std::span<const double> ridge,
                        std::span<const double> g) {
  assert(gram.size() == std::ssize(ridge) && ridge.size() == g.size());
  gram_ = &gram;
  scale_ = scale;
  ridge_ = ridge;
  g_.assign(g.begin(), g.end());
  q_ = g_;
  offset_.assign(g.size(), 0.0);
  inverses_.resize(g.size());
  for (std::size_t k = 0; k < g.size(); ++k)
    inverses_[k] = 1.0 / (scale * gram(static_cast<Index>(k), static_cast<Index>(k)) + ridge[k]);
}

void GramHessian::move(Index j, double change) {
  add_scaled(scale_ * change, {gram_->row(j), q_.size()}, q_);
  q_[static_cast<std::size_t>(j)] += ridge_[static_cast<std::size_t>(j)] * change;
  offset_[static_cast<std::size_t>(j)] += change;
}

double GramHessian::value() const {
  double total = 0.0;
  for (std::size_t k = 0; k < q_.size(); ++k) total += 0.5 * (g_[k] + q_[k]) * offset_[k];
  return total;
}

bool GramHessian::solve(std::span<const Index> support, std::span<double> x, double /*reduction*/) {
  const auto size = static_cast<Index>(support.size());
  SymmetricMatrix& h = cholesky_.matrix();
  h.reset_uninitialised(size);
  for (Index a = 0; a < size; ++a) {
    const Index i = support[static_cast<std::size_t>(a)];
    const double* const from = gram_->row(i);
    double* const to = h.row(a);
    for (Index b = 0; b <= a; ++b) to[b] = scale_ * from[support[static_cast<std::size_t>(b)]];
    to[a] += ridge_[static_cast<std::size_t>(i)];
  }
  if (!cholesky_.factor()) return false;
  cholesky_.solve(x);
  return true;
}

}  // namespace hsvm
