// A problem with all coefficients outside some columns held at zero: what the second stage of two_stage solves.
// The design is seen through those columns, not copied.
//
//   Restriction<P> r(problem, columns);  r.problem() is a problem over the columns alone;
//   r.restrict_point(u) -> its point;    r.extend(v, u) writes its point v into the full point u
#pragma once

#include <algorithm>
#include <span>
#include <utility>
#include <vector>

#include "hsvm/data/column_subset.hpp"
#include "hsvm/problem/binary_problem.hpp"
#include "hsvm/problem/multiclass_problem.hpp"

namespace hsvm {

template <class P>
class Restriction;

namespace detail {

// The parts that do not depend on what a point is.
template <class P>
class RestrictionBase {
 public:
  using Full = P;
  using Subset = ColumnSubset<typename P::DesignType>;

  [[nodiscard]] std::span<const Index> columns() const { return design_.columns(); }

 protected:
  RestrictionBase(const Full& full, std::vector<Index> columns) : design_(full.design(), std::move(columns)) {}

  [[nodiscard]] typename P::Parameters parameters(const Full& full) const {
    typename P::Parameters result = full.parameters();
    const std::vector<double>& factors = full.parameters().penalty.factors;
    if (!factors.empty()) {
      result.penalty.factors.clear();
      for (const Index j : columns()) result.penalty.factors.push_back(factors[static_cast<std::size_t>(j)]);
    }
    return result;
  }

  Subset design_;
};

}  // namespace detail

template <Design X>
class Restriction<BinaryProblem<X>> : public detail::RestrictionBase<BinaryProblem<X>> {
 public:
  using Full = BinaryProblem<X>;
  using Problem = BinaryProblem<ColumnSubset<X>>;

  Restriction(const Full& full, std::vector<Index> columns)
      : detail::RestrictionBase<Full>(full, std::move(columns)),
        problem_(this->design_, full.y(), full.sample_weights(), this->parameters(full)) {}
  Restriction(const Restriction&) = delete;
  Restriction& operator=(const Restriction&) = delete;

  [[nodiscard]] const Problem& problem() const { return problem_; }

  [[nodiscard]] typename Problem::Point restrict_point(const typename Full::Point& u) const {
    typename Problem::Point result{u.b, {}, u.scores};
    for (const Index j : this->columns()) result.w.push_back(u.w[static_cast<std::size_t>(j)]);
    return result;
  }

  void extend(const typename Problem::Point& v, typename Full::Point& u) const {
    u.b = v.b;
    u.scores = v.scores;
    std::fill(u.w.begin(), u.w.end(), 0.0);
    for (std::size_t c = 0; c < v.w.size(); ++c) u.w[static_cast<std::size_t>(this->columns()[c])] = v.w[c];
  }

 private:
  Problem problem_;
};

template <Design X>
class Restriction<MulticlassProblem<X>> : public detail::RestrictionBase<MulticlassProblem<X>> {
 public:
  using Full = MulticlassProblem<X>;
  using Problem = MulticlassProblem<ColumnSubset<X>>;

  Restriction(const Full& full, std::vector<Index> columns)
      : detail::RestrictionBase<Full>(full, std::move(columns)),
        problem_(this->design_, full.y(), full.sample_weights(), this->parameters(full)) {}
  Restriction(const Restriction&) = delete;
  Restriction& operator=(const Restriction&) = delete;

  [[nodiscard]] const Problem& problem() const { return problem_; }

  // The rows that u holds must be among the columns.
  [[nodiscard]] typename Problem::Point restrict_point(const typename Full::Point& u) const {
    typename Problem::Point result{u.b, {}, u.w, u.scores};
    for (const Index j : u.rows) {
      const auto place = std::lower_bound(this->columns().begin(), this->columns().end(), j);
      result.rows.push_back(static_cast<Index>(place - this->columns().begin()));
    }
    return result;
  }

  void extend(const typename Problem::Point& v, typename Full::Point& u) const {
    u.b = v.b;
    u.w = v.w;
    u.scores = v.scores;
    u.rows.clear();
    for (const Index row : v.rows) u.rows.push_back(this->columns()[static_cast<std::size_t>(row)]);
  }

 private:
  Problem problem_;
};

}  // namespace hsvm
