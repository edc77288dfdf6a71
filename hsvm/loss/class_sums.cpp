// A row of scores is a few registers of classes. Sums are kept by class until the end, so that the padding of
// the rows can be left out; the right class's terms are masked.

#include "hsvm/loss/class_sums.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <iterator>
#include <limits>
#include <numeric>
#include <utility>

#include "hsvm/core/widths.hpp"

namespace hsvm {
namespace {

// MarginLoss::dual at t = -z for the scores in a register.
class ScoreDual {
 public:
  explicit ScoreDual(const MarginLoss& loss) : inverse_delta_(1.0 / loss.delta), cap_(loss.cap) {}

  template <class L>
  [[gnu::always_inline]] L operator()(L z) const {
    L a = (1.0 + z) * inverse_delta_;
    limit(a, cap_);
    return a;
  }

 private:
  double inverse_delta_;
  double cap_;
};

// x where the dual variable a is of a margin in the elbow, 0 elsewhere.
template <class L>
[[gnu::always_inline]] inline void keep_in_elbow(double cap, const L& a, L& x) {
  keep_above(0.0, a, x);
  keep_below(cap, a, x);
}

// Where a term finds its numbers: the classes of a register in a row of an n x J matrix, and the row's right class.
struct Place {
  std::size_t entry;
  std::size_t own;
};

// Minus the margins of a register of scores, or what stands for them in a step: less the right class's, or as they are.
class MinusMargins {
 public:
  explicit MinusMargins(Margins margins) : relative_(margins == Margins::relative) {}

  template <class L>
  [[gnu::always_inline]] L at(const double* values, const Place& place) const {
    return load_as<L>(values + place.entry) - (relative_ ? values[place.own] : 0.0);
  }

 private:
  bool relative_;
};

// For a Part of the classes from class `first` on, sets by_class[t][k] to the sum over samples, k being a wrong class, of s_i
// times the t-th of the terms: term.operator()<L>(place, the first class) -> n_terms L.
template <class Part, std::size_t n_terms, class Term>
[[gnu::always_inline]] inline void add_wrong(ClassSamples samples, std::size_t stride, Index first,
                                             const Term& term, const std::array<double*, n_terms>& by_class) {
  Part sums[n_terms] = {};
  Part classes;
  classes.each([&](auto& lanes, Index k) HSVM_INLINED {
    for (Index lane = 0; lane < static_cast<Index>(sizeof(lanes) / sizeof(double)); ++lane)
      lanes[lane] = first + k + lane;
  });
  for (std::size_t i = 0; i < samples.y.size(); ++i) {
    const double weight = samples.s[i];
    const auto own = static_cast<double>(samples.y[i]);
    const std::size_t row = i * stride;
    const std::size_t own_entry = row + static_cast<std::size_t>(samples.y[i]);
    Part::for_each_register([&]<class L>(Index v, Index k) HSVM_INLINED {
      std::array<L, n_terms> terms =
          term.template operator()<L>(Place{row + static_cast<std::size_t>(first + k), own_entry}, first + k);
      for (std::size_t t = 0; t < n_terms; ++t) {
        keep_other_than(own, classes.template at<L>(v), terms[t]);
        sums[t].template at<L>(v) += weight * terms[t];
      }
    });
  }
  for (std::size_t t = 0; t < n_terms; ++t)
    sums[t].each([&](auto& lanes, Index k) HSVM_INLINED { store(by_class[t] + first + k, lanes); });
}

// The same for all classes; by_class: room for `stride` numbers each.
template <bool wide, std::size_t n_terms, class Term>
[[gnu::always_inline]] inline void sum_wrong_by_class(ClassSamples samples, Index stride, const Term& term,
                                                      const std::array<double*, n_terms>& by_class) {
  by_row_parts<wide>(stride, [&]<class Part>(Index k) HSVM_INLINED {
    add_wrong<Part>(samples, static_cast<std::size_t>(stride), k, term, by_class);
  });
}

// The sums over all wrong classes; term.operator()<L>(place). What it holds is copied.
template <std::size_t n_terms, class Term>
std::array<double, n_terms> sum_wrong(ClassSamples samples, const ClassMatrix& z, const Term& term) {
  assert(std::ssize(samples.y) == z.rows() && samples.s.size() == samples.y.size());
  const Index stride = z.stride();
  AlignedBuffer<double> room(n_terms * static_cast<std::size_t>(stride));
  std::array<double*, n_terms> by_class;
  for (std::size_t t = 0; t < n_terms; ++t) by_class[t] = room.data() + t * static_cast<std::size_t>(stride);
  at_best_width([=]<bool wide>() HSVM_INLINED {
    sum_wrong_by_class<wide>(
        samples, stride,
        [&]<class L>(const Place& place, Index) HSVM_INLINED { return term.template operator()<L>(place); },
        by_class);
  });
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

double sum_losses(const MarginLoss& loss, ClassSamples samples, const ClassMatrix& z) {
  const ScoreDual dual(loss);
  const MinusMargins minus_margins(samples.margins);
  const double half_delta = 0.5 * loss.delta;
  const double* const scores = z.values().data();
  return sum_wrong<1>(samples, z, [=]<class L>(const Place& place) HSVM_INLINED {
    const L score = minus_margins.at<L>(scores, place);
    const L a = dual(score);
    return std::array<L, 1>{a * ((1.0 + score) - half_delta * a)};
  })[0];
}

double sum_divergences(const MarginLoss& loss, ClassSamples samples, const ClassMatrix& z,
                       const ClassMatrix& z0) {
  assert(z0.rows() == z.rows() && z0.stride() == z.stride());
  const ScoreDual dual(loss);
  const MinusMargins minus_margins(samples.margins);
  const double half_delta = 0.5 * loss.delta;
  const double* const scores = z.values().data();
  const double* const scores0 = z0.values().data();
  return sum_wrong<1>(samples, z, [=]<class L>(const Place& place) HSVM_INLINED {
    const L score = minus_margins.at<L>(scores, place);
    const L a = dual(score);
    const L a0 = dual(minus_margins.at<L>(scores0, place));
    return std::array<L, 1>{(a - a0) * ((1.0 + score) - half_delta * (a + a0))};
  })[0];
}

ClassGradientSums loss_gradient(const MarginLoss& loss, ClassSamples samples, const ClassMatrix& z,
                                double scale, ClassMatrix& r) {
  assert(std::ssize(samples.y) == z.rows());
  const ScoreDual dual(loss);
  const double half_delta = 0.5 * loss.delta;
  const bool relative = samples.margins == Margins::relative;
  const auto stride = static_cast<std::size_t>(z.stride());
  const auto n_classes = static_cast<double>(z.n_classes());
  r.reset_uninitialised(z.rows(), z.n_classes());
  const double* const scores = z.values().data();
  double* const residuals = r.values().data();
  // The sums of R over wrong classes: by right class where margins are relative, else all in one row.
  ClassMatrix table(relative ? z.n_classes() : 1, z.n_classes());
  double* const sums = table.values().data();
  AlignedBuffer<double> room(3 * stride, 0.0);
  double* const squares = room.data();
  double* const losses = squares + stride;
  double* const classes = losses + stride;
  std::iota(classes, classes + stride, 0.0);
  at_best_width([=]<bool wide>() HSVM_INLINED {
    for (std::size_t i = 0; i < samples.y.size(); ++i) {
      const double s = samples.s[i];
      const double weight = scale * s;
      const auto own = static_cast<std::size_t>(samples.y[i]);
      const double* const from = scores + i * stride;
      const double shift = relative ? from[own] : 0.0;
      double* const to = residuals + i * stride;
      double* const to_sums = sums + (relative ? own * stride : 0);
      Lanes total = {};
      for_lanes<wide>(static_cast<Index>(stride), [&]<class L>(Index k) HSVM_INLINED {
        const auto numbers = load_as<L>(classes + k);
        const L score = load_as<L>(from + k) - shift;
        L a = dual(score);
        keep_other_than(static_cast<double>(own), numbers, a);
        keep_below(n_classes, numbers, a);
        const L residual = weight * a;
        const L weighted = s * a;
        store(to + k, residual);
        store(to_sums + k, load_as<L>(to_sums + k) + residual);
        store(squares + k, load_as<L>(squares + k) + weighted * a);
        store(losses + k, load_as<L>(losses + k) + weighted * ((1.0 + score) - half_delta * a));
        add_in_turn(total, residual);
      });
      if (relative) to[own] = -sum(total);
    }
  });
  samples.ranks->sum(table.values());
  ClassGradientSums result;
  std::array<double, 2> totals = {};
  for (Index k = 0; k < z.n_classes(); ++k) {
    totals[0] += squares[k];
    totals[1] += losses[k];
  }
  samples.ranks->sum(totals);
  result.duals.square = totals[0];
  result.losses = totals[1];
  result.by_class.assign(static_cast<std::size_t>(z.n_classes()), 0.0);
  double linear = 0.0;
  for (Index y = 0; y < table.rows(); ++y) {
    for (Index k = 0; k < z.n_classes(); ++k) {
      const double value = table.data(y)[k];
      linear += value;
      result.by_class[static_cast<std::size_t>(k)] += value;
      if (relative) result.by_class[static_cast<std::size_t>(y)] -= value;
    }
  }
  result.duals.linear = linear / scale;
  if (relative) result.by_pairs = std::move(table);
  return result;
}

void sum_for_intercepts(const MarginLoss& loss, ClassSamples samples, const ClassMatrix& z,
                        std::span<const double> b, ClassSlopes& out) {
  assert(std::ssize(b) == z.n_classes() && samples.margins == Margins::absolute);
  assert(std::ssize(samples.y) == z.rows() && samples.s.size() == samples.y.size());
  const ScoreDual dual(loss);
  const double cap = loss.cap;
  const double* const scores = z.values().data();
  const Index stride = z.stride();
  const auto size = static_cast<std::size_t>(stride);
  AlignedBuffer<double> room(3 * size, 0.0);
  double* const shifts = room.data();
  double* const slope = shifts + size;
  double* const in_elbow = slope + size;
  std::copy(b.begin(), b.end(), shifts);
  at_best_width([=]<bool wide>() HSVM_INLINED {
    sum_wrong_by_class<wide>(
        samples, stride,
        [&]<class L>(const Place& place, Index k) HSVM_INLINED {
          const L a = dual(load_as<L>(scores + place.entry) + load_as<L>(shifts + k));
          L in = L{} + 1.0;
          keep_in_elbow(cap, a, in);
          return std::array<L, 2>{a, in};
        },
        std::array{slope, in_elbow});
  });
  samples.ranks->sum(std::span(slope, 2 * size));
  out.slope.assign(slope, slope + b.size());
  out.in_elbow.assign(in_elbow, in_elbow + b.size());
}

void sum_by_pairs(const MarginLoss& loss, ClassSamples samples, const ClassMatrix& z, std::span<const double> b,
                  PairSlopes& out) {
  assert(std::ssize(b) == z.n_classes() && samples.margins == Margins::relative);
  const ScoreDual dual(loss);
  const double cap = loss.cap;
  const double* const scores = z.values().data();
  const auto stride = static_cast<std::size_t>(z.stride());
  AlignedBuffer<double> shifted(stride, 0.0);
  std::copy(b.begin(), b.end(), shifted.begin());
  const double* const shifts = shifted.data();
  out.slope.reset(z.n_classes(), z.n_classes());
  out.in_elbow.reset(z.n_classes(), z.n_classes());
  double* const slopes = out.slope.values().data();
  double* const weights_in_elbow = out.in_elbow.values().data();
  at_best_width([=]<bool wide>() HSVM_INLINED {
    for (std::size_t i = 0; i < samples.y.size(); ++i) {
      const auto own = static_cast<std::size_t>(samples.y[i]);
      const double weight = samples.s[i];
      const double* const from = scores + i * stride;
      const double right = from[own] + shifts[own];
      double* const slope = slopes + own * stride;
      double* const in_elbow = weights_in_elbow + own * stride;
      for_lanes<wide>(static_cast<Index>(stride), [&]<class L>(Index k) HSVM_INLINED {
        const L a = dual((load_as<L>(from + k) + load_as<L>(shifts + k)) - right);
        L in = L{} + weight;
        keep_in_elbow(cap, a, in);
        store(slope + k, load_as<L>(slope + k) + weight * a);
        store(in_elbow + k, load_as<L>(in_elbow + k) + in);
      });
    }
  });
  finish_pairs(samples, out.slope);
  finish_pairs(samples, out.in_elbow);
}

void add_to_rows(double factor, std::span<const double> b, ClassMatrix& z) {
  assert(std::ssize(b) == z.n_classes());
  const Index stride = z.stride();
  AlignedBuffer<double> room(static_cast<std::size_t>(stride), 0.0);
  for (std::size_t k = 0; k < b.size(); ++k) room[k] = factor * b[k];
  const double* const added = room.data();
  const std::span<double> values = z.values();
  at_best_width([=]<bool wide>() HSVM_INLINED {
    double* const end = values.data() + values.size();
    for (double* row = values.data(); row != end; row += stride) {
      for_lanes<wide>(stride, [&]<class L>(Index k) HSVM_INLINED {
        store(row + k, load_as<L>(row + k) + load_as<L>(added + k));
      });
    }
  });
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

void find_curvatures(const MarginLoss& loss, ClassSamples samples, const ClassMatrix& z, double scale, bool all,
                     ClassMatrix& c) {
  const ScoreDual dual(loss);
  const bool relative = samples.margins == Margins::relative;
  const Index stride = z.stride();
  const Index n_classes = z.n_classes();
  const double cap = all ? std::numeric_limits<double>::infinity() : loss.cap;
  c.reset_uninitialised(z.rows(), n_classes);
  const double* const scores = z.values().data();
  double* const curvatures = c.values().data();
  at_best_width([=]<bool wide>() HSVM_INLINED {
    for (std::size_t i = 0; i < samples.y.size(); ++i) {
      const Index own = samples.y[i];
      const double weight = scale * samples.s[i];
      const double* const from = scores + i * static_cast<std::size_t>(stride);
      const double shift = relative ? from[own] : 0.0;
      double* const to = curvatures + i * static_cast<std::size_t>(stride);
      for_lanes<wide>(stride, [&]<class L>(Index k) HSVM_INLINED {
        const L a = dual(load_as<L>(from + k) - shift);
        L curvature = L{} + weight;
        keep_in_elbow(cap, a, curvature);
        store(to + k, curvature);
      });
      to[own] = 0.0;
      for (Index k = n_classes; k < stride; ++k) to[k] = 0.0;
    }
  });
}

ClassMatrix sum_curvatures(ClassSamples samples, const ClassMatrix& c) {
  ClassMatrix table(c.n_classes(), c.n_classes());
  double* const sums = table.values().data();
  const double* const curvatures = c.values().data();
  const auto stride = static_cast<std::size_t>(c.stride());
  at_best_width([=]<bool wide>() HSVM_INLINED {
    for (std::size_t i = 0; i < samples.y.size(); ++i) {
      double* const to = sums + static_cast<std::size_t>(samples.y[i]) * stride;
      const double* const from = curvatures + i * stride;
      for_lanes<wide>(static_cast<Index>(stride), [&]<class L>(Index k) HSVM_INLINED {
        store(to + k, load_as<L>(to + k) + load_as<L>(from + k));
      });
    }
  });
  samples.ranks->sum(table.values());
  return table;
}

std::vector<double> apply_curvatures(ClassSamples samples, const ClassMatrix& c, ClassMatrix& u) {
  assert(c.rows() == u.rows() && c.stride() == u.stride());
  const bool relative = samples.margins == Margins::relative;
  const auto stride = static_cast<std::size_t>(u.stride());
  const double* const curvatures = c.values().data();
  double* const values = u.values().data();
  AlignedBuffer<double> sums_room(stride, 0.0);
  double* const sums = sums_room.data();
  std::vector<double> own_sums_room(static_cast<std::size_t>(u.n_classes()), 0.0);
  double* const own_sums = own_sums_room.data();
  at_best_width([=]<bool wide>() HSVM_INLINED {
    for (std::size_t i = 0; i < samples.y.size(); ++i) {
      const Index own = samples.y[i];
      const double* const weights = curvatures + i * stride;
      double* const row = values + i * stride;
      const double shift = relative ? row[own] : 0.0;
      Lanes total = {};
      for_lanes<wide>(static_cast<Index>(stride), [&]<class L>(Index k) HSVM_INLINED {
        const L pull = load_as<L>(weights + k) * (load_as<L>(row + k) - shift);
        store(row + k, pull);
        store(sums + k, load_as<L>(sums + k) + pull);
        add_in_turn(total, pull);
      });
      if (!relative) continue;
      row[own] = -sum(total);
      own_sums[own] += row[own];
    }
  });
  for (std::size_t k = 0; k < own_sums_room.size(); ++k) own_sums[k] += sums[k];
  samples.ranks->sum(own_sums_room);
  return own_sums_room;
}

LineSums sum_along_line(const MarginLoss& loss, ClassSamples samples, const ClassMatrix& z,
                        const ClassMatrix& dz, double t) {
  assert(dz.rows() == z.rows() && dz.stride() == z.stride());
  const ScoreDual dual(loss);
  const MinusMargins minus_margins(samples.margins);
  const double cap = loss.cap;
  const double* const scores = z.values().data();
  const double* const change = dz.values().data();
  const auto [slope, curvature] = sum_wrong<2>(samples, z, [=]<class L>(const Place& place) HSVM_INLINED {
    const L d = minus_margins.at<L>(change, place);
    const L a = dual(minus_margins.at<L>(scores, place) + t * d);
    L square = d * d;
    keep_in_elbow(cap, a, square);
    return std::array<L, 2>{a * d, square};
  });
  return {slope, loss.curvature() * curvature};
}

}  // namespace hsvm
