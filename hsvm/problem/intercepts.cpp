#include "hsvm/problem/intercepts.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <utility>

#include "hsvm/problem/newton_intercepts.hpp"
#include "hsvm/problem/relative_intercepts.hpp"
#include "hsvm/problem/sorted_intercepts.hpp"

namespace hsvm {
namespace {

// Absolute margins: the Hessian is diagonal, a Newton step a division and a common multiplier.
class InterceptProblem {
 public:
  struct Slopes {
    std::vector<double> gradient;
    std::vector<double> curvature;
    double size = 0.0;
  };

  InterceptProblem(const MarginLoss& loss, ClassSamples samples, const ClassMatrix& z, double lambda3)
      : loss_(loss), samples_(samples), z_(z), lambda3_(lambda3) {}

  void measure(std::span<const double> b, Slopes& out) const {
    ClassSlopes sums;
    sum_for_intercepts(loss_, samples_, z_, b, sums);
    const double n = samples_.n();
    out.gradient = std::move(sums.slope);
    out.curvature = std::move(sums.in_elbow);
    out.size = 0.0;
    for (std::size_t k = 0; k < b.size(); ++k) {
      out.gradient[k] = out.gradient[k] / n + lambda3_ * b[k];
      out.curvature[k] = out.curvature[k] * loss_.curvature() / n + lambda3_;
      out.size = std::max(out.size, std::abs(out.gradient[k]));
    }
  }

  // -(g - mu)/h with the mu that makes it sum to zero.
  [[nodiscard]] std::vector<double> direction(const Slopes& at) const {
    constexpr double kDamping =
        1e-3;  // of the largest curvature there can be: classes with no sample in the elbow
    const double smallest_curvature = kDamping * loss_.curvature();
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

  [[nodiscard]] double curvature_along(const Slopes& at, std::span<const double> d) const {
    double curvature = 0.0;
    for (std::size_t k = 0; k < d.size(); ++k) curvature += d[k] * d[k] * at.curvature[k];
    return curvature;
  }

 private:
  const MarginLoss& loss_;
  ClassSamples samples_;
  const ClassMatrix& z_;
  double lambda3_;
};

// Breaks cannot be sorted over ranks without bringing all scores to one place. As with relative margins, a narrow elbow is approached
// from wider ones instead.
InterceptsFound from_wider_elbows(const MarginLoss& loss, ClassSamples samples, const ClassMatrix& z,
                                  double lambda3) {
  constexpr double kNarrowing = 0.25;
  double farthest = 0.0;
  for (const double score : z.values()) farthest = std::max(farthest, std::abs(score));
  MarginLoss wide = loss;
  wide.delta = std::max(loss.delta, 1.0 + 2.0 * samples.ranks->maximum(farthest));
  InterceptsFound found{std::vector<double>(static_cast<std::size_t>(z.n_classes()), 0.0), 0.0};
  for (;; wide.delta = std::max(loss.delta, kNarrowing * wide.delta)) {
    found = newton_intercepts(InterceptProblem(wide, samples, z, lambda3), std::move(found.b));
    if (!(wide.delta > loss.delta)) return found;
  }
}

}  // namespace

std::vector<double> best_intercepts(const MarginLoss& loss, ClassSamples samples, const ClassMatrix& z,
                                    double lambda3, std::vector<double> start) {
  assert(std::ssize(samples.y) == z.rows() && std::ssize(start) == z.n_classes());
  if (samples.margins == Margins::relative)
    return relative_intercepts(loss, samples, z, lambda3, std::move(start));
  constexpr double kGoodEnough = 1e-11;
  const InterceptProblem problem(loss, samples, z, lambda3);
  InterceptsFound newton = newton_intercepts(problem, std::move(start));
  if (!(newton.deviation > kGoodEnough)) return std::move(newton.b);
  InterceptsFound other =
      samples.ranks->is_alone()
          ? newton_intercepts(problem, sorted_intercepts(loss, samples.y, samples.s, z, lambda3))
          : from_wider_elbows(loss, samples, z, lambda3);
  return std::move(other.deviation < newton.deviation ? other.b : newton.b);
}

}  // namespace hsvm
