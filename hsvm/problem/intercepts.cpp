#include "hsvm/problem/intercepts.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <utility>

namespace hsvm {
namespace {

// q's gradient and curvature by class at one b.
struct Slopes {
  std::vector<double> gradient;
  std::vector<double> curvature;
};

class InterceptProblem {
 public:
  InterceptProblem(const HuberizedHinge& loss, std::span<const Index> y, std::span<const double> s, const ClassMatrix& z,
                   double lambda3)
      : loss_(loss), y_(y), s_(s), z_(z), lambda3_(lambda3) {}

  void measure(std::span<const double> b, Slopes& out) const {
    const auto n_classes = static_cast<std::size_t>(z_.n_classes());
    out.gradient.assign(n_classes, 0.0);
    out.curvature.assign(n_classes, 0.0);
    const double inverse_delta = 1.0 / loss_.delta;
    for (std::size_t i = 0; i < y_.size(); ++i) {
      const double* const z = z_.data(static_cast<Index>(i));
      const double weight = s_[i];
      const auto add = [&](std::size_t k, double sign) {
        double a = (1.0 + (z[k] + b[k])) * inverse_delta;  // -phi'(t) before it is clamped, at t = -(z + b)
        const double in_elbow = a > 0.0 && a < 1.0 ? sign * weight : 0.0;
        a = a < 0.0 ? 0.0 : a;
        a = a > 1.0 ? 1.0 : a;
        out.gradient[k] += sign * weight * a;
        out.curvature[k] += in_elbow;
      };
      for (std::size_t k = 0; k < n_classes; ++k) add(k, 1.0);
      add(static_cast<std::size_t>(y_[i]), -1.0);  // the sample's own class has no loss
    }
    const double n = static_cast<double>(y_.size());
    for (std::size_t k = 0; k < n_classes; ++k) {
      out.gradient[k] = out.gradient[k] / n + lambda3_ * b[k];
      out.curvature[k] = out.curvature[k] * inverse_delta / n + lambda3_;
    }
  }

 private:
  const HuberizedHinge& loss_;
  std::span<const Index> y_;
  std::span<const double> s_;
  const ClassMatrix& z_;
  double lambda3_;
};

double largest_deviation(const std::vector<double>& gradient) {
  double mean = 0.0;
  for (const double g : gradient) mean += g;
  mean /= static_cast<double>(gradient.size());
  double largest = 0.0;
  for (const double g : gradient) largest = std::max(largest, std::abs(g - mean));
  return largest;
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
  double sum = 0.0;
  for (std::size_t k = 0; k < direction.size(); ++k) {
    direction[k] = -(at.gradient[k] - mu) / std::max(at.curvature[k], smallest_curvature);
    sum += direction[k];
  }
  for (double& d : direction) d -= sum / static_cast<double>(direction.size());
  return direction;
}

}  // namespace

std::vector<double> best_intercepts(const HuberizedHinge& loss, std::span<const Index> y, std::span<const double> s,
                                    const ClassMatrix& z, double lambda3, std::vector<double> start) {
  assert(std::ssize(y) == z.rows() && std::ssize(start) == z.n_classes());
  constexpr int kMaxSteps = 100;
  constexpr int kMaxSearch = 60;
  constexpr double kRounding = 2e-16;  // of a mean of numbers of size 1
  constexpr double kDamping = 1e-3;    // of the largest curvature there can be: classes with no sample in the elbow
  const InterceptProblem problem(loss, y, s, z, lambda3);

  std::vector<double> b = std::move(start);
  std::vector<double> trial(b.size());
  Slopes here;
  Slopes there;
  problem.measure(b, here);
  double deviation = largest_deviation(here.gradient);
  for (int step = 0; step < kMaxSteps && deviation > kRounding; ++step) {
    const std::vector<double> direction = newton_direction(here, kDamping * loss.curvature());
    const auto slope_along = [&](const Slopes& at) {
      double slope = 0.0;
      for (std::size_t k = 0; k < b.size(); ++k) slope += direction[k] * at.gradient[k];
      return slope;
    };
    const auto move_to = [&](double length) {
      for (std::size_t k = 0; k < b.size(); ++k) trial[k] = b[k] + length * direction[k];
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
      if (std::abs(slope) <= 1e-3 * std::abs(slope_here)) break;
      (slope > 0.0 ? high : low) = length;
      double curvature = 0.0;
      for (std::size_t k = 0; k < b.size(); ++k) curvature += direction[k] * direction[k] * there.curvature[k];
      double next = curvature > 0.0 ? length - slope / curvature : high;
      if (!(next > low && next < high)) next = std::isinf(high) ? 4.0 * length : 0.5 * (low + high);
      if (next == length) break;
      length = next;
      move_to(length);
    }

    const double new_deviation = largest_deviation(there.gradient);
    if (!(slope_here < 0.0) || trial == b) break;
    // Near the end rounding decides: stop when a step no longer helps.
    if (new_deviation >= deviation && deviation < 1e-12) break;
    std::swap(b, trial);
    std::swap(here, there);
    deviation = new_deviation;
  }
  return b;
}

}  // namespace hsvm
