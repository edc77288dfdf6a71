// Newton's model on the working set: over v (m), with H = scale X'DX + diag(ridge) positive definite,
//
//   minimise   (v - w)'H (v - w)/2 + g'(v - w) + sum_j tau_j |v_j|
//
// Coordinate descent finds the support and the signs, a solve with H on that support finishes: each is good
// where the other is slow. Coordinates with tau_j = 0 (the intercept) are always in the support.
//
// H itself comes in several shapes, one for each way of doing its linear algebra (gram_hessian.hpp,
// column_hessian.hpp). What they answer for:
//   gradient(j)              of the smooth part at the current v
//   curvature(j)             H_jj
//   move(j, change)          v_j += change
//   solve(support, x)        x <- (H_SS)^{-1} x; false where that cannot be had
#pragma once

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

#include "hsvm/core/types.hpp"
#include "hsvm/newton/exact_step.hpp"
#include "hsvm/penalty/elastic_net.hpp"

namespace hsvm {

template <class Model>
class L1QuadraticSolver {
 public:
  L1QuadraticSolver(Model& model, std::span<const double> tau, std::span<double> v)
      : model_(model), tau_(tau), v_(v) {}

  // From v = w to the minimiser, until the violations of optimality are at most `tolerance` in the 2-norm, or,
  // where the model is singular or nearly so, a small part of what they were. The objective never rises.
  void minimise(double tolerance) {
    constexpr int kMaxRounds = 16;
    constexpr int kSweeps = 2;        // of coordinate descent between two solves
    constexpr int kSweepsAlone = 20;  // where solves cannot be had
    double enough = tolerance * tolerance;
    double first = 0.0;
    bool can_solve = true;
    for (int round = 0; round < kMaxRounds; ++round) {
      for (int k = 0; k < (can_solve ? kSweeps : kSweepsAlone); ++k) {
        const double violation = sweep();
        if (violation <= enough) return;
        if (round == 0 && k == 0) first = violation;
      }
      if (can_solve) can_solve = step_on_support();
      // A model that is as hard as this is singular or nearly so, and may well change before it is solved.
      enough = std::max(enough, first * std::pow(10.0, static_cast<double>(round) - kMaxRounds));
    }
  }

 private:
  // One round of coordinate descent; returns the squared violations it met.
  double sweep() {
    double total = 0.0;
    for (std::size_t j = 0; j < v_.size(); ++j) {
      const auto index = static_cast<Index>(j);
      const double q = model_.gradient(index);
      const double violation = v_[j] == 0.0 ? shrink(q, tau_[j]) : q + std::copysign(tau_[j], v_[j]);
      if (violation == 0.0) continue;
      total += violation * violation;
      const double h = model_.curvature(index);
      const double next = shrink(h * v_[j] - q, tau_[j]) / h;
      if (next == v_[j] || !std::isfinite(next)) continue;
      model_.move(index, next - v_[j]);
      v_[j] = next;
    }
    return total;
  }

  // To the minimiser over the support with its signs, or the best point on the way there.
  bool step_on_support() {
    support_.clear();
    right_.clear();
    for (std::size_t j = 0; j < v_.size(); ++j) {
      if (v_[j] == 0.0 && tau_[j] != 0.0) continue;
      support_.push_back(static_cast<Index>(j));
      const double sign = v_[j] == 0.0 ? 0.0 : std::copysign(tau_[j], v_[j]);
      right_.push_back(-(model_.gradient(static_cast<Index>(j)) + sign));
    }
    if (support_.empty()) return false;
    direction_ = right_;
    if (!model_.solve(support_, direction_)) return false;
    double slope = 0.0;
    for (std::size_t a = 0; a < right_.size(); ++a) slope -= right_[a] * direction_[a];
    if (!(slope < 0.0)) return false;

    kinks_.clear();
    for (std::size_t a = 0; a < support_.size(); ++a) {
      const auto j = static_cast<std::size_t>(support_[a]);
      const double at = -v_[j] / direction_[a];
      if (at > 0.0 && at < 1.0 && tau_[j] > 0.0)
        kinks_.push_back({at, 2.0 * tau_[j] * std::abs(direction_[a])});
    }
    const auto smooth = [slope](double t) { return SlopeAndCurvature{slope - t * slope, -slope}; };
    const double t = exact_step(smooth, 0.0, kinks_, 1.0);
    for (std::size_t a = 0; a < support_.size(); ++a) {
      const auto j = static_cast<std::size_t>(support_[a]);
      const double next = moved(v_[j], direction_[a], v_[j] + direction_[a], t);
      if (next == v_[j]) continue;
      model_.move(support_[a], next - v_[j]);
      v_[j] = next;
    }
    return true;
  }

  Model& model_;
  std::span<const double> tau_;
  std::span<double> v_;
  std::vector<Index> support_;
  std::vector<double> right_;
  std::vector<double> direction_;
  std::vector<Kink> kinks_;
};

}  // namespace hsvm
