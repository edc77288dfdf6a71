// Newton's model solved on the side of the samples, for working sets of many more columns than there are samples with
// curvature. With H = U'U + lambda2 I, U = D^{1/2} X_W over those samples (e x m), the model
//
//   minimise over v (m)   |U(v - w)|^2/2 + lambda2 |v - w|^2/2 + g'(v - w) + sum_j tau_j |v_j|
//
// has a dual in e variables without constraints, piecewise quadratic and smooth:
//
//   maximise over z (e)   theta(z) = -|z|^2/2 + min over v of { z'U(v - w) + the rest of the model }
//   minimiser in v        v_j(z) = shrink(lambda2 w_j - g_j - U_j'z, tau_j)/lambda2
//   gradient              U(v(z) - w) - z =: r               the model at v(z) is above theta(z) by |r|^2/2
//   Hessian               -(I + U_S U_S'/lambda2),           S: where v(z) is not zero
//
// Newton's method with an exact line search ends after a few steps, each of two products with the working columns and a factor
// of e x e [LST18]. X_S X_S' (n x n) is kept from model to model: columns that enter or leave S are added or taken away.
// The intercept, with lambda3 for lambda2 and tau = 0, borders the system; where lambda3 = 0 it asks that U_0'z = -g_0.
#pragma once

#include <span>
#include <vector>

#include "hsvm/linalg/cholesky.hpp"
#include "hsvm/newton/exact_step.hpp"
#include "hsvm/newton/working_columns.hpp"

namespace hsvm {

struct SampleModelTerms {
  std::span<const double> curvatures;  // n: D, zero outside the elbow
  double lambda2 = 0.0;                // > 0
  double lambda3 = 0.0;                // of the intercept
  std::span<const double> g;           // m: the gradient at w of the loss and the squares
  std::span<const double> tau;         // m; 0 for the intercept
};

class SampleModel {
 public:
  // v (m): w before, the minimiser after; change (n): X_W (v - w). Ends where the model is within `enough` of its minimum;
  // false, v being w again, where it does not come there.
  [[nodiscard]] bool minimise(const WorkingColumns& columns, const SampleModelTerms& terms, double enough,
                              std::span<double> v, std::span<double> change);
  // How many steps a model is expected to take, by those before it.
  [[nodiscard]] double expected_steps() const { return expected_steps_; }
  // Lets go of what is kept of the columns.
  void forget();

 private:
  void begin(std::span<const double> v);
  void minimise_over_features(std::span<double> v) const;
  void multiply_move(std::span<const double> v, std::span<double> change);
  void multiply_transposed(std::span<const double> x, std::span<double> out);
  [[nodiscard]] double best_intercept(std::span<const double> change) const;
  [[nodiscard]] double measure(std::span<const double> change, double intercept);
  [[nodiscard]] bool find_direction(std::span<const double> v);
  void hold_support(std::span<const double> v);
  void add_columns(std::span<const Index> features, double sign);
  [[nodiscard]] SlopeAndCurvature slope_at(double t) const;
  [[nodiscard]] double search_line() const;

  const WorkingColumns* columns_ = nullptr;
  SampleModelTerms terms_;
  std::size_t first_ = 0;           // the position of the first feature
  std::vector<Index> elbow_;        // the samples with curvature
  std::vector<double> root_;        // e: D^{1/2}, which is also U_0
  double total_ = 0.0;              // |U_0|^2
  std::vector<double> w_, a_;       // m: where the model starts; U'z
  std::vector<double> z_, r_;       // e
  std::vector<double> d_, border_;  // e: the direction; H^{-1} U_0
  std::vector<double> c_;           // m: U'd
  std::vector<double> spread_;      // n: D^{1/2} times a vector of the elbow, zero outside
  // X_S X_S' over all samples, on and below the diagonal.
  SymmetricMatrix outer_;
  std::vector<Index> held_;      // S as features of X
  std::vector<char> is_held_;    // p
  std::vector<char> is_wanted_;  // p zeros, but for a moment
  std::vector<Index> support_, changing_;
  Cholesky cholesky_;
  PackedPanel panel_;
  double expected_steps_ = 1.5;
  ColumnBuffer buffer_;
};

}  // namespace hsvm
