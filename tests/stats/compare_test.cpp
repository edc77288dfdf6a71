#include "hsvm/stats/compare.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "datasets/paper_scores.hpp"
#include "hsvm/core/error.hpp"
#include "hsvm/stats/critical_difference.hpp"
#include "hsvm/stats/ranks.hpp"

namespace hsvm::stats {
namespace {

using testing::ElementsAre;

TEST(Compare, GathersAllTests) {
  const ScoreTable table = datasets::binary_scores();
  const Comparison result = compare(table, {.control = "GCD", .alpha = 0.1});
  EXPECT_EQ(result.average_ranks, average_ranks(table));
  EXPECT_THAT(result.order, ElementsAre(0, 1, 3, 2, 4));
  EXPECT_EQ(result.friedman.chi_squared, friedman(result.average_ranks, 10).chi_squared);
  EXPECT_EQ(result.control, 2U);
  EXPECT_EQ(result.against_control.size(), 4U);
  EXPECT_EQ(result.alpha, 0.1);
  EXPECT_EQ(result.critical_difference, critical_difference(0.1, 5, 10));
  EXPECT_EQ(result.groups, indistinct_groups(result.average_ranks, result.critical_difference));

  ASSERT_EQ(result.pairs.size(), 10U);
  std::vector<double> p_values;
  for (const PairTest& pair : result.pairs) {
    EXPECT_LT(pair.first, pair.second);
    EXPECT_EQ(pair.wilcoxon.z, wilcoxon(table.column(pair.first), table.column(pair.second)).z);
    p_values.push_back(pair.wilcoxon.p);
  }
  const std::vector<double> adjusted = holm(p_values);
  for (std::size_t i = 0; i < 10; ++i) EXPECT_EQ(result.pairs[i].adjusted_p, adjusted[i]);
}

TEST(Compare, ControlIsTheBestUnlessNamed) {
  EXPECT_EQ(compare(datasets::binary_scores()).control, 0U);
  EXPECT_EQ(compare(datasets::multiclass_scores(), {.control = "DDAG"}).control, 2U);
  // Of two with the same rank the first.
  EXPECT_EQ(compare({.datasets = {"a"}, .methods = {"x", "y", "z"}, .scores = {1, 2, 2}}).control, 1U);
}

TEST(Compare, SmallerIsBetterMirrorsLarger) {
  ScoreTable errors = datasets::binary_scores();
  errors.smaller_is_better = true;
  for (double& score : errors.scores) score = 100.0 - score;
  const Comparison expected = compare(datasets::binary_scores());
  const Comparison mirrored = compare(errors);
  EXPECT_EQ(mirrored.average_ranks, expected.average_ranks);
  EXPECT_EQ(mirrored.control, expected.control);
  for (std::size_t i = 0; i < expected.pairs.size(); ++i) {
    EXPECT_EQ(mirrored.pairs[i].wilcoxon.r_plus, expected.pairs[i].wilcoxon.r_plus);
    EXPECT_EQ(mirrored.pairs[i].wilcoxon.z, expected.pairs[i].wilcoxon.z);
  }
}

// Methods in the opposite order, datasets too.
ScoreTable turned(const ScoreTable& table) {
  ScoreTable result = table;
  std::reverse(result.methods.begin(), result.methods.end());
  std::reverse(result.datasets.begin(), result.datasets.end());
  std::reverse(result.scores.begin(), result.scores.end());
  return result;
}

TEST(Compare, OrderOfMethodsAndDatasetsDoesNotMatter) {
  const ScoreTable table = datasets::multiclass_scores();
  const Comparison expected = compare(table);
  const Comparison other = compare(turned(table));
  EXPECT_NEAR(other.friedman.chi_squared, expected.friedman.chi_squared, 1e-13);
  EXPECT_EQ(other.control, 2 - expected.control);
  for (std::size_t j = 0; j < 3; ++j) EXPECT_NEAR(other.average_ranks[2 - j], expected.average_ranks[j], 1e-15);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(other.pairs[2 - i].wilcoxon.r_plus, expected.pairs[i].wilcoxon.r_minus);
    EXPECT_EQ(other.pairs[2 - i].adjusted_p, expected.pairs[i].adjusted_p);
  }
}

TEST(Compare, IdenticalMethodsDoNotDiffer) {
  const Comparison result =
      compare({.datasets = {"a", "b"}, .methods = {"x", "y", "z"}, .scores = {1, 1, 1, 2, 2, 2}});
  EXPECT_EQ(result.friedman.p, 1.0);
  EXPECT_THAT(result.groups, ElementsAre(ElementsAre(0, 1, 2)));
  for (const PairTest& pair : result.pairs) EXPECT_EQ(pair.adjusted_p, 1.0);
  for (const ControlTest& other : result.against_control) EXPECT_EQ(other.adjusted_p, 1.0);
}

TEST(Compare, OneDatasetAndTwoMethods) {
  const Comparison result = compare({.datasets = {"a"}, .methods = {"x", "y"}, .scores = {1, 2}});
  EXPECT_THAT(result.average_ranks, ElementsAre(2, 1));
  EXPECT_DOUBLE_EQ(result.friedman.chi_squared, 1.0);
  EXPECT_FALSE(result.friedman.iman_davenport.has_value());
  EXPECT_DOUBLE_EQ(result.pairs[0].wilcoxon.exact_p.value(), 1.0);
  EXPECT_THAT(result.groups, ElementsAre(ElementsAre(1, 0)));
}

TEST(Compare, Messages) {
  const auto refusal = [](const ScoreTable& table, const CompareOptions& options) -> std::string {
    try {
      (void)compare(table, options);
    } catch (const Error& error) {
      return error.what();
    }
    return "accepted";
  };
  ScoreTable table = datasets::multiclass_scores();
  EXPECT_EQ(refusal(table, {.control = "SVM"}), "control = SVM: must be one of the methods M-PGH, OVA, DDAG");
  EXPECT_EQ(refusal(table, {.alpha = 1.0}), "alpha = 1: must be greater than 0 and less than 1");
  table.scores[4] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(refusal(table, {}), "scores: nan for method 'OVA' on dataset 'dna'; expected a finite number");
}

}  // namespace
}  // namespace hsvm::stats
