// Solvers by name, as on the command line. The one place of the benchmarks that lists them.
#pragma once

#include <string_view>
#include <vector>

#include "hsvm/fit_options.hpp"

namespace hsvm::bench {

// A template so that a solver this build does not have is left out rather than an error.
template <class Names = Solver>
[[nodiscard]] std::vector<Names> all_solvers() {
  std::vector<Names> solvers;
  if constexpr (requires { Names::newton; }) solvers.push_back(Names::newton);
  solvers.push_back(Names::pg);
  solvers.push_back(Names::pg2);
  return solvers;
}

// Those of a list such as "newton,pg" that this build has, in the order of the list; the others' names go to
// `unknown`.
[[nodiscard]] inline std::vector<Solver> parse_solvers(std::string_view list,
                                                       std::vector<std::string_view>& unknown) {
  std::vector<Solver> found;
  while (!list.empty()) {
    const std::string_view name = list.substr(0, list.find(','));
    list.remove_prefix(name.size() < list.size() ? name.size() + 1 : name.size());
    bool known = false;
    for (const Solver solver : all_solvers()) {
      if (to_string(solver) != name) continue;
      found.push_back(solver);
      known = true;
    }
    if (!known) unknown.push_back(name);
  }
  return found;
}

}  // namespace hsvm::bench
