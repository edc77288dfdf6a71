// Newton's model without a Gram matrix (l1_quadratic.hpp): H = X_W' D X_W + diag(ridge), D >= 0 diagonal over
// the samples (their curvature; zero outside the elbow), for working sets so large that a Gram matrix would
// cost more than it saves. The working columns are copied out for the samples with curvature alone, times D^{1/2}: a
// coordinate costs two looks at its part of the copy. What standardising adds to all entries of a sparse column, and
// the intercept, are kept as a number:
//
//   column j of D^{1/2} X_W  =  a_j + of_zero_j D^{1/2} 1                       a_j: the stored entries, scaled
//   D^{1/2} X_W (v - w)      =  z + shift D^{1/2} 1,   z = sum_j (v - w)_j a_j,  shift = sum_j of_zero_j (v - w)_j
//
// H on a support S is solved, whichever costs least,
//   of a dense design by itself: X_S' D X_S, |S| x |S|, and Cholesky
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
  // Starts at w, where the gradient is g (m). ridge: m. max_iterations: of conjugate gradients.
  void begin(std::span<const double> ridge, std::span<const double> g, int max_iterations);

  [[nodiscard]] double gradient(Index j) const {
    const Coordinate& at = coordinate(j);
    const double rest = (at.g + at.ridge * at.offset) + (shift_ * at.border + at.of_zero * shifted_sum_);
    return rest + (is_plain_ ? gather_dot(at, z_.data()) : ranks_->sum(dot_entries(at, z_)));
  }
  [[nodiscard]] double inverse_curvature(Index j) const { return coordinate(j).inverse; }
  void move(Index j, double change) {
    Coordinate& at = coordinate(j);
    at.offset += change;
    shift_ += change * at.of_zero;
    z_sum_ += change * at.border;
    shifted_sum_ += change * (at.border + at.of_zero * total_);
    if (is_plain_) {
      scatter_add(at, change, z_.data());
    } else {
      add_entries(at, change, z_);
    }
  }
  // reduction: how much smaller the residual of x has to become, where the solve is one by iterations.
  [[nodiscard]] bool solve(std::span<const Index> support, std::span<double> x, double reduction);

  // g'(v - w) + (v - w)'H (v - w)/2 at the current v.
  [[nodiscard]] double value() const;
  // Nanoseconds, about, that a sweep over the support and a solve on it take.
  [[nodiscard]] double sweep_cost(std::span<const Index> support) const;
  [[nodiscard]] double solve_cost(std::span<const Index> support) const;

 private:
  // What a visit of a coordinate reads, in one cache line: a_j is at begin .. begin + size - 1, the intercept has none. A sparse a_j
  // is filled up to a multiple of kUnrolled by zeros of a sample after all others.
  struct alignas(64) Coordinate {
    double g = 0.0;
    double ridge = 0.0;
    double offset = 0.0;  // (v - w)_j
    double border = 0.0;  // a_j'D^{1/2} 1
    double of_zero = 1.0;
    double inverse = 0.0;  // 1/H_jj
    std::size_t begin = 0;
    std::size_t size = 0;
  };
  [[nodiscard]] std::span<const double> entries_of(const Coordinate& at) const {
    return std::span(values_).subspan(at.begin, at.size);
  }
  [[nodiscard]] Coordinate& coordinate(Index j) { return coordinates_[static_cast<std::size_t>(j)]; }
  [[nodiscard]] const Coordinate& coordinate(Index j) const {
    return coordinates_[static_cast<std::size_t>(j)];
  }
  // Over entries at scattered positions, four at a time: one sum alone would wait for each addition, and a loop over single entries
  // ends where it cannot be foreseen.
  static constexpr std::size_t kUnrolled = 4;
  [[nodiscard]] double gather_dot(const Coordinate& at, const double* z) const {
    const double* const a = values_.data() + at.begin;
    const Index* const rows = rows_.data() + at.begin;
    double sums[kUnrolled] = {};
    for (std::size_t e = 0; e < at.size; e += kUnrolled) {
      for (std::size_t k = 0; k < kUnrolled; ++k) sums[k] += a[e + k] * z[rows[e + k]];
    }
    return (sums[0] + sums[1]) + (sums[2] + sums[3]);
  }
  void scatter_add(const Coordinate& at, double factor, double* z) const {
    const double* const a = values_.data() + at.begin;
    const Index* const rows = rows_.data() + at.begin;
    for (std::size_t e = 0; e < at.size; e += kUnrolled) {
      for (std::size_t k = 0; k < kUnrolled; ++k) z[rows[e + k]] += factor * a[e + k];
    }
  }
  void copy_column(Index feature, ColumnBuffer& buffer);
  [[nodiscard]] double direct_cost(std::span<const Index> support) const;
  [[nodiscard]] double woodbury_cost(std::span<const Index> support) const;
  void sum_over_ranks();
  [[nodiscard]] bool solve_directly(std::span<const Index> support, std::span<double> x);
  [[nodiscard]] bool solve_woodbury(std::span<const Index> support, std::span<double> x);
  [[nodiscard]] bool solve_conjugate_gradients(std::span<const Index> support, std::span<double> x,
                                               double reduction);
  void apply(std::span<const Index> support, std::span<const double> in, std::span<double> out);
  [[nodiscard]] double dot_entries(const Coordinate& at, std::span<const double> z) const;  // a_j'z
  void add_entries(const Coordinate& at, double factor, std::span<double> z) const;         // z += factor a_j

  const WorkingColumns* columns_ = nullptr;
  const Collective* ranks_ = nullptr;
  bool is_plain_ = true;  // a sparse design on one rank
  std::span<const double> curvatures_;
  int max_iterations_ = 0;
  double iterations_ = 60.0;     // that conjugate gradients are expected to take: as the last ones did
  std::vector<Index> elbow_;     // the samples with curvature
  std::vector<Index> position_;  // n: where in elbow_, or -1
  std::vector<double> root_;  // of the elbow's samples: D^{1/2}; of a sparse design, after them, that of zeros
  std::vector<double> sample_root_;      // n: the same, 0 outside
  double total_ = 0.0;                   // 1'D 1
  double n_entries_ = 0.0;               // of all columns' copies, on all ranks; where there are several
  std::vector<Coordinate> coordinates_;  // m
  AlignedBuffer<Index> rows_;  // of a sparse design: positions in elbow_; left uninitialised on resize
  AlignedBuffer<double> values_;
  std::vector<double> diagonal_;  // m: of X_W' D X_W
  std::vector<double> z_;         // as root_
  std::vector<double> product_;   // the same, of conjugate gradients
  double z_sum_ = 0.0;            // z'D^{1/2} 1
  double shift_ = 0.0;
  double shifted_sum_ = 0.0;  // z_sum_ + shift_ total_
  Cholesky cholesky_;
  PackedPanel panel_;
};

}  // namespace hsvm
