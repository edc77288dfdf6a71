// Features written out, and samples put under each other.

#include "datasets/dense.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

namespace hsvm::datasets {
namespace {

using testing::ElementsAre;

// Two samples, three features: 1 . 2 / . 3 .
Dataset sparse() {
  CscMatrix<float> x(2, {0, 1, 2, 3}, {0, 1, 0}, {1.0F, 3.0F, 2.0F});
  return {.source = "sparse",
          .design = std::move(x),
          .labels = make_labels(std::vector<std::string>{"b", "a"}),
          .feature_names = {}};
}

Dataset dense() {
  DenseMatrix<double> x(1, 2);
  x(0, 0) = 5.0;
  x(0, 1) = 6.0;
  return {.source = "dense",
          .design = std::move(x),
          .labels = make_labels(std::vector<std::string>{"c"}),
          .feature_names = {}};
}

std::vector<double> row(const Dataset& data, Index i) {
  const auto& x = (*data.design.get_if<DenseMatrix<double>>());
  std::vector<double> values;
  for (Index j = 0; j < x.cols(); ++j) values.push_back(x(i, j));
  return values;
}

TEST(Dense, HasTheFeaturesInTheirOrder) {
  const Dataset data = dense_features(sparse(), std::vector<Index>{2, 0});
  EXPECT_THAT(row(data, 0), ElementsAre(2.0, 1.0));
  EXPECT_THAT(row(data, 1), ElementsAre(0.0, 0.0));
  EXPECT_THAT(data.labels->of_sample, ElementsAre(1, 0));
}

TEST(Dense, StacksSamplesOfDifferentWidths) {
  const Dataset data = stacked(sparse(), dense());
  EXPECT_THAT(row(data, 0), ElementsAre(1.0, 0.0, 2.0));
  EXPECT_THAT(row(data, 1), ElementsAre(0.0, 3.0, 0.0));
  EXPECT_THAT(row(data, 2), ElementsAre(5.0, 6.0, 0.0));
  EXPECT_THAT(data.labels->classes.names, ElementsAre("a", "b", "c"));
  EXPECT_THAT(data.labels->of_sample, ElementsAre(1, 0, 2));
}

}  // namespace
}  // namespace hsvm::datasets
