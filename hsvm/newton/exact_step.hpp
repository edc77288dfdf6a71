// The minimiser t of a convex function along a line, whose slope is
//
//   smooth(t) + base + the jumps of all kinks before t
//
// smooth being continuous, piecewise linear and non-decreasing (the loss and the ridge), and the kinks the
// places where a coefficient changes its sign. Newton's method inside a bracket; exact once it is on the piece
// of the root.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace hsvm {

struct Kink {
  double at;    // > 0
  double jump;  // > 0
};

struct SlopeAndCurvature {
  double slope;
  double curvature;
};

// smooth(t) -> SlopeAndCurvature. Looks at t = 1 first, which Newton's method proposes, and no further than
// `limit`; 0 where the function does not fall at 0. share: of the slope at the start that may be left.
template <class Smooth>
[[nodiscard]] double exact_step(const Smooth& smooth, double base, std::vector<Kink>& kinks,
                                double limit = 10.0, double share = 1e-9) {
  constexpr int kMaxSteps = 60;
  const double start_slope = smooth(0.0).slope + base;
  if (!(start_slope < 0.0)) return 0.0;
  const double flat = share * std::abs(start_slope);
  double low = 0.0;
  double high = limit;
  double t = std::min(1.0, limit);
  // Kinks are in order as far as they are looked at: where the step is a whole one, that is hardly any.
  const auto comes_first = [](const Kink& a, const Kink& b) { return a.at < b.at; };
  auto end = std::partition(kinks.begin(), kinks.end(), [t](const Kink& kink) { return kink.at <= t; });
  std::sort(kinks.begin(), end, comes_first);
  for (int step = 0; step < kMaxSteps; ++step) {
    const SlopeAndCurvature at = smooth(t);
    double left = at.slope + base;
    auto kink = kinks.begin();
    for (; kink != end && kink->at < t; ++kink) left += kink->jump;
    const auto first_here = kink;
    double right = left;
    for (; kink != end && kink->at == t; ++kink) right += kink->jump;
    if (left <= flat && right >= -flat) return t;

    double next = t;
    if (left > 0.0) {
      high = t;
      next = at.curvature > 0.0 ? t - left / at.curvature : low;
      // The nearest kink beyond the proposal: the slope drops there, so the root is no further.
      const auto crossed = std::lower_bound(kinks.begin(), first_here, next,
                                            [](const Kink& k, double value) { return k.at < value; });
      if (crossed != first_here && crossed->at > low) next = crossed->at;
    } else {
      low = t;
      if (t >= limit) return t;
      std::sort(end, kinks.end(), comes_first);
      end = kinks.end();
      next = at.curvature > 0.0 ? t - right / at.curvature : 2.0 * t;
      const auto crossed =
          std::upper_bound(kink, end, next, [](double value, const Kink& k) { return value < k.at; });
      if (crossed != kink && std::prev(crossed)->at < high) next = std::prev(crossed)->at;
      next = std::min(next, limit);
    }
    const bool outside = !(next > low && (next < high || (next == limit && high == limit && t < limit)));
    if (outside || step % 8 == 7) next = low + 0.5 * (high - low);
    if (next == t || next <= low || !(high - low > 1e-15 * high)) return t;
    t = next;
  }
  return t;
}

// v + t d, where `next` is what v + d stands for; exactly zero at a kink.
[[nodiscard]] inline double moved(double v, double d, double next, double t) {
  if (t == 1.0) return next;
  if (d == 0.0) return v;
  return -v / d == t ? 0.0 : v + t * d;
}

}  // namespace hsvm
