// The grid of cross-validation by columns, as tables of other languages have it.
#pragma once

#include <algorithm>
#include <limits>
#include <string>
#include <vector>

#include "hsvm/api.hpp"

namespace hsvm::bindings {

// Calls add(name, numbers), a number for each point, for penalties and counts and for the mean and standard error of each score
// that some point has; NaN where a point does not have it.
template <class Add>
void visit_grid(const Tuning& tuning, const Add& add) {
  const auto column = [&](const std::string& name, const auto& of_point) {
    std::vector<double> numbers;
    for (const TuningPoint& point : tuning.grid) numbers.push_back(static_cast<double>(of_point(point)));
    add(name, std::move(numbers));
  };
  column("lambda1", [](const TuningPoint& p) { return p.lambda1; });
  column("lambda2", [](const TuningPoint& p) { return p.lambda2; });
  column("lambda3", [](const TuningPoint& p) { return p.lambda3; });
  column("delta", [](const TuningPoint& p) { return p.delta; });
  column("nonzeros", [](const TuningPoint& p) { return p.nonzeros; });
  column("mean_nonzeros", [](const TuningPoint& p) { return p.mean_nonzeros; });
  column("not_certified", [](const TuningPoint& p) { return p.not_certified; });
  for (const Score score : tuning_scores()) {
    const auto has = [&](const TuningPoint& p) { return p.score(score).has_value(); };
    if (std::ranges::none_of(tuning.grid, has)) continue;
    const std::string name(to_string(score));
    constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
    column("mean_" + name, [&](const TuningPoint& p) { return has(p) ? p.score(score)->mean : kNone; });
    column("se_" + name, [&](const TuningPoint& p) { return has(p) ? p.score(score)->standard_error : kNone; });
  }
}

}  // namespace hsvm::bindings
