// A row of scores is a few registers of classes. Every sum is kept by class until the end, so that the padding
// of the rows can be left out; the right class's sum is put back to what it was.

#include "hsvm/problem/class_sums.hpp"

#include <cassert>
#include <iterator>

#include "hsvm/core/clones.hpp"
#include "hsvm/core/lanes.hpp"

namespace hsvm {
namespace {

// HuberizedHinge::dual at t = -z for four scores.
[[gnu::always_inline]] inline Lanes dual_of_score(double inverse_delta, Lanes z) {
  const Lanes zero = {};
  const Lanes one = zero + 1.0;
  Lanes a = (1.0 + z) * inverse_delta;
  a = a < zero ? zero : a;
  return a > one ? one : a;
}

// Sum over samples of s_i times term(scores of four classes, where they are), over wrong classes.
template <class Term>
[[gnu::always_inline]] inline double sum_wrong(ClassSamples samples, const ClassMatrix& z, const Term& term) {
  assert(std::ssize(samples.y) == z.rows() && samples.s.size() == samples.y.size());
  const Index stride = z.stride();
  AlignedBuffer<double> by_class(static_cast<std::size_t>(stride), 0.0);
  const double* const scores = z.values().data();
  for (std::size_t i = 0; i < samples.y.size(); ++i) {
    const std::size_t row = i * static_cast<std::size_t>(stride);
    const double weight = samples.s[i];
    const Index own = samples.y[i];
    const double kept = by_class[static_cast<std::size_t>(own)];
    for (Index k = 0; k < stride; k += kLanes) {
      const std::size_t place = row + static_cast<std::size_t>(k);
      store(by_class.data() + k, load(by_class.data() + k) + weight * term(load(scores + place), place));
    }
    by_class[static_cast<std::size_t>(own)] = kept;
  }
  double total = 0.0;
  for (Index k = 0; k < z.n_classes(); ++k) total += by_class[static_cast<std::size_t>(k)];
  return total;
}

}  // namespace

HSVM_CLONES double sum_losses(const HuberizedHinge& loss, ClassSamples samples, const ClassMatrix& z) {
  const double inverse_delta = 1.0 / loss.delta;
  const double half_delta = 0.5 * loss.delta;
  return sum_wrong(samples, z, [&](Lanes score, std::size_t) {
    const Lanes a = dual_of_score(inverse_delta, score);
    return a * ((1.0 + score) - half_delta * a);
  });
}

HSVM_CLONES double sum_divergences(const HuberizedHinge& loss, ClassSamples samples, const ClassMatrix& z,
                                   const ClassMatrix& z0) {
  assert(z0.rows() == z.rows() && z0.stride() == z.stride());
  const double inverse_delta = 1.0 / loss.delta;
  const double half_delta = 0.5 * loss.delta;
  const double* const scores0 = z0.values().data();
  return sum_wrong(samples, z, [&](Lanes score, std::size_t place) {
    const Lanes a = dual_of_score(inverse_delta, score);
    const Lanes a0 = dual_of_score(inverse_delta, load(scores0 + place));
    return (a - a0) * ((1.0 + score) - half_delta * (a + a0));
  });
}

HSVM_CLONES DualSums sum_duals(const HuberizedHinge& loss, ClassSamples samples, const ClassMatrix& z) {
  const double inverse_delta = 1.0 / loss.delta;
  return {sum_wrong(samples, z, [&](Lanes score, std::size_t) { return dual_of_score(inverse_delta, score); }),
          sum_wrong(samples, z, [&](Lanes score, std::size_t) {
            const Lanes a = dual_of_score(inverse_delta, score);
            return a * a;
          })};
}

HSVM_CLONES std::vector<double> loss_gradient(const HuberizedHinge& loss, ClassSamples samples,
                                              const ClassMatrix& z, double scale, ClassMatrix& r) {
  assert(std::ssize(samples.y) == z.rows());
  const double inverse_delta = 1.0 / loss.delta;
  const Index stride = z.stride();
  r.reset(z.rows(), z.n_classes());
  AlignedBuffer<double> sums(static_cast<std::size_t>(stride), 0.0);
  for (Index i = 0; i < z.rows(); ++i) {
    const double weight = scale * samples.s[static_cast<std::size_t>(i)];
    const double* const from = z.data(i);
    double* const to = r.data(i);
    for (Index k = 0; k < stride; k += kLanes)
      store(to + k, weight * dual_of_score(inverse_delta, load(from + k)));
    to[samples.y[static_cast<std::size_t>(i)]] = 0.0;
    for (Index k = z.n_classes(); k < stride; ++k) to[k] = 0.0;
    for (Index k = 0; k < stride; k += kLanes) store(sums.data() + k, load(sums.data() + k) + load(to + k));
  }
  return {sums.begin(), sums.begin() + z.n_classes()};
}

HSVM_CLONES void sum_for_intercepts(const HuberizedHinge& loss, ClassSamples samples, const ClassMatrix& z,
                                    std::span<const double> b, ClassSlopes& out) {
  assert(std::ssize(samples.y) == z.rows() && std::ssize(b) == z.n_classes());
  const double inverse_delta = 1.0 / loss.delta;
  const Index stride = z.stride();
  const Lanes zero = {};
  const Lanes one = zero + 1.0;
  AlignedBuffer<double> room(3 * static_cast<std::size_t>(stride), 0.0);
  double* const intercepts = room.data();
  double* const slope = intercepts + stride;
  double* const in_elbow = slope + stride;
  for (std::size_t k = 0; k < b.size(); ++k) intercepts[k] = b[k];
  for (Index i = 0; i < z.rows(); ++i) {
    const double weight = samples.s[static_cast<std::size_t>(i)];
    const Index own = samples.y[static_cast<std::size_t>(i)];
    const double* const row = z.data(i);
    const double kept_slope = slope[own];
    const double kept_elbow = in_elbow[own];
    for (Index k = 0; k < stride; k += kLanes) {
      const Lanes a = dual_of_score(inverse_delta, load(row + k) + load(intercepts + k));
      store(slope + k, load(slope + k) + weight * a);
      const Lanes positive = a > zero ? zero + weight : zero;
      store(in_elbow + k, load(in_elbow + k) + (a < one ? positive : zero));
    }
    slope[own] = kept_slope;
    in_elbow[own] = kept_elbow;
  }
  out.slope.assign(slope, slope + b.size());
  out.in_elbow.assign(in_elbow, in_elbow + b.size());
}

HSVM_CLONES LineSums sum_along_line(const HuberizedHinge& loss, ClassSamples samples, const ClassMatrix& z,
                                    const ClassMatrix& dz, double t) {
  assert(dz.rows() == z.rows() && dz.stride() == z.stride());
  const double inverse_delta = 1.0 / loss.delta;
  const double* const change = dz.values().data();
  const Lanes zero = {};
  const Lanes one = zero + 1.0;
  LineSums sums;
  sums.slope = sum_wrong(samples, z, [&](Lanes score, std::size_t place) {
    const Lanes d = load(change + place);
    return dual_of_score(inverse_delta, score + t * d) * d;
  });
  sums.curvature = inverse_delta * sum_wrong(samples, z, [&](Lanes score, std::size_t place) {
                     const Lanes d = load(change + place);
                     const Lanes a = dual_of_score(inverse_delta, score + t * d);
                     const Lanes square = a > zero ? d * d : zero;
                     return a < one ? square : zero;
                   });
  return sums;
}

}  // namespace hsvm
