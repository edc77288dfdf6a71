// Newton's model without a Gram matrix (l1_quadratic.hpp): H = X_W' D X_W + diag(ridge), D >= 0 diagonal over
// the samples (their curvature; zero outside the elbow), for working sets so large that a Gram matrix would
// cost more than it saves. The working columns are copied out for the samples with curvature alone, times D^{1/2}: a
// coordinate costs two looks at its part of the copy. What standardising adds to all entries of a sparse column, and
// the intercept, are kept as a number:
//
//   column j of D^{1/2} X_W  =  a_j + of_zero_j D^{1/2} 1                       a_j: the stored entries, scaled
//   D^{1/2} X_W (v - w)      =  z + shift D^{1/2} 1,   z = sum_j (v - w)_j a_j,  shift = sum_j of_zero_j (v - w)_j
//
// H on a support S is solved, whichever costs less,
//   by Woodbury: with U = D^{1/2} X_S over those samples and R = diag(ridge),
//     (R + U'U)^{-1} = R^{-1} - R^{-1} U' (I + U R^{-1} U')^{-1} U R^{-1}
//   else by conjugate gradients, preconditioned by the diagonal.
#pragma once

#include <span>
#include <vector>

#include "hsvm/core/aligned_buffer.hpp"
#include "hsvm/linalg/cholesky.hpp"
#include "hsvm/newton/working_columns.hpp"

namespace hsvm {

class ColumnHessian {
 public:
  // Copies the columns for the samples with curvature D (n) > 0; both must outlive the model. Returns X_W' D X_W's diagonal.
  std::span<const double> copy(const WorkingColumns& columns, std::span<const double> curvatures);
  // Starts at w, where the gradient is g (m). ridge (m) must outlive the model. max_iterations: of conjugate gradients.
  void begin(std::span<const double> ridge, std::span<const double> g, int max_iterations);

  [[nodiscard]] double gradient(Index j) const;
  [[nodiscard]] double curvature(Index j) const {
    return diagonal_[static_cast<std::size_t>(j)] + ridge_[static_cast<std::size_t>(j)];
  }
  void move(Index j, double change);
  // reduction: how much smaller the residual of x has to become, where the solve is one by iterations.
  [[nodiscard]] bool solve(std::span<const Index> support, std::span<double> x, double reduction);

  // g'(v - w) + (v - w)'H (v - w)/2 at the current v.
  [[nodiscard]] double value() const;
  // Nanoseconds, about, that a sweep over the support and a solve on it take.
  [[nodiscard]] double sweep_cost(std::span<const Index> support) const;
  [[nodiscard]] double solve_cost(std::span<const Index> support) const;

 private:
  [[nodiscard]] std::span<const double> entries_of(std::size_t k) const {
    return std::span(values_).subspan(start_[k], start_[k + 1] - start_[k]);
  }
  [[nodiscard]] const Index* rows_of(std::size_t k) const { return rows_.data() + start_[k]; }
  void copy_column(Index feature, ColumnBuffer& buffer);
  [[nodiscard]] double woodbury_cost(std::span<const Index> support) const;
  [[nodiscard]] bool solve_woodbury(std::span<const Index> support, std::span<double> x);
  [[nodiscard]] bool solve_conjugate_gradients(std::span<const Index> support, std::span<double> x,
                                               double reduction);
  void apply(std::span<const Index> support, std::span<const double> in, std::span<double> out);
  [[nodiscard]] double dot_entries(std::size_t k, std::span<const double> z) const;  // a_k'z
  void add_entries(std::size_t k, double factor, std::span<double> z) const;         // z += factor a_k

  const WorkingColumns* columns_ = nullptr;
  std::span<const double> curvatures_, ridge_;
  int max_iterations_ = 0;
  double iterations_ = 60.0;         // that conjugate gradients are expected to take: as the last ones did
  std::vector<Index> elbow_;         // the samples with curvature
  std::vector<Index> position_;      // n: where in elbow_, or -1
  std::vector<double> root_;         // of the elbow's samples: D^{1/2}
  std::vector<double> sample_root_;  // n: the same, 0 outside
  double total_ = 0.0;               // 1'D 1
  // a_j at start_[j] .. start_[j + 1] - 1, the intercept's none; a sparse design's with their positions in elbow_.
  std::vector<std::size_t> start_;
  AlignedBuffer<Index> rows_;  // left uninitialised on resize
  AlignedBuffer<double> values_;
  std::vector<double> of_zero_;   // m; 1 for the intercept
  std::vector<double> border_;    // m: a_j'D^{1/2} 1
  std::vector<double> diagonal_;  // m: of X_W' D X_W
  std::vector<double> g_;         // m
  std::vector<double> offset_;    // m: v - w
  std::vector<double> z_;         // of the elbow's samples
  std::vector<double> product_;   // the same, of conjugate gradients
  double z_sum_ = 0.0;            // z'D^{1/2} 1
  double shift_ = 0.0;
  Cholesky cholesky_;
  PackedPanel panel_;
};

}  // namespace hsvm
