// Newton's method for the J intercepts of the all-together model, kept at sum zero, with an exact line search:
// q is convex and piecewise quadratic, so it ends on the piece of the minimiser, where it is exact.
//
// Problem:
//   measure(b, at)                 the gradient of q at b and whatever its curvature is made of; at.size: that of
//                                  the numbers the gradient is a difference of
//   direction(at)                  the (damped) Newton direction, sum zero
//   curvature_along(at, d)         d'(Hessian of q)d
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <utility>
#include <vector>

namespace hsvm {

[[nodiscard]] inline double mean_of(std::span<const double> values) {
  double sum = 0.0;
  for (const double value : values) sum += value;
  return sum / static_cast<double>(values.size());
}

inline void remove_mean(std::span<double> values) {
  const double mean = mean_of(values);
  for (double& value : values) value -= mean;
}

// How far the gradient is from being the same for all classes, which is what sum(b) = 0 asks for; in units of
// its size.
template <class Slopes>
[[nodiscard]] double relative_deviation(const Slopes& at) {
  const double mean = mean_of(at.gradient);
  double largest = 0.0;
  for (const double g : at.gradient) largest = std::max(largest, std::abs(g - mean));
  return largest / std::max(at.size, std::numeric_limits<double>::min());
}

// b, and how far it is from the best.
struct InterceptsFound {
  std::vector<double> b;
  double deviation;
};

template <class Problem>
[[nodiscard]] InterceptsFound newton_intercepts(const Problem& problem, std::vector<double> start) {
  constexpr int kMaxSteps = 30;
  constexpr int kMaxSearch = 60;
  constexpr double kRounding =
      1e-13;  // below this a deviation is mostly rounding, and of no account to any bound
  constexpr double kEnough =
      0.1;  // of the slope may be left by a line search: the next Newton step does better

  std::vector<double> b = std::move(start);
  remove_mean(b);
  std::vector<double> trial(b.size());
  typename Problem::Slopes here;
  typename Problem::Slopes there;
  problem.measure(b, here);
  double deviation = relative_deviation(here);
  for (int step = 0; step < kMaxSteps && deviation > kRounding; ++step) {
    const std::vector<double> direction = problem.direction(here);
    // Without the mean of the gradient, which would only add rounding: the direction sums to zero.
    const auto slope_along = [&](const typename Problem::Slopes& at) {
      const double mean = mean_of(at.gradient);
      double slope = 0.0;
      for (std::size_t k = 0; k < b.size(); ++k) slope += direction[k] * (at.gradient[k] - mean);
      return slope;
    };
    const auto move_to = [&](double length) {
      for (std::size_t k = 0; k < b.size(); ++k) trial[k] = b[k] + length * direction[k];
      remove_mean(trial);
      problem.measure(trial, there);
    };

    // The root of the slope along the direction: non-decreasing and piecewise linear, as in best_intercept.
    const double slope_here = slope_along(here);
    double low = 0.0;
    double high = std::numeric_limits<double>::infinity();
    double length = 1.0;
    move_to(length);
    for (int search = 0; search < kMaxSearch; ++search) {
      const double slope = slope_along(there);
      if (std::abs(slope) <= kEnough * std::abs(slope_here) || relative_deviation(there) <= kRounding) break;
      (slope > 0.0 ? high : low) = length;
      const double curvature = problem.curvature_along(there, direction);
      double next = curvature > 0.0 ? length - slope / curvature : high;
      if (!(next > low && next < high)) next = std::isinf(high) ? 4.0 * length : 0.5 * (low + high);
      if (next == length) break;
      length = next;
      move_to(length);
    }

    const double new_deviation = relative_deviation(there);
    if (!(slope_here < 0.0) || trial == b) break;
    if (new_deviation >= deviation && deviation < 1e-12) break;  // rounding decides from here on
    std::swap(b, trial);
    std::swap(here, there);
    deviation = new_deviation;
  }
  return {std::move(b), deviation};
}

}  // namespace hsvm
