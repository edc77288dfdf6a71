// The picture of a path: which features are drawn, and which of their points.

#include "hsvm/model/evidence.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>

namespace hsvm {
namespace {

constexpr std::size_t kMostFeatures = 100;    // no eye follows more lines
constexpr std::size_t kMostNumbers = 20'000;  // points of all lines together
constexpr double kUnseen = 1e-3;              // of the largest effect: less than a pixel

double six_digits(double value) {
  return std::strtod(fmt::format("{:.6g}", value).c_str(), nullptr);
}

// The effects of one feature at every point: n_points rows of n_outputs numbers.
using Effects = std::vector<double>;

// Calls visit(point, feature, output, effect) for every coefficient of the path.
template <class Visit>
void for_each_effect(const PathModel& path, const std::vector<double>& deviations, const Visit& visit) {
  const auto n_outputs = static_cast<std::size_t>(path.n_outputs());
  for (std::size_t p = 0; p < path.points.size(); ++p) {
    const PathPoint& point = path.points[p];
    for (std::size_t c = 0; c < point.coefficients.size(); ++c) {
      const auto feature = static_cast<std::size_t>(point.features[c / n_outputs]);
      double scale = 1.0;
      if (!deviations.empty()) {
        scale = deviations[feature];
      } else if (!point.deviations.empty()) {
        scale = point.deviations[c / n_outputs];
      }
      visit(p, feature, c % n_outputs, scale * point.coefficients[c]);
    }
  }
}

double largest_of(const Effects& effects) {
  double largest = 0.0;
  for (const double effect : effects) largest = std::max(largest, std::abs(effect));
  return largest;
}

// Keeps the points without which a line would be off by more than the tolerance [Ramer, Douglas and Peucker].
std::vector<Index> breaks_of(const std::vector<double>& values, double tolerance) {
  std::vector<char> kept(values.size(), 0);
  kept.front() = kept.back() = 1;
  std::vector<std::pair<std::size_t, std::size_t>> open = {{0, values.size() - 1}};
  while (!open.empty()) {
    const auto [begin, end] = open.back();
    open.pop_back();
    double worst = tolerance;
    std::size_t at = begin;
    for (std::size_t p = begin + 1; p < end; ++p) {
      const double share = static_cast<double>(p - begin) / static_cast<double>(end - begin);
      const double off = std::abs(values[p] - (values[begin] + share * (values[end] - values[begin])));
      if (off > worst) {
        worst = off;
        at = p;
      }
    }
    if (at == begin) continue;
    kept[at] = 1;
    open.emplace_back(begin, at);
    open.emplace_back(at, end);
  }
  std::vector<Index> result;
  for (std::size_t p = 0; p < kept.size(); ++p) {
    if (kept[p] != 0) result.push_back(static_cast<Index>(p));
  }
  return result;
}

EffectLine line_of(const Effects& effects, Index feature, Index output, Index n_outputs, double tolerance) {
  std::vector<double> values;
  for (std::size_t e = static_cast<std::size_t>(output); e < effects.size();
       e += static_cast<std::size_t>(n_outputs))
    values.push_back(effects[e]);
  EffectLine line{.feature = feature, .output = output, .points = {}, .effects = {}};
  if (largest_of(values) == 0.0) return line;  // this output does without the feature
  line.points = breaks_of(values, tolerance);
  for (const Index p : line.points) line.effects.push_back(six_digits(values[static_cast<std::size_t>(p)]));
  return line;
}

std::vector<PathStep> steps_of(const PathModel& path) {
  std::vector<PathStep> steps;
  for (const PathPoint& point : path.points) {
    const FitReport report = point.report.value_or(FitReport{});
    steps.push_back({.lambda1 = point.lambda1,
                     .nonzeros = static_cast<Index>(point.features.size()),
                     .objective = report.objective,
                     .relative_gap = report.relative_gap,
                     .iterations = report.iterations,
                     .passes = report.passes,
                     .seconds = report.seconds,
                     .status = report.status});
  }
  return steps;
}

}  // namespace

double Evidence::deviation_of(Index feature) const {
  const auto found = std::lower_bound(features.begin(), features.end(), feature);
  if (found == features.end() || *found != feature) return 0.0;
  return deviations[static_cast<std::size_t>(found - features.begin())];
}

PathPicture picture_of(const PathModel& path, const std::vector<double>& deviations,
                       const std::vector<Index>& first) {
  PathPicture picture;
  picture.lambda2 = path.points.front().lambda2;
  picture.delta = path.delta;
  picture.scaled = !deviations.empty() || std::ranges::any_of(path.points, [](const PathPoint& point) {
    return !point.deviations.empty();
  });
  picture.steps = steps_of(path);
  std::vector<double> largest(static_cast<std::size_t>(path.n_features), -1.0);  // less than 0: never there
  for_each_effect(path, deviations, [&](std::size_t, std::size_t feature, std::size_t, double effect) {
    largest[feature] = std::max(largest[feature], std::abs(effect));
  });
  std::vector<Index> order;
  for (std::size_t j = 0; j < largest.size(); ++j) {
    if (largest[j] >= 0.0) order.push_back(static_cast<Index>(j));
  }
  picture.n_features = static_cast<Index>(order.size());
  const auto is_first = [&](Index j) { return std::binary_search(first.begin(), first.end(), j); };
  std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) {
    return is_first(a) != is_first(b)
               ? is_first(a)
               : largest[static_cast<std::size_t>(a)] > largest[static_cast<std::size_t>(b)];
  });
  order.resize(std::min(order.size(), kMostFeatures));

  const auto n_outputs = static_cast<std::size_t>(path.n_outputs());
  std::map<std::size_t, Effects> drawn;
  for (const Index j : order) drawn[static_cast<std::size_t>(j)].assign(path.points.size() * n_outputs, 0.0);
  for_each_effect(path, deviations, [&](std::size_t p, std::size_t feature, std::size_t k, double effect) {
    if (const auto found = drawn.find(feature); found != drawn.end()) found->second[p * n_outputs + k] = effect;
  });
  double scale = 0.0;
  for (const auto& [feature, effects] : drawn) scale = std::max(scale, largest_of(effects));
  std::size_t n_numbers = 0;
  for (const Index j : order) {
    if (n_numbers >= kMostNumbers) break;
    for (Index k = 0; k < path.n_outputs(); ++k) {
      EffectLine line = line_of(drawn.at(static_cast<std::size_t>(j)), j, k, path.n_outputs(), kUnseen * scale);
      n_numbers += line.points.size();
      if (!line.points.empty()) picture.lines.push_back(std::move(line));
    }
  }
  return picture;
}

}  // namespace hsvm
