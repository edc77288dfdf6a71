// Newton's model of the all-together problem on the working set: over V (m x J) whose rows sum to zero,
//
//   minimise   <V - W, H (V - W)>/2 + <G, V - W> + sum_j tau_j |V_j|_1
//
// Block coordinate descent over rows (penalty/row_problem.hpp, weighted form) finds the support and the signs;
// conjugate gradients over the support finish, preconditioned by the diagonal and kept on rows that sum to
// zero:
//
//   P r = (r - mu)/h on the support, mu = sum(r/h)/sum(1/h) in each row
//
// or, where that takes many iterations, by the blocks B of the classes (class_blocks.hpp), M being the means of the rows:
//
//   P r = (I - M) B^{-1} (I - M) r
//
// Row 0 is the intercepts', where there are any; tau_0 = 0.
//
// H comes in three shapes (class_gram_hessian.hpp, class_column_hessian.hpp, class_mean_hessian.hpp), which answer for:
//   gradient(j, q)       row j of the gradient of the smooth part at the current V
//   curvature(j, h)      h (J): diag(h) is at least the J x J block of H for row j
//   move(j, change)      V_j += change
//   apply(rows, D, out)  out_j = (H D)_j for the rows listed; D and out (m x J) matter in these rows only
//   prepare_blocks(rows, inverse), solve_blocks(r, inverse, z), note_iterations(k)     class_blocks.hpp
#pragma once

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>
#include <vector>

#include "hsvm/core/class_matrix.hpp"
#include "hsvm/core/types.hpp"
#include "hsvm/core/vector_sums.hpp"
#include "hsvm/newton/exact_step.hpp"
#include "hsvm/newton/model_effort.hpp"
#include "hsvm/newton/support_system.hpp"
#include "hsvm/penalty/row_problem.hpp"

namespace hsvm {

// Sets to zero what has another sign than `of`, a row of V whose pairs have these signs, and takes from the larger
// side what makes the rest sum to zero.
inline void clip_to_signs(std::span<const double> of, std::span<double> row) {
  double positive = 0.0;
  double negative = 0.0;
  for (std::size_t k = 0; k < row.size(); ++k) {
    if (!(row[k] * of[k] > 0.0)) row[k] = 0.0;
    (row[k] > 0.0 ? positive : negative) += std::abs(row[k]);
  }
  const double side = std::min(positive, negative);
  for (double& value : row) {
    const double total = value > 0.0 ? positive : negative;
    if (value != 0.0) value *= side / total;
  }
  // What rounding has left.
  double sum = 0.0;
  for (const double value : row) sum += value;
  const auto largest = std::ranges::max_element(row, {}, [](double value) { return std::abs(value); });
  *largest -= sum;
}

template <class Model>
class RowQuadraticSolver {
 public:
  RowQuadraticSolver(Model& model, std::span<const double> tau, ClassMatrix& v)
      : model_(model),
        tau_(tau),
        v_(v),
        rows_(v.n_classes()),
        q_(static_cast<std::size_t>(v.n_classes())),
        h_(q_.size()),
        z_(q_.size()),
        next_(q_.size()) {}

  // From V = W to the minimiser, until the violations of optimality are at most `tolerance`, or `reduction`
  // times what they were, in the 2-norm, in a sweep over all rows. The objective never rises. Sweeps over the rows that
  // are not zero follow one over all for as long as their rate promises that few are left; else conjugate gradients do
  // the rest.
  void minimise(double tolerance, double reduction, const ModelEffort& effort = {.rounds = 60, .sweeps = 8}) {
    constexpr double kFewMore = 2.0;  // sweeps: conjugate gradients cost no less
    double enough = tolerance * tolerance;
    bool can_solve = true;
    for (int round = 0; round < effort.rounds; ++round) {
      double before = sweep(true);
      if (round == 0) enough = std::max(enough, reduction * reduction * before);
      if (before <= enough) return;
      for (int k = 0; k < effort.sweeps; ++k) {
        const double violation = sweep(false);
        if (violation <= enough) break;
        const bool is_slow = !(violation * std::pow(violation / before, kFewMore) <= enough);
        before = violation;
        if (!is_slow || !can_solve) continue;
        can_solve = step_on_support(std::sqrt(enough), effort.iterations);
        break;
      }
    }
  }

 private:
  double sweep(bool all) {
    double total = 0.0;
    for (Index j = 0; j < v_.rows(); ++j) {
      const std::span<double> row = v_.row(j);
      const double tau = tau_[static_cast<std::size_t>(j)];
      const bool is_zero = std::all_of(row.begin(), row.end(), [](double value) { return value == 0.0; });
      if (is_zero && !all && tau > 0.0) continue;
      model_.gradient(j, q_);
      if (is_zero && half_range(q_) <= tau) continue;
      model_.curvature(j, h_);
      for (std::size_t k = 0; k < z_.size(); ++k) z_[k] = row[k] - q_[k] / h_[k];
      rows_.solve_weighted(z_, h_, tau, next_);
      bool changed = false;
      for (std::size_t k = 0; k < z_.size(); ++k) {
        z_[k] = next_[k] - row[k];
        total += h_[k] * h_[k] * z_[k] * z_[k];
        changed = changed || z_[k] != 0.0;
        row[k] = next_[k];
      }
      if (changed) model_.move(j, z_);
    }
    return total;
  }

  // To about the minimiser over the support with its signs, or the best point on the way there.
  bool step_on_support(double tolerance, int max_iterations) {
    constexpr double kShare = 0.5;  // of what is asked for, since the signs may change on the way
    const Index m = v_.rows();
    const auto n_classes = q_.size();
    for (ClassMatrix* matrix : {&inverse_, &residual_, &scaled_, &product_, &solution_})
      matrix->reset(m, v_.n_classes());
    support_.clear();
    for (Index j = 0; j < m; ++j) {
      const double tau = tau_[static_cast<std::size_t>(j)];
      const std::span<const double> row = v_.row(j);
      if (tau != 0.0 && std::all_of(row.begin(), row.end(), [](double value) { return value == 0.0; }))
        continue;
      support_.push_back(j);
      model_.gradient(j, q_);
      model_.curvature(j, h_);
      for (std::size_t k = 0; k < n_classes; ++k) {
        if (row[k] == 0.0 && tau != 0.0) continue;
        inverse_.row(j)[k] = 1.0 / h_[k];
        residual_.row(j)[k] = -(q_[k] + (row[k] == 0.0 ? 0.0 : std::copysign(tau, row[k])));
      }
    }
    if (support_.empty()) return false;

    by_blocks_ = model_.prepare_blocks(support_, inverse_);
    right_ = residual_;
    double rho = precondition();
    const double enough = kShare * kShare * tolerance * tolerance;
    direction_ = scaled_;
    int iteration = 0;
    for (; iteration < max_iterations && rho > 0.0 && norm_ > enough; ++iteration) {
      model_.apply(support_, direction_, product_);
      const double curvature = dot(direction_, product_);
      if (!(curvature > 0.0)) break;
      const double alpha = rho / curvature;
      add_scaled(alpha, direction_.values(), solution_.values());
      add_scaled(-alpha, product_.values(), residual_.values());  // off the pairs nobody looks at it
      const double next = precondition();
      const double beta = next / rho;
      rho = next;
      const std::span<double> d = direction_.values();
      for (std::size_t k = 0; k < d.size(); ++k) d[k] = scaled_.values()[k] + beta * d[k];
    }
    model_.note_iterations(iteration);
    return take_step();
  }

  // The best step along solution_, which conjugate gradients have left with <right, d> = <d, H d>; where signs change on
  // the way, along what is left of it in the orthant of V if that gains more.
  bool take_step() {
    const double slope = -dot(right_, solution_);
    if (!(slope < 0.0)) return false;
    kinks_.clear();
    for (const Index j : support_) {
      const double tau = tau_[static_cast<std::size_t>(j)];
      for (std::size_t k = 0; k < q_.size() && tau > 0.0; ++k) {
        const double d = solution_.row(j)[k];
        const double at = -v_.row(j)[k] / d;
        if (at > 0.0 && at < 1.0) kinks_.push_back({at, 2.0 * tau * std::abs(d)});
      }
    }
    const auto smooth = [slope](double t) { return SlopeAndCurvature{slope - t * slope, -slope}; };
    double t = exact_step(smooth, 0.0, kinks_, 1.0);
    if (!kinks_.empty()) {
      double gain = -slope * t * (1.0 - 0.5 * t);
      for (const Kink& kink : kinks_) gain -= kink.jump * std::max(0.0, t - kink.at);
      t = clip_step(gain, t);
    }
    for (const Index j : support_) {
      const std::span<double> row = v_.row(j);
      for (std::size_t k = 0; k < row.size(); ++k) {
        const double d = solution_.row(j)[k];
        const double next = moved(row[k], d, row[k] + d, t);
        z_[k] = next - row[k];
        row[k] = next;
      }
      model_.move(j, z_);
    }
    return true;
  }

  // Replaces solution_ by what is left of it in the orthant, where that gains more than `gain` at t; returns the length.
  double clip_step(double gain, double t) {
    clipped_ = solution_;
    for (const Index j : support_) {
      if (tau_[static_cast<std::size_t>(j)] == 0.0) continue;
      const std::span<double> d = clipped_.row(j);
      const std::span<const double> row = v_.row(j);
      for (std::size_t k = 0; k < d.size(); ++k) d[k] += row[k];
      clip_to_signs(row, d);
      for (std::size_t k = 0; k < d.size(); ++k) d[k] -= row[k];
    }
    model_.apply(support_, clipped_, product_);
    const double slope = -dot(right_, clipped_);
    const double curvature = dot(clipped_, product_);
    const double length = curvature > -slope ? -slope / curvature : 1.0;
    if (!(slope < 0.0 && -length * (slope + 0.5 * length * curvature) > gain)) return t;
    std::swap(solution_, clipped_);
    return length;
  }

  // scaled_ = P residual_; returns <residual_, scaled_>, and norm_ = the squared norm of the residual off its
  // row means.
  double precondition() {
    if (by_blocks_) return precondition_by_blocks();
    double rho = 0.0;
    norm_ = 0.0;
    const auto n_classes = q_.size();
    for (const Index j : support_) {
      const double* const inverse = inverse_.data(j);
      const double* const r = residual_.data(j);
      double* const to = scaled_.data(j);
      double sum = 0.0;
      double weight = 0.0;
      for (std::size_t k = 0; k < n_classes; ++k) {
        sum += r[k] * inverse[k];
        weight += inverse[k];
      }
      const double mu = weight > 0.0 ? sum / weight : 0.0;
      for (std::size_t k = 0; k < n_classes; ++k) {
        const double left = inverse[k] == 0.0 ? 0.0 : r[k] - mu;
        to[k] = left * inverse[k];
        rho += left * to[k];
        norm_ += left * left;
      }
    }
    return rho;
  }
  double precondition_by_blocks() {
    left_ = residual_;
    norm_ = project_on_pairs(support_, inverse_, left_);
    model_.solve_blocks(left_, inverse_, scaled_);
    project_on_pairs(support_, inverse_, scaled_);
    return dot(left_, scaled_);
  }
  // Of matrices of which one is zero off the pairs of the support.
  [[nodiscard]] static double dot(const ClassMatrix& a, const ClassMatrix& b) {
    return dot_of(a.values(), b.values());
  }

  Model& model_;
  std::span<const double> tau_;
  ClassMatrix& v_;
  RowSolver rows_;
  std::vector<double> q_, h_, z_, next_;  // J
  std::vector<Index> support_;            // rows
  ClassMatrix inverse_;                   // 1/h on the support, 0 elsewhere
  ClassMatrix right_, residual_, left_, scaled_, direction_, product_, solution_, clipped_;
  bool by_blocks_ = false;
  double norm_ = 0.0;
  std::vector<Kink> kinks_;
};

}  // namespace hsvm
