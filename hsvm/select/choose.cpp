#include "hsvm/select/choose.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "hsvm/core/error.hpp"

namespace hsvm {
namespace {

constexpr double kRounding = 1e-12;

// Whether a is at least b, or misses it by rounding alone.
bool reaches(double a, double b) {
  return a >= b - kRounding * std::max(std::abs(a), std::abs(b));
}

// Points that are still in question. Each rule leaves those that are best by it, so that a rule decides among
// equals of the rules before it.
class Candidates {
 public:
  Candidates(std::span<const TuningPoint> grid, Score score) : grid_(grid), score_(score) {
    for (std::size_t place = 0; place < grid.size(); ++place) {
      if (grid[place].score(score)) places_.push_back(place);
    }
  }

  [[nodiscard]] bool empty() const { return places_.empty(); }
  [[nodiscard]] std::size_t first() const { return places_.front(); }

  // The larger, the better.
  [[nodiscard]] double merit(std::size_t place) const {
    const double mean = grid_[place].score(score_)->mean;
    return larger_is_better(score_) ? mean : -mean;
  }
  void keep_reaching(double merit_wanted) {
    std::erase_if(places_, [&](std::size_t place) { return !reaches(merit(place), merit_wanted); });
  }

  void keep_best() {
    double best = merit(first());
    for (const std::size_t place : places_) best = std::max(best, merit(place));
    keep_reaching(best);
  }
  void keep_sparsest() {
    keep_largest([](const TuningPoint& point) { return -point.nonzeros; });
  }
  void keep_largest_lambda1() {
    keep_largest([](const TuningPoint& point) { return point.lambda1; });
  }
  void keep_largest_lambda2() {
    keep_largest([](const TuningPoint& point) { return point.lambda2; });
  }

 private:
  template <class Key>
  void keep_largest(const Key& key) {
    auto largest = key(grid_[first()]);
    for (const std::size_t place : places_) largest = std::max(largest, key(grid_[place]));
    std::erase_if(places_, [&](std::size_t place) { return key(grid_[place]) < largest; });
  }

  std::span<const TuningPoint> grid_;
  Score score_;
  std::vector<std::size_t> places_;
};

}  // namespace

Choice choose(std::span<const TuningPoint> grid, Score score) {
  const Candidates all(grid, score);
  if (all.empty()) {
    throw InputError(fmt::format("--score {}: no point of the grid has it: {}", to_string(score),
                                 score == Score::auc ? "it needs samples of two classes, and of no more"
                                                     : "it needs samples that were held out"));
  }
  Candidates best = all;
  best.keep_best();
  best.keep_sparsest();
  best.keep_largest_lambda1();
  best.keep_largest_lambda2();

  Candidates one_se = all;
  one_se.keep_reaching(all.merit(best.first()) - grid[best.first()].score(score)->standard_error);
  one_se.keep_largest_lambda1();
  one_se.keep_sparsest();
  one_se.keep_best();
  one_se.keep_largest_lambda2();
  return {best.first(), one_se.first()};
}

}  // namespace hsvm
