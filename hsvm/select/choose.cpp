#include "hsvm/select/choose.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "hsvm/core/error.hpp"

namespace hsvm {
namespace {

constexpr double kRoundingOfScores = 1e-12;

// Whether a is at least b, or misses it by rounding alone.
bool reaches(double a, double b) {
  return a >= b - kRoundingOfScores * std::max(std::abs(a), std::abs(b));
}

// Points that may still be chosen, by their index in the grid. Each rule keeps those that are best by it, so that a rule
// decides among equals of the rules before it.
using Points = std::vector<std::size_t>;

template <class Key>
void keep_largest(Points& points, const Key& key) {
  const auto largest = key(*std::ranges::max_element(points, {}, key));
  std::erase_if(points, [&](std::size_t k) { return key(k) < largest; });
}

}  // namespace

Choice choose(std::span<const TuningPoint> grid, Score score) {
  Points all;
  for (std::size_t k = 0; k < grid.size(); ++k) {
    if (grid[k].score(score)) all.push_back(k);
  }
  if (all.empty()) {
    throw InputError(fmt::format("no point of the grid has the score {}: it needs samples that were held out",
                                 to_string(score)));
  }
  const double sign = info_of(score).larger_is_better ? 1.0 : -1.0;
  const auto merit = [&](std::size_t k) { return sign * grid[k].score(score)->mean; };
  const auto sparsity = [&](std::size_t k) { return -grid[k].nonzeros; };
  const auto lambda1 = [&](std::size_t k) { return grid[k].lambda1; };
  const auto lambda2 = [&](std::size_t k) { return grid[k].lambda2; };
  const auto keep_reaching = [&](Points& points, double wanted) {
    std::erase_if(points, [&](std::size_t k) { return !reaches(merit(k), wanted); });
  };
  const auto keep_best = [&](Points& points) {
    keep_reaching(points, merit(*std::ranges::max_element(points, {}, merit)));
  };

  Points best = all;
  keep_best(best);
  keep_largest(best, sparsity);
  keep_largest(best, lambda1);
  keep_largest(best, lambda2);

  Points one_se = all;
  keep_reaching(one_se, merit(best.front()) - grid[best.front()].score(score)->standard_error);
  const bool pass_over_empty = grid[best.front()].nonzeros > 0;
  const auto n_empty =
      std::erase_if(one_se, [&](std::size_t k) { return pass_over_empty && grid[k].nonzeros == 0; });
  keep_largest(one_se, sparsity);
  keep_best(one_se);
  keep_largest(one_se, lambda1);
  keep_largest(one_se, lambda2);
  return {best.front(), one_se.front(), n_empty > 0};
}

}  // namespace hsvm
