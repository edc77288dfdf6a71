// Where the entries of a sparse column go on from a row: its rows are strictly increasing, and the place is guessed first.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>

#include "hsvm/core/types.hpp"

namespace hsvm::detail {

// The first entry from `at` on whose row is not below `row`; it is not far.
[[nodiscard]] inline std::size_t first_from(std::span<const Index> rows, std::size_t at, Index row) {
  std::size_t step = 16;
  while (at + step < rows.size() && rows[at + step] < row) {
    at += step;
    step *= 2;
  }
  const auto near = rows.subspan(at, std::min(step, rows.size() - at));
  return at + static_cast<std::size_t>(std::ranges::lower_bound(near, row) - near.begin());
}

// The first entry whose row, one of n_rows, is not below `row`; looked for where it is if entries are spread evenly.
[[nodiscard]] inline std::size_t first_at(std::span<const Index> rows, Index row, Index n_rows) {
  if (rows.empty()) return 0;
  const std::size_t guess =
      std::min(rows.size(), rows.size() * static_cast<std::size_t>(row) / static_cast<std::size_t>(n_rows));
  if (guess < rows.size() && rows[guess] < row) return first_from(rows, guess, row);
  std::size_t end = guess;
  std::size_t begin = guess;
  for (std::size_t step = 16; begin > 0; step *= 2) {
    end = begin;
    begin -= std::min(begin, step);
    if (rows[begin] < row) break;
  }
  const auto near = rows.subspan(begin, end - begin);
  return begin + static_cast<std::size_t>(std::ranges::lower_bound(near, row) - near.begin());
}

}  // namespace hsvm::detail
