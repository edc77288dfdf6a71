// Newton's model without a Gram matrix (l1_quadratic.hpp): H = X_W' D X_W + diag(ridge), D >= 0 diagonal over
// the samples (their curvature; zero outside the elbow), for working sets so large that a Gram matrix would
// cost more than it saves. A coordinate costs two looks at its column, a sparse one as it is stored: what
// standardising adds to all entries, and the intercept, are kept as a number. H on a support S is solved
//   by Woodbury where few samples have curvature: with U = D^{1/2} X_S over those samples and R = diag(ridge),
//     (R + U'U)^{-1} = R^{-1} - R^{-1} U' (I + U R^{-1} U')^{-1} U R^{-1}
//   else by conjugate gradients, preconditioned by the diagonal.
#pragma once

#include <span>
#include <vector>

#include "hsvm/linalg/cholesky.hpp"
#include "hsvm/newton/working_columns.hpp"

namespace hsvm {

class ColumnHessian {
 public:
  // curvatures: D (n); diagonal: H_jj without the ridge (m). All must outlive the model.
  void begin(const WorkingColumns& columns, std::span<const double> curvatures,
             std::span<const double> diagonal, std::span<const double> ridge, std::span<const double> g,
             bool woodbury);

  [[nodiscard]] double gradient(Index j) const;
  [[nodiscard]] double curvature(Index j) const { return diagonal_[static_cast<std::size_t>(j)]; }
  void move(Index j, double change);
  [[nodiscard]] bool solve(std::span<const Index> support, std::span<double> x);

 private:
  [[nodiscard]] bool solve_woodbury(std::span<const Index> support, std::span<double> x);
  [[nodiscard]] bool solve_conjugate_gradients(std::span<const Index> support, std::span<double> x);

  const WorkingColumns* columns_ = nullptr;
  std::span<const double> curvatures_, ridge_, g_;
  bool woodbury_ = false;
  std::vector<double> diagonal_;  // m: H_jj
  std::vector<double> offset_;    // m: v - w
  // D X_W (v - w) = z_ + shift_ D 1, z_ (n) from the entries alone (hsvm/newton/working_columns.hpp).
  std::vector<double> z_;
  double z_sum_ = 0.0;  // 1'z_
  double shift_ = 0.0;
  std::vector<double> border_;   // m: X_W' D 1
  double total_ = 0.0;           // 1'D 1
  std::vector<Index> elbow_;     // the samples with curvature
  std::vector<Index> position_;  // n: where in elbow_, or -1
  Cholesky cholesky_;
  PackedPanel panel_;
};

}  // namespace hsvm
