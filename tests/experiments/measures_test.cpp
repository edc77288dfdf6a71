// Measures by hand, and what cells say of several trials.

#include "experiments/methods/measures.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>

namespace hsvm::lab {
namespace {

using testing::ElementsAre;

// The only feature that the data of these tests have is the first one; the second stands for nonzeros and rows.
LinearModel two_outputs() {
  LinearModel model;
  model.kind = ModelKind::multiclass;
  model.classes.names = {"a", "b"};
  model.n_features = 8;
  model.intercept = {0.0, 0.0};
  model.features = {0, 7};
  model.coefficients = {1.0, -1.0, 0.0, 2.0};
  return model;
}

Dataset samples(const std::vector<double>& x1, const std::vector<std::string>& labels) {
  DenseMatrix<double> x(static_cast<Index>(x1.size()), 1);
  for (std::size_t i = 0; i < x1.size(); ++i) x(static_cast<Index>(i), 0) = x1[i];
  return {.source = "by hand", .design = std::move(x), .labels = make_labels(labels), .feature_names = {}};
}

TEST(Measures, CountByHand) {
  // Both scores are x1 and -x1, but for the third sample, which is taken for a b.
  Solved solved{.model = two_outputs(), .status = Status::converged, .seconds = 0.5};
  const Json json = measures(solved, samples({1, 1, -1, -1}, {"a", "a", "a", "b"}));
  EXPECT_DOUBLE_EQ(json.at("accuracy"), 75.0);
  EXPECT_DOUBLE_EQ(json.at("balanced_accuracy"), 100.0 * (2.0 / 3.0 + 1.0) / 2.0);
  EXPECT_EQ(json.at("nonzeros"), 3);
  EXPECT_EQ(json.at("rows"), 2);
}

TEST(Measures, LeaveOutClassesWithoutSamples) {
  Dataset test = samples({1, -1}, {"a", "b"});
  test.labels->of_sample = {0, 0};
  const Json json = measures({.model = two_outputs(), .status = Status::converged}, test);
  EXPECT_DOUBLE_EQ(json.at("balanced_accuracy"), 50.0);
}

TEST(Cells, AreMeansOverTrials) {
  const std::vector<Json> trials = {{{"M-PGH", {{"accuracy", 80.0}, {"status", "converged"}}}},
                                    {{"M-PGH", {{"accuracy", 90.0}, {"status", "time_limit"}}}}};
  const Cell cell = mean_cell(trials, Method::m_pgh, "accuracy", 84.0, true);
  EXPECT_DOUBLE_EQ(*cell.ours, 85.0);
  EXPECT_DOUBLE_EQ(*cell.spread, std::sqrt(50.0));
  EXPECT_DOUBLE_EQ(*cell.paper, 84.0);
  EXPECT_FALSE(mean_cell(trials, Method::m_pgh, "accuracy").spread);
  EXPECT_EQ(mean_cell(trials, Method::m_pgh, "rows").word, "–");
  EXPECT_EQ(*mean_of(trials, "M-PGH", "accuracy"), 85.0);
  Table table{.name = "t", .caption = ""};
  note_early_stops(trials, std::array{Method::m_pgh}, table);
  EXPECT_THAT(table.notes, ElementsAre("M-PGH: 1 of 2 fits ended before their stopping rule held."));
}

// Each reason for which there is no number.
TEST(Cells, SayWhyTheyAreEmpty) {
  const std::vector<Json> trials = {{{"ADMM", {{"seconds", nullptr}, {"status", "out of memory"}}},
                                     {"GCD", {{"seconds", nullptr}, {"status", "time_limit"}}}},
                                    {{"ADMM", {{"seconds", 1.0}, {"status", "converged"}}},
                                     {"GCD", {{"seconds", 1.0}, {"status", "converged"}}}}};
  EXPECT_EQ(mean_cell({}, Method::gcd, "seconds", 3.0).word, "no data");
  EXPECT_EQ(*mean_cell({}, Method::gcd, "seconds", 3.0).paper, 3.0);
  EXPECT_EQ(mean_cell(trials, Method::liblinear, "seconds").word, "not built");
  EXPECT_EQ(mean_cell(trials, Method::admm, "seconds").word, "out of memory");
  EXPECT_EQ(mean_cell(trials, Method::gcd, "seconds").word, "time limit");
  EXPECT_FALSE(mean_of(trials, "GCD", "seconds")) << "one trial has none";
}

TEST(Leads, CountSetsWithBothNumbers) {
  Lead lead;
  lead.count(2.0, 1.0);
  lead.count(1.0, 1.0);
  lead.count(0.0, 1.0);
  lead.count({}, 1.0);
  EXPECT_EQ(lead.ahead, 1);
  EXPECT_EQ(lead.level, 1);
  EXPECT_EQ(lead.sets, 3);
}

}  // namespace
}  // namespace hsvm::lab
