#include "hsvm/report/curves.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numeric>

namespace hsvm::report {
namespace {

constexpr std::size_t kMostPoints = 200;

std::vector<CurvePoint> thinned(const std::vector<CurvePoint>& curve) {
  if (curve.size() <= kMostPoints) return curve;
  std::vector<CurvePoint> result;
  for (std::size_t k = 0; k < kMostPoints; ++k)
    result.push_back(curve[k * (curve.size() - 1) / (kMostPoints - 1)]);
  return result;
}

}  // namespace

RankingCurves ranking_curves(std::span<const double> scores, std::span<const char> is_class) {
  assert(scores.size() == is_class.size());
  std::vector<std::size_t> order(scores.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) { return scores[a] > scores[b]; });
  const auto n_class = static_cast<double>(std::ranges::count_if(is_class, [](char c) { return c != 0; }));
  const double n_others = static_cast<double>(scores.size()) - n_class;
  assert(n_class > 0.0 && n_others > 0.0);

  RankingCurves curves;
  std::vector<CurvePoint> roc = {{0.0, 0.0}};
  std::vector<CurvePoint> precision_recall;
  double hits = 0.0;
  double others = 0.0;
  for (std::size_t k = 0; k < order.size(); ++k) {
    (is_class[order[k]] != 0 ? hits : others) += 1.0;
    if (k + 1 < order.size() && scores[order[k + 1]] == scores[order[k]]) continue;
    const CurvePoint point{others / n_others, hits / n_class};
    const double precision = hits / (hits + others);
    curves.auc += (point.x - roc.back().x) * (point.y + roc.back().y) / 2.0;
    curves.average_precision += (point.y - roc.back().y) * precision;
    roc.push_back(point);
    precision_recall.push_back({point.y, precision});
  }
  curves.roc = thinned(roc);
  curves.precision_recall = thinned(precision_recall);
  return curves;
}

std::vector<CalibrationBin> calibration_bins(std::span<const double> probabilities,
                                             std::span<const char> came_true) {
  assert(probabilities.size() == came_true.size());
  const auto n_bins = std::clamp<std::size_t>(probabilities.size() / 10, 3, 10);
  std::vector<CalibrationBin> bins(n_bins);
  for (std::size_t i = 0; i < probabilities.size(); ++i) {
    const double place = std::floor(probabilities[i] * static_cast<double>(n_bins));
    CalibrationBin& bin =
        bins[static_cast<std::size_t>(std::clamp(place, 0.0, static_cast<double>(n_bins - 1)))];
    bin.predicted += probabilities[i];
    bin.observed += came_true[i] != 0 ? 1.0 : 0.0;
    ++bin.count;
  }
  std::erase_if(bins, [](const CalibrationBin& bin) { return bin.count == 0; });
  for (CalibrationBin& bin : bins) {
    bin.predicted /= static_cast<double>(bin.count);
    bin.observed /= static_cast<double>(bin.count);
  }
  return bins;
}

std::vector<Count> confusion_counts(std::span<const Index> truth, std::span<const Index> predicted,
                                    Index n_classes) {
  const auto n = static_cast<std::size_t>(n_classes);
  std::vector<Count> counts(n * n, 0);
  for (std::size_t i = 0; i < truth.size(); ++i) {
    if (truth[i] >= 0)
      ++counts[static_cast<std::size_t>(truth[i]) * n + static_cast<std::size_t>(predicted[i])];
  }
  return counts;
}

}  // namespace hsvm::report
