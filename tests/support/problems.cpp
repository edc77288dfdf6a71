#include "tests/support/problems.hpp"

#include <algorithm>
#include <numeric>

#include "hsvm/core/random.hpp"

namespace hsvm::test {

DenseMatrix<double> matrix(const std::vector<std::vector<double>>& rows) {
  DenseMatrix<double> x(static_cast<Index>(rows.size()), static_cast<Index>(rows.front().size()));
  for (Index i = 0; i < x.rows(); ++i) {
    for (Index j = 0; j < x.cols(); ++j)
      x(i, j) = rows[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)];
  }
  return x;
}

// One feature, two points: (x,y) = (+1,+1), (-1,-1); delta = 1, lambda1 = 1/4, lambda2 = 1/2.
//   By symmetry b = 0; on 0 < w <= 1:  -(1-w) + lambda1 + lambda2 w = 0.
// Solution: w = 1/2, b = 0, objective 5/16; all-zero exactly when lambda1 >= 1.
SolvedProblem two_point_problem() {
  return {{"two_point", matrix({{1}, {-1}}), {1, -1}, {1, 1}, {{1.0}, {0.25, 0.5, {}}, 0.5, true}},
          0.0,
          {0.5},
          5.0 / 16.0,
          1.0};
}

// One sample (2,+1), no intercept; delta = 1/2, lambda1 = lambda2 = 1.
//   For 1/2 < t = 2w <= 1:  2 (-(1-2w)/delta) + lambda1 + lambda2 w = -4 + 8w + 1 + w = 0.
// Solution: w = 1/3, t = 2/3, objective 1/9 + 1/3 + 1/18 = 1/2. At w = 0 a = 1 and c = 2.
SolvedProblem elbow_problem() {
  return {{"elbow", matrix({{2}}), {1}, {1}, {{0.5}, {1.0, 1.0, {}}, 0.0, false}}, 0.0, {1.0 / 3.0}, 0.5, 2.0};
}

// The same with lambda2 = 8, which keeps the sample on the linear part, t <= 1/2:  -2 + lambda1 + 8w = 0.
// Solution: w = 1/8, t = 1/4, objective (1 - 1/4 - 1/4) + 1/8 + 1/16 = 11/16.
SolvedProblem linear_part_problem() {
  SolvedProblem result = elbow_problem();
  result.name = "linear_part";
  result.parameters.penalty.lambda2 = 8.0;
  result.w = {1.0 / 8.0};
  result.objective = 11.0 / 16.0;
  return result;
}

// One feature, (+1,+1) once and (-1,-1) twice, free intercept; delta = 2, lambda1 = lambda2 = 1/9. All three in
// the elbow:
//   d/db:  -(1-w-b)/2 + 2 (1-w+b)/2 = 0                    =>  b = -(1-w)/3
//   d/dw:  -[(1-w-b) + 2 (1-w+b)]/6 + lambda1 + lambda2 w = 0  =>  4 (1-w)/9 = (1 + w)/9
// Solution: w = 3/5, b = -2/15; margins 7/15 and 11/15; objective 8/225 + 1/15 + 1/50 = 11/90.
// At w = 0: b = -1/3, c = 4/9.
SolvedProblem free_intercept_problem() {
  return {{"free_intercept",
           matrix({{1}, {-1}, {-1}}),
           {1, -1, -1},
           {1, 1, 1},
           {{2.0}, {1.0 / 9.0, 1.0 / 9.0, {}}, 0.0, true}},
          -2.0 / 15.0,
          {0.6},
          11.0 / 90.0,
          4.0 / 9.0};
}

// Two samples that contradict each other, x = 1 with y = +1 and weight 3/2, x = 1 with y = -1 and weight 1/2;
// no intercept, delta = 1, lambda1 = lambda2 = 1/4. For 0 < w <= 1 the first is in the elbow, the second on the
// linear part:
//   [-(3/2)(1-w) + 1/2]/2 + lambda1 + lambda2 w = 0
// Solution: w = 1/4, objective [(3/2)(9/32) + (1/2)(3/4)]/2 + 1/16 + 1/128 = 15/32. At w = 0: c = 1/2.
SolvedProblem weighted_problem() {
  return {{"weighted", matrix({{1}, {1}}), {1, -1}, {1.5, 0.5}, {{1.0}, {0.25, 0.25, {}}, 0.0, false}},
          0.0,
          {0.25},
          15.0 / 32.0,
          0.5};
}

// Three features, one sample for each: x_i = e_i, y = +1; no intercept, delta = 1, lambda1 = 1/6, lambda2 =
// 1/3, factors 0, 1, 3. The features part:  -(1-w_j)/3 + lambda1 v_j + lambda2 w_j = 0 where that is positive,
// else w_j = 0. Solution: w = (1/2, 1/4, 0), objective (1/8 + 9/32 + 1/2)/3 + 1/24 + 5/96 = 19/48. The first is
// in at any lambda1; of the others |c_j|/v_j = 1/3 and 1/9.
SolvedProblem factors_problem() {
  return {{"factors",
           matrix({{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}),
           {1, 1, 1},
           {1, 1, 1},
           {{1.0}, {1.0 / 6.0, 1.0 / 3.0, {0, 1, 3}}, 0.0, false}},
          0.0,
          {0.5, 0.25, 0.0},
          19.0 / 48.0,
          1.0 / 3.0};
}

// two_point_problem with lambda2 = 0 and a free intercept: -(1-w) + lambda1 = 0.
// Solution: w = 3/4, b = 0, objective (1/16)/2 + 3/16 = 7/32.
SolvedProblem pure_l1_problem() {
  SolvedProblem result = two_point_problem();
  result.name = "pure_l1";
  result.parameters.penalty.lambda2 = 0.0;
  result.parameters.lambda3 = 0.0;
  result.w = {0.75};
  result.objective = 7.0 / 32.0;
  return result;
}

// A column of zeros, two samples of +1 and one of -1; delta = 1, lambda3 = 1/3. For 0 < b <= 1:
//   -(2/3)(1-b) + 1/3 + b/3 = 0
// Solution: w = 0, b = 1/3, objective (2/3)(2/9) + (1/3)(5/6) + 1/54 = 4/9, at any lambda1.
SolvedProblem intercept_only_problem() {
  return {{"intercept_only",
           matrix({{0}, {0}, {0}}),
           {1, 1, -1},
           {1, 1, 1},
           {{1.0}, {0.1, 0.1, {}}, 1.0 / 3.0, true}},
          1.0 / 3.0,
          {0.0},
          4.0 / 9.0,
          0.0};
}

std::vector<SolvedProblem> solved_problems() {
  return {two_point_problem(), elbow_problem(),   linear_part_problem(), free_intercept_problem(),
          weighted_problem(),  factors_problem(), pure_l1_problem(),     intercept_only_problem()};
}

std::vector<double> all_coefficients(const SparseCoefficients& w, Index p) {
  std::vector<double> all(static_cast<std::size_t>(p));
  for (std::size_t c = 0; c < w.columns.size(); ++c) all[static_cast<std::size_t>(w.columns[c])] = w.values[c];
  return all;
}

std::vector<double> random_vector(std::uint64_t seed, std::size_t size, double scale) {
  Random random(seed, 1000);
  std::vector<double> result(size);
  for (double& value : result) value = scale * random.normal();
  return result;
}

ProblemData random_problem(const RandomProblem& recipe) {
  Random random(recipe.seed);
  ProblemData data;
  data.name = "random_" + std::to_string(recipe.seed);
  data.x = DenseMatrix<double>(recipe.n, recipe.p);
  for (Index i = 0; i < recipe.n; ++i) {
    const double y = i == 0 || (i > 1 && random.uniform() < recipe.positive_share) ? 1.0 : -1.0;
    data.y.push_back(y);
    data.s.push_back(recipe.weights ? (random.uniform() < 0.25 ? 0.0 : 0.1 + random.uniform()) : 1.0);
    for (Index j = 0; j < recipe.p; ++j) {
      const double value = 0.5 * y * (j % 3 == 0) + random.normal();
      data.x(i, j) = random.uniform() < recipe.density ? value : 0.0;
    }
  }
  data.s[0] = data.s[1] = 1.0;
  const double sum = std::accumulate(data.s.begin(), data.s.end(), 0.0);
  for (double& weight : data.s) weight *= static_cast<double>(recipe.n) / sum;

  data.parameters.loss.delta = recipe.delta;
  data.parameters.penalty.lambda1 = recipe.lambda1;
  data.parameters.penalty.lambda2 = recipe.lambda2;
  data.parameters.intercept = recipe.intercept != InterceptKind::absent;
  data.parameters.lambda3 =
      recipe.intercept == InterceptKind::penalised || recipe.intercept == InterceptKind::by_gradient ? 0.05
                                                                                                     : 0.0;
  data.parameters.intercept_by_gradient = recipe.intercept == InterceptKind::by_gradient;
  if (recipe.factors) {
    for (Index j = 0; j < recipe.p; ++j)
      data.parameters.penalty.factors.push_back(0.5 + 1.5 * random.uniform());
    if (recipe.lambda2 > 0.0) data.parameters.penalty.factors[0] = 0.0;
  }
  return data;
}

std::vector<ProblemData> random_problems() {
  constexpr double kDeltas[] = {1.0, 0.1, 2.0, 0.5};
  std::vector<ProblemData> result;
  std::uint64_t seed = 0;
  for (const InterceptKind kind :
       {InterceptKind::penalised, InterceptKind::by_gradient, InterceptKind::free, InterceptKind::absent}) {
    for (const double lambda2 : {0.1, 0.0}) {
      for (const bool weights : {false, true}) {
        for (const bool factors : {false, true}) {
          ++seed;
          result.push_back(random_problem({.seed = seed,
                                           .n = static_cast<Index>(8 + seed % 9),
                                           .p = static_cast<Index>(3 + seed % 14),
                                           .intercept = kind,
                                           .delta = kDeltas[seed % 4],
                                           .lambda2 = lambda2,
                                           .weights = weights,
                                           .factors = factors,
                                           .positive_share = seed % 2 == 0 ? 0.5 : 0.2}));
        }
      }
    }
  }
  return result;
}

}  // namespace hsvm::test
