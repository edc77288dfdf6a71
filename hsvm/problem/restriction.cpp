#include "hsvm/problem/restriction.hpp"

#include <algorithm>

namespace hsvm {

BinaryProblem::Point restrict_point(const BinaryProblem::Point& u, std::span<const Index> columns) {
  BinaryProblem::Point result{u.b, {}, u.scores};
  for (const Index j : columns) result.w.push_back(u.w[static_cast<std::size_t>(j)]);
  return result;
}

void extend_point(const BinaryProblem::Point& v, std::span<const Index> columns, BinaryProblem::Point& u) {
  u.b = v.b;
  u.scores = v.scores;
  std::fill(u.w.begin(), u.w.end(), 0.0);
  for (std::size_t c = 0; c < v.w.size(); ++c) u.w[static_cast<std::size_t>(columns[c])] = v.w[c];
}

MulticlassProblem::Point restrict_point(const MulticlassProblem::Point& u, std::span<const Index> columns) {
  MulticlassProblem::Point result{u.b, {}, u.w, u.scores};
  for (const Index j : u.rows) {
    const auto found = std::lower_bound(columns.begin(), columns.end(), j);
    result.rows.push_back(static_cast<Index>(found - columns.begin()));
  }
  return result;
}

void extend_point(const MulticlassProblem::Point& v, std::span<const Index> columns,
                  MulticlassProblem::Point& u) {
  u.b = v.b;
  u.w = v.w;
  u.scores = v.scores;
  u.rows.clear();
  for (const Index row : v.rows) u.rows.push_back(columns[static_cast<std::size_t>(row)]);
}

}  // namespace hsvm
