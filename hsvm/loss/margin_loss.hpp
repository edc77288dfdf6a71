// The loss of one margin t [docs/add_a_loss.md]:
//
//   phi(t) = max over 0 <= a <= cap of a(1 - t) - delta a^2/2          attained at a = -phi'(t) = clamp((1 - t)/delta, 0, cap)
//
//            0                           t > 1
//          = (1 - t)^2/(2 delta)         1 - cap delta < t <= 1        (the elbow)
//            cap (1 - t - cap delta/2)   t <= 1 - cap delta
//
// `a` is the sample's dual variable, [0, cap] its domain, and everything here is written through it: phi, phi' and the
// Bregman distance need no case distinctions. Members of the family:
//
//   huberized_hinge(delta)   cap = 1            the hinge, smoothed over a width delta > 0 [XAC15, sec. 1.3]
//   squared_hinge()          cap = infinity     (1 - t)^2/2 below 1, which LIBLINEAR calls the L2 loss; delta = 1
//
// Sums over samples take a MarginLoss (margin_sums.hpp, class_sums.hpp); nothing else knows which one it is.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <string_view>

namespace hsvm {

struct MarginLoss {
  double delta = 1.0;
  double cap = 1.0;

  // a = -phi'(t), in [0, cap].
  [[nodiscard]] double dual(double t) const { return std::clamp((1.0 - t) * curvature(), 0.0, cap); }

  [[nodiscard]] double value(double t) const {
    const double a = dual(t);
    return a * ((1.0 - t) - 0.5 * delta * a);
  }
  [[nodiscard]] double derivative(double t) const { return -dual(t); }

  // phi(t) - phi(t0) - phi'(t0) (t - t0) >= 0, without the cancellation of that formula.
  [[nodiscard]] double divergence(double t, double t0) const {
    const double a = dual(t);
    const double a0 = dual(t0);
    return (a - a0) * ((1.0 - t) - 0.5 * delta * (a + a0));
  }

  // phi'' where it exists: 1/delta in the elbow, 0 outside; also the Lipschitz constant of phi'.
  [[nodiscard]] double curvature() const { return 1.0 / delta; }
  // The largest slope that the margins of a mean loss can have, in the root mean square: without a cap phi = delta a^2/2.
  [[nodiscard]] double steepest(double mean_loss) const {
    return std::isinf(cap) ? std::sqrt(2.0 * mean_loss / delta) : cap;
  }
  // The elbow is between this and 1.
  [[nodiscard]] double elbow_begin() const { return 1.0 - cap * delta; }

  friend bool operator==(const MarginLoss&, const MarginLoss&) = default;
};

[[nodiscard]] constexpr MarginLoss huberized_hinge(double delta) {
  return {.delta = delta, .cap = 1.0};
}
[[nodiscard]] constexpr MarginLoss squared_hinge() {
  return {.delta = 1.0, .cap = std::numeric_limits<double>::infinity()};
}

// The losses by name, as options and model files have them.
enum class Loss { huberized, squared_hinge };
inline constexpr std::array<std::string_view, 2> kLossNames = {"huberized", "squared-hinge"};

[[nodiscard]] constexpr std::string_view to_string(Loss loss) {
  return kLossNames[static_cast<std::size_t>(loss)];
}
// delta has a meaning for the huberized hinge alone.
[[nodiscard]] constexpr MarginLoss margin_loss(Loss loss, double delta) {
  return loss == Loss::huberized ? huberized_hinge(delta) : squared_hinge();
}

}  // namespace hsvm
