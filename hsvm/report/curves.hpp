// Curves and counts from scores of samples whose classes are known.
//
//   ROC               (share of the others above the threshold, share of the class above it), threshold falling
//   precision-recall  (share of the class above the threshold, share of the class among those above it)
//   calibration       predicted probabilities in bins: their mean, the share that came true, how many
//
// Samples of equal scores pass a threshold together. A curve keeps at most 200 points, spread evenly, its ends included; areas are
// those of the whole curve.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "hsvm/core/types.hpp"

namespace hsvm::report {

struct CurvePoint {
  double x = 0.0;
  double y = 0.0;
};

struct RankingCurves {
  std::vector<CurvePoint> roc;
  std::vector<CurvePoint> precision_recall;
  double auc = 0.0;                // under the ROC curve, ties counting one half
  double average_precision = 0.0;  // sum of precision times the step in recall
};

// scores[i] is the larger the more sample i looks like the class; is_class[i] says whether it is of it. Both kinds must be there.
[[nodiscard]] RankingCurves ranking_curves(std::span<const double> scores, std::span<const char> is_class);

struct CalibrationBin {
  double predicted = 0.0;  // mean probability
  double observed = 0.0;   // share that came true
  Index count = 0;
};

// Bins of equal width between 0 and 1, empty ones left out; ten, fewer where samples are few.
[[nodiscard]] std::vector<CalibrationBin> calibration_bins(std::span<const double> probabilities,
                                                           std::span<const char> came_true);

// counts[t * n_classes + p]: samples of class t for which p was predicted. Samples of an unknown class have no part in it.
[[nodiscard]] std::vector<Count> confusion_counts(std::span<const Index> truth,
                                                  std::span<const Index> predicted, Index n_classes);

}  // namespace hsvm::report
