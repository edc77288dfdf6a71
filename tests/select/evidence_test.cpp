#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "hsvm/api.hpp"
#include "hsvm/core/random.hpp"

namespace hsvm {
namespace {

// Two classes along the first feature; the second is nearly the first, the third goes against it, the fourth is noise.
Dataset evidence_data() {
  constexpr Index kSamples = 60;
  Random random(3);
  std::vector<double> values(static_cast<std::size_t>(kSamples) * 4);
  Dataset data;
  data.source = "made.csv";
  std::vector<std::string> labels;
  for (std::size_t i = 0; i < kSamples; ++i) {
    const double x = random.normal();
    values[4 * i] = 3.0 + 2.0 * x;
    values[4 * i + 1] = x + 0.05 * random.normal();
    values[4 * i + 2] = -x + random.normal();
    values[4 * i + 3] = 10.0 * random.normal();
    labels.push_back(x + 0.3 * random.normal() > 0.0 ? "up" : "down");
  }
  data.design = DenseMatrix<double>::from_row_major(kSamples, 4, values);
  data.labels = make_labels(labels);
  return data;
}

// The plain formula, from the entries.
double correlation_by_hand(const Design& design, Index a, Index b) {
  ColumnBuffer first;
  ColumnBuffer second;
  const ColumnView x = design.column(a, first);
  const ColumnView y = design.column(b, second);
  const auto n = static_cast<double>(design.rows());
  double sx = 0.0;
  double sy = 0.0;
  double xx = 0.0;
  double yy = 0.0;
  double xy = 0.0;
  for (std::size_t i = 0; i < x.values.size(); ++i) {
    sx += x.values[i];
    sy += y.values[i];
    xx += x.values[i] * x.values[i];
    yy += y.values[i] * y.values[i];
    xy += x.values[i] * y.values[i];
  }
  return (xy / n - sx * sy / n / n) / std::sqrt((xx / n - sx * sx / n / n) * (yy / n - sy * sy / n / n));
}

TEST(TuneEvidence, HasTheCorrelationsOfTheFormula) {
  const Dataset data = evidence_data();
  const TunedModel model = tune({.data = data}, {});
  ASSERT_TRUE(model.evidence.has_value());
  const Evidence& evidence = *model.evidence;
  EXPECT_EQ(evidence.source, "made.csv");
  ASSERT_FALSE(evidence.correlations.features.empty());
  for (std::size_t a = 0; a < evidence.correlations.features.size(); ++a) {
    for (std::size_t b = 0; b < a; ++b)
      EXPECT_NEAR(evidence.correlations.at(a, b),
                  correlation_by_hand(data.design, evidence.correlations.features[a],
                                      evidence.correlations.features[b]),
                  1e-12);
  }
  for (const StandIn& one : evidence.correlations.stand_ins) {
    EXPECT_NEAR(one.correlation, correlation_by_hand(data.design, one.feature, one.left_out), 1e-12);
    EXPECT_TRUE(std::ranges::binary_search(model.best.features, one.feature));
    EXPECT_FALSE(std::ranges::binary_search(model.best.features, one.left_out));
  }
}

TEST(TuneEvidence, HasThePathOfTheBestModel) {
  const Dataset data = evidence_data();
  const TunedModel model = tune({.data = data}, {});
  const Evidence& evidence = *model.evidence;
  EXPECT_EQ(evidence.path.lambda2, model.best.lambda2);
  EXPECT_EQ(evidence.path.delta, model.best.delta);
  const auto at_best = std::ranges::find(evidence.path.steps, model.best.lambda1, &PathStep::lambda1);
  ASSERT_NE(at_best, evidence.path.steps.end());
  EXPECT_EQ(at_best->objective, model.best.report->objective);
  EXPECT_EQ(at_best->nonzeros, static_cast<Index>(model.best.features.size()));
  EXPECT_EQ(evidence.class_counts.size(), 2U);
  EXPECT_EQ(evidence.class_counts[0] + evidence.class_counts[1], 60);
}

}  // namespace
}  // namespace hsvm
