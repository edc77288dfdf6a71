// Scaling and splitting of datasets, and the numbers of the paper that stand beside ours.

#include "experiments/binary/medium_sets.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "experiments/lab/paper_scores.hpp"
#include "experiments/lab/text_like.hpp"
#include "experiments/registry.hpp"
#include "hsvm/core/error.hpp"
#include "hsvm/data/gaussian_design.hpp"
#include "tests/support/temporary_folder.hpp"

namespace hsvm::lab {
namespace {

TEST(MediumSets, ScaleFeaturesByTheirLargest) {
  Dataset data = generate(GaussianDesign{.n = 9, .p = 4, .s = 1});
  scale_features(data, Scaling::by_largest);
  const auto& x = std::get<DenseMatrix<double>>(data.design);
  for (Index j = 0; j < x.cols(); ++j) {
    double largest = 0.0;
    for (const double value : x.column(j)) largest = std::max(largest, std::abs(value));
    EXPECT_DOUBLE_EQ(largest, 1.0);
  }
}

TEST(MediumSets, ScaleRowsToLengthOne) {
  Dataset data = generate(TextLike{.n = 12, .p = 30, .words = 5});
  scale_features(data, Scaling::by_largest);
  scale_features(data, Scaling::unit_rows);
  const auto& x = std::get<CscMatrix<double>>(data.design);
  std::vector<double> squares(12, 0.0);
  for (Index j = 0; j < x.cols(); ++j) {
    const auto column = x.column(j);
    for (std::size_t k = 0; k < column.rows.size(); ++k)
      squares[static_cast<std::size_t>(column.rows[k])] += column.values[k] * column.values[k];
  }
  for (const double square : squares) EXPECT_NEAR(square, 1.0, 1e-12);
}

// Typed once more, for the tests of statistics: the two must agree.
TEST(MediumSets, HaveThePapersAccuracies) {
  const test::TemporaryFolder folder;
  Journal journal(folder.path("j"), "medium_real", {});
  const Experiment experiment = medium_real();
  const Lab lab(experiment, {}, journal);
  const std::vector<MediumSet> sets = medium_sets(lab);
  const stats::ScoreTable scores = binary_scores();
  ASSERT_EQ(sets.size(), scores.datasets.size());
  for (std::size_t i = 0; i < sets.size(); ++i) {
    EXPECT_EQ(sets[i].name, scores.datasets[i]);
    for (const auto& [method, paper] : sets[i].paper) {
      const auto column = std::find(scores.methods.begin(), scores.methods.end(), name_of(method));
      ASSERT_NE(column, scores.methods.end());
      EXPECT_EQ(paper.accuracy, scores.row(i)[static_cast<std::size_t>(column - scores.methods.begin())])
          << sets[i].name << ", " << name_of(method);
    }
    EXPECT_FALSE(has_data(sets[i], lab)) << "there is no folder";
  }
}

}  // namespace
}  // namespace hsvm::lab
