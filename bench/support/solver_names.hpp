// Solvers by name, as on the command line. The one place of the benchmarks that lists them.
#pragma once

#include <array>
#include <string_view>
#include <vector>

#include "hsvm/fit/options.hpp"

namespace hsvm::bench {

inline constexpr std::array kAllSolvers = {Solver::newton, Solver::pg, Solver::pg2};

// Those of a list such as "newton,pg", in its order; names that are none go to `unknown`.
[[nodiscard]] inline std::vector<Solver> parse_solvers(std::string_view list,
                                                       std::vector<std::string_view>& unknown) {
  std::vector<Solver> found;
  while (!list.empty()) {
    const std::string_view name = list.substr(0, list.find(','));
    list.remove_prefix(name.size() < list.size() ? name.size() + 1 : name.size());
    if (const auto solver = find_named<Solver>(kSolverNames, name)) {
      found.push_back(*solver);
    } else {
      unknown.push_back(name);
    }
  }
  return found;
}

}  // namespace hsvm::bench
