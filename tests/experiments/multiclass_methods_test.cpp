// The multi-class methods behind their one face: parameters that work on held-out samples, and measures by
// hand.

#include "experiments/lab/multiclass_methods.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "hsvm/api.hpp"
#include "tests/support/temporary_folder.hpp"

namespace hsvm::lab {
namespace {

using testing::ElementsAre;

constexpr std::array kAll = {MulticlassMethod::m_pgh, MulticlassMethod::newton, MulticlassMethod::l1,
                             MulticlassMethod::sup,   MulticlassMethod::ova,    MulticlassMethod::ova_tuned,
                             MulticlassMethod::ddag};

class MulticlassMethods : public testing::Test {
 protected:
  test::TemporaryFolder folder_;
  Experiment experiment_{.name = "none", .title = "", .table = "", .protocol = ""};
  Journal journal_{folder_.path("journal"), "none", Json::object()};
  Lab lab_{experiment_, {.scale = Scale::smallest}, journal_};
};

Grid small_grid() {
  Grid grid;
  grid.lambda2s = {1, 0.1};
  grid.n_lambdas = grid.n_lp_lambdas = 4;
  grid.costs = {0.1, 1};
  grid.ddag_costs = {1};
  return grid;
}

TEST_F(MulticlassMethods, AreTunedTrainedAndTested) {
  const Dataset training = generate(FourClassDesign{.n = 48, .p = 20, .s = 12, .seed = 1});
  const Dataset test = generate(FourClassDesign{.n = 40, .p = 20, .s = 12, .seed = 2});
  const std::vector<Index> folds = folds_for(*training.labels, 3, 1);
  for (const MulticlassMethod method : kAll) {
    if (!is_built(method)) continue;
    SCOPED_TRACE(to_string(method));
    const Parameters parameters = choose_parameters(lab_, method, training, folds, small_grid());
    const Answer answer = train_and_predict(lab_, method, parameters, training, test);
    ASSERT_EQ(answer.predicted.size(), 40U);
    EXPECT_EQ(answer.status, "converged");
    const Json json = measures(answer, *test.labels);
    EXPECT_GT(json.at("accuracy").get<double>(), 60.0);  // of four classes far apart
    EXPECT_EQ(json.contains("nonzeros"), method != MulticlassMethod::ddag);
    EXPECT_EQ(to_json(parameters_from(to_json(parameters))), to_json(parameters));
  }
}

TEST_F(MulticlassMethods, SolveTheSameHuberizedModelTwoWays) {
  const Dataset data = generate(FourClassDesign{.n = 40, .p = 20, .s = 8, .seed = 3});
  const Parameters parameters{.lambda1 = 0.05, .lambda2 = 0.5, .lambda3 = 1.0};
  const Answer pg = train_and_predict(lab_, MulticlassMethod::m_pgh, parameters, data, data);
  const Answer newton = train_and_predict(lab_, MulticlassMethod::newton, parameters, data, data);
  EXPECT_EQ(pg.model->report->solver, Solver::pg);
  EXPECT_EQ(pg.model->report->stopping, Stopping::paper);
  EXPECT_EQ(newton.model->report->solver, Solver::newton);
  EXPECT_NEAR(pg.model->report->objective, newton.model->report->objective, 1e-4);
  EXPECT_EQ(pg.model->lambda3, 1.0);
}

TEST_F(MulticlassMethods, ChooseAmongEquals) {
  // One feature tells all: whatever is not empty has every held-out sample right.
  DenseMatrix<double> x(12, 1);
  std::vector<std::string> labels;
  for (Index i = 0; i < x.rows(); ++i) {
    x(i, 0) = i % 2 == 0 ? 1.0 : -1.0;
    labels.emplace_back(i % 2 == 0 ? "a" : "b");
  }
  const Dataset data{
      .source = "two", .design = std::move(x), .labels = make_labels(labels), .feature_names = {}};
  const Parameters chosen =
      choose_parameters(lab_, MulticlassMethod::newton, data, folds_for(*data.labels, 2, 1), small_grid());
  EXPECT_EQ(chosen.lambda2, 1.0);
  EXPECT_EQ(chosen.lambda3, 1.0);
  const double largest =
      fit_path({.data = data}, {.lambda2 = 1.0, .multiclass = true}, {.nlambda = 1}).lambda1_max;
  EXPECT_NEAR(chosen.lambda1, largest * std::pow(0.01, 0.75), 1e-12);
  Grid sparsest = small_grid();
  sparsest.of_equals = OfEquals::sparsest;
  EXPECT_NEAR(
      choose_parameters(lab_, MulticlassMethod::newton, data, folds_for(*data.labels, 2, 1), sparsest).lambda1,
      largest * std::pow(0.01, 0.25), 1e-12);
}

TEST(Measures, CountByHand) {
  const Labels truth = make_labels(std::vector<std::string>{"a", "a", "a", "b"});
  Answer answer{.model = LinearModel{}, .predicted = {0, 0, 1, 1}, .seconds = 0.5, .status = "converged"};
  answer.model->features = {3, 7};
  answer.model->coefficients = {1.0, -1.0, 0.0, 2.0};
  const Json json = measures(answer, truth);
  EXPECT_DOUBLE_EQ(json.at("accuracy"), 75.0);
  EXPECT_DOUBLE_EQ(json.at("balanced_accuracy"), 100.0 * (2.0 / 3.0 + 1.0) / 2.0);
  EXPECT_EQ(json.at("nonzeros"), 3);
  EXPECT_EQ(json.at("rows"), 2);
}

TEST(Measures, LeaveOutClassesWithoutSamples) {
  Labels truth = make_labels(std::vector<std::string>{"a", "b", "c"});
  truth.of_sample = {0, 0};
  const Json json = measures({.model = {}, .predicted = {0, 2}, .seconds = 0.0, .status = "converged"}, truth);
  EXPECT_DOUBLE_EQ(json.at("balanced_accuracy"), 50.0);
  EXPECT_FALSE(json.contains("rows"));
}

TEST(Cells, AreMeansOverTrials) {
  const std::vector<Json> trials = {{{"M-PGH", {{"accuracy", 80.0}, {"status", "converged"}}}},
                                    {{"M-PGH", {{"accuracy", 90.0}, {"status", "time_limit"}}}}};
  const Cell cell = mean_cell(trials, MulticlassMethod::m_pgh, "accuracy", 84.0, true);
  EXPECT_DOUBLE_EQ(*cell.ours, 85.0);
  EXPECT_DOUBLE_EQ(*cell.spread, std::sqrt(50.0));
  EXPECT_DOUBLE_EQ(*cell.paper, 84.0);
  EXPECT_FALSE(mean_cell(trials, MulticlassMethod::m_pgh, "accuracy").spread);
  EXPECT_EQ(mean_cell(trials, MulticlassMethod::m_pgh, "rows").word, "–");
  Table table{.name = "t", .caption = ""};
  note_early_stops(trials, std::array{MulticlassMethod::m_pgh}, table);
  EXPECT_THAT(table.notes, ElementsAre("M-PGH: 1 of 2 fits ended before their stopping rule held."));
}

}  // namespace
}  // namespace hsvm::lab
