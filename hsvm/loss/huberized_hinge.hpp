// The huberized hinge of a margin t, smoothed over a width delta > 0 [XAC15, sec. 1.3]:
//
//            0                     t > 1
//   phi(t) = (1 - t)^2/(2 delta)   1 - delta < t <= 1      (the elbow)
//            1 - t - delta/2       t <= 1 - delta
//
// It is the largest of a(1 - t) - delta a^2/2 over a in [0, 1], attained at a = -phi'(t). That `a` is the
// sample's dual variable, and everything here is written through it: phi, phi' and the Bregman distance need no
// case distinctions.
#pragma once

#include <algorithm>

namespace hsvm {

struct HuberizedHinge {
  double delta = 1.0;

  // a = -phi'(t), in [0, 1].
  [[nodiscard]] double dual(double t) const { return std::clamp((1.0 - t) / delta, 0.0, 1.0); }

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
};

}  // namespace hsvm
