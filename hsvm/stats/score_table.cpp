#include "hsvm/stats/score_table.hpp"

#include <fmt/format.h>

#include <cmath>
#include <set>

#include "hsvm/core/error.hpp"

namespace hsvm::stats {
namespace {

void require_distinct(const char* what, const std::vector<std::string>& names) {
  std::set<std::string> seen;
  for (const std::string& name : names) {
    if (!seen.insert(name).second)
      throw InputError(fmt::format("scores: {} '{}' is there twice; expected names that differ", what, name));
  }
}

}  // namespace

std::vector<double> ScoreTable::column(std::size_t method) const {
  std::vector<double> result;
  for (std::size_t i = 0; i < datasets.size(); ++i) result.push_back(row(i)[method]);
  return result;
}

void ScoreTable::check() const {
  if (datasets.empty()) throw InputError("scores: no dataset; expected at least one");
  if (methods.size() < 2)
    throw InputError(fmt::format("scores: {} method{}; expected at least two to compare", methods.size(),
                                 methods.size() == 1 ? "" : "s"));
  require_distinct("dataset", datasets);
  require_distinct("method", methods);
  if (scores.size() != datasets.size() * methods.size())
    throw InputError(fmt::format("scores: {} numbers; expected {} datasets x {} methods", scores.size(),
                                 datasets.size(), methods.size()));
  for (std::size_t i = 0; i < datasets.size(); ++i) {
    for (std::size_t j = 0; j < methods.size(); ++j) {
      if (!std::isfinite(row(i)[j]))
        throw InputError(fmt::format("scores: {} for method '{}' on dataset '{}'; expected a finite number",
                                     row(i)[j], methods[j], datasets[i]));
    }
  }
}

}  // namespace hsvm::stats
