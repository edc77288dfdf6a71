#include "hsvm/problem/intercept.hpp"

#include <cmath>
#include <limits>

namespace hsvm {

double best_intercept(const MarginLoss& loss, const Samples& samples, std::span<const double> z, double lambda3,
                      double start, double held) {
  constexpr int kMaxSteps = 200;  // Newton takes a few; bisection over all doubles would take about 100
  constexpr double kFarthest = 1e6;
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  const double n = samples.n();
  double low = -kInfinity;
  double high = kInfinity;
  double expansion = 1.0 + loss.delta;
  double b = start;
  for (int step = 0; step < kMaxSteps; ++step) {
    const InterceptSums sums = sum_for_intercept(loss, samples, z, b - held);
    const double slope = sums.slope / n + lambda3 * b;
    const double curvature = sums.in_elbow / (n * loss.delta) + lambda3;
    // A slope no larger than the rounding of its terms is none. There a step may leave the bracket by as little, and bisection would
    // take forty more to find nothing better.
    constexpr double kRounding = 4e-16;
    if (std::abs(slope) <= kRounding * (sums.size / n + lambda3 * std::abs(b))) return b;

    (slope > 0.0 ? high : low) = b;
    // Where next to nothing is the only curvature, a step may lead further away than bisection can come back from.
    const bool is_flat = std::abs(slope) > kFarthest * expansion * curvature;
    double next = is_flat ? b : b - slope / curvature;
    if (!is_flat && std::abs(next - b) <= kRounding * std::abs(b)) return b;
    if (!(next > low && next < high)) {
      if (std::isinf(low) || std::isinf(high)) {
        next = slope > 0.0 ? b - expansion : b + expansion;
        expansion *= 4.0;
      } else {
        next = low + 0.5 * (high - low);
      }
    }
    if (next == b || next == low || next == high) return b;
    b = next;
  }
  return b;
}

}  // namespace hsvm
