// The fast certified solver [docs/newton.md]: Newton steps on a working set of features, a certificate over all.
//
//   repeat  measure: the gradient over all features, the dual bound, the gap
//           stop for the first reason there is
//           choose the working set: the support and the strongest violators
//           take Newton steps on it until its own gap is a fraction of the whole one (newton_steps.hpp)
//
// The working set takes in so many violators that their Gram matrix costs about as much as another look at X.
//
// Along a path the solver goes on from what it knows: the Gram matrix, the gradients of the last points (lazy_gradient.hpp),
// and which features come next, those whose strength would pass the next threshold if it grew as fast as lambda1 falls (the
// strong rule). Its first step at a new lambda1 follows the path's tangent: the model at the last solution is exact until
// the next kink. Whatever the working set was, the certificate covers all features.
//
// Where no step helps any more, the proximal-gradient loop takes over; the report says so.
#pragma once

#include <span>
#include <utility>
#include <vector>

#include "hsvm/newton/binary_subproblem.hpp"
#include "hsvm/newton/lazy_gradient.hpp"
#include "hsvm/newton/multiclass_subproblem.hpp"
#include "hsvm/solve/proximal_gradient.hpp"

namespace hsvm {

struct NewtonOptions {
  int max_iterations = 100'000;  // Newton steps
  double tolerance = 1e-6;       // of the gap, relative to F(0)
  double time_limit = kNoLimit;  // seconds
};

// How far scores that every step adds to may have come away from the coefficients, in units of the objective.
struct ScoreDrift {
  double size = 0.0;
  double last_rounding = 0.0;  // of the objective where it was last looked at
  int solves = 0;              // since the scores were computed afresh
  bool is_real = false;        // they were found to be off once
};

namespace detail {
template <class P>
struct SubproblemOf;
template <>
struct SubproblemOf<BinaryProblem> {
  using Type = BinarySubproblem;
};
template <>
struct SubproblemOf<MulticlassProblem> {
  using Type = MulticlassSubproblem;
};
template <class P>
class NewtonRun;
}  // namespace detail

// For the binary and the multi-class problem: newton.cpp holds both.
template <class P>
class NewtonSolver {
 public:
  using Point = typename P::Point;

  // The problem must outlive the solver; its lambdas may change between solves. along_path: there will be several.
  explicit NewtonSolver(const P& problem, bool along_path = false)
      : problem_(problem), sub_(problem, along_path), gradient_(problem, along_path), along_path_(along_path) {}

  [[nodiscard]] Solution<Point> solve(Point start, const NewtonOptions& options,
                                      const SolveMonitor& monitor = {});

  // The gradient over all features; a solve that starts there goes on from it. For lambda1 = 0, where no feature is below its threshold.
  [[nodiscard]] const typename P::Gradient& gradient_at(const Point& u) {
    knows_end_ = false;
    return gradient_.at(u, problem_.parameters().loss, passes_before_);
  }

 private:
  friend class detail::NewtonRun<P>;
  [[nodiscard]] std::vector<Index> choose_columns(const Point& u, const typename P::Gradient& gradient);
  [[nodiscard]] std::vector<Index> violators_ahead(const typename P::Gradient& gradient,
                                                   std::span<const Index> support, double margin);
  void fill_tile(const typename P::Gradient& gradient, double margin, std::span<const Index> support,
                 std::vector<Index>& candidates);
  void keep_strongest(const typename P::Gradient& gradient, std::span<const Index> support,
                      std::vector<Index>& candidates) const;
  void keep_affordable(const typename P::Gradient& gradient, std::span<const Index> support, std::size_t least,
                       std::vector<Index>& candidates) const;

  // Of several classes: so few scores that time does not matter. Such fits take the steps that lead closest to the solution.
  [[nodiscard]] bool has_few_scores() const {
    constexpr double kFewScores = 1024;
    return problem_.n_samples() * problem_.n_outputs() <= kFewScores;
  }

  // Whether a solve starts where the one before it has ended and the gradient was asked for last.
  [[nodiscard]] bool starts_at_end(const Point& start) const;
  bool predict(Point& start) const;  // whether it has
  void remember(const Point& solution);

  const P& problem_;
  typename detail::SubproblemOf<P>::Type sub_;
  LazyGradient<P> gradient_;
  bool along_path_;
  double passes_before_ = 0.0;   // that the next solve begins with
  double last_lambda1_ = 0.0;    // of the solve before; 0 at first
  double before_lambda1_ = 0.0;  // of the one before that
  int last_iterations_ = 0;      // of the solve before
  bool knows_end_ = false;       // the gradient is the one where the solve before ended
  Point last_, before_;  // their solutions, where secants are followed; with several classes without scores
  ScoreDrift drift_;     // of the scores, from one solve to the next
};

template <class P>
[[nodiscard]] Solution<typename P::Point> newton(const P& problem, typename P::Point start,
                                                 const NewtonOptions& options,
                                                 const SolveMonitor& monitor = {}) {
  return NewtonSolver<P>(problem).solve(std::move(start), options, monitor);
}

}  // namespace hsvm
