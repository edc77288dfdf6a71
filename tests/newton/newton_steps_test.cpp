#include "hsvm/newton/newton_steps.hpp"

#include <gtest/gtest.h>

#include <numeric>
#include <vector>

#include "hsvm/newton/binary_subproblem.hpp"
#include "hsvm/newton/multiclass_subproblem.hpp"
#include "tests/support/multiclass.hpp"
#include "tests/support/problems.hpp"
#include "tests/support/reference.hpp"

namespace hsvm {
namespace {

constexpr int kManySteps = 1000;
constexpr double kDamping = 1e-4;  // of the gap

TEST(StepControl, StartsWithAWideElbowAndNarrowsToTheProblemsOwn) {
  const MarginLoss own{0.01};
  StepControl control(own, kDamping);
  EXPECT_EQ(control.loss.delta, StepControl::kWidest);
  double before = control.loss.delta;
  for (const double gap : {10.0, 0.3, 0.5, 0.1, 0.04, 0.2, 1e-3, 1e-9}) {
    control.narrow(gap, own);
    EXPECT_LE(control.loss.delta, before) << "never wider again";
    EXPECT_GE(control.loss.delta, own.delta);
    EXPECT_LE(control.loss.delta, std::max(own.delta, 2.0 * gap));
    before = control.loss.delta;
  }
  EXPECT_EQ(control.loss.delta, own.delta);
  control.restart(own);
  EXPECT_EQ(control.loss.delta, StepControl::kWidest);
}

TEST(StepControl, LeavesAWideElbowAsItIs) {
  for (const double delta : {1.0, 3.0}) {
    const MarginLoss own{delta};
    StepControl control(own, kDamping);
    EXPECT_EQ(control.loss.delta, delta);
    control.narrow(1e-9, own);
    EXPECT_EQ(control.loss.delta, delta);
  }
}

TEST(StepControl, DampingFollowsTheGapToZero) {
  const MarginLoss own{1.0};
  StepControl control(own, kDamping);
  EXPECT_TRUE(control.first);
  double before = 1.0;
  for (const double gap : {100.0, 1.0, 0.1, 1e-3, 1e-9}) {
    control.narrow(gap, own);
    EXPECT_GT(control.damping, 0.0);
    EXPECT_LE(control.damping, before);
    EXPECT_LE(control.damping, 0.01 * gap);
    before = control.damping;
  }
  EXPECT_TRUE(StepControl::is_short(0.1));
  EXPECT_FALSE(StepControl::is_short(1.0));
}

TEST(StepControl, DampingFallsAfterStepsBeyondTheirModel) {
  const MarginLoss own{1.0};
  StepControl control(own, kDamping);
  for (const double t : {0.01, 1.0, 2.0}) control.note_length(t);
  control.narrow(1.0, own);
  EXPECT_EQ(control.damping, kDamping);
  control.note_length(7.0);
  control.narrow(1.0, own);
  EXPECT_LE(control.damping, 0.11 * kDamping);
  control.restart(own);
  control.narrow(1.0, own);
  EXPECT_EQ(control.damping, kDamping) << "another solve begins anew";
}

TEST(StepControl, LearnsHowExactModelsHaveToBe) {
  const MarginLoss own{1.0};
  StepControl control(own, kDamping);
  control.learn(5.0);
  EXPECT_EQ(control.exactness, 1.0) << "the first step is seldom the last";
  control.steps = 2;
  control.learn(0.5);
  EXPECT_EQ(control.exactness, 1.0) << "certified, though barely";
  double before = control.exactness;
  for (int k = 0; k < 20; ++k) {
    control.learn(1.5);
    EXPECT_LE(control.exactness, before);
    before = control.exactness;
  }
  EXPECT_LT(before, 0.1);
  EXPECT_GT(before, 1e-3);
  control.restart(own);
  EXPECT_EQ(control.exactness, before) << "kept for the next point";
  for (int k = 0; k < 100; ++k) control.learn(0.01);
  EXPECT_EQ(control.exactness, 1.0);
}

// All features in the working set, so that the subproblem is the problem.
template <class Subproblem, class Problem>
void expect_steps_to_the_minimum(const Problem& problem) {
  Subproblem sub(problem);
  std::vector<Index> columns(static_cast<std::size_t>(problem.n_features()));
  std::iota(columns.begin(), columns.end(), Index{0});
  sub.set_columns(columns);
  auto u = problem.constant();
  const double own = problem.parameters().loss.delta;
  const double target = 1e-6 * problem.objective_at_zero();
  double widest = sub.control().loss.delta;
  int steps = 0;
  const double gap = problem.objective(u);
  const StepsEnd end =
      take_newton_steps(sub, u, {0.0, gap}, target, StepRange{.most = kManySteps}, [&](const StepState& state) {
        EXPECT_GE(state.gap, -1e-12);
        EXPECT_GE(sub.control().loss.delta, own);
        EXPECT_LE(sub.control().loss.delta, widest);
        widest = sub.control().loss.delta;
        return ++steps >= 500;
      });
  EXPECT_EQ(end, StepsEnd::target);
  EXPECT_LT(steps, 500);

  // From the problem's own formulas at the point that was stored.
  problem.minimise_intercept(u, problem.parameters().loss);
  typename Problem::Gradient gradient;
  problem.gradient(u, gradient);
  EXPECT_LE(problem.objective(u) - problem.dual_objective(u, gradient), 3.0 * target + 1e-13);
}

TEST(NewtonSteps, EndAtTheMinimumOfBinaryProblems) {
  for (const test::ProblemData& data : test::random_problems()) {
    SCOPED_TRACE(data.name);
    expect_steps_to_the_minimum<BinarySubproblem>(data.problem());
  }
}

TEST(NewtonSteps, EndAtTheMinimumOfMulticlassProblems) {
  for (const test::MulticlassData& data : test::random_multiclass_problems()) {
    SCOPED_TRACE(data.name);
    expect_steps_to_the_minimum<MulticlassSubproblem>(data.problem());
  }
}

TEST(NewtonSteps, NarrowTheElbowToTheProblemsOwn) {
  for (const double delta : {0.5, 0.1, 0.01}) {
    const test::ProblemData data =
        test::random_problem({.seed = 3, .n = 60, .p = 10, .delta = delta, .lambda1 = 0.01, .lambda2 = 0.01});
    const test::DenseProblem problem = data.problem();
    BinarySubproblem sub(problem);
    std::vector<Index> columns(10);
    std::iota(columns.begin(), columns.end(), Index{0});
    sub.set_columns(columns);
    auto u = problem.constant();
    const StepsEnd end = take_newton_steps(sub, u, {0.0, 1.0}, 1e-12, StepRange{.most = kManySteps},
                                           [](const StepState&) { return false; });
    EXPECT_EQ(end, StepsEnd::target);
    EXPECT_EQ(sub.control().loss.delta, delta);
    EXPECT_LE(test::reference_objective(data, u) - test::reference_dual(data, u), 1e-11);

    const test::MulticlassData many = test::random_multiclass_problem(
        {.seed = 3, .n = 60, .p = 10, .delta = delta, .lambda1 = 0.01, .lambda2 = 0.01});
    const test::DenseMulticlass multiclass = many.problem();
    MulticlassSubproblem sub_many(multiclass);
    sub_many.set_columns(columns);
    auto v = multiclass.constant();
    EXPECT_EQ(take_newton_steps(sub_many, v, {0.0, 2.0}, 1e-12, StepRange{.most = kManySteps},
                                [](const StepState&) { return false; }),
              StepsEnd::target);
    EXPECT_EQ(sub_many.control().loss.delta, delta);
    const test::Rows w = test::all_rows(v, 10);
    EXPECT_LE(test::reference_objective(many, v.b, w) - test::reference_dual(many, v.b, w), 1e-11);
  }
}

TEST(NewtonSteps, StopWhenTold) {
  const test::ProblemData data = test::random_problem({.seed = 3, .n = 60, .p = 10, .delta = 0.01});
  const test::DenseProblem problem = data.problem();
  BinarySubproblem sub(problem);
  std::vector<Index> columns(10);
  std::iota(columns.begin(), columns.end(), Index{0});
  sub.set_columns(columns);
  auto u = problem.constant();
  int steps = 0;
  const StepsEnd end = take_newton_steps(sub, u, {0.0, 1.0}, 1e-12, StepRange{.most = kManySteps},
                                         [&](const StepState&) { return ++steps == 2; });
  EXPECT_EQ(end, StepsEnd::stopped);
  EXPECT_EQ(steps, 2);
  const test::DenseProblem::Point fresh = problem.point(u.b, u.w);
  for (std::size_t i = 0; i < u.scores.size(); ++i) EXPECT_NEAR(u.scores[i], fresh.scores[i], 1e-12);
}

TEST(NewtonSteps, AreNoMoreThanAllowed) {
  const test::ProblemData data = test::random_problem({.seed = 3, .n = 60, .p = 10, .delta = 0.01});
  const test::DenseProblem problem = data.problem();
  for (const int limit : {1, 3}) {
    BinarySubproblem sub(problem);
    std::vector<Index> columns(10);
    std::iota(columns.begin(), columns.end(), Index{0});
    sub.set_columns(columns);
    auto u = problem.constant();
    int steps = 0;
    take_newton_steps(sub, u, {0.0, 1.0}, 1e-12, StepRange{.most = limit}, [&](const StepState&) {
      ++steps;
      return false;
    });
    EXPECT_EQ(steps, limit);
  }
}

TEST(NewtonSteps, AreAsManyAsAskedWhateverTheGap) {
  const test::ProblemData data = test::random_problem({.seed = 3, .n = 60, .p = 10, .delta = 1.0});
  const test::DenseProblem problem = data.problem();
  std::vector<Index> columns(10);
  std::iota(columns.begin(), columns.end(), Index{0});
  const auto count_steps = [&](double target, const StepRange& range) {
    BinarySubproblem sub(problem);
    sub.set_columns(columns);
    auto u = problem.constant();
    int steps = 0;
    take_newton_steps(sub, u, {0.0, 1.0}, target, range, [&](const StepState&) {
      ++steps;
      return false;
    });
    return steps;
  };
  const double wide = 10.0 * problem.objective_at_zero();
  EXPECT_EQ(count_steps(wide, {}), 0);
  for (const int least : {1, 2}) EXPECT_EQ(count_steps(wide, {.least = least}), least);
  EXPECT_EQ(count_steps(1e-9 * wide, {.slack = 1e9}), 0) << "more than the target will do";
  EXPECT_GT(count_steps(1e-9 * wide, {}), 1);
}

}  // namespace
}  // namespace hsvm
