// Newton's model with its Gram matrix at hand (l1_quadratic.hpp): H = scale G + diag(ridge). The gradient is
// kept for all coordinates, so a coordinate that does not move costs nothing; H on a support is solved by
// Cholesky.
#pragma once

#include <span>
#include <vector>

#include "hsvm/linalg/cholesky.hpp"
#include "hsvm/linalg/symmetric_matrix.hpp"

namespace hsvm {

class GramHessian {
 public:
  // g: the gradient at w, where the model starts. All must outlive the model.
  void begin(const SymmetricMatrix& gram, double scale, std::span<const double> ridge,
             std::span<const double> g);

  [[nodiscard]] double gradient(Index j) const { return q_[static_cast<std::size_t>(j)]; }
  [[nodiscard]] double inverse_curvature(Index j) const { return inverses_[static_cast<std::size_t>(j)]; }
  void move(Index j, double change);
  [[nodiscard]] bool solve(std::span<const Index> support, std::span<double> x, double reduction);

  // g'(v - w) + (v - w)'H (v - w)/2 at the current v.
  [[nodiscard]] double value() const;
  // Nanoseconds, about, that a sweep over the support and a solve on it take.
  [[nodiscard]] double sweep_cost(std::span<const Index> support) const {
    const auto size = static_cast<double>(support.size());
    return size * (8.0 + 0.12 * static_cast<double>(q_.size()));
  }
  [[nodiscard]] double solve_cost(std::span<const Index> support) const {
    const auto size = static_cast<double>(support.size());
    return 200.0 + size * size * (1.0 + 0.007 * size);
  }

 private:
  const SymmetricMatrix* gram_ = nullptr;
  double scale_ = 0.0;
  std::span<const double> ridge_;
  std::vector<double> g_;         // at w
  std::vector<double> q_;         // at v
  std::vector<double> offset_;    // v - w
  std::vector<double> inverses_;  // of the diagonal of H
  Cholesky cholesky_;
};

}  // namespace hsvm
