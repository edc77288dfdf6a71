// The all-together multi-class huberized SVM [XAC15, eq. 3], with sample weights s_i (mean 1) and penalty
// factors v_j:
//
//   F(b, W) = f(b, W) + g(b, W),   W e = 0,  sum(b) = 0
//   f(b, W) = (1/n) sum_i s_i sum_{k != y_i} phi(t_ik),    t_ik = -f_k            absolute margins, the paper's
//             f_k = b_k + x_i'w_k                          t_ik = f_{y_i} - f_k   relative margins
//   g(b, W) = lambda1 sum_j v_j |W_j|_1 + lambda2/2 |W|_F^2 + lambda3/2 |b|^2
//
// W is p x J with one row a feature. Sign: the paper has phi(b_k + x_i'w_k), whose minimiser is (-b, -W); with
// the minus the largest score wins [docs/notation.md].
//
// Most rows of W are zero, so a point holds the others only; a proximal step looks at them and at the rows
// whose half-range in the gradient exceeds lambda1 v_j, which the gradient brings along. What remains of an
// iteration is the two products.
//
// The intercept is treated as in the binary problem: minimised exactly unless the paper's step is asked for.
//
// Certificate. A_ik = s_i (-phi'(t_ik)) for k != y_i, else 0. R = A is the derivative of the loss by the scores;
// with relative margins R_iy = -sum_k A_ik besides, and rows of R sum to zero. C = X'R/n; m = column means of R.
// Then
//
//   D = (1/n) sum (A - delta A^2/(2 s)) - sum_j h(C_j) - |m - mean(m)|^2/(2 lambda3)
//
// is a lower bound on the minimum, h being the conjugate of a row's penalty (sum_to_zero_elastic_net.hpp); so
// is the value at k A for 0 <= k <= 1, of which a good one is taken. It is reduced by what rounding may have added to it
// (rounding.hpp).
#pragma once

#include <cmath>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "hsvm/core/class_matrix.hpp"
#include "hsvm/core/find_indices.hpp"
#include "hsvm/core/types.hpp"
#include "hsvm/core/vector_sums.hpp"
#include "hsvm/data/design.hpp"
#include "hsvm/loss/class_sums.hpp"
#include "hsvm/loss/margin_loss.hpp"
#include "hsvm/loss/margins.hpp"
#include "hsvm/penalty/elastic_net.hpp"
#include "hsvm/penalty/sum_to_zero_elastic_net.hpp"
#include "hsvm/problem/features.hpp"
#include "hsvm/problem/rounding.hpp"

namespace hsvm {

struct MulticlassParameters {
  MarginLoss loss;
  SumToZeroElasticNet penalty;
  double lambda3 = 0.0;
  bool intercept = true;
  bool intercept_by_gradient = false;  // the paper's step in b, for lambda3 > 0
  Index n_classes = 0;                 // J >= 2
  Margins margins = Margins::absolute;
};

class MulticlassProblem {
 public:
  using Parameters = MulticlassParameters;

  struct Point {
    std::vector<double> b;    // J
    std::vector<Index> rows;  // the features whose row of W is held, ascending; all others are zero
    ClassMatrix w;            // rows.size() x J
    ClassMatrix scores;       // n x J: b + X W
  };
  struct Gradient {                   // of f
    std::vector<double> b;            // J
    ClassMatrix w;                    // p x J
    std::vector<double> half_ranges;  // p: of the rows of w
    std::optional<Contenders> contenders = {};
    DualSums duals = {};  // of the dual variables it is made of
    double losses = 0.0;  // their samples' losses, summed
    ClassMatrix flows =
        {};  // with relative margins: the means of the dual variables by pairs of classes (class_balance.hpp)
  };

  // y: class of each sample, 0 .. J-1; s: sample weights with mean 1 over all ranks. All three must outlive the problem.
  MulticlassProblem(const Design& design, std::span<const Index> y, std::span<const double> s,
                    MulticlassParameters parameters);

  [[nodiscard]] const Design& design() const { return *design_; }
  [[nodiscard]] Index n_features() const { return design_->cols(); }
  [[nodiscard]] std::span<const Index> y() const { return y_; }
  [[nodiscard]] std::span<const double> sample_weights() const { return s_; }
  // Those of this rank, and how many there are on all ranks.
  [[nodiscard]] ClassSamples samples() const {
    return {y_, s_, parameters_.margins, &design_->collective(), n_elsewhere_};
  }
  [[nodiscard]] double n_samples() const { return static_cast<double>(std::ssize(y_) + n_elsewhere_); }
  [[nodiscard]] const MulticlassParameters& parameters() const { return parameters_; }
  // Moves on to another point of a path: nothing else in the problem depends on them.
  void set_lambdas(double lambda1, double lambda2, double lambda3) {
    parameters_.penalty.lambda1 = lambda1;
    parameters_.penalty.lambda2 = lambda2;
    parameters_.lambda3 = lambda3;
  }

  [[nodiscard]] Point zero() const;      // W = 0; b = 0, or the best where it is kept so
  [[nodiscard]] Point constant() const;  // W = 0 and the best b
  [[nodiscard]] double objective_at_zero() const;

  // What proximal_gradient asks for.
  [[nodiscard]] double smooth(const Point& u) const;   // f
  [[nodiscard]] double penalty(const Point& u) const;  // g
  [[nodiscard]] double objective(const Point& u) const { return smooth(u) + penalty(u); }
  [[nodiscard]] double objective_rounding(const Point& u, double objective) const;
  [[nodiscard]] CarefulObjective careful_objective(const Point& u) const;
  void refresh_scores(Point& u) const;
  // L_m [XAC15, eq. 13]; reads X once. The curvature of one sample in its scores is at most 1/delta with absolute
  // and J/delta with relative margins: the bound holds for both.
  [[nodiscard]] double lipschitz() const;
  [[nodiscard]] double initial_bound(double lipschitz) const;  // L_0 = L_m/(n J)
  void gradient(const Point& u, Gradient& gradient) const;
  void proximal_step(const Point& at, const Gradient& gradient, double L, Point& next) const;
  void extrapolate(const Point& u, const Point& previous, double omega, Point& out) const;
  [[nodiscard]] double divergence(const Point& u, const Point& at) const;
  [[nodiscard]] double squared_distance(const Point& u, const Point& v) const;
  [[nodiscard]] double squared_norm(const Point& u) const;
  [[nodiscard]] double dual_objective(const Point& u, const Gradient& gradient) const {
    return is_finite(gradient) ? dual_objective(u, parameters_.loss, gradient) : 0.0;
  }
  [[nodiscard]] Index count_nonzeros(const Point& u) const;  // nonzero rows

  // What null_model.hpp asks for.
  [[nodiscard]] std::vector<Index> unpenalised() const;
  [[nodiscard]] double lambda1_max(const Gradient& gradient) const;

  // What two_stage asks for.
  [[nodiscard]] std::vector<Index> support(const Point& u) const { return u.rows; }
  [[nodiscard]] std::vector<Index> violators(const Gradient& gradient, std::span<const Index> columns,
                                             double slack) const;

  // What newton asks for, as in BinaryProblem.
  using Residuals = ClassMatrix;  // n x J
  void residuals(const Point& u, const MarginLoss& loss, Residuals& r, Gradient& gradient) const;
  void feature_gradient(const Residuals& r, Gradient& gradient) const;
  void feature_gradient(const Residuals& r, std::span<const Index> features, Gradient& gradient) const;
  [[nodiscard]] static ClassMatrix entries(const Gradient& gradient, std::span<const Index> features);
  static void set_entries(std::span<const Index> features, const ClassMatrix& entries, Gradient& gradient);
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
  [[nodiscard]] double dual_bound(const Gradient& gradient, const SumToZeroElasticNet& penalty) const {
    return best_scaled_dual(dual_value_of(gradient), gradient, penalty, {});
  }
  [[nodiscard]] bool is_finite(const Gradient& gradient) const;
  void minimise_intercept(Point& u, const MarginLoss& loss) const;
  [[nodiscard]] double strength(const Gradient& gradient, Index j) const {
    return gradient.half_ranges[static_cast<std::size_t>(j)];
  }
  [[nodiscard]] std::vector<Index> strong_features(const Gradient& gradient, double level) const {
    return features_above(gradient.contenders, gradient.half_ranges, {}, level, parameters_.penalty.factors);
  }
  [[nodiscard]] double threshold(Index j) const { return parameters_.penalty.threshold(j); }
  [[nodiscard]] Index n_outputs() const { return parameters_.n_classes; }

 private:
  [[nodiscard]] bool exact_intercept() const {
    return parameters_.intercept && !(parameters_.intercept_by_gradient && parameters_.lambda3 > 0.0);
  }
  void add_intercept(Point& u, double sign) const;  // scores += sign b
  [[nodiscard]] DualValue dual_value_of(const Gradient& gradient) const;
  // The largest of k linear - k^2 quadratic/2 - sum_j h(k c_j) over k, or nearly.
  [[nodiscard]] double best_scaled_dual(const DualValue& value, const Gradient& gradient,
                                        const SumToZeroElasticNet& penalty, const Rounding& rounding) const;

  const Design* design_;
  std::span<const Index> y_;
  std::span<const double> s_;
  MulticlassParameters parameters_;
  Count n_elsewhere_ = 0;  // samples of other ranks
  double s_max_ = 1.0;
  mutable ColumnSizes sizes_;
};

}  // namespace hsvm
