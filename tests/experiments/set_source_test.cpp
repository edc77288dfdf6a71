// Scaling, grouping of classes and drawing of samples.

#include "experiments/sets/set_source.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>

#include "datasets/text_like.hpp"
#include "experiments/registry.hpp"
#include "hsvm/data/synthetic/gaussian_design.hpp"
#include "tests/support/temporary_folder.hpp"

namespace hsvm::lab {
namespace {

using testing::ElementsAre;

TEST(SetSource, ScalesFeaturesByTheirLargest) {
  Dataset data = generate(GaussianDesign{.n = 9, .p = 4, .s = 1});
  scale_features(data, Scaling::by_largest);
  const auto& x = *data.design.get_if<DenseMatrix<double>>();
  for (Index j = 0; j < x.cols(); ++j) {
    double largest = 0.0;
    for (const double value : x.column(j)) largest = std::max(largest, std::abs(value));
    EXPECT_DOUBLE_EQ(largest, 1.0);
  }
}

TEST(SetSource, ScalesRowsToLengthOne) {
  Dataset data = generate(datasets::TextLike{.n = 12, .p = 30, .words = 5});
  scale_features(data, Scaling::by_largest);
  scale_features(data, Scaling::unit_rows);
  const auto& x = (*data.design.get_if<CscMatrix<double>>());
  std::vector<double> squares(12, 0.0);
  for (Index j = 0; j < x.cols(); ++j) {
    const auto column = x.column(j);
    for (std::size_t k = 0; k < column.rows.size(); ++k)
      squares[static_cast<std::size_t>(column.rows[k])] += column.values[k] * column.values[k];
  }
  for (const double square : squares) EXPECT_NEAR(square, 1.0, 1e-12);
}

TEST(SetSource, DrawsSomeClassesAgainstOthers) {
  const test::TemporaryFolder folder;
  Journal journal(folder.path("j"), "large_sparse", {});
  const Experiment experiment = large_sparse();
  const Lab lab(experiment, {}, journal);
  Dataset data = generate(GaussianDesign{.n = 9, .p = 4, .s = 1});
  data.labels = make_labels(std::vector<std::string>{"1", "2", "3", "1", "2", "3", "1", "2", "3"});
  const auto make = [&] { return data; };
  const Split all_but_three = SetReader(lab, {.make = make, .n_test = 3, .positive = {"2"}}).draw(0);
  EXPECT_EQ(all_but_three.training.n_samples(), 6);
  EXPECT_EQ(all_but_three.test.n_samples(), 3);
  EXPECT_THAT(all_but_three.training.labels->classes.names, ElementsAre("-1", "1"));
  const auto ones = [](const Dataset& part) { return std::ranges::count(part.labels->of_sample, 1); };
  EXPECT_EQ(ones(all_but_three.training) + ones(all_but_three.test), 3) << "the samples of class 2";
  const SetSource two{.make = make, .n_train = 4, .n_test = 2, .classes = {"1", "2"}, .positive = {"2"}};
  const Split without_three = SetReader(lab, two).draw(0);
  EXPECT_EQ(without_three.training.n_samples(), 4);
  EXPECT_EQ(ones(without_three.training) + ones(without_three.test), 3);
  const Split of_each = SetReader(lab, {.make = make, .n_test = 2, .per_class = 2}).draw(0);
  EXPECT_EQ(of_each.training.n_samples(), 6);
  EXPECT_EQ(ones(of_each.training), 2);
  EXPECT_EQ(of_each.test.n_samples(), 2);
}

}  // namespace
}  // namespace hsvm::lab
