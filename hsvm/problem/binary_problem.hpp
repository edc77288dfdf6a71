// The binary huberized SVM [XAC15, eq. 2], with sample weights s_i (mean 1) and penalty factors v_j:
//
//   F(b, w) = f(b, w) + g(b, w)
//   f(b, w) = (1/n) sum_i s_i phi(y_i (b + x_i'w))
//   g(b, w) = lambda1 sum_j v_j |w_j| + lambda2/2 |w|^2 + lambda3/2 b^2
//
// as a composite problem for the proximal-gradient loop (solve/composite_problem.hpp). A point carries its
// scores b + X w, so that moving along a line between two points needs no product with X.
//
// The intercept may be penalised (lambda3 > 0), free (lambda3 = 0) or absent. Unless the paper's own step is
// asked for, it is not a variable of the loop: it is minimised exactly wherever f is looked at, and f stands
// for min over b of f(b, w) + lambda3/2 b^2, whose gradient in w is that of f at the best b and no steeper.
// (Differs from [XAC15, eq. 9], which takes a gradient step in b of length 1/L: with features in the thousands
// that step is so short that b alone takes some 100,000 iterations. A free intercept is always minimised, since
// its dual needs mean(s o y o a) = 0.)
//
// Certificate. For any point put a_i = -phi'(y_i (b + x_i'w)), c = X'(s o y o a)/n, m = mean(s o y o a). Then
//
//   D(a) = mean(s o (a - delta a^2/2)) - |S_{lambda1 v}(c)|^2/(2 lambda2) - m^2/(2 lambda3)
//
// is a lower bound on the minimum of F, and so is D(k a) for 0 <= k <= 1; the best k is taken, which also
// covers lambda2 = 0. Without an intercept the last term is absent, with a free one m = 0. The bound is reduced by what
// rounding may have added to it (rounding.hpp), so that it is never above the minimum.
#pragma once

#include <cmath>
#include <iterator>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "hsvm/core/find_indices.hpp"
#include "hsvm/core/types.hpp"
#include "hsvm/core/vector_sums.hpp"
#include "hsvm/data/design.hpp"
#include "hsvm/loss/margin_loss.hpp"
#include "hsvm/loss/margin_sums.hpp"
#include "hsvm/penalty/elastic_net.hpp"
#include "hsvm/problem/features.hpp"
#include "hsvm/problem/rounding.hpp"

namespace hsvm {

struct BinaryParameters {
  MarginLoss loss;
  ElasticNet penalty;
  double lambda3 = 0.0;
  bool intercept = true;
  bool intercept_by_gradient = false;  // the paper's step in b, for lambda3 > 0
};

class BinaryProblem {
 public:
  using Parameters = BinaryParameters;

  struct Point {
    double b = 0.0;
    SparseCoefficients w;
    std::vector<double> scores;  // n: b + X w
  };
  struct Gradient {  // of f
    double b = 0.0;
    std::vector<double> w;                      // p: -c
    std::optional<Contenders> contenders = {};  // where only these entries are known
    DualSums duals = {};                        // of the dual variables it is made of
    double losses = 0.0;                        // their samples' losses, summed
  };

  // y: +1 or -1; s: sample weights with mean 1 over all ranks, one for each row of X. All three must outlive the problem.
  BinaryProblem(const Design& design, std::span<const double> y, std::span<const double> s,
                BinaryParameters parameters);

  [[nodiscard]] const Design& design() const { return *design_; }
  [[nodiscard]] Index n_features() const { return design_->cols(); }
  [[nodiscard]] std::span<const double> y() const { return y_; }
  [[nodiscard]] std::span<const double> sample_weights() const { return s_; }
  [[nodiscard]] const BinaryParameters& parameters() const { return parameters_; }
  // Those of this rank, and how many there are on all ranks.
  [[nodiscard]] Samples samples() const { return {y_, s_, &design_->collective(), n_elsewhere_}; }
  [[nodiscard]] double n_samples() const { return static_cast<double>(std::ssize(y_) + n_elsewhere_); }
  // Moves on to another point of a path: nothing else in the problem depends on them.
  void set_lambdas(double lambda1, double lambda2, double lambda3) {
    parameters_.penalty.lambda1 = lambda1;
    parameters_.penalty.lambda2 = lambda2;
    parameters_.lambda3 = lambda3;
  }

  [[nodiscard]] Point zero() const;      // w = 0; b = 0, or the best where it is kept so
  [[nodiscard]] Point constant() const;  // w = 0 and the best b
  [[nodiscard]] Point point(double b, SparseCoefficients w) const;  // one product with X
  [[nodiscard]] Point point(double b, const std::vector<double>& w) const { return point(b, nonzeros(w)); }
  [[nodiscard]] double objective_at_zero() const { return parameters_.loss.value(0.0); }

  // What proximal_gradient asks for.
  [[nodiscard]] double smooth(const Point& u) const;   // f
  [[nodiscard]] double penalty(const Point& u) const;  // g
  [[nodiscard]] double objective(const Point& u) const { return smooth(u) + penalty(u); }
  // How far rounding may have moved that, the scores being those of the coefficients.
  [[nodiscard]] double objective_rounding(const Point& u, double objective) const;
  [[nodiscard]] CarefulObjective careful_objective(const Point& u) const;  // from the coefficients alone
  void refresh_scores(Point& u) const;     // from the coefficients; one product with X over the support
  [[nodiscard]] double lipschitz() const;  // L_f [XAC15, eq. 8]; reads X once
  [[nodiscard]] double initial_bound(double lipschitz) const;  // L_0 = 2 L_f/n
  void gradient(const Point& u, Gradient& gradient) const;     // one product with X'
  void proximal_step(const Point& at, const Gradient& gradient, double L,
                     Point& next) const;  // one product with X
  void extrapolate(const Point& u, const Point& previous, double omega,
                   Point& out) const;                                      // u + omega (u - previous)
  [[nodiscard]] double divergence(const Point& u, const Point& at) const;  // f(u) - f(at) - <f'(at), u - at>
  [[nodiscard]] double squared_distance(const Point& u, const Point& v) const;
  [[nodiscard]] double squared_norm(const Point& u) const;
  [[nodiscard]] double dual_objective(const Point& u, const Gradient& gradient) const {
    return is_finite(gradient) ? dual_objective(u, parameters_.loss, gradient) : 0.0;
  }
  [[nodiscard]] Index count_nonzeros(const Point& u) const;

  // What null_model.hpp asks for.
  [[nodiscard]] std::vector<Index> unpenalised() const;  // the features with v_j = 0
  [[nodiscard]] double lambda1_max(
      const Gradient& gradient) const;  // the lambda1 from which all others are zero there

  // What two_stage asks for.
  [[nodiscard]] std::vector<Index> support(const Point& u) const;
  // The features outside `columns` (ascending) that are zero at u and should not be: |c_j| > lambda1 v_j (1 +
  // slack).
  [[nodiscard]] std::vector<Index> violators(const Gradient& gradient, std::span<const Index> columns,
                                             double slack) const;

  // What newton asks for. The gradient in two parts, the residuals df/dscore first, and with another loss, one
  // with a wider elbow than the problem's: its dual variables are feasible, too, and give a bound.
  using Residuals = std::vector<double>;  // n
  void residuals(const Point& u, const MarginLoss& loss, Residuals& r,
                 Gradient& gradient) const;                             // and in b
  void feature_gradient(const Residuals& r, Gradient& gradient) const;  // in w; one product with X'
  void feature_gradient(const Residuals& r, std::span<const Index> features,
                        Gradient& gradient) const;  // in these alone
  // Its entries of some features, taken out and put in.
  [[nodiscard]] static std::vector<double> entries(const Gradient& gradient, std::span<const Index> features);
  static void set_entries(std::span<const Index> features, std::span<const double> entries, Gradient& gradient);
  // The sum of alpha_s times parts_s, gradients that are known throughout: the features whose strength there is at least `level`
  // times their penalty factor, or may reach a limit times that, with their entries written into `sum`.
  [[nodiscard]] std::vector<Index> combine(std::span<const Gradient* const> parts,
                                           std::span<const double> alpha, double level, const MayReach& reach,
                                           Gradient& sum) const;
  // The objective where the gradient, under `loss`, was taken.
  [[nodiscard]] double objective(const Point& u, const MarginLoss& loss, const Gradient& gradient) const {
    return loss == parameters_.loss ? gradient.losses / n_samples() + penalty(u) : objective(u);
  }
  // Care (rounding.hpp) ends where the bound is `enough`. gradient: at u, under `loss`.
  [[nodiscard]] double dual_objective(const Point& u, const MarginLoss& loss, const Gradient& gradient,
                                      double enough = std::numeric_limits<double>::infinity()) const;
  // The same over some features alone, with the gradient and the penalty of these, rounding in the gradient left out of
  // account.
  [[nodiscard]] double dual_bound(const DualSums& duals, double gradient_b, std::span<const double> gradient_w,
                                  const ElasticNet& penalty) const {
    const DualValue value = dual_value_of(duals, gradient_b);
    return penalty.best_scaled_dual(value.linear, value.quadratic, gradient_w);
  }
  [[nodiscard]] bool is_finite(const Gradient& gradient) const;
  // To the best intercept under `loss`, where there is one.
  void minimise_intercept(Point& u, const MarginLoss& loss) const;
  // What decides whether feature j, zero now, stays so: its strength in the gradient, against its threshold.
  [[nodiscard]] double strength(const Gradient& gradient, Index j) const {
    return std::abs(gradient.w[static_cast<std::size_t>(j)]);
  }
  // The features whose strength in a gradient is above `level` times their penalty factor.
  [[nodiscard]] std::vector<Index> strong_features(const Gradient& gradient, double level) const {
    return features_above(gradient.contenders, gradient.w, {}, level, parameters_.penalty.factors);
  }
  [[nodiscard]] double threshold(Index j) const {
    return parameters_.penalty.threshold(static_cast<std::size_t>(j));
  }
  [[nodiscard]] Index n_outputs() const { return 1; }

 private:
  [[nodiscard]] DualValue dual_value_of(const DualSums& duals, double gradient_b) const;
  [[nodiscard]] bool exact_intercept() const {
    return parameters_.intercept && !(parameters_.intercept_by_gradient && parameters_.lambda3 > 0.0);
  }

  const Design* design_;
  std::span<const double> y_;
  std::span<const double> s_;
  BinaryParameters parameters_;
  Count n_elsewhere_ = 0;  // samples of other ranks
  double s_max_ = 1.0;
  mutable ColumnSizes sizes_;
};

}  // namespace hsvm
