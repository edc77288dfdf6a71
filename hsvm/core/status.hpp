// How a solve ended, which solver it was, and by which rule it stopped; spelt the same in C++, JSON and every face.
#pragma once

#include <array>
#include <optional>
#include <string_view>

namespace hsvm {

// What each status means for the returned point is tabled in solve/solve_report.hpp.
enum class Status { converged, iteration_limit, time_limit, interrupted, stalled, not_finite };
inline constexpr std::array<std::string_view, 6> kStatusNames = {
    "converged", "iteration_limit", "time_limit", "interrupted", "stalled", "not_finite"};

enum class Solver {
  newton,  // the fast certified solver
  pg,      // B-PGH and M-PGH, the paper's proximal gradient
  pg2      // B-PGH-2 and M-PGH-2, its two-stage form
};
inline constexpr std::array<std::string_view, 3> kSolverNames = {"newton", "pg", "pg2"};

enum class Stopping {
  gap,   // F - D <= tolerance * F(0): a proof
  paper  // [XAC15, eq. 20]: both relative changes at most the tolerance, three times in a row; a heuristic
};
inline constexpr std::array<std::string_view, 2> kStoppingNames = {"gap", "paper"};

[[nodiscard]] constexpr std::string_view to_string(Status status) {
  return kStatusNames[static_cast<std::size_t>(status)];
}
[[nodiscard]] constexpr std::string_view to_string(Solver solver) {
  return kSolverNames[static_cast<std::size_t>(solver)];
}
[[nodiscard]] constexpr std::string_view to_string(Stopping stopping) {
  return kStoppingNames[static_cast<std::size_t>(stopping)];
}

// The value that a name stands for, nothing where there is no such name: find_named<Status>(kStatusNames, "converged").
template <class Enum, std::size_t size>
[[nodiscard]] constexpr std::optional<Enum> find_named(const std::array<std::string_view, size>& names,
                                                       std::string_view name) {
  for (std::size_t k = 0; k < size; ++k) {
    if (names[k] == name) return static_cast<Enum>(k);
  }
  return std::nullopt;
}

}  // namespace hsvm
