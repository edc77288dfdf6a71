// Tiny all-together multi-class problems, hand-solved and random, and their referee: the formulas of
// multiclass_problem.hpp once more, from (b, W) and X alone.
#pragma once

#include <cstdint>
#include <ostream>
#include <string>
#include <vector>

#include "hsvm/data/dense_matrix.hpp"
#include "hsvm/problem/multiclass_problem.hpp"
#include "tests/support/problems.hpp"

namespace hsvm::test {

using DenseMulticlass = MulticlassProblem;
using Rows = std::vector<std::vector<double>>;  // W: p rows of J numbers

// What a MulticlassProblem refers to, owned.
struct MulticlassData {
  std::string name;
  DenseMatrix<double> x;
  std::vector<Index> y;
  std::vector<double> s;
  MulticlassParameters parameters;

  [[nodiscard]] DenseMulticlass problem() const { return DenseMulticlass(x, y, s, parameters); }
  [[nodiscard]] std::size_t n_classes() const { return static_cast<std::size_t>(parameters.n_classes); }
  [[nodiscard]] std::size_t n_features() const { return static_cast<std::size_t>(x.cols()); }
  [[nodiscard]] bool free_intercept() const { return parameters.intercept && parameters.lambda3 == 0.0; }
  [[nodiscard]] bool exact_intercept() const {
    return parameters.intercept && (parameters.lambda3 == 0.0 || !parameters.intercept_by_gradient);
  }
};

struct SolvedMulticlass : MulticlassData {
  std::vector<double> b;
  Rows w;
  double objective = 0.0;
  double lambda1_max = 0.0;
};

inline void PrintTo(const MulticlassData& data, std::ostream* stream) {
  *stream << data.name;
}

// The derivations stand in multiclass.cpp.
[[nodiscard]] SolvedMulticlass three_corner_problem();
[[nodiscard]] SolvedMulticlass three_corner_pure_l1_problem();
[[nodiscard]] SolvedMulticlass left_middle_right_problem();
[[nodiscard]] SolvedMulticlass three_class_intercept_problem();
[[nodiscard]] SolvedMulticlass even_odd_problem(Index n_classes);
[[nodiscard]] std::vector<SolvedMulticlass> solved_multiclass_problems();

struct RandomMulticlass {
  std::uint64_t seed = 1;
  Index n = 14;
  Index p = 7;
  Index n_classes = 3;
  InterceptKind intercept = InterceptKind::penalised;
  double delta = 1.0;
  double lambda1 = 0.05;
  double lambda2 = 0.1;
  bool weights = false;  // some of them 0
  bool factors = false;  // one of them 0 where lambda2 > 0
  Margins margins = Margins::absolute;
};
// Each class has a sample of its own.
[[nodiscard]] MulticlassData random_multiclass_problem(const RandomMulticlass& recipe);
// A battery: both kinds of margins, every kind of intercept, with and without weights, factors and lambda2, two to seven classes,
// several deltas.
[[nodiscard]] std::vector<MulticlassData> random_multiclass_problems();

// Rows that sum to zero (to rounding), a third of them all zero.
[[nodiscard]] Rows random_rows(std::uint64_t seed, std::size_t n_features, std::size_t n_classes, double scale);
[[nodiscard]] std::vector<double> random_intercepts(std::uint64_t seed, std::size_t n_classes, double scale);

// The point with these intercepts and coefficients; zero rows are not held.
template <class Problem>
[[nodiscard]] typename Problem::Point make_point(const Problem& problem, const std::vector<double>& b,
                                                 const Rows& w) {
  const Index n_classes = problem.parameters().n_classes;
  typename Problem::Point u;
  u.b = b;
  for (std::size_t j = 0; j < w.size(); ++j) {
    if (w[j] != std::vector<double>(w[j].size(), 0.0)) u.rows.push_back(static_cast<Index>(j));
  }
  u.w.reset(static_cast<Index>(u.rows.size()), n_classes);
  for (std::size_t c = 0; c < u.rows.size(); ++c) {
    std::ranges::copy(w[static_cast<std::size_t>(u.rows[c])], u.w.row(static_cast<Index>(c)).begin());
  }
  problem.design().multiply(u.rows, u.w, u.scores);
  for (Index i = 0; i < u.scores.rows(); ++i) {
    for (std::size_t k = 0; k < b.size(); ++k) u.scores.row(i)[k] += b[k];
  }
  return u;
}

// All p rows of a point's W.
template <class Point>
[[nodiscard]] Rows all_rows(const Point& u, std::size_t n_features) {
  Rows result(n_features, std::vector<double>(u.b.size(), 0.0));
  for (std::size_t c = 0; c < u.rows.size(); ++c) {
    const auto row = u.w.row(static_cast<Index>(c));
    result[static_cast<std::size_t>(u.rows[c])].assign(row.begin(), row.end());
  }
  return result;
}

// The largest |sum| of a row of W, relative to the sizes of its entries, and of b, relative to them or to 1.
[[nodiscard]] double largest_sum(const std::vector<double>& b, const Rows& w);

struct MulticlassGradient {  // of f
  std::vector<double> b;
  Rows w;
};

[[nodiscard]] double reference_smooth(const MulticlassData& data, const std::vector<double>& b, const Rows& w);
[[nodiscard]] double reference_objective(const MulticlassData& data, const std::vector<double>& b,
                                         const Rows& w);
[[nodiscard]] MulticlassGradient reference_gradient(const MulticlassData& data, const std::vector<double>& b,
                                                    const Rows& w);

// max over sum(w) = 0 of c'w - threshold |w|_1 - lambda2/2 |w|^2, as the smallest value of its Lagrangian dual
//   sum_k S_threshold(c_k - sigma)^2/(2 lambda2)
// over sigma; every sigma gives an upper bound.
[[nodiscard]] double reference_row_conjugate(const std::vector<double>& c, double threshold, double lambda2);

// Normal numbers in rows whose sums are zero.
[[nodiscard]] ClassMatrix random_steps(std::uint64_t seed, Index rows, Index n_classes);

// A lower bound on the minimum of F, from the dual point of (b, W). Where lambda2 = 0 the point is scaled to
// feasibility; with a free intercept b must be the best one for W (up to rounding).
[[nodiscard]] double reference_dual(const MulticlassData& data, const std::vector<double>& b, const Rows& w);

// The largest violation of the optimality conditions of F, the multipliers of the sums chosen at their best.
[[nodiscard]] double reference_violation(const MulticlassData& data, const std::vector<double>& b,
                                         const Rows& w);

}  // namespace hsvm::test
