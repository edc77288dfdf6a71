#include "hsvm/problem/intercepts.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <utility>

#include "hsvm/loss/class_sums.hpp"
#include "hsvm/problem/sorted_intercepts.hpp"

namespace hsvm {
namespace {

// q's gradient and curvature by class at one b.
struct Slopes {
  std::vector<double> gradient;
  std::vector<double> curvature;
};

class InterceptProblem {
 public:
  InterceptProblem(const MarginLoss& loss, std::span<const Index> y, std::span<const double> s,
                   const ClassMatrix& z, double lambda3)
      : loss_(loss), y_(y), s_(s), z_(z), lambda3_(lambda3) {}

  void measure(std::span<const double> b, Slopes& out) const {
    ClassSlopes sums;
    sum_for_intercepts(loss_, {y_, s_}, z_, b, sums);
    const double n = static_cast<double>(y_.size());
    out.gradient = std::move(sums.slope);
    out.curvature = std::move(sums.in_elbow);
    for (std::size_t k = 0; k < b.size(); ++k) {
      out.gradient[k] = out.gradient[k] / n + lambda3_ * b[k];
      out.curvature[k] = out.curvature[k] * loss_.curvature() / n + lambda3_;
    }
  }

 private:
  const MarginLoss& loss_;
  std::span<const Index> y_;
  std::span<const double> s_;
  const ClassMatrix& z_;
  double lambda3_;
};

double mean_of(std::span<const double> values) {
  double sum = 0.0;
  for (const double value : values) sum += value;
  return sum / static_cast<double>(values.size());
}

void remove_mean(std::span<double> values) {
  const double mean = mean_of(values);
  for (double& value : values) value -= mean;
}

// How far the gradient is from being the same for all classes, which is what sum(b) = 0 asks for; in units of
// its own size.
double relative_deviation(const std::vector<double>& gradient) {
  double mean = 0.0;
  for (const double g : gradient) mean += g;
  mean /= static_cast<double>(gradient.size());
  double largest = 0.0;
  double size = std::numeric_limits<double>::min();
  for (const double g : gradient) {
    largest = std::max(largest, std::abs(g - mean));
    size = std::max(size, std::abs(g));
  }
  return largest / size;
}

// The Newton direction among those that sum to zero: -(g - mu)/h with mu such that it does.
std::vector<double> newton_direction(const Slopes& at, double smallest_curvature) {
  double weighted = 0.0;
  double inverse = 0.0;
  for (std::size_t k = 0; k < at.gradient.size(); ++k) {
    const double h = std::max(at.curvature[k], smallest_curvature);
    weighted += at.gradient[k] / h;
    inverse += 1.0 / h;
  }
  const double mu = weighted / inverse;
  std::vector<double> direction(at.gradient.size());
  for (std::size_t k = 0; k < direction.size(); ++k) {
    direction[k] = -(at.gradient[k] - mu) / std::max(at.curvature[k], smallest_curvature);
  }
  remove_mean(direction);
  return direction;
}

// b, and how far it is from the best.
struct Approach {
  std::vector<double> b;
  double deviation;
};

Approach newton_intercepts(const InterceptProblem& problem, const MarginLoss& loss, std::vector<double> start) {
  constexpr int kMaxSteps = 30;
  constexpr int kMaxSearch = 60;
  constexpr double kRounding =
      1e-13;  // below this a deviation is mostly rounding, and of no account to any bound
  constexpr double kEnough =
      0.1;  // of the slope may be left by a line search: the next Newton step does better
  constexpr double kDamping =
      1e-3;  // of the largest curvature there can be: classes with no sample in the elbow

  std::vector<double> b = std::move(start);
  remove_mean(b);
  std::vector<double> trial(b.size());
  Slopes here;
  Slopes there;
  problem.measure(b, here);
  double deviation = relative_deviation(here.gradient);
  for (int step = 0; step < kMaxSteps && deviation > kRounding; ++step) {
    const std::vector<double> direction = newton_direction(here, kDamping * loss.curvature());
    // Without the mean of the gradient, which would only add rounding: the direction sums to zero.
    const auto slope_along = [&](const Slopes& at) {
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
      if (std::abs(slope) <= kEnough * std::abs(slope_here) || relative_deviation(there.gradient) <= kRounding)
        break;
      (slope > 0.0 ? high : low) = length;
      double curvature = 0.0;
      for (std::size_t k = 0; k < b.size(); ++k) curvature += direction[k] * direction[k] * there.curvature[k];
      double next = curvature > 0.0 ? length - slope / curvature : high;
      if (!(next > low && next < high)) next = std::isinf(high) ? 4.0 * length : 0.5 * (low + high);
      if (next == length) break;
      length = next;
      move_to(length);
    }

    const double new_deviation = relative_deviation(there.gradient);
    if (!(slope_here < 0.0) || trial == b) break;
    if (new_deviation >= deviation && deviation < 1e-12) break;  // rounding decides from here on
    std::swap(b, trial);
    std::swap(here, there);
    deviation = new_deviation;
  }
  return {std::move(b), deviation};
}

}  // namespace

std::vector<double> best_intercepts(const MarginLoss& loss, std::span<const Index> y, std::span<const double> s,
                                    const ClassMatrix& z, double lambda3, std::vector<double> start) {
  assert(std::ssize(y) == z.rows() && std::ssize(start) == z.n_classes());
  constexpr double kGoodEnough = 1e-11;
  const InterceptProblem problem(loss, y, s, z, lambda3);
  Approach newton = newton_intercepts(problem, loss, std::move(start));
  if (!(newton.deviation > kGoodEnough)) return std::move(newton.b);
  Approach sorted = newton_intercepts(problem, loss, sorted_intercepts(loss, y, s, z, lambda3));
  return std::move(sorted.deviation < newton.deviation ? sorted.b : newton.b);
}

}  // namespace hsvm
