#include "hsvm/model/path_model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "hsvm/core/error.hpp"

namespace hsvm {
namespace {

constexpr double kSame = 1e-12;

bool same(double a, double b) {
  return std::abs(a - b) <= kSame * std::max(std::abs(a), std::abs(b));
}

// share a + (1 - share) c, of two points with outputs for n_outputs classes.
Fitted interpolate(const Fitted& a, const Fitted& c, std::size_t n_outputs, double lambda1) {
  const double share = (lambda1 - c.lambda1) / (a.lambda1 - c.lambda1);
  const auto mix = [share](double x, double y) { return share * x + (1.0 - share) * y; };
  Fitted result{{lambda1, mix(a.lambda2, c.lambda2), mix(a.lambda3, c.lambda3)}};
  for (std::size_t k = 0; k < a.intercept.size(); ++k)
    result.intercept.push_back(mix(a.intercept[k], c.intercept[k]));

  const auto value = [n_outputs](const Fitted& point, bool there, std::size_t row, std::size_t k) {
    return there ? point.coefficients[row * n_outputs + k] : 0.0;
  };
  std::vector<double> mixed(n_outputs);
  for (std::size_t i = 0, j = 0; i < a.features.size() || j < c.features.size();) {
    const bool in_a = i < a.features.size() && (j == c.features.size() || a.features[i] <= c.features[j]);
    const bool in_c = j < c.features.size() && (i == a.features.size() || c.features[j] <= a.features[i]);
    for (std::size_t k = 0; k < n_outputs; ++k) mixed[k] = mix(value(a, in_a, i, k), value(c, in_c, j, k));
    if (std::ranges::any_of(mixed, [](double w) { return w != 0.0; })) {
      result.features.push_back(in_a ? a.features[i] : c.features[j]);
      result.coefficients.insert(result.coefficients.end(), mixed.begin(), mixed.end());
      const Fitted& from = in_a ? a : c;
      if (!from.deviations.empty()) result.deviations.push_back(from.deviations[in_a ? i : j]);
    }
    i += in_a ? 1 : 0;
    j += in_c ? 1 : 0;
  }
  return result;
}

}  // namespace

std::string describe_range(const PathModel& path) {
  return fmt::format("from {} to {}", path.points.back().lambda1, path.points.front().lambda1);
}

LinearModel at(const PathModel& path, double lambda1) {
  const std::vector<PathPoint>& points = path.points;
  const auto refuse = [&] {
    throw value_error("lambda1", fmt::format("{}", lambda1), "the path runs " + describe_range(path));
  };
  if (!std::isfinite(lambda1)) refuse();
  const auto distance = [lambda1](const PathPoint& point) { return std::abs(point.lambda1 - lambda1); };
  const auto nearest = std::ranges::min_element(points, {}, distance);
  if (same(nearest->lambda1, lambda1)) return {path, *nearest};

  const double first = points.front().lambda1;
  const bool begins_empty = first >= path.lambda1_max || same(first, path.lambda1_max);
  if (lambda1 > first && begins_empty) return {path, points.front()};
  if (lambda1 > first || lambda1 < points.back().lambda1) refuse();
  const auto below =
      std::ranges::find_if(points, [&](const PathPoint& point) { return point.lambda1 < lambda1; });
  return {path, interpolate(*(below - 1), *below, static_cast<std::size_t>(path.n_outputs()), lambda1)};
}

}  // namespace hsvm
