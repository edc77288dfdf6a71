// A problem with all coefficients outside some columns held at zero: what the second stage of two_stage solves. The design
// is seen through those columns, not copied.
//
//   Restriction<P> r(problem, columns);  r.problem() is a problem over the columns alone;
//   r.restrict_point(u) -> its point;    r.extend(v, u) writes its point v into the full point u
#pragma once

#include <span>
#include <utility>
#include <vector>

#include "hsvm/data/column_subset.hpp"
#include "hsvm/problem/binary_problem.hpp"
#include "hsvm/problem/multiclass_problem.hpp"

namespace hsvm {

// `u` restricted to the columns (ascending), outside of which it must be zero; and `v`, a point over them, written into `u`.
[[nodiscard]] BinaryProblem::Point restrict_point(const BinaryProblem::Point& u,
                                                  std::span<const Index> columns);
[[nodiscard]] MulticlassProblem::Point restrict_point(const MulticlassProblem::Point& u,
                                                      std::span<const Index> columns);
void extend_point(const BinaryProblem::Point& v, std::span<const Index> columns, BinaryProblem::Point& u);
void extend_point(const MulticlassProblem::Point& v, std::span<const Index> columns,
                  MulticlassProblem::Point& u);

template <class P>
class Restriction {
 public:
  using Point = typename P::Point;

  // The problem must outlive the restriction.
  Restriction(const P& full, std::vector<Index> columns)
      : design_(full.design(), std::move(columns)),
        problem_(design_, full.y(), full.sample_weights(), restrict_parameters(full)) {}
  Restriction(const Restriction&) = delete;
  Restriction& operator=(const Restriction&) = delete;

  [[nodiscard]] const P& problem() const { return problem_; }
  [[nodiscard]] std::span<const Index> columns() const { return design_.columns(); }
  [[nodiscard]] Point restrict_point(const Point& u) const { return hsvm::restrict_point(u, columns()); }
  void extend(const Point& v, Point& u) const { extend_point(v, columns(), u); }

 private:
  [[nodiscard]] typename P::Parameters restrict_parameters(const P& full) const {
    typename P::Parameters result = full.parameters();
    const std::vector<double>& factors = full.parameters().penalty.factors;
    if (!factors.empty()) {
      result.penalty.factors.clear();
      for (const Index j : columns()) result.penalty.factors.push_back(factors[static_cast<std::size_t>(j)]);
    }
    return result;
  }

  ColumnSubset design_;
  P problem_;
};

}  // namespace hsvm
