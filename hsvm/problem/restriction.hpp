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

namespace hsvm {

template <class P>
class Restriction;

template <Design X>
class Restriction<BinaryProblem<X>> {
 public:
  using Full = BinaryProblem<X>;
  using Problem = BinaryProblem<ColumnSubset<X>>;

  Restriction(const Full& full, std::vector<Index> columns)
      : design_(full.design(), std::move(columns)),
        problem_(design_, full.y(), full.sample_weights(), restricted(full.parameters(), design_.columns())) {}
  Restriction(const Restriction&) = delete;
  Restriction& operator=(const Restriction&) = delete;

  [[nodiscard]] const Problem& problem() const { return problem_; }

  [[nodiscard]] typename Problem::Point restrict_point(const typename Full::Point& u) const {
    typename Problem::Point result{u.b, {}, u.scores};
    for (const Index j : design_.columns()) result.w.push_back(u.w[static_cast<std::size_t>(j)]);
    return result;
  }

  void extend(const typename Problem::Point& v, typename Full::Point& u) const {
    u.b = v.b;
    u.scores = v.scores;
    std::fill(u.w.begin(), u.w.end(), 0.0);
    for (std::size_t c = 0; c < v.w.size(); ++c) u.w[static_cast<std::size_t>(design_.columns()[c])] = v.w[c];
  }

 private:
  static BinaryParameters restricted(const BinaryParameters& full, std::span<const Index> columns) {
    BinaryParameters result = full;
    if (!full.penalty.factors.empty()) {
      result.penalty.factors.clear();
      for (const Index j : columns) result.penalty.factors.push_back(full.penalty.factors[static_cast<std::size_t>(j)]);
    }
    return result;
  }

  ColumnSubset<X> design_;
  Problem problem_;
};

}  // namespace hsvm
