#include "hsvm/loss/margin_sums.hpp"

#include <cassert>

#include "hsvm/core/clones.hpp"
#include "hsvm/core/lanes.hpp"

namespace hsvm {
namespace {

// MarginLoss::dual for four margins.
[[gnu::always_inline]] inline Lanes dual(const MarginLoss& loss, Lanes t) {
  const Lanes zero = {};
  const Lanes cap = zero + loss.cap;
  Lanes a = (1.0 - t) / loss.delta;
  a = a < zero ? zero : a;
  return a > cap ? cap : a;
}

}  // namespace

HSVM_CLONES double sum_losses(const MarginLoss& loss, Samples samples, std::span<const double> z) {
  assert(samples.y.size() == z.size() && samples.s.size() == z.size());
  const double* const y = samples.y.data();
  const double* const s = samples.s.data();
  Lanes total = {};
  double rest = 0.0;
  by_lanes(
      z.size(),
      [&](std::size_t i) {
        const Lanes t = load(y + i) * load(z.data() + i);
        const Lanes a = dual(loss, t);
        total += load(s + i) * (a * ((1.0 - t) - 0.5 * loss.delta * a));
      },
      [&](std::size_t i) { rest += s[i] * loss.value(y[i] * z[i]); });
  return sum(total) + rest;
}

HSVM_CLONES double sum_divergences(const MarginLoss& loss, Samples samples, std::span<const double> z,
                                   std::span<const double> z0) {
  assert(samples.y.size() == z.size() && z0.size() == z.size());
  const double* const y = samples.y.data();
  const double* const s = samples.s.data();
  Lanes total = {};
  double rest = 0.0;
  by_lanes(
      z.size(),
      [&](std::size_t i) {
        const Lanes t = load(y + i) * load(z.data() + i);
        const Lanes a = dual(loss, t);
        const Lanes a0 = dual(loss, load(y + i) * load(z0.data() + i));
        total += load(s + i) * ((a - a0) * ((1.0 - t) - 0.5 * loss.delta * (a + a0)));
      },
      [&](std::size_t i) { rest += s[i] * loss.divergence(y[i] * z[i], y[i] * z0[i]); });
  return sum(total) + rest;
}

HSVM_CLONES double loss_gradient(const MarginLoss& loss, Samples samples, std::span<const double> z,
                                 double scale, std::span<double> r) {
  assert(samples.y.size() == z.size() && r.size() == z.size());
  const double* const y = samples.y.data();
  const double* const s = samples.s.data();
  Lanes total = {};
  double rest = 0.0;
  by_lanes(
      z.size(),
      [&](std::size_t i) {
        const Lanes y_lanes = load(y + i);
        const Lanes value = -scale * (load(s + i) * y_lanes * dual(loss, y_lanes * load(z.data() + i)));
        store(r.data() + i, value);
        total += value;
      },
      [&](std::size_t i) {
        r[i] = -scale * (s[i] * y[i] * loss.dual(y[i] * z[i]));
        rest += r[i];
      });
  return sum(total) + rest;
}

HSVM_CLONES DualSums sum_duals(const MarginLoss& loss, Samples samples, std::span<const double> z) {
  assert(samples.y.size() == z.size());
  const double* const y = samples.y.data();
  const double* const s = samples.s.data();
  Lanes linear = {};
  Lanes square = {};
  DualSums rest;
  by_lanes(
      z.size(),
      [&](std::size_t i) {
        const Lanes a = dual(loss, load(y + i) * load(z.data() + i));
        const Lanes weighted = load(s + i) * a;
        linear += weighted;
        square += weighted * a;
      },
      [&](std::size_t i) {
        const double a = loss.dual(y[i] * z[i]);
        rest.linear += s[i] * a;
        rest.square += s[i] * a * a;
      });
  return {sum(linear) + rest.linear, sum(square) + rest.square};
}

HSVM_CLONES InterceptSums sum_for_intercept(const MarginLoss& loss, Samples samples, std::span<const double> z,
                                            double b) {
  assert(samples.y.size() == z.size());
  const double* const y = samples.y.data();
  const double* const s = samples.s.data();
  const Lanes zero = {};
  const Lanes cap = zero + loss.cap;
  Lanes slope = {};
  Lanes in_elbow = {};
  Lanes size = {};
  InterceptSums rest;
  by_lanes(
      z.size(),
      [&](std::size_t i) {
        const Lanes y_lanes = load(y + i);
        const Lanes s_lanes = load(s + i);
        const Lanes a = dual(loss, y_lanes * (load(z.data() + i) + b));
        const Lanes weighted = s_lanes * a;
        slope -= weighted * y_lanes;
        size += weighted;
        const Lanes positive = a > zero ? s_lanes : zero;
        in_elbow += a < cap ? positive : zero;
      },
      [&](std::size_t i) {
        const double a = loss.dual(y[i] * (z[i] + b));
        rest.slope -= s[i] * a * y[i];
        rest.size += s[i] * a;
        if (a > 0.0 && a < loss.cap) rest.in_elbow += s[i];
      });
  return {sum(slope) + rest.slope, sum(in_elbow) + rest.in_elbow, sum(size) + rest.size};
}

HSVM_CLONES LineSums sum_along_line(const MarginLoss& loss, Samples samples, std::span<const double> z,
                                    std::span<const double> dz, double t) {
  assert(samples.y.size() == z.size() && dz.size() == z.size());
  const double* const y = samples.y.data();
  const double* const s = samples.s.data();
  const Lanes zero = {};
  const Lanes cap = zero + loss.cap;
  Lanes slope = {};
  Lanes square = {};
  LineSums rest;
  by_lanes(
      z.size(),
      [&](std::size_t i) {
        const Lanes y_lanes = load(y + i);
        const Lanes s_lanes = load(s + i);
        const Lanes dz_lanes = load(dz.data() + i);
        const Lanes a = dual(loss, y_lanes * (load(z.data() + i) + t * dz_lanes));
        slope -= s_lanes * a * y_lanes * dz_lanes;
        const Lanes positive = a > zero ? s_lanes : zero;
        square += (a < cap ? positive : zero) * dz_lanes * dz_lanes;
      },
      [&](std::size_t i) {
        const double a = loss.dual(y[i] * (z[i] + t * dz[i]));
        rest.slope -= s[i] * a * y[i] * dz[i];
        if (a > 0.0 && a < loss.cap) rest.curvature += s[i] * dz[i] * dz[i];
      });
  return {sum(slope) + rest.slope, (sum(square) + rest.curvature) * loss.curvature()};
}

}  // namespace hsvm
