// Named tiny problems: hand-solved ones, whose answer is derived beside them, and random ones for properties.
#pragma once

#include <cstdint>
#include <ostream>
#include <string>
#include <vector>

#include "hsvm/data/csc_matrix.hpp"
#include "hsvm/data/dense_matrix.hpp"
#include "hsvm/data/design.hpp"
#include "hsvm/problem/binary_problem.hpp"

namespace hsvm::test {

using DenseProblem = BinaryProblem;

// What a BinaryProblem refers to, owned.
struct ProblemData {
  std::string name;
  DenseMatrix<double> x;
  std::vector<double> y;
  std::vector<double> s;
  BinaryParameters parameters;

  [[nodiscard]] DenseProblem problem() const { return DenseProblem(x, y, s, parameters); }
  [[nodiscard]] bool free_intercept() const { return parameters.intercept && parameters.lambda3 == 0.0; }
  // Whether b is the best one wherever f is looked at, not a variable of the loop.
  [[nodiscard]] bool exact_intercept() const {
    return parameters.intercept && (parameters.lambda3 == 0.0 || !parameters.intercept_by_gradient);
  }
};

struct SolvedProblem : ProblemData {
  double b = 0.0;
  std::vector<double> w;
  double objective = 0.0;
  double lambda1_max = 0.0;
};

inline void PrintTo(const ProblemData& data, std::ostream* stream) {
  *stream << data.name;
}

[[nodiscard]] DenseMatrix<double> matrix(const std::vector<std::vector<double>>& rows);

// The derivations stand in problems.cpp.
[[nodiscard]] SolvedProblem two_point_problem();
[[nodiscard]] SolvedProblem elbow_problem();
[[nodiscard]] SolvedProblem linear_part_problem();
[[nodiscard]] SolvedProblem free_intercept_problem();
[[nodiscard]] SolvedProblem weighted_problem();
[[nodiscard]] SolvedProblem factors_problem();
[[nodiscard]] SolvedProblem pure_l1_problem();
[[nodiscard]] SolvedProblem intercept_only_problem();
[[nodiscard]] std::vector<SolvedProblem> solved_problems();

enum class InterceptKind { penalised, by_gradient, free, absent };  // the first two with lambda3 > 0

struct RandomProblem {
  std::uint64_t seed = 1;
  Index n = 12;
  Index p = 7;
  InterceptKind intercept = InterceptKind::penalised;
  double delta = 1.0;
  double lambda1 = 0.05;
  double lambda2 = 0.1;
  bool weights = false;         // some of them 0
  bool factors = false;         // one of them 0 where lambda2 > 0
  double positive_share = 0.5;  // of the classes; each has a sample at least
  double density = 1.0;         // of X
};
[[nodiscard]] ProblemData random_problem(const RandomProblem& recipe);
// A battery: every kind of intercept, with and without weights, factors and lambda2, several deltas.
[[nodiscard]] std::vector<ProblemData> random_problems();

// Those of all p features.
[[nodiscard]] std::vector<double> all_coefficients(const SparseCoefficients& w, Index p);

[[nodiscard]] std::vector<double> random_vector(std::uint64_t seed, std::size_t size, double scale = 1.0);

// The same numbers in another layout, rounded to T.
template <class T>
[[nodiscard]] DenseMatrix<T> to_dense(const DenseMatrix<double>& x) {
  DenseMatrix<T> result(x.rows(), x.cols());
  for (Index j = 0; j < x.cols(); ++j) {
    for (Index i = 0; i < x.rows(); ++i) result(i, j) = static_cast<T>(x(i, j));
  }
  return result;
}
template <class T>
[[nodiscard]] CscMatrix<T> to_csc(const DenseMatrix<double>& x) {
  AlignedBuffer<Count> start(1, 0);
  AlignedBuffer<Index> rows;
  AlignedBuffer<T> values;
  for (Index j = 0; j < x.cols(); ++j) {
    for (Index i = 0; i < x.rows(); ++i) {
      if (x(i, j) == 0.0) continue;
      rows.push_back(i);
      values.push_back(static_cast<T>(x(i, j)));
    }
    start.push_back(static_cast<Count>(rows.size()));
  }
  return CscMatrix<T>(x.rows(), std::move(start), std::move(rows), std::move(values));
}
template <class X>
[[nodiscard]] X to_layout(const DenseMatrix<double>& x) {
  if constexpr (requires(X design) { design(0, 0); }) {
    return to_dense<typename X::Scalar>(x);
  } else {
    return to_csc<typename X::Scalar>(x);
  }
}

}  // namespace hsvm::test
