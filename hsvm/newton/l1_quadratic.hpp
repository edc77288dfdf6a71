// Newton's model on the working set: over v (m), with H = scale X'DX + diag(ridge) positive definite,
//
//   minimise   (v - w)'H (v - w)/2 + g'(v - w) + sum_j tau_j |v_j|
//
// by coordinate descent: a sweep over all coordinates, then sweeps over the support until it is good enough, and again.
// Two things shorten the sweeps over the support. Every third is followed by an extrapolation from the last three
// (Anderson's; [BM21]), kept where the model falls. And where their rate promises more work than a solve with H on the
// support, the solve is taken instead: clipped to the signs, or cut short where that is better. Coordinates with tau_j = 0
// (the intercept) are always in the support.
//
// H itself comes in several shapes, one for each way of doing its linear algebra (gram_hessian.hpp,
// column_hessian.hpp). What they answer for:
//   gradient(j)              of the smooth part at the current v
//   inverse_curvature(j)     1/H_jj
//   move(j, change)          v_j += change
//   value()                  of the smooth part at the current v, 0 at w
//   solve(support, x, reduction)    x <- (H_SS)^{-1} x, by iterations so that the residual is `reduction` times what it was;
//                            false where that cannot be had
//   sweep_cost(support), solve_cost(support)     nanoseconds, about
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <ranges>
#include <span>
#include <vector>

#include "hsvm/core/types.hpp"
#include "hsvm/newton/exact_step.hpp"
#include "hsvm/newton/model_effort.hpp"
#include "hsvm/penalty/elastic_net.hpp"

namespace hsvm {

inline constexpr std::size_t kAndersonDepth = 3;  // differences an extrapolation is made from

// What the solver writes to on its way. A small model is solved in microseconds: whoever solves many keeps this.
struct L1QuadraticWorkspace {
  std::vector<Index> support;
  std::array<std::vector<double>, kAndersonDepth + 1> iterates;  // on the support, the latest last
  std::size_t n_iterates = 0;
  std::vector<double> moves, right, direction;
  std::vector<Kink> kinks;
};

template <class Model>
class L1QuadraticSolver {
 public:
  L1QuadraticSolver(Model& model, std::span<const double> tau, std::span<double> v, L1QuadraticWorkspace& space)
      : model_(model),
        tau_(tau),
        v_(v),
        support_(space.support),
        iterates_(space.iterates),
        n_iterates_(space.n_iterates),
        moves_(space.moves),
        right_(space.right),
        direction_(space.direction),
        kinks_(space.kinks) {}

  // From v = w until the violations of optimality are at most `tolerance` in the 2-norm, or the part of what they were that
  // the effort names, or, where the model is singular or nearly so, a small part of it. The objective never rises.
  void minimise(double tolerance, const ModelEffort& effort = {}) {
    double enough = tolerance * tolerance;
    double first = 0.0;
    is_left_early_ = effort.reduction > 0.0;
    const auto all = std::views::iota(Index{0}, static_cast<Index>(v_.size()));
    for (int round = 0; round < effort.rounds; ++round) {
      const double violation = sweep(all);
      if (round == 0) {
        first = violation;
        enough = std::max(enough, effort.reduction * effort.reduction * first);
      }
      if (violation <= enough) return;
      minimise_on_support(enough, effort.sweeps);
      // A model that is as hard as this is singular or nearly so, and may well change before it is solved.
      enough = std::max(enough, first * std::pow(100.0, static_cast<double>(round) - effort.rounds));
    }
  }

 private:
  static constexpr std::size_t kDepth = kAndersonDepth;

  // One round of coordinate descent; returns the squared violations it met.
  template <class Coordinates>
  double sweep(const Coordinates& coordinates) {
    double total = 0.0;
    for (const Index index : coordinates) {
      const auto j = static_cast<std::size_t>(index);
      const double q = model_.gradient(index);
      const double violation = v_[j] == 0.0 ? shrink(q, tau_[j]) : q + std::copysign(tau_[j], v_[j]);
      if (violation == 0.0) continue;
      const double inverse = model_.inverse_curvature(index);
      const double next = shrink(v_[j] - inverse * q, inverse * tau_[j]);
      total += squared_violation(j, violation, q, inverse, next);
      if (next == v_[j] || !std::isfinite(next)) continue;
      model_.move(index, next - v_[j]);
      v_[j] = next;
    }
    return total;
  }

  // A violation takes violation^2/(2h) off the model once it is mended. A coefficient next to zero that has to leave its side
  // violates by up to 2 tau, however small it is: where a model is left early it counts for what it takes off.
  [[nodiscard]] double squared_violation(std::size_t j, double violation, double q, double inverse,
                                         double next) const {
    const double whole = violation * violation;
    if (!is_left_early_ || v_[j] == 0.0 || next * v_[j] > 0.0) return whole;
    const double h = 1.0 / inverse;
    const double change = next - v_[j];
    const double gain = tau_[j] * (std::abs(v_[j]) - std::abs(next)) - change * (q + 0.5 * h * change);
    return std::min(whole, std::max(0.0, 2.0 * h * gain));
  }

  void minimise_on_support(double enough, int max_sweeps) {
    constexpr double kShare = 0.3;  // of what is enough: the other coordinates have a part, too
    support_.clear();
    for (std::size_t j = 0; j < v_.size(); ++j) {
      if (v_[j] != 0.0 || tau_[j] == 0.0) support_.push_back(static_cast<Index>(j));
    }
    const double sweep_cost = model_.sweep_cost(support_);
    const double solve_cost = model_.solve_cost(support_);
    n_iterates_ = 0;
    double last = std::numeric_limits<double>::infinity();
    for (int k = 0; k < max_sweeps; ++k) {
      const double violation = sweep(support_);
      if (violation <= kShare * enough) return;
      if (can_solve_ && sweeps_left(violation, last, kShare * enough) * sweep_cost > solve_cost) break;
      last = violation;
      if (k > 0) keep_iterate();
      if (n_iterates_ > kDepth) {
        if (extrapolate()) last = std::numeric_limits<double>::infinity();
        n_iterates_ = 0;
        keep_iterate();
      }
    }
    if (can_solve_) can_solve_ = step_on_support(kShare * enough);
  }

  // How many sweeps are needed at the rate of the last two, whose squared violations are given.
  static double sweeps_left(double violation, double last, double enough) {
    constexpr double kNever = 1e9;
    if (!std::isfinite(last)) return 0.0;
    return violation < last ? std::log(violation / enough) / std::log(last / violation) : kNever;
  }

  void keep_iterate() {
    std::vector<double>& now = iterates_[n_iterates_++];
    now.clear();
    for (const Index j : support_) now.push_back(v_[static_cast<std::size_t>(j)]);
  }

  // To the combination of the last iterates, weights adding up to 1, whose differences combine to the least; coefficients that
  // would change their signs are set to zero. Undone where the model rises.
  bool extrapolate() {
    std::array<double, kDepth> weights;
    if (!anderson_weights(weights)) return false;
    const double before = model_.value() + l1();
    moves_.clear();
    for (std::size_t a = 0; a < support_.size(); ++a) {
      const auto j = static_cast<std::size_t>(support_[a]);
      double next = 0.0;
      for (std::size_t k = 0; k < kDepth; ++k) next += weights[k] * iterates_[k + 1][a];
      if (next * v_[j] < 0.0 && tau_[j] > 0.0) next = 0.0;
      if (v_[j] == 0.0 && tau_[j] > 0.0) next = 0.0;
      moves_.push_back(next - v_[j]);
    }
    take_moves(1.0);
    if (model_.value() + l1() <= before) return true;
    take_moves(-1.0);
    return false;
  }

  // Solves U'U c = 1 for the differences U of the iterates; the weights are c over its sum.
  bool anderson_weights(std::array<double, kDepth>& weights) const {
    std::array<std::array<double, kDepth>, kDepth> gram = {};
    double trace = 0.0;
    for (std::size_t k = 0; k < kDepth; ++k) {
      for (std::size_t l = 0; l <= k; ++l) {
        for (std::size_t a = 0; a < support_.size(); ++a) {
          gram[k][l] += (iterates_[k + 1][a] - iterates_[k][a]) * (iterates_[l + 1][a] - iterates_[l][a]);
        }
        gram[l][k] = gram[k][l];
      }
      trace += gram[k][k];
    }
    weights.fill(1.0);
    for (std::size_t k = 0; k < kDepth; ++k) gram[k][k] += 1e-10 * trace;
    for (std::size_t k = 0; k < kDepth; ++k) {  // Gauss
      if (!(gram[k][k] > 0.0)) return false;
      for (std::size_t l = k + 1; l < kDepth; ++l) {
        const double factor = gram[l][k] / gram[k][k];
        for (std::size_t c = k; c < kDepth; ++c) gram[l][c] -= factor * gram[k][c];
        weights[l] -= factor * weights[k];
      }
    }
    double sum = 0.0;
    for (std::size_t k = kDepth; k-- > 0;) {
      for (std::size_t c = k + 1; c < kDepth; ++c) weights[k] -= gram[k][c] * weights[c];
      weights[k] /= gram[k][k];
      sum += weights[k];
    }
    for (double& weight : weights) weight /= sum;
    return std::isfinite(sum) && sum != 0.0;
  }

  void take_moves(double sign) {
    for (std::size_t a = 0; a < support_.size(); ++a) {
      if (moves_[a] == 0.0) continue;
      const auto j = static_cast<std::size_t>(support_[a]);
      model_.move(support_[a], sign * moves_[a]);
      v_[j] += sign * moves_[a];
    }
  }

  [[nodiscard]] double l1() const {
    double total = 0.0;
    for (const Index j : support_)
      total += tau_[static_cast<std::size_t>(j)] * std::abs(v_[static_cast<std::size_t>(j)]);
    return total;
  }

  // To the minimiser over the support with its signs, or the best point on the way there.
  bool step_on_support(double enough) {
    constexpr double kInner = 0.5;  // of what is enough in the 2-norm
    right_.clear();
    std::erase_if(support_, [&](Index j) {
      return v_[static_cast<std::size_t>(j)] == 0.0 && tau_[static_cast<std::size_t>(j)] != 0.0;
    });
    for (const Index index : support_) {
      const auto j = static_cast<std::size_t>(index);
      const double sign = v_[j] == 0.0 ? 0.0 : std::copysign(tau_[j], v_[j]);
      right_.push_back(-(model_.gradient(index) + sign));
    }
    if (support_.empty()) return false;
    direction_ = right_;
    double violation = 0.0;
    for (const double value : right_) violation += value * value;
    if (!model_.solve(support_, direction_, kInner * std::sqrt(enough / violation))) return false;
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
    if (t < 1.0 && take_clipped(slope, t)) return true;
    moves_.clear();
    for (std::size_t a = 0; a < support_.size(); ++a) {
      const auto j = static_cast<std::size_t>(support_[a]);
      moves_.push_back(moved(v_[j], direction_[a], v_[j] + direction_[a], t) - v_[j]);
    }
    take_moves(1.0);
    return true;
  }

  // All of the direction, but for coefficients that would change their signs, which become zero: one of them alone would hold up
  // all others. Undone where the model falls by less than along the line, as far as t.
  bool take_clipped(double slope, double t) {
    double along_line = slope * (t - 0.5 * t * t);
    for (const Kink& kink : kinks_) along_line += kink.jump * std::max(0.0, t - kink.at);
    moves_.clear();
    for (std::size_t a = 0; a < support_.size(); ++a) {
      const auto j = static_cast<std::size_t>(support_[a]);
      const bool turns = tau_[j] > 0.0 && v_[j] * (v_[j] + direction_[a]) < 0.0;
      moves_.push_back(turns ? -v_[j] : direction_[a]);
    }
    const double before = model_.value() + l1();
    take_moves(1.0);
    if (model_.value() + l1() - before <= along_line) return true;
    take_moves(-1.0);
    return false;
  }

  Model& model_;
  std::span<const double> tau_;
  std::span<double> v_;
  bool can_solve_ = true;
  bool is_left_early_ = false;
  std::vector<Index>& support_;
  std::array<std::vector<double>, kDepth + 1>& iterates_;
  std::size_t& n_iterates_;
  std::vector<double>& moves_;
  std::vector<double>& right_;
  std::vector<double>& direction_;
  std::vector<Kink>& kinks_;
};

}  // namespace hsvm
