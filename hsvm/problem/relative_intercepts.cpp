#include "hsvm/problem/relative_intercepts.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "hsvm/linalg/cholesky.hpp"
#include "hsvm/problem/newton_intercepts.hpp"

namespace hsvm {
namespace {

class RelativeInterceptProblem {
 public:
  struct Slopes {
    std::vector<double> gradient;
    PairSlopes pairs;
    double size = 0.0;
  };

  RelativeInterceptProblem(const MarginLoss& loss, ClassSamples samples, const ClassMatrix& z, double lambda3)
      : loss_(loss),
        samples_(samples),
        z_(z),
        lambda3_(lambda3),
        weights_(static_cast<std::size_t>(z.n_classes()), 0.0) {
    for (std::size_t i = 0; i < samples.y.size(); ++i)
      weights_[static_cast<std::size_t>(samples.y[i])] += samples.s[i];
    samples.ranks->sum(weights_);
  }

  void measure(std::span<const double> b, Slopes& out) const {
    const double n = samples_.n();
    sum_by_pairs(loss_, samples_, z_, b, out.pairs);
    out.gradient.resize(b.size());
    pair_gradient(out.pairs.slope, out.gradient);
    std::vector<double> sizes(b.size(), 0.0);
    for (std::size_t y = 0; y < b.size(); ++y) {
      const std::span<const double> row = out.pairs.slope.row(static_cast<Index>(y));
      for (std::size_t k = 0; k < b.size(); ++k) {
        sizes[k] += row[k] / n;
        sizes[y] += row[k] / n;
      }
    }
    out.size = 0.0;
    for (std::size_t k = 0; k < b.size(); ++k) {
      out.gradient[k] = out.gradient[k] / n + lambda3_ * b[k];
      out.size = std::max(out.size, sizes[k] + lambda3_ * std::abs(b[k]));
    }
  }

  [[nodiscard]] std::vector<double> direction(const Slopes& at) const {
    constexpr double kDamping = 1e-3;
    constexpr double kTrace = 1e-14;  // keeps the matrix regular where the elbow is empty and b is the best
    const double scale = loss_.curvature() / samples_.n();
    const double damping = kDamping * std::min(1.0, relative_deviation(at)) + kTrace;
    const auto n_classes = static_cast<Index>(weights_.size());
    Cholesky cholesky;
    SymmetricMatrix& h = cholesky.matrix();
    h.reset(n_classes);
    for (Index y = 0; y < n_classes; ++y) {
      for (Index k = 0; k < n_classes; ++k) {
        if (k == y) continue;
        const double weight =
            scale * (at.pairs.in_elbow.data(y)[k] + damping * weights_[static_cast<std::size_t>(y)]);
        h.row(y)[y] += weight;
        h.row(k)[k] += weight;
        h.row(std::max(y, k))[std::min(y, k)] -= weight;
      }
    }
    // Steps sum to zero, so the matrix may have any curvature along (1, ..., 1), where it has none of its own.
    double largest = 0.0;
    for (Index k = 0; k < n_classes; ++k) largest = std::max(largest, h.row(k)[k]);
    const double common = (largest + lambda3_) / static_cast<double>(n_classes);
    for (Index k = 0; k < n_classes; ++k) {
      for (Index j = 0; j <= k; ++j) h.row(k)[j] += common;
      h.row(k)[k] += lambda3_ + std::numeric_limits<double>::min();
    }
    const double mean = mean_of(at.gradient);
    std::vector<double> direction(at.gradient.size());
    for (std::size_t k = 0; k < direction.size(); ++k) direction[k] = mean - at.gradient[k];
    cholesky.factor();
    cholesky.solve(direction);
    remove_mean(direction);
    return direction;
  }

  [[nodiscard]] double curvature_along(const Slopes& at, std::span<const double> d) const {
    std::vector<double> product(d.size());
    pair_product(at.pairs.in_elbow, d, product);
    const double scale = loss_.curvature() / samples_.n();
    double curvature = 0.0;
    for (std::size_t k = 0; k < d.size(); ++k) curvature += d[k] * (scale * product[k] + lambda3_ * d[k]);
    return curvature;
  }

 private:
  MarginLoss loss_;
  ClassSamples samples_;
  const ClassMatrix& z_;
  double lambda3_;
  std::vector<double> weights_;  // J: of the samples of each class
};

// The largest difference of two scores of a sample.
double largest_range(const ClassMatrix& z) {
  double result = 0.0;
  for (Index i = 0; i < z.rows(); ++i) {
    const auto [low, high] = std::ranges::minmax(z.row(i));
    result = std::max(result, high - low);
  }
  return result;
}

}  // namespace

std::vector<double> relative_intercepts(const MarginLoss& loss, ClassSamples samples, const ClassMatrix& z,
                                        double lambda3, std::vector<double> start) {
  constexpr double kGoodEnough = 1e-11;
  constexpr double kNarrowing = 0.25;
  InterceptsFound best =
      newton_intercepts(RelativeInterceptProblem(loss, samples, z, lambda3), std::move(start));
  if (!(best.deviation > kGoodEnough) || std::isinf(loss.cap)) return std::move(best.b);

  MarginLoss wide = loss;
  wide.delta = std::max(loss.delta, 1.0 + samples.ranks->maximum(largest_range(z)));
  InterceptsFound found{std::vector<double>(best.b.size(), 0.0), 0.0};
  for (;; wide.delta = std::max(loss.delta, kNarrowing * wide.delta)) {
    found = newton_intercepts(RelativeInterceptProblem(wide, samples, z, lambda3), std::move(found.b));
    if (!(wide.delta > loss.delta)) break;
  }
  return std::move(found.deviation < best.deviation ? found.b : best.b);
}

}  // namespace hsvm
