#include "hsvm/stats/wilcoxon.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

#include "hsvm/core/error.hpp"
#include "hsvm/stats/distributions.hpp"
#include "hsvm/stats/ranks.hpp"

namespace hsvm::stats {
namespace {

void check_scores(std::span<const double> first, std::span<const double> second) {
  if (first.size() != second.size())
    throw InputError(fmt::format("wilcoxon: {} and {} scores; expected as many of each method", first.size(),
                                 second.size()));
  if (first.empty()) throw InputError("wilcoxon: no scores; expected at least one of each method");
  for (const std::span<const double> scores : {first, second}) {
    for (const double score : scores) {
      if (!std::isfinite(score))
        throw InputError(fmt::format("wilcoxon: a score of {}; expected finite numbers", score));
    }
  }
}

struct Differences {
  std::vector<double> d;
  double rounding = 0.0;  // by which the sizes of two of them can be wrong
};

// Halved, so that none overflows. Each decimal was rounded by at most eps/2 of its size and so was the
// subtraction: two sizes |d_i|, |d_j| are each off by at most eps max(|a| + |b|).
Differences differences_of(std::span<const double> first, std::span<const double> second) {
  Differences result;
  double largest = 0.0;
  for (std::size_t i = 0; i < first.size(); ++i) {
    result.d.push_back(0.5 * first[i] - 0.5 * second[i]);
    largest = std::max(largest, 0.5 * std::abs(first[i]) + 0.5 * std::abs(second[i]));
  }
  result.rounding = 2.0 * std::numeric_limits<double>::epsilon() * largest;
  for (double& d : result.d) {
    if (std::abs(d) <= result.rounding) d = 0.0;
  }
  return result;
}

// The number of ways to choose among `ranks` with a sum of at most `limit`, over the number of all ways, twice:
// once for either side. Ranks are multiples of 1/2, hence sums of twice the ranks are counted.
double exact_two_sided(std::span<const double> ranks, double limit) {
  if (2.0 * limit >= std::accumulate(ranks.begin(), ranks.end(), 0.0)) return 1.0;
  std::vector<double> ways(static_cast<std::size_t>(std::lround(2.0 * limit)) + 1, 0.0);  // integers below 2^50
  ways[0] = 1.0;
  for (const double rank : ranks) {
    const auto step = static_cast<std::size_t>(std::lround(2.0 * rank));
    for (std::size_t sum = ways.size(); sum-- > step;) ways[sum] += ways[sum - step];
  }
  const double count = std::accumulate(ways.begin(), ways.end(), 0.0);
  return std::ldexp(count, 1 - static_cast<int>(ranks.size()));
}

}  // namespace

WilcoxonTest wilcoxon(std::span<const double> first, std::span<const double> second) {
  check_scores(first, second);
  const auto [d, rounding] = differences_of(first, second);
  std::vector<double> sizes;
  for (const double x : d) sizes.push_back(std::abs(x));
  const std::vector<double> rank = ranks(sizes, rounding);

  WilcoxonTest test;
  std::vector<double> signed_ranks;  // of what is not zero
  double split = 0.0;                // what the zeros give to each side
  for (std::size_t i = 0; i < d.size(); ++i) {
    if (d[i] == 0.0) {
      split += 0.5 * rank[i];
    } else {
      (d[i] > 0.0 ? test.r_plus : test.r_minus) += rank[i];
      signed_ranks.push_back(rank[i]);
    }
  }
  const double smaller = std::min(test.r_plus, test.r_minus);
  if (signed_ranks.size() <= kExactDifferences) test.exact_p = exact_two_sided(signed_ranks, smaller);
  test.r_plus += split;
  test.r_minus += split;
  const auto n = static_cast<double>(d.size());
  test.z = (smaller + split - n * (n + 1.0) / 4.0) / std::sqrt(n * (n + 1.0) * (2.0 * n + 1.0) / 24.0);
  test.p = two_sided_normal(test.z);
  return test;
}

}  // namespace hsvm::stats
