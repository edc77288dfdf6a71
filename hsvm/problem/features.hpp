// Small questions about features that the binary and the multi-class problem answer alike.
#pragma once

#include <algorithm>
#include <cassert>
#include <cmath>
#include <iterator>
#include <optional>
#include <span>
#include <vector>

#include "hsvm/core/parallel.hpp"
#include "hsvm/core/types.hpp"
#include "hsvm/data/design.hpp"
#include "hsvm/penalty/elastic_net.hpp"

namespace hsvm {

// Of its threshold: below, a feature's pull matters to no bound, whatever rounding adds to it.
inline constexpr double kNearThreshold = 0.9;

// The features that may be near their thresholds. Every other one has a strength of at most `level` times its penalty factor, as
// far as that is known, and a true one below `reach` times that; what a gradient holds for it need not be its entry.
struct Contenders {
  std::vector<Index> features;  // ascending
  double level = 0.0;
  double reach = 0.0;
};

// Those of a list for which chosen(j) holds. Which they are cannot be foreseen, so they are counted without branches.
template <class Chosen>
[[nodiscard]] std::vector<Index> chosen_features(std::span<const Index> features, const Chosen& chosen) {
  std::vector<Index> result(features.size());
  std::size_t count = 0;
  for (const Index j : features) {
    result[count] = j;
    count += chosen(j) ? 1 : 0;
  }
  result.resize(count);
  return result;
}

// The features whose strength is above lambda1 v_j, or may be but for rounding, ascending; v empty means all 1. Among the
// contenders alone where these are known.
[[nodiscard]] inline std::vector<Index> features_above(const std::optional<Contenders>& contenders,
                                                       std::span<const double> strengths,
                                                       const Rounding& rounding, double lambda1,
                                                       std::span<const double> v) {
  if (!contenders) return features_above(strengths, rounding, lambda1, v);
  assert(lambda1 >= contenders->level);
  return chosen_features(contenders->features, [&](Index index) {
    const auto j = static_cast<std::size_t>(index);
    return std::abs(strengths[j]) + rounding.of(j) > lambda1 * (v.empty() ? 1.0 : v[j]);
  });
}

// What find(begin, size) finds in blocks of the features, numbered from the first of the block, joined; on several threads.
template <class Find>
[[nodiscard]] std::vector<Index> find_in_blocks(Index n_features, Index block, const Find& find) {
  if (n_features <= block) return find(Index{0}, n_features);
  std::vector<std::vector<Index>> found(static_cast<std::size_t>((n_features + block - 1) / block));
  parallel_blocks(n_features, block, [&](Index begin, Index end) {
    std::vector<Index>& here = found[static_cast<std::size_t>(begin / block)];
    here = find(begin, end - begin);
    for (Index& j : here) j += begin;
  });
  std::vector<Index> all;
  for (const std::vector<Index>& here : found) all.insert(all.end(), here.begin(), here.end());
  return all;
}

// sum_i s_i |x_i|^2; reads X once.
[[nodiscard]] inline double weighted_squared_norm(const Design& design, std::span<const double> s) {
  std::vector<double> squares(static_cast<std::size_t>(design.cols()));
  design.column_squared_norms(all_indices(design.cols()), s, squares);
  double total = 0.0;
  for (const double square : squares) total += square;
  return total;
}

// The features with penalty factor 0; `factors` is empty where all are 1.
[[nodiscard]] inline std::vector<Index> unpenalised_features(std::span<const double> factors) {
  std::vector<Index> result;
  for (std::size_t j = 0; j < factors.size(); ++j) {
    if (factors[j] == 0.0) result.push_back(static_cast<Index>(j));
  }
  return result;
}

// Walks over the features that either of two points holds, both lists ascending: visit(j, place in u or -1, place in v or -1).
template <class Visit>
void for_each_held(std::span<const Index> u, std::span<const Index> v, const Visit& visit) {
  std::size_t a = 0;
  std::size_t c = 0;
  while (a < u.size() || c < v.size()) {
    const bool from_u = a < u.size() && (c == v.size() || u[a] <= v[c]);
    const bool from_v = c < v.size() && (a == u.size() || v[c] <= u[a]);
    const Index j = from_u ? u[a] : v[c];
    visit(j, from_u ? static_cast<Index>(a) : Index{-1}, from_v ? static_cast<Index>(c) : Index{-1});
    a += from_u ? 1 : 0;
    c += from_v ? 1 : 0;
  }
}

// The features of a list that are not in another; both ascending.
[[nodiscard]] inline std::vector<Index> features_outside(std::span<const Index> features,
                                                         std::span<const Index> known) {
  std::vector<Index> result;
  std::ranges::set_difference(features, known, std::back_inserter(result));
  return result;
}

}  // namespace hsvm
