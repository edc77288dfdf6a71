// Samples with decision values, made by hand or at random, for the tests of scores.
#pragma once

#include <cmath>
#include <functional>
#include <vector>

#include "hsvm/core/random.hpp"
#include "hsvm/model/score.hpp"

namespace hsvm::test {

inline constexpr MarginLoss kLoss{1.0};

// What ScoredSamples refers to, owned.
struct ScoredData {
  Index n_classes = 2;
  Index n_outputs = 1;
  std::vector<Index> truth;
  std::vector<double> weights;
  std::vector<double> scores;

  [[nodiscard]] ScoredSamples samples() const { return {n_classes, n_outputs, truth, weights, scores}; }
  void add(Index k, double weight, const std::vector<double>& row) {
    truth.push_back(k);
    weights.push_back(weight);
    scores.insert(scores.end(), row.begin(), row.end());
  }
  // The samples for which it holds.
  [[nodiscard]] ScoredData only(const std::function<bool(std::size_t)>& keep) const {
    ScoredData part{n_classes, n_outputs, {}, {}, {}};
    for (std::size_t i = 0; i < truth.size(); ++i) {
      const std::span<const double> row = samples().scores_of(i);
      if (keep(i)) part.add(truth[i], weights[i], {row.begin(), row.end()});
    }
    return part;
  }
};

// Scores are rounded so that there are ties.
inline ScoredData random_data(std::uint64_t seed, std::size_t n, Index n_classes, Index n_outputs) {
  Random random(seed);
  ScoredData data{n_classes, n_outputs, {}, {}, {}};
  for (std::size_t i = 0; i < n; ++i) {
    const auto k = static_cast<Index>(random.below(static_cast<std::uint64_t>(n_classes)));
    std::vector<double> row;
    for (Index o = 0; o < n_outputs; ++o) {
      const bool own = n_outputs == 1 ? k == 1 : k == o;
      row.push_back(std::round(4.0 * (random.normal() + (own ? 0.7 : -0.3))) / 4.0);
    }
    data.add(k, random.below(6) == 0 ? 0.0 : 0.25 * static_cast<double>(1 + random.below(8)), row);
  }
  return data;
}

inline double score_of(const ScoredData& data, Score which) {
  return score(which, data.samples(), kLoss).value();
}

}  // namespace hsvm::test
