#include "hsvm/select/notes.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

#include "hsvm/api.hpp"
#include "hsvm/core/random.hpp"

namespace hsvm {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

struct Means {
  double accuracy = 0.9;
  double balanced = 0.9;
  double standard_error = 0.02;
};

TuningPoint point(double lambda1, Index nonzeros, const Means& means = {}) {
  TuningPoint result{{lambda1, 0.01}};
  result.nonzeros = nonzeros;
  result.scores[static_cast<std::size_t>(Score::accuracy)] = ScoreSummary{means.accuracy, means.standard_error};
  result.scores[static_cast<std::size_t>(Score::balanced_accuracy)] =
      ScoreSummary{means.balanced, means.standard_error};
  return result;
}

// Two paths of three points; the best is in the middle of the second. Sixty samples of 'a' and forty of 'b'.
Tuning quiet_tuning() {
  Tuning tuning;
  const Means poor{.accuracy = 0.7, .balanced = 0.7};
  tuning.grid = {point(1.0, 0, poor), point(0.5, 2, poor), point(0.1, 4, poor),
                 point(1.0, 0, poor), point(0.5, 2),       point(0.1, 4, poor)};
  tuning.best = tuning.one_se = 4;
  tuning.ends = {PathEnd::grid, PathEnd::grid};
  tuning.held_out = {60, 40};
  tuning.majority_share = 0.6;
  tuning.n_folds = 10;
  return tuning;
}

Labels two_classes() {
  Labels labels{{false, {"a", "b"}}, std::vector<Index>(100, 0)};
  std::fill(labels.of_sample.begin() + 60, labels.of_sample.end(), 1);
  return labels;
}

using Notes = std::vector<TuningNote>;

Notes notes_of(const Tuning& tuning, const FitOptions& options = {}, const TuneOptions& tune_options = {}) {
  return detail::find_notes(tuning, {tuning.best, tuning.one_se, false}, two_classes(), options, tune_options);
}

TEST(TuningNotes, AreSilentWhereAllIsWell) {
  EXPECT_THAT(notes_of(quiet_tuning()), IsEmpty());
}

TEST(TuningNotes, SayWhereTheMajorityIsAsGood) {
  Tuning tuning = quiet_tuning();
  tuning.grid[4] = point(0.5, 2, {.accuracy = 0.621, .balanced = 0.6});
  EXPECT_THAT(notes_of(tuning), IsEmpty());  // by more than one standard error better than 0.6
  tuning.grid[4] = point(0.5, 2, {.accuracy = 0.62, .balanced = 0.6});
  EXPECT_THAT(notes_of(tuning), ElementsAre(TuningNote::no_better_than_majority));
  // Another score has another majority: half of each class is right.
  tuning.score = Score::balanced_accuracy;
  EXPECT_THAT(notes_of(tuning), IsEmpty());
  tuning.score = Score::loss;  // cannot tell: the accuracy does
  EXPECT_THAT(notes_of(tuning), ElementsAre(TuningNote::no_better_than_majority));
}

TEST(TuningNotes, SayWhereTheBestIsEmpty) {
  Tuning tuning = quiet_tuning();
  tuning.grid[3] = point(1.0, 0);
  tuning.best = 3;
  EXPECT_THAT(notes_of(tuning), ElementsAre(TuningNote::empty_model));
}

TEST(TuningNotes, SayWhereTheGridEndsTooEarly) {
  Tuning tuning = quiet_tuning();
  tuning.grid[5] = point(0.1, 4);
  tuning.best = 5;
  EXPECT_THAT(notes_of(tuning), ElementsAre(TuningNote::end_of_grid));
  for (const PathEnd learned : {PathEnd::explained, PathEnd::flat}) {
    tuning.ends[1] = learned;  // nothing was left to learn there
    EXPECT_THAT(notes_of(tuning), IsEmpty());
  }
  tuning.ends[1] = PathEnd::max_nonzeros;
  EXPECT_THAT(notes_of(tuning), ElementsAre(TuningNote::end_of_grid));
  tuning.grid.resize(4);  // one lambda1 alone has no end
  tuning.best = 3;
  tuning.grid[3] = point(1.0, 2);
  EXPECT_THAT(notes_of(tuning), IsEmpty());
}

TEST(TuningNotes, SayWhereAccuracyFlatters) {
  Tuning tuning = quiet_tuning();
  tuning.grid[4] = point(0.5, 2, {.accuracy = 0.9, .balanced = 0.84});
  EXPECT_THAT(notes_of(tuning), ElementsAre(TuningNote::unequal_classes));
  FitOptions balanced;
  balanced.class_weight.balanced = true;
  EXPECT_THAT(notes_of(tuning, balanced), ElementsAre(TuningNote::unequal_classes));
  tuning.score = Score::balanced_accuracy;  // with both, nothing is left to advise
  EXPECT_THAT(notes_of(tuning, balanced), IsEmpty());
}

TEST(TuningNotes, SayWhatTheScoresStandOn) {
  Tuning tuning = quiet_tuning();
  tuning.held_out = {60, 3};
  EXPECT_THAT(notes_of(tuning), ElementsAre(TuningNote::small_classes));
  tuning = quiet_tuning();
  tuning.n_folds = 6;
  EXPECT_THAT(notes_of(tuning), ElementsAre(TuningNote::few_folds));
  EXPECT_THAT(notes_of(tuning, {}, {.folds = 6}), IsEmpty());
}

// Classes of ten, three, two and one samples, the first feature telling them apart.
Dataset rare_classes() {
  std::vector<std::string> labels;
  for (const auto& [name, count] :
       std::vector<std::pair<std::string, int>>{{"a", 10}, {"b", 3}, {"c", 2}, {"d", 1}})
    labels.insert(labels.end(), static_cast<std::size_t>(count), name);
  Random random(3);
  DenseMatrix<double> x(16, 5);
  for (Index j = 0; j < 5; ++j) {
    for (Index i = 0; i < 16; ++i)
      x(i, j) = random.normal() + (j == 0 ? 5.0 * (labels[static_cast<std::size_t>(i)][0] - 'a') : 0.0);
  }
  Dataset data;
  data.source = "rare";
  data.design = x;
  data.labels = make_labels(labels);
  return data;
}

TEST(SmallClasses, AreCrossValidatedAndSaySo) {
  const Dataset data = rare_classes();
  for (const bool each : {false, true}) {
    const TunedModel model = tune({data}, {}, {.nlambda = 10}, {.leave_one_out = each, .stability = 2});
    EXPECT_EQ(model.tuning.held_out, (std::vector<Index>{10, 3, 2, 0}));
    EXPECT_EQ(model.tuning.n_folds, each ? 15 : 10);
    EXPECT_EQ(model.tuning.leave_one_out, each);
    EXPECT_THAT(model.tuning.notes, Contains(TuningNote::never_held_out));
    EXPECT_EQ(std::ranges::count(model.tuning.notes, TuningNote::small_classes), each ? 0 : 1);
    EXPECT_NEAR(model.tuning.majority_share, 10.0 / 15.0, 1e-12);
    EXPECT_EQ(model.best.classes.size(), 4);
    EXPECT_THAT(describe(TuningNote::never_held_out, model), HasSubstr("class 'd': one sample"));
    const TunedModel loaded = tuned_from_json(tuned_to_json(model), "t");
    EXPECT_EQ(loaded.tuning.held_out, model.tuning.held_out);
    EXPECT_EQ(loaded.tuning.notes, model.tuning.notes);
    EXPECT_EQ(loaded.tuning.ends, model.tuning.ends);
    EXPECT_EQ(loaded.tuning.majority_share, model.tuning.majority_share);
  }
}

TEST(SmallClasses, SayWhichAndHowFew) {
  const TunedModel model = tune({rare_classes()}, {.lambda2 = 0.1}, {.nlambda = 5});
  EXPECT_THAT(describe(TuningNote::small_classes, model), HasSubstr("classes 'b' (3), 'c' (2): fewer samples"));
}

// One feature separates the classes: the smaller lambda1, the smaller the loss, for ever.
Dataset separable(Index n_features) {
  DenseMatrix<double> x(20, n_features);
  std::vector<std::string> labels;
  Random random(1);
  for (Index i = 0; i < 20; ++i) {
    labels.emplace_back(i % 2 == 0 ? "a" : "b");
    x(i, 0) = (i % 2 == 0 ? 1.0 : -1.0) * (1.0 + 0.3 * random.uniform());
  }
  Dataset data;
  data.source = "separable";
  data.design = x;
  data.labels = make_labels(labels);
  return data;
}

TEST(Continuation, GoesOnWhileTheBestIsAtTheEnd) {
  const Dataset data = separable(30);
  const FitOptions options{.lambda2 = 1e-7, .tolerance = 1e-12};
  const TuneOptions by_loss{.folds = 4, .score = Score::loss};
  const TunedModel model = tune({data}, options, {.nlambda = 11, .full_path = true}, by_loss);
  EXPECT_EQ(model.tuning.continued, 3);
  EXPECT_THAT(model.tuning.notes, Contains(TuningNote::end_of_grid));
  EXPECT_THAT(describe(TuningNote::end_of_grid, model), HasSubstr("continued 3 times"));
  ASSERT_EQ(model.tuning.grid.size(), 26U);  // ten steps were a factor of 100: five more for each of 10
  EXPECT_EQ(model.tuning.status, Status::converged);
  for (std::size_t k = 1; k < 26; ++k)
    EXPECT_NEAR(model.tuning.grid[k].lambda1 / model.tuning.grid[k - 1].lambda1, std::pow(10.0, -0.2), 1e-9);

  // The same points at once have the same scores.
  std::vector<double> grid;
  for (const TuningPoint& one : model.tuning.grid) grid.push_back(one.lambda1);
  const TunedModel given = tune({data}, options, {.lambda_grid = grid}, by_loss);
  EXPECT_EQ(given.tuning.continued, 0);  // where a grid ends that was given is its giver's business
  for (std::size_t k = 0; k < 26; ++k) {
    EXPECT_NEAR(given.tuning.grid[k].score(Score::loss)->mean, model.tuning.grid[k].score(Score::loss)->mean,
                1e-6);
    EXPECT_EQ(given.tuning.grid[k].nonzeros, model.tuning.grid[k].nonzeros);
  }
  EXPECT_EQ(tune({data}, options, {.nlambda = 11, .lambda_min_ratio = 0.01, .full_path = true}, by_loss)
                .tuning.continued,
            0);
}

// Two classes that one feature separates by little: the less they are held back, the better.
TEST(Continuation, LowersLambda2WhileTheSmallestIsTheBest) {
  const Dataset data = separable(3);
  const TuneOptions by_loss{.folds = 4, .score = Score::loss};
  const PathOptions grid{.nlambda = 5, .lambda_min_ratio = 1e-4, .full_path = true};
  const TunedModel model = tune({data}, {}, grid, by_loss);
  EXPECT_EQ(model.tuning.lambda2_lowered, 2);
  ASSERT_EQ(model.tuning.grid.size(), 6U * 5U);
  EXPECT_NEAR(model.tuning.grid[29].lambda2, 1e-5, 1e-20);
  EXPECT_EQ(model.tuning.ends.size(), 6U);
  const TunedModel given =
      tune({data}, {}, grid, {.folds = 4, .lambda2_grid = {0.01, 0.001}, .score = Score::loss});
  EXPECT_EQ(given.tuning.lambda2_lowered, 0);
  EXPECT_EQ(given.tuning.grid.size(), 10U);
  EXPECT_EQ(tune({data}, {.lambda2 = 0.001}, grid, by_loss).tuning.lambda2_lowered, 0);
}

TEST(Continuation, EndsWhereNothingIsLeftToLearn) {
  const TunedModel model =
      tune({separable(30)}, {.lambda2 = 1e-7}, {.nlambda = 11}, {.folds = 4, .score = Score::loss});
  EXPECT_EQ(model.tuning.continued, 0);
  EXPECT_THAT(model.tuning.ends, ElementsAre(PathEnd::explained));
  EXPECT_THAT(model.tuning.notes, Not(Contains(TuningNote::end_of_grid)));
}

TEST(Continuation, IsDroppedWhenStopped) {
  Count done = 0;
  TuneMonitor monitor;
  monitor.progress = [&](const TuneProgress& progress) { done = progress.paths_done; };
  monitor.interrupted = [&] { return done >= 7; };  // five paths of the grid, two of its continuation
  const TunedModel model =
      tune({separable(30)}, {.lambda2 = 1e-7, .threads = 1}, {.nlambda = 11, .full_path = true},
           {.folds = 4, .score = Score::loss}, monitor);
  EXPECT_EQ(model.tuning.status, Status::interrupted);
  EXPECT_EQ(model.tuning.continued, 0);
  EXPECT_EQ(model.tuning.grid.size(), 11U);
}

TEST(Tuning, TriesFourValuesOfLambda2ByDefault) {
  const TunedModel model = tune({separable(3)}, {}, {.nlambda = 3, .lambda_min_ratio = 0.1}, {.folds = 2});
  std::vector<double> tried;
  for (const std::size_t begin : path_begins(model.tuning.grid)) {
    if (begin < model.tuning.grid.size()) tried.push_back(model.tuning.grid[begin].lambda2);
  }
  EXPECT_THAT(tried, ElementsAre(1.0, 0.1, 0.01, 0.001));
  for (const TuningPoint& point : model.tuning.grid) EXPECT_EQ(point.lambda3, 0.0);
  EXPECT_TRUE(model.best.report->standardized);
  EXPECT_EQ(path_begins(tune({separable(3)}, {.alpha = 0.5}, {.nlambda = 3}, {.folds = 2}).tuning.grid).size(),
            2U);
}

}  // namespace
}  // namespace hsvm
