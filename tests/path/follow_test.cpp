#include "hsvm/path/follow.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <vector>

#include "hsvm/solve/null_model.hpp"
#include "hsvm/solve/two_stage.hpp"
#include "tests/support/multiclass.hpp"
#include "tests/support/problems.hpp"
#include "tests/support/reference.hpp"

namespace hsvm::detail {
namespace {

using test::DenseProblem;
using test::ProblemData;

// What follow_path keeps.
struct Kept {
  Lambdas lambdas;
  double b = 0.0;
  std::vector<double> w;
  SolveReport report;
};

struct Followed {
  std::vector<Kept> points;
  PathReport report;
};

// A problem and a way to solve it, as follow_path asks for them.
template <class Problem>
class TestTraining final : public Training {
 public:
  using Point = typename Problem::Point;
  using Solve = std::function<Solution<Point>(const Problem&, Point, double, const SolveMonitor&)>;

  TestTraining(Problem problem, Solve solve) : problem_(std::move(problem)), solve_(std::move(solve)) {}

  [[nodiscard]] const Point& point() const { return point_; }
  void start_at_null_model(double lambda2, double lambda3) override {
    problem_.set_lambdas(0.0, lambda2, lambda3);
    point_ = problem_.constant();
  }
  [[nodiscard]] double lambda1_max() const override { return lambda1_max_at(problem_, point_); }
  void start_at(Fitted /*fitted*/) override { ADD_FAILURE() << "a path starts at the null model"; }
  void start_at_zero(double /*lambda2*/, double /*lambda3*/) override { point_ = problem_.zero(); }
  SolveReport solve(const Lambdas& lambdas, double time_limit, const SolveMonitor& monitor) override {
    problem_.set_lambdas(lambdas.lambda1, lambdas.lambda2, lambdas.lambda3);
    Solution<Point> solution = solve_(problem_, std::move(point_), time_limit, monitor);
    point_ = std::move(solution.point);
    return solution.report;
  }
  [[nodiscard]] double loss() const override { return problem_.smooth(point_); }
  [[nodiscard]] Count n_samples() const override {
    return static_cast<Count>(problem_.sample_weights().size());
  }
  [[nodiscard]] Index n_features() const override { return problem_.n_features(); }
  [[nodiscard]] std::vector<Index> support() const override { return problem_.support(point_); }
  [[nodiscard]] std::span<const double> scores(Index /*sample*/) const override { return {}; }
  [[nodiscard]] Fitted fitted() const override { return {}; }

 private:
  Problem problem_;
  Solve solve_;
  Point point_;
};

Followed follow(DenseProblem problem, const std::vector<double>& grid, const PathPenalty& penalty,
                const TestTraining<DenseProblem>::Solve& solve, const PathLimits& limits = {},
                const SolveMonitor& monitor = {}) {
  Followed result;
  TestTraining<DenseProblem> training(std::move(problem), solve);
  result.report = follow_path(
      training, grid, penalty, limits, monitor, [&](const Lambdas& lambdas, const SolveReport& report) {
        result.points.push_back({lambdas, training.point().b,
                                 test::all_coefficients(training.point().w, training.n_features()), report});
      });
  return result;
}

const auto by_pg = [](const auto& problem, auto start, double time_limit, const SolveMonitor& monitor) {
  ProximalGradientOptions options;
  options.time_limit = time_limit;
  return proximal_gradient(problem, std::move(start), options, monitor);
};
const auto by_pg2 = [](const auto& problem, auto start, double time_limit, const SolveMonitor& monitor) {
  ProximalGradientOptions options;
  options.time_limit = time_limit;
  return two_stage(problem, std::move(start), options, monitor);
};

template <class Problem>
double lambda1_max_of(const Problem& problem) {
  return lambda1_max_at(problem, null_point(problem));
}

PathPenalty penalty_of(const ProblemData& data) {
  return {.lambda2 = data.parameters.penalty.lambda2, .lambda3 = data.parameters.lambda3};
}

std::vector<double> grid_of(const ProblemData& data, int n = 12) {
  return geometric_grid(lambda1_max_of(data.problem()), n, 0.01);
}

TEST(FollowPath, CertifiesEveryPointAndAgreesWithSeparateFits) {
  for (ProblemData data : test::random_problems()) {
    SCOPED_TRACE(data.name);
    const std::vector<double> grid = grid_of(data);
    for (const bool two_stages : {false, true}) {
      const Followed path = two_stages ? follow(data.problem(), grid, penalty_of(data), by_pg2)
                                       : follow(data.problem(), grid, penalty_of(data), by_pg);
      EXPECT_EQ(path.report.status, Status::converged);
      ASSERT_EQ(path.points.size(), grid.size());
      EXPECT_EQ(path.report.n_points, 12);
      double passes = 0.0;
      for (std::size_t k = 0; k < grid.size(); ++k) {
        const Kept& point = path.points[k];
        EXPECT_EQ(point.lambdas.lambda1, grid[k]);
        EXPECT_EQ(point.lambdas.lambda2, data.parameters.penalty.lambda2);
        EXPECT_EQ(point.lambdas.lambda3, data.parameters.lambda3);
        EXPECT_EQ(point.report.status, Status::converged);
        EXPECT_LE(point.report.relative_gap(), 1e-6);
        passes += point.report.passes;

        data.parameters.penalty.lambda1 = grid[k];
        EXPECT_NEAR(point.report.objective, test::reference_objective(data, point.b, point.w), 1e-12);
        const DenseProblem alone = data.problem();
        const SolveReport single = proximal_gradient(alone, alone.constant(), {}).report;
        EXPECT_LE(point.report.dual_objective, single.objective + 1e-14);
        EXPECT_LE(single.dual_objective, point.report.objective + 1e-14);
      }
      EXPECT_DOUBLE_EQ(path.report.passes, passes);
    }
  }
}

TEST(FollowPath, BeginsWithTheEmptyModel) {
  const ProblemData data = test::random_problem({.seed = 8, .n = 30, .p = 40});
  const Followed path = follow(data.problem(), grid_of(data), penalty_of(data), by_pg);
  EXPECT_EQ(path.points.front().w, std::vector<double>(40, 0.0));
  EXPECT_NE(path.points[1].w, std::vector<double>(40, 0.0));
}

TEST(FollowPath, WarmStartsSaveIterations) {
  int warm = 0;
  int cold = 0;
  for (const std::uint64_t seed : {1U, 2U, 3U}) {
    ProblemData data = test::random_problem({.seed = seed, .n = 60, .p = 150, .lambda2 = 0.01});
    const std::vector<double> grid = grid_of(data, 40);
    for (const Kept& point : follow(data.problem(), grid, penalty_of(data), by_pg).points)
      warm += point.report.iterations;
    for (const double lambda1 : grid) {
      data.parameters.penalty.lambda1 = lambda1;
      const DenseProblem problem = data.problem();
      cold += proximal_gradient(problem, problem.constant(), {}).report.iterations;
    }
  }
  EXPECT_LT(warm, cold);
}

TEST(FollowPath, MovesLambda2WithAlpha) {
  const ProblemData data = test::random_problem({.seed = 2, .n = 30, .p = 20, .positive_share = 0.2});
  const PathPenalty penalty{.alpha = 0.8, .lambda3 = 0.1};
  DenseProblem problem = data.problem();
  const double most = lambda1_max_of_share([&](double lambda1) {
    problem.set_lambdas(0.0, penalty.at(lambda1).lambda2, penalty.at(lambda1).lambda3);
    return lambda1_max_of(problem);
  });
  const Followed path = follow(data.problem(), geometric_grid(most, 10, 0.01), penalty, by_pg);
  EXPECT_EQ(path.report.status, Status::converged);
  EXPECT_EQ(path.points.front().w, std::vector<double>(20, 0.0));
  EXPECT_NE(path.points.front().b, 0.0);
  EXPECT_NE(path.points[1].w, std::vector<double>(20, 0.0));
  for (const Kept& point : path.points) {
    EXPECT_DOUBLE_EQ(point.lambdas.lambda2, 0.25 * point.lambdas.lambda1);
    EXPECT_EQ(point.lambdas.lambda3, 0.1);
    EXPECT_LE(point.report.relative_gap(), 1e-6);
  }
  // Just below the top a feature comes in: it is the smallest lambda1 of an empty model.
  const Followed below = follow(data.problem(), {0.999 * most}, penalty,
                                [](const auto& p, auto start, double, const SolveMonitor& monitor) {
                                  return proximal_gradient(p, std::move(start), {.tolerance = 1e-10}, monitor);
                                });
  EXPECT_NE(below.points.front().w, std::vector<double>(20, 0.0));
}

TEST(FollowPath, CoversMulticlassProblems) {
  for (const test::MulticlassData& data : test::random_multiclass_problems()) {
    SCOPED_TRACE(data.name);
    auto problem = data.problem();
    const auto grid = geometric_grid(lambda1_max_of(problem), 6, 0.05);
    const PathPenalty penalty{.lambda2 = data.parameters.penalty.lambda2, .lambda3 = data.parameters.lambda3};
    int certified = 0;
    TestTraining<MulticlassProblem> training(problem, by_pg);
    const PathReport report = follow_path(
        training, grid, penalty, {}, {},
        [&](const Lambdas&, const SolveReport& solved) { certified += solved.relative_gap() <= 1e-6 ? 1 : 0; });
    EXPECT_EQ(report.status, Status::converged);
    EXPECT_EQ(certified, 6);
  }
}

TEST(FollowPath, EndsWithTheFirstPointAboveTheLimitOfNonzeros) {
  const ProblemData data = test::random_problem({.seed = 8, .n = 30, .p = 40});
  const auto count = [](const Kept& point) {
    return std::count_if(point.w.begin(), point.w.end(), [](double w) { return w != 0.0; });
  };
  const std::vector<double> grid = grid_of(data, 30);
  for (const Index most : {0, 5, 12}) {
    const Followed path = follow(data.problem(), grid, penalty_of(data), by_pg, {.max_nonzeros = most});
    EXPECT_EQ(path.report.status, Status::converged);
    ASSERT_LT(path.points.size(), grid.size());
    EXPECT_GT(count(path.points.back()), most);
    for (std::size_t k = 0; k + 1 < path.points.size(); ++k) EXPECT_LE(count(path.points[k]), most);
  }
  EXPECT_EQ(follow(data.problem(), grid, penalty_of(data), by_pg, {.max_nonzeros = 40}).points.size(), 30U);
}

// A solver that ends as it is told, one status a point.
auto scripted(std::vector<Status> script, std::size_t& asked) {
  return [script, &asked](const DenseProblem&, DenseProblem::Point start, double, const SolveMonitor&) {
    SolveReport report;
    report.status = script.at(asked++);
    report.passes = 2.0;
    return Solution<DenseProblem::Point>{std::move(start), report};
  };
}

struct Ending {
  std::vector<Status> script;
  std::size_t kept;
  Status status;
};

TEST(FollowPath, KeepsWhatIsNotCertifiedAndDropsWhatWasCutShort) {
  using enum Status;
  const ProblemData data = test::random_problem({.seed = 8});
  for (const Ending& ending : std::vector<Ending>{
           {{converged, converged, converged}, 3, converged},
           {{converged, iteration_limit, converged}, 3, iteration_limit},
           {{stalled, iteration_limit, converged}, 3, stalled},
           {{converged, converged, not_finite}, 3, not_finite},
           {{converged, time_limit}, 1, time_limit},
           {{converged, iteration_limit, interrupted}, 2, interrupted},
           {{time_limit}, 1, time_limit},
           {{interrupted}, 1, interrupted},
       }) {
    std::size_t asked = 0;
    const Followed path =
        follow(data.problem(), {3.0, 2.0, 1.0}, penalty_of(data), scripted(ending.script, asked));
    EXPECT_EQ(path.points.size(), ending.kept);
    EXPECT_EQ(path.report.n_points, static_cast<int>(ending.kept));
    EXPECT_EQ(path.report.status, ending.status);
    EXPECT_EQ(asked, ending.script.size());
    EXPECT_EQ(path.report.passes, 2.0 * static_cast<double>(asked));
    for (std::size_t k = 0; k < path.points.size(); ++k)
      EXPECT_EQ(path.points[k].report.status, ending.script[k]);
  }
}

TEST(FollowPath, StopsBetweenPointsToo) {
  using enum Status;
  const ProblemData data = test::random_problem({.seed = 8});
  std::size_t asked = 0;
  const SolveMonitor monitor{.interrupted = [&] { return asked == 2; }, .progress = {}};
  const auto solve = scripted({converged, converged, converged}, asked);
  const Followed interrupted_path =
      follow(data.problem(), {3.0, 2.0, 1.0}, penalty_of(data), solve, {}, monitor);
  EXPECT_EQ(interrupted_path.points.size(), 2U);
  EXPECT_EQ(interrupted_path.report.status, interrupted);

  asked = 0;
  const Followed limited =
      follow(data.problem(), {3.0, 2.0, 1.0}, penalty_of(data), solve, {.time_limit = 0.0});
  EXPECT_EQ(limited.points.size(), 1U);  // the first is always tried
  EXPECT_EQ(limited.report.status, time_limit);
}

TEST(FollowPath, HandsTheSolverWhatIsLeftOfTheTime) {
  const ProblemData data = test::random_problem({.seed = 8});
  std::vector<double> limits;
  std::vector<DenseProblem::Point> starts;
  const auto solve = [&](const DenseProblem& problem, DenseProblem::Point start, double time_limit,
                         const SolveMonitor& monitor) {
    limits.push_back(time_limit);
    starts.push_back(start);
    return by_pg(problem, std::move(start), time_limit, monitor);
  };
  const Followed path =
      follow(data.problem(), {0.2, 0.1, 0.05}, penalty_of(data), solve, {.time_limit = 100.0});
  ASSERT_EQ(limits.size(), 3U);
  EXPECT_LE(limits[0], 100.0);
  EXPECT_LT(limits[1], limits[0]);
  EXPECT_LT(limits[2], limits[1]);
  EXPECT_EQ(test::all_coefficients(starts[1].w, data.x.cols()), path.points[0].w);
  EXPECT_EQ(test::all_coefficients(starts[2].w, data.x.cols()), path.points[1].w);
}

TEST(FollowPath, CountsOnInItsTrace) {
  const ProblemData data = test::random_problem({.seed = 8, .n = 30, .p = 40});
  const std::vector<double> grid = grid_of(data, 5);
  std::vector<Progress> trace;
  std::vector<Progress> shown;
  const SolveMonitor monitor{.interrupted = {},
                             .progress = [&](const Progress& p) { shown.push_back(p); },
                             .interval = 0.0,
                             .trace = [&](const Progress& p) { trace.push_back(p); }};
  const Followed path = follow(data.problem(), grid, penalty_of(data), by_pg2, {}, monitor);
  int iterations = 0;
  for (const Kept& point : path.points) iterations += point.report.iterations;
  ASSERT_EQ(std::ssize(trace), iterations);
  EXPECT_EQ(std::ssize(shown), iterations + 5);  // and one at the end of each point
  for (std::size_t k = 0; k < trace.size(); ++k) {
    EXPECT_EQ(trace[k].n_points, 5);
    EXPECT_EQ(trace[k].lambda1, grid[static_cast<std::size_t>(trace[k].point) - 1]);
    if (k == 0) continue;
    EXPECT_GE(trace[k].point, trace[k - 1].point);
    EXPECT_GE(trace[k].seconds, trace[k - 1].seconds);
    EXPECT_GT(trace[k].passes, trace[k - 1].passes);
  }
  EXPECT_EQ(trace.back().point, 5);
  EXPECT_DOUBLE_EQ(trace.back().passes, path.report.passes);
  EXPECT_LE(trace.back().seconds, path.report.seconds);
}

}  // namespace
}  // namespace hsvm::detail
