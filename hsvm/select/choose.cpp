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

// The points that may still be chosen. Each rule keeps those that are best by it, so that a rule decides among equals
// of the rules before it.
class Candidates {
 public:
  Candidates(std::span<const TuningPoint> grid, Score score) : grid_(grid), score_(score) {
    for (std::size_t k = 0; k < grid.size(); ++k) {
      if (grid[k].score(score)) points_.push_back(k);
    }
  }

  [[nodiscard]] bool empty() const { return points_.empty(); }
  [[nodiscard]] std::size_t first() const { return points_.front(); }

  // The larger, the better.
  [[nodiscard]] double merit(std::size_t k) const {
    const double mean = grid_[k].score(score_)->mean;
    return info_of(score_).larger_is_better ? mean : -mean;
  }
  void keep_reaching(double merit_wanted) {
    std::erase_if(points_, [&](std::size_t k) { return !reaches(merit(k), merit_wanted); });
  }

  void keep_best() {
    double best = merit(first());
    for (const std::size_t k : points_) best = std::max(best, merit(k));
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
    for (const std::size_t k : points_) largest = std::max(largest, key(grid_[k]));
    std::erase_if(points_, [&](std::size_t k) { return key(grid_[k]) < largest; });
  }

  std::span<const TuningPoint> grid_;
  Score score_;
  std::vector<std::size_t> points_;  // by their index in the grid
};

}  // namespace

Choice choose(std::span<const TuningPoint> grid, Score score) {
  const Candidates all(grid, score);
  if (all.empty()) {
    throw InputError(
        fmt::format("no point of the grid has the score {}: it needs samples {}", to_string(score),
                    info_of(score).max_classes == 2 ? "of two classes, and of no more" : "that were held out"));
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
