#include "tests/support/extreme.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <utility>

#include "hsvm/core/random.hpp"
#include "hsvm/data/csc_matrix.hpp"
#include "hsvm/data/dense_matrix.hpp"
#include "hsvm/data/standardized_view.hpp"
#include "hsvm/newton/newton.hpp"
#include "hsvm/solve/null_model.hpp"
#include "hsvm/solve/two_stage.hpp"

namespace hsvm::test {
namespace {

using Extended = long double;

constexpr double kTimestamp = 1.6e9;

// The columns as the case describes them, entries of zero now and then.
DenseMatrix<double> make_columns(const ExtremeCase& extreme, std::span<const Index> y) {
  Random random(extreme.seed, 3);
  const auto p = static_cast<Index>(extreme.columns.size());
  DenseMatrix<double> x(extreme.n, p);
  for (Index j = 0; j < p; ++j) {
    const ColumnKind kind = extreme.columns[static_cast<std::size_t>(j)];
    const Index other = j > 0 ? static_cast<Index>(random.below(static_cast<std::uint64_t>(j))) : 0;
    const double spread = std::pow(10.0, -2.0 + 7.0 * random.uniform());  // of a timestamp
    for (Index i = 0; i < extreme.n; ++i) {
      const double signal = y[static_cast<std::size_t>(i)] == j % extreme.n_classes ? 0.7 : 0.0;
      double value = random.normal() + signal;
      if (kind == ColumnKind::indicator) value = value > 0.8 ? 1.0 : 0.0;
      if (kind == ColumnKind::constant) value = 3.0;
      if (kind == ColumnKind::timestamp) value = kTimestamp + spread * value;
      if (j > 0 && kind == ColumnKind::copy) value = x(i, other);
      if (j > 0 && kind == ColumnKind::nearly_collinear) value = x(i, other) * (1.0 + 1e-9 * random.normal());
      if (extreme.sparse && kind == ColumnKind::normal && random.below(2) == 0) value = 0.0;
      x(i, j) = value;
    }
  }
  for (Index j = 0; j < p; ++j) {
    for (Index i = 0; i < extreme.n; ++i) x(i, j) *= extreme.scales[static_cast<std::size_t>(j)];
  }
  return x;
}

CscMatrix<double> sparse_of(const DenseMatrix<double>& x) {
  AlignedBuffer<Count> starts(1, 0);
  AlignedBuffer<Index> rows;
  AlignedBuffer<double> values;
  for (Index j = 0; j < x.cols(); ++j) {
    for (Index i = 0; i < x.rows(); ++i) {
      if (x(i, j) == 0.0) continue;
      rows.push_back(i);
      values.push_back(x(i, j));
    }
    starts.push_back(static_cast<Count>(rows.size()));
  }
  return CscMatrix<double>(x.rows(), std::move(starts), std::move(rows), std::move(values));
}

// X as the solver sees it, in extended precision: entry (i, j) at i + j n.
std::vector<Extended> seen_entries(const DenseMatrix<double>& x, const Design& design) {
  std::vector<Extended> result;
  for (Index j = 0; j < x.cols(); ++j) {
    const Affine seen = design.affine(j);
    for (Index i = 0; i < x.rows(); ++i) {
      const Extended stored = x(i, j);
      result.push_back(seen.scale == 0.0 ? Extended{0} : seen.scale * (stored - Extended{seen.center}));
    }
  }
  return result;
}

Extended loss_of(const MarginLoss& loss, Extended t) {
  const Extended a = std::clamp<Extended>((1 - t) / loss.delta, 0, loss.cap);
  return a * ((1 - t) - Extended{0.5} * loss.delta * a);
}

// F from the coefficients alone.
Extended exact_objective(const BinaryProblem& problem, const std::vector<Extended>& x,
                         const BinaryProblem::Point& u) {
  const BinaryParameters& parameters = problem.parameters();
  const std::size_t n = problem.y().size();
  std::vector<Extended> scores(n, u.b);
  Extended penalty = Extended{0.5} * parameters.lambda3 * u.b * u.b;
  for (std::size_t c = 0; c < u.w.columns.size(); ++c) {
    const auto j = static_cast<std::size_t>(u.w.columns[c]);
    const Extended w = u.w.values[c];
    penalty += parameters.penalty.lambda1 * std::abs(w) + Extended{0.5} * parameters.penalty.lambda2 * w * w;
    for (std::size_t i = 0; i < n; ++i) scores[i] += w * x[i + j * n];
  }
  Extended total = 0;
  for (std::size_t i = 0; i < n; ++i) total += loss_of(parameters.loss, problem.y()[i] * scores[i]);
  return total / static_cast<Extended>(n) + penalty;
}

Extended exact_objective(const MulticlassProblem& problem, const std::vector<Extended>& x,
                         const MulticlassProblem::Point& u) {
  const MulticlassParameters& parameters = problem.parameters();
  const std::size_t n = problem.y().size();
  Extended total = 0;
  Extended penalty = 0;
  std::vector<std::vector<Extended>> all_scores;
  for (std::size_t k = 0; k < u.b.size(); ++k) {
    std::vector<Extended>& scores = all_scores.emplace_back(n, u.b[k]);
    penalty += Extended{0.5} * parameters.lambda3 * u.b[k] * u.b[k];
    for (std::size_t c = 0; c < u.rows.size(); ++c) {
      const Extended w = u.w.row(static_cast<Index>(c))[k];
      const std::size_t j = static_cast<std::size_t>(u.rows[c]);
      penalty += parameters.penalty.lambda1 * std::abs(w) + Extended{0.5} * parameters.penalty.lambda2 * w * w;
      for (std::size_t i = 0; i < n; ++i) scores[i] += w * x[i + j * n];
    }
  }
  for (std::size_t i = 0; i < n; ++i) {
    const auto y = static_cast<std::size_t>(problem.y()[i]);
    const Extended right = parameters.margins == Margins::relative ? all_scores[y][i] : Extended{0};
    for (std::size_t k = 0; k < u.b.size(); ++k) {
      if (k != y) total += loss_of(parameters.loss, right - all_scores[k][i]);
    }
  }
  return total / static_cast<Extended>(n) + penalty;
}

// The largest sum of a row of W, or of b, over the row's largest entry.
double largest_row_sum(const BinaryProblem::Point& /*u*/) {
  return 0.0;
}
double largest_row_sum(const MulticlassProblem::Point& u) {
  const auto relative = [](std::span<const double> row) {
    Extended sum = 0;
    double size = std::numeric_limits<double>::min();
    for (const double value : row) {
      sum += value;
      size = std::max(size, std::abs(value));
    }
    return std::abs(static_cast<double>(sum)) / size;
  };
  double largest = 0.0;
  for (Index c = 0; c < u.w.rows(); ++c) largest = std::max(largest, relative(u.w.row(c)));
  return largest;
}

// All solvers from the null model, newton also along a path and from where pg has ended.
template <class P>
std::vector<Solution<typename P::Point>> run_all(P& problem, const ExtremeCase& extreme, double tolerance,
                                                 int max_iterations) {
  const typename P::Point start = null_point(problem);
  const double lambda1_max = lambda1_max_at(problem, start);
  const auto at_ratio = [&](double ratio) {
    problem.set_lambdas(ratio * lambda1_max, extreme.lambda2, problem.parameters().lambda3);
  };
  ProximalGradientOptions options;
  options.tolerance = tolerance;
  options.max_iterations = max_iterations;
  const NewtonOptions newton_options{.max_iterations = max_iterations, .tolerance = tolerance};
  std::vector<Solution<typename P::Point>> result;
  at_ratio(extreme.lambda1_ratio);
  result.push_back(newton(problem, start, newton_options));
  result.push_back(proximal_gradient(problem, start, options));
  result.push_back(two_stage(problem, start, options));
  NewtonSolver<P> along_path(problem, true);
  typename P::Point point = start;
  for (const double share : {1.0 / 3.0, 2.0 / 3.0, 1.0}) {
    at_ratio(std::pow(extreme.lambda1_ratio, share));
    Solution<typename P::Point> solution = along_path.solve(std::move(point), newton_options);
    point = solution.point;
    if (share == 1.0) result.push_back(std::move(solution));
  }
  result.push_back(newton(problem, result[1].point, newton_options));
  return result;
}

template <class P>
ExtremeOutcome judge(P& problem, const ExtremeCase& extreme, const std::vector<Extended>& x, double tolerance,
                     int max_iterations) {
  const auto solutions = run_all(problem, extreme, tolerance, max_iterations);
  ExtremeOutcome outcome;
  std::vector<double> exact(solutions.size());
  std::size_t best = 0;
  for (std::size_t k = 0; k < solutions.size(); ++k) {
    exact[k] = static_cast<double>(exact_objective(problem, x, solutions[k].point));
    if (exact[k] < exact[best]) best = k;
  }
  for (std::size_t k = 0; k < solutions.size(); ++k) {
    const SolveReport& report = solutions[k].report;
    outcome.statuses[k] = report.status;
    outcome.relative_gaps[k] = report.relative_gap();
    const auto complain = [&](const std::string& what) {
      outcome.violations.push_back(
          fmt::format("{} ({}): {}; {}", kRunNames[k], to_string(report.status), what, extreme.describe()));
    };
    const double scale = report.objective_at_zero;
    // What a sum of extended precision, rounded once, may be off by, and rows that do not quite sum to zero.
    const double slack = 1e-14 * scale + problem.objective_rounding(solutions[best].point, exact[best]);
    if (!std::isfinite(report.objective) || !std::isfinite(report.dual_objective) || !(report.gap() >= 0.0) ||
        !(report.dual_objective >= 0.0))
      complain(fmt::format("objective {}, bound {}", report.objective, report.dual_objective));
    if (!(report.dual_objective <= exact[best] + slack))
      complain(fmt::format("bound {:.17g} above {:.17g}, found by {}", report.dual_objective, exact[best],
                           kRunNames[best]));
    if (!(largest_row_sum(solutions[k].point) <= 1e-14))
      complain(fmt::format("a row of W sums to {} of its size", largest_row_sum(solutions[k].point)));
    if (report.status != Status::converged) continue;
    if (!(exact[k] - exact[best] <= tolerance * scale + slack))
      complain(
          fmt::format("converged at {:.17g}, beaten by {:.17g} of {}", exact[k], exact[best], kRunNames[best]));
    if (!(std::abs(exact[k] - report.objective) <= tolerance * scale))
      complain(fmt::format("says {:.17g}, its coefficients {:.17g}", report.objective, exact[k]));
  }
  return outcome;
}

double power_between(Random& random, double low, double high) {
  return std::pow(10.0, low + (high - low) * random.uniform());
}

}  // namespace

std::string ExtremeCase::describe() const {
  static constexpr const char* kNames[] = {"normal", "copy", "constant", "collinear", "timestamp", "indicator"};
  std::string text = fmt::format(
      "case {}: n {}, {} classes{}{}{}, lambda1 {:.3g} of its maximum, lambda2 {:.3g}, lambda3 {:.3g}{}, delta {:.3g}, columns",
      seed, n, n_classes,
      !all_together                  ? ""
      : margins == Margins::relative ? ", relative margins"
                                     : ", absolute margins",
      sparse ? ", sparse" : "", standardize ? ", standardised" : "", lambda1_ratio, lambda2, lambda3,
      intercept ? "" : " (no intercept)", delta);
  for (std::size_t j = 0; j < columns.size(); ++j)
    text += fmt::format(" {}*{:.1e}", kNames[static_cast<std::size_t>(columns[j])], scales[j]);
  return text;
}

ExtremeCase extreme_case(std::uint64_t seed) {
  Random random(seed, 1);
  ExtremeCase result;
  result.seed = seed;
  result.n = 6 + static_cast<Index>(random.below(random.below(3) == 0 ? 60 : 20));
  result.n_classes = 2 + static_cast<Index>(random.below(3) == 0 ? 0 : random.below(5));
  result.all_together = result.n_classes > 2 || random.below(2) == 0;
  const std::size_t p = 1 + random.below(random.below(4) == 0 ? 60 : 15);
  const bool is_plain = random.below(3) == 0;  // normal columns alone
  for (std::size_t j = 0; j < p; ++j)
    result.columns.push_back(is_plain || random.below(2) == 0 ? ColumnKind::normal
                                                              : static_cast<ColumnKind>(random.below(6)));
  const double common = power_between(random, -20.0, 20.0);
  const std::uint64_t scaling = random.below(4);
  for (std::size_t j = 0; j < p; ++j) {
    const double own = scaling == 0   ? 1.0
                       : scaling == 1 ? common
                       : scaling == 2 ? common * power_between(random, -2.0, 2.0)
                                      : power_between(random, -20.0, 20.0);
    result.scales.push_back(own);
  }
  result.sparse = random.below(3) == 0;
  result.standardize = random.below(2) == 0;
  result.lambda1_ratio = power_between(random, -3.0, 0.0);
  const std::uint64_t ridge = random.below(4);
  result.lambda2 = ridge == 0   ? 0.0
                   : ridge == 1 ? power_between(random, -300.0, -10.0)
                                : power_between(random, -10.0, 6.0);
  const std::uint64_t free = random.below(3);
  result.intercept = random.below(8) != 0;
  result.lambda3 = !result.intercept || free == 0 ? 0.0
                   : free == 1                    ? result.lambda2
                                                  : power_between(random, -300.0, 3.0);
  result.delta = random.below(2) == 0 ? 1.0 : power_between(random, -3.0, 1.0);
  if (random.below(2) == 0) result.margins = Margins::relative;
  return result;
}

ExtremeOutcome solve_extreme(const ExtremeCase& extreme, double tolerance, int max_iterations) {
  Random random(extreme.seed, 2);
  std::vector<Index> y;
  for (Index i = 0; i < extreme.n; ++i)
    y.push_back(i < extreme.n_classes
                    ? i
                    : static_cast<Index>(random.below(static_cast<std::uint64_t>(extreme.n_classes))));
  const DenseMatrix<double> x = make_columns(extreme, y);
  const std::vector<double> s(y.size(), 1.0);
  const std::shared_ptr<const Design> stored =
      extreme.sparse ? std::shared_ptr<const Design>(std::make_shared<CscMatrix<double>>(sparse_of(x)))
                     : std::make_shared<DenseMatrix<double>>(x);
  Standardization standardization;
  if (extreme.standardize) standardization = standardize(*stored, s);
  std::unique_ptr<const Design> view;
  if (extreme.standardize) view = std::make_unique<StandardizedView>(*stored, standardization);
  const Design& design = view ? *view : *stored;
  const std::vector<Extended> entries = seen_entries(x, design);
  const MarginLoss loss = huberized_hinge(extreme.delta);
  if (extreme.all_together) {
    MulticlassParameters parameters;
    parameters.loss = loss;
    parameters.penalty.lambda2 = extreme.lambda2;
    parameters.lambda3 = extreme.lambda3;
    parameters.intercept = extreme.intercept;
    parameters.n_classes = extreme.n_classes;
    parameters.margins = extreme.margins;
    MulticlassProblem problem(design, y, s, parameters);
    return judge(problem, extreme, entries, tolerance, max_iterations);
  }
  std::vector<double> signs;
  for (const Index k : y) signs.push_back(k == 1 ? 1.0 : -1.0);
  BinaryParameters parameters;
  parameters.loss = loss;
  parameters.penalty.lambda2 = extreme.lambda2;
  parameters.lambda3 = extreme.lambda3;
  parameters.intercept = extreme.intercept;
  BinaryProblem problem(design, signs, s, parameters);
  return judge(problem, extreme, entries, tolerance, max_iterations);
}

}  // namespace hsvm::test
