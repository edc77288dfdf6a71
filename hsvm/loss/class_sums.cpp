// A row of scores is a few registers of classes. Sums are kept by class until the end, so that the padding of
// the rows can be left out; the right class's terms are masked.

#include "hsvm/loss/class_sums.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <iterator>
#include <limits>

#include "hsvm/core/clones.hpp"
#include "hsvm/core/lanes.hpp"

namespace hsvm {
namespace {

// MarginLoss::dual at t = -z for four scores.
class ScoreDual {
 public:
  explicit ScoreDual(const MarginLoss& loss) : inverse_delta_(1.0 / loss.delta), cap_(loss.cap) {}

  [[gnu::always_inline]] Lanes operator()(Lanes z) const {
    const Lanes zero = {};
    const Lanes cap = zero + cap_;
    Lanes a = (1.0 + z) * inverse_delta_;
    a = a < zero ? zero : a;
    return a > cap ? cap : a;
  }

 private:
  double inverse_delta_;
  double cap_;
};

// Where a term finds its numbers: four classes of a row of an n x J matrix, and the row's right class.
struct Place {
  std::size_t entry;
  std::size_t own;
};

// Minus the margins of four scores, or what stands for them in a step: less the right class's, or as they are.
class MinusMargins {
 public:
  explicit MinusMargins(Margins margins) : relative_(margins == Margins::relative) {}

  [[gnu::always_inline]] Lanes operator()(const double* values, const Place& place) const {
    return load(values + place.entry) - (relative_ ? values[place.own] : 0.0);
  }

 private:
  bool relative_;
};

// For `registers` registers of classes from class `first` on, sets by_class[t][k] to the sum over samples, k
// being a wrong class, of s_i times the t-th of the terms: term(place, the first class) -> n_terms Lanes.
template <Index registers, std::size_t n_terms, class Term>
[[gnu::always_inline]] inline void add_wrong(ClassSamples samples, const ClassMatrix& z, Index first,
                                             const Term& term, const std::array<double*, n_terms>& by_class) {
  const auto stride = static_cast<std::size_t>(z.stride());
  const Lanes zero = {};
  Lanes sums[n_terms][registers] = {};
  Lanes classes[registers];
  for (Index v = 0; v < registers; ++v) {
    for (Index lane = 0; lane < kLanes; ++lane) classes[v][lane] = first + v * kLanes + lane;
  }
  for (std::size_t i = 0; i < samples.y.size(); ++i) {
    const double weight = samples.s[i];
    const Lanes own = zero + static_cast<double>(samples.y[i]);
    for (Index v = 0; v < registers; ++v) {
      const Index k = first + v * kLanes;
      const Place place{i * stride + static_cast<std::size_t>(k),
                        i * stride + static_cast<std::size_t>(samples.y[i])};
      const std::array<Lanes, n_terms> terms = term(place, k);
      for (std::size_t t = 0; t < n_terms; ++t) sums[t][v] += weight * (classes[v] == own ? zero : terms[t]);
    }
  }
  for (std::size_t t = 0; t < n_terms; ++t) {
    for (Index v = 0; v < registers; ++v) store(by_class[t] + first + v * kLanes, sums[t][v]);
  }
}

// The same for all classes; by_class: room for z.stride() numbers each.
template <std::size_t n_terms, class Term>
[[gnu::always_inline]] inline void sum_wrong_by_class(ClassSamples samples, const ClassMatrix& z,
                                                      const Term& term,
                                                      const std::array<double*, n_terms>& by_class) {
  assert(std::ssize(samples.y) == z.rows() && samples.s.size() == samples.y.size());
  Index k = 0;
  for (; k + 3 * kLanes <= z.stride(); k += 3 * kLanes) add_wrong<3>(samples, z, k, term, by_class);
  if (z.stride() - k == 2 * kLanes) add_wrong<2>(samples, z, k, term, by_class);
  if (z.stride() - k == kLanes) add_wrong<1>(samples, z, k, term, by_class);
}

// The sums over all wrong classes; term(place).
template <std::size_t n_terms, class Term>
[[gnu::always_inline]] inline std::array<double, n_terms> sum_wrong(ClassSamples samples, const ClassMatrix& z,
                                                                    const Term& term) {
  const auto stride = static_cast<std::size_t>(z.stride());
  AlignedBuffer<double> room(n_terms * stride);
  std::array<double*, n_terms> by_class;
  for (std::size_t t = 0; t < n_terms; ++t) by_class[t] = room.data() + t * stride;
  sum_wrong_by_class(
      samples, z, [&](const Place& place, Index) { return term(place); }, by_class);
  std::array<double, n_terms> totals = {};
  for (std::size_t t = 0; t < n_terms; ++t) {
    for (Index k = 0; k < z.n_classes(); ++k) totals[t] += by_class[t][k];
  }
  samples.ranks->sum(totals);
  return totals;
}

// A table by pairs of classes without what padding and the right classes have left there, over all ranks.
void finish_pairs(ClassSamples samples, ClassMatrix& table) {
  for (Index y = 0; y < table.rows(); ++y) {
    table.data(y)[y] = 0.0;
    std::fill(table.data(y) + table.n_classes(), table.data(y) + table.stride(), 0.0);
  }
  samples.ranks->sum(table.values());
}

}  // namespace

HSVM_CLONES double sum_losses(const MarginLoss& loss, ClassSamples samples, const ClassMatrix& z) {
  const ScoreDual dual(loss);
  const MinusMargins minus_margins(samples.margins);
  const double half_delta = 0.5 * loss.delta;
  const double* const scores = z.values().data();
  return sum_wrong<1>(samples, z, [&](const Place& place) {
    const Lanes score = minus_margins(scores, place);
    const Lanes a = dual(score);
    return std::array{a * ((1.0 + score) - half_delta * a)};
  })[0];
}

HSVM_CLONES double sum_divergences(const MarginLoss& loss, ClassSamples samples, const ClassMatrix& z,
                                   const ClassMatrix& z0) {
  assert(z0.rows() == z.rows() && z0.stride() == z.stride());
  const ScoreDual dual(loss);
  const MinusMargins minus_margins(samples.margins);
  const double half_delta = 0.5 * loss.delta;
  const double* const scores = z.values().data();
  const double* const scores0 = z0.values().data();
  return sum_wrong<1>(samples, z, [&](const Place& place) {
    const Lanes score = minus_margins(scores, place);
    const Lanes a = dual(score);
    const Lanes a0 = dual(minus_margins(scores0, place));
    return std::array{(a - a0) * ((1.0 + score) - half_delta * (a + a0))};
  })[0];
}

HSVM_CLONES DualSums sum_duals(const MarginLoss& loss, ClassSamples samples, const ClassMatrix& z) {
  const ScoreDual dual(loss);
  const MinusMargins minus_margins(samples.margins);
  const double* const scores = z.values().data();
  const auto [linear, square] = sum_wrong<2>(samples, z, [&](const Place& place) {
    const Lanes a = dual(minus_margins(scores, place));
    return std::array{a, a * a};
  });
  return {linear, square};
}

HSVM_CLONES std::vector<double> loss_gradient(const MarginLoss& loss, ClassSamples samples,
                                              const ClassMatrix& z, double scale, ClassMatrix& r) {
  assert(std::ssize(samples.y) == z.rows());
  const ScoreDual dual(loss);
  const bool relative = samples.margins == Margins::relative;
  const Index stride = z.stride();
  const Lanes zero = {};
  const Lanes n_classes = zero + static_cast<double>(z.n_classes());
  r.reset_uninitialised(z.rows(), z.n_classes());
  AlignedBuffer<double> sums(static_cast<std::size_t>(stride), 0.0);
  // Of the right classes, apart: a row that was just written in one place is slow to read in whole registers.
  std::vector<double> own_sums(static_cast<std::size_t>(z.n_classes()), 0.0);
  for (Index i = 0; i < z.rows(); ++i) {
    const double weight = scale * samples.s[static_cast<std::size_t>(i)];
    const Index own = samples.y[static_cast<std::size_t>(i)];
    const Lanes own_lanes = zero + static_cast<double>(own);
    const double* const from = z.data(i);
    const double shift = relative ? from[own] : 0.0;
    double* const to = r.data(i);
    Lanes classes = {0.0, 1.0, 2.0, 3.0};
    Lanes total = {};
    for (Index k = 0; k < stride; k += kLanes, classes += static_cast<double>(kLanes)) {
      Lanes a = weight * dual(load(from + k) - shift);
      a = classes == own_lanes ? zero : a;
      a = classes < n_classes ? a : zero;
      store(to + k, a);
      store(sums.data() + k, load(sums.data() + k) + a);
      total += a;
    }
    if (!relative) continue;
    to[own] = -sum(total);
    own_sums[static_cast<std::size_t>(own)] += to[own];
  }
  for (std::size_t k = 0; k < own_sums.size(); ++k) own_sums[k] += sums[k];
  samples.ranks->sum(own_sums);
  return own_sums;
}

HSVM_CLONES void sum_for_intercepts(const MarginLoss& loss, ClassSamples samples, const ClassMatrix& z,
                                    std::span<const double> b, ClassSlopes& out) {
  assert(std::ssize(b) == z.n_classes() && samples.margins == Margins::absolute);
  const ScoreDual dual(loss);
  const auto stride = static_cast<std::size_t>(z.stride());
  const double* const scores = z.values().data();
  const Lanes zero = {};
  const Lanes cap = zero + loss.cap;
  AlignedBuffer<double> room(3 * stride, 0.0);
  double* const slope = room.data() + stride;
  double* const in_elbow = slope + stride;
  std::copy(b.begin(), b.end(), room.begin());
  sum_wrong_by_class(
      samples, z,
      [&](const Place& place, Index k) {
        const Lanes a = dual(load(scores + place.entry) + load(room.data() + k));
        const Lanes positive = a > zero ? zero + 1.0 : zero;
        return std::array{a, a < cap ? positive : zero};
      },
      std::array{slope, in_elbow});
  samples.ranks->sum(std::span(slope, 2 * stride));
  out.slope.assign(slope, slope + b.size());
  out.in_elbow.assign(in_elbow, in_elbow + b.size());
}

HSVM_CLONES void sum_by_pairs(const MarginLoss& loss, ClassSamples samples, const ClassMatrix& z,
                              std::span<const double> b, PairSlopes& out) {
  assert(std::ssize(b) == z.n_classes() && samples.margins == Margins::relative);
  const ScoreDual dual(loss);
  const Index stride = z.stride();
  const Lanes zero = {};
  const Lanes cap = zero + loss.cap;
  AlignedBuffer<double> shifted(static_cast<std::size_t>(stride), 0.0);
  std::copy(b.begin(), b.end(), shifted.begin());
  out.slope.reset(z.n_classes(), z.n_classes());
  out.in_elbow.reset(z.n_classes(), z.n_classes());
  for (Index i = 0; i < z.rows(); ++i) {
    const Index own = samples.y[static_cast<std::size_t>(i)];
    const double weight = samples.s[static_cast<std::size_t>(i)];
    const double* const from = z.data(i);
    const double right = from[own] + shifted[static_cast<std::size_t>(own)];
    double* const slope = out.slope.data(own);
    double* const in_elbow = out.in_elbow.data(own);
    for (Index k = 0; k < stride; k += kLanes) {
      const Lanes a = dual((load(from + k) + load(shifted.data() + k)) - right);
      const Lanes positive = a > zero ? zero + weight : zero;
      store(slope + k, load(slope + k) + weight * a);
      store(in_elbow + k, load(in_elbow + k) + (a < cap ? positive : zero));
    }
  }
  finish_pairs(samples, out.slope);
  finish_pairs(samples, out.in_elbow);
}

HSVM_CLONES void sum_slopes_by_pairs(const MarginLoss& loss, ClassSamples samples, const ClassMatrix& z,
                                     ClassMatrix& out) {
  assert(samples.margins == Margins::relative);
  const ScoreDual dual(loss);
  out.reset(z.n_classes(), z.n_classes());
  for (Index i = 0; i < z.rows(); ++i) {
    const Index own = samples.y[static_cast<std::size_t>(i)];
    const double weight = samples.s[static_cast<std::size_t>(i)];
    const double* const from = z.data(i);
    const double right = from[own];
    double* const slope = out.data(own);
    for (Index k = 0; k < z.stride(); k += kLanes)
      store(slope + k, load(slope + k) + weight * dual(load(from + k) - right));
  }
  finish_pairs(samples, out);
}

HSVM_CLONES void add_to_rows(double factor, std::span<const double> b, ClassMatrix& z) {
  assert(std::ssize(b) == z.n_classes());
  AlignedBuffer<double> added(static_cast<std::size_t>(z.stride()), 0.0);
  for (std::size_t k = 0; k < b.size(); ++k) added[k] = factor * b[k];
  for (Index i = 0; i < z.rows(); ++i) {
    double* const row = z.data(i);
    for (Index k = 0; k < z.stride(); k += kLanes) store(row + k, load(row + k) + load(added.data() + k));
  }
}

void pair_gradient(const ClassMatrix& t, std::span<double> out) {
  std::fill(out.begin(), out.end(), 0.0);
  for (std::size_t y = 0; y < out.size(); ++y) {
    const std::span<const double> row = t.row(static_cast<Index>(y));
    for (std::size_t k = 0; k < out.size(); ++k) {
      out[k] += row[k];
      out[y] -= row[k];
    }
  }
}

void pair_product(const ClassMatrix& t, std::span<const double> d, std::span<double> out) {
  std::fill(out.begin(), out.end(), 0.0);
  for (std::size_t y = 0; y < out.size(); ++y) {
    const std::span<const double> row = t.row(static_cast<Index>(y));
    for (std::size_t k = 0; k < out.size(); ++k) {
      const double pull = row[k] * (d[k] - d[y]);
      out[k] += pull;
      out[y] -= pull;
    }
  }
}

HSVM_CLONES void find_curvatures(const MarginLoss& loss, ClassSamples samples, const ClassMatrix& z,
                                 double scale, bool all, ClassMatrix& c) {
  const ScoreDual dual(loss);
  const bool relative = samples.margins == Margins::relative;
  const Index stride = z.stride();
  const Lanes zero = {};
  const Lanes cap = zero + (all ? std::numeric_limits<double>::infinity() : loss.cap);
  c.reset_uninitialised(z.rows(), z.n_classes());
  for (Index i = 0; i < z.rows(); ++i) {
    const Index own = samples.y[static_cast<std::size_t>(i)];
    const double weight = scale * samples.s[static_cast<std::size_t>(i)];
    const double* const from = z.data(i);
    const double shift = relative ? from[own] : 0.0;
    double* const to = c.data(i);
    for (Index k = 0; k < stride; k += kLanes) {
      const Lanes a = dual(load(from + k) - shift);
      const Lanes positive = a > zero ? zero + weight : zero;
      store(to + k, a < cap ? positive : zero);
    }
    to[own] = 0.0;
    for (Index k = z.n_classes(); k < stride; ++k) to[k] = 0.0;
  }
}

HSVM_CLONES ClassMatrix sum_curvatures(ClassSamples samples, const ClassMatrix& c) {
  ClassMatrix table(c.n_classes(), c.n_classes());
  for (Index i = 0; i < c.rows(); ++i) {
    double* const to = table.data(samples.y[static_cast<std::size_t>(i)]);
    for (Index k = 0; k < c.stride(); k += kLanes) store(to + k, load(to + k) + load(c.data(i) + k));
  }
  samples.ranks->sum(table.values());
  return table;
}

HSVM_CLONES std::vector<double> apply_curvatures(ClassSamples samples, const ClassMatrix& c, ClassMatrix& u) {
  assert(c.rows() == u.rows() && c.stride() == u.stride());
  const bool relative = samples.margins == Margins::relative;
  const Index stride = u.stride();
  AlignedBuffer<double> sums(static_cast<std::size_t>(stride), 0.0);
  std::vector<double> own_sums(static_cast<std::size_t>(u.n_classes()), 0.0);
  for (Index i = 0; i < u.rows(); ++i) {
    const Index own = samples.y[static_cast<std::size_t>(i)];
    const double* const weights = c.data(i);
    double* const row = u.data(i);
    const double shift = relative ? row[own] : 0.0;
    Lanes total = {};
    for (Index k = 0; k < stride; k += kLanes) {
      const Lanes pull = load(weights + k) * (load(row + k) - shift);
      store(row + k, pull);
      store(sums.data() + k, load(sums.data() + k) + pull);
      total += pull;
    }
    if (!relative) continue;
    row[own] = -sum(total);
    own_sums[static_cast<std::size_t>(own)] += row[own];
  }
  for (std::size_t k = 0; k < own_sums.size(); ++k) own_sums[k] += sums[k];
  samples.ranks->sum(own_sums);
  return own_sums;
}

HSVM_CLONES LineSums sum_along_line(const MarginLoss& loss, ClassSamples samples, const ClassMatrix& z,
                                    const ClassMatrix& dz, double t) {
  assert(dz.rows() == z.rows() && dz.stride() == z.stride());
  const ScoreDual dual(loss);
  const MinusMargins minus_margins(samples.margins);
  const double* const scores = z.values().data();
  const double* const change = dz.values().data();
  const Lanes zero = {};
  const Lanes cap = zero + loss.cap;
  const auto [slope, curvature] = sum_wrong<2>(samples, z, [&](const Place& place) {
    const Lanes d = minus_margins(change, place);
    const Lanes a = dual(minus_margins(scores, place) + t * d);
    const Lanes square = a > zero ? d * d : zero;
    return std::array{a * d, a < cap ? square : zero};
  });
  return {slope, loss.curvature() * curvature};
}

}  // namespace hsvm
