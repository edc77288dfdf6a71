#include "hsvm/problem/restriction.hpp"

#include <algorithm>

namespace hsvm {
namespace {

std::vector<Index> places_in(std::span<const Index> columns, std::span<const Index> features) {
  std::vector<Index> places;
  for (const Index j : features)
    places.push_back(static_cast<Index>(std::ranges::lower_bound(columns, j) - columns.begin()));
  return places;
}

std::vector<Index> features_at(std::span<const Index> columns, std::span<const Index> places) {
  std::vector<Index> features;
  for (const Index place : places) features.push_back(columns[static_cast<std::size_t>(place)]);
  return features;
}

}  // namespace

BinaryProblem::Point restrict_point(const BinaryProblem::Point& u, std::span<const Index> columns) {
  return {u.b, {places_in(columns, u.w.columns), u.w.values}, u.scores};
}

void extend_point(const BinaryProblem::Point& v, std::span<const Index> columns, BinaryProblem::Point& u) {
  u.b = v.b;
  u.scores = v.scores;
  u.w = {features_at(columns, v.w.columns), v.w.values};
}

MulticlassProblem::Point restrict_point(const MulticlassProblem::Point& u, std::span<const Index> columns) {
  return {u.b, places_in(columns, u.rows), u.w, u.scores};
}

void extend_point(const MulticlassProblem::Point& v, std::span<const Index> columns,
                  MulticlassProblem::Point& u) {
  u.b = v.b;
  u.w = v.w;
  u.scores = v.scores;
  u.rows = features_at(columns, v.rows);
}

}  // namespace hsvm
