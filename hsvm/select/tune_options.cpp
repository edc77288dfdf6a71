#include "hsvm/select/tune_options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace hsvm {
namespace {

void check_grid(std::vector<double> grid, const char* flag, bool zero_allowed) {
  std::sort(grid.begin(), grid.end());
  for (std::size_t k = 0; k < grid.size(); ++k) {
    if (!(zero_allowed ? grid[k] >= 0.0 : grid[k] > 0.0) || !std::isfinite(grid[k]))
      throw OptionError(fmt::format("{}: {} must be {} and finite", flag, grid[k],
                                    zero_allowed ? "at least 0" : "greater than 0"));
    if (k > 0 && grid[k] == grid[k - 1])
      throw OptionError(
          fmt::format("{}: {} is there more than once: each value must be there once", flag, grid[k]));
  }
}

}  // namespace

void TuneOptions::check() const {
  describe_tuning(*this, RangeCheck{});
  const auto exclude = [](bool a, const char* first, bool b, const char* second) {
    if (a && b) throw OptionError(fmt::format("{} and {} exclude each other: give one of them", first, second));
  };
  exclude(leave_one_out, "--leave-one-out", folds.has_value(), "--folds");
  exclude(leave_one_out, "--leave-one-out", repeats > 1, "--repeats");
  exclude(!fold_of_sample.empty(), "--folds-file", folds.has_value(), "--folds");
  exclude(!fold_of_sample.empty(), "--folds-file", repeats > 1, "--repeats");
  exclude(!fold_of_sample.empty(), "--folds-file", leave_one_out, "--leave-one-out");
  check_grid(lambda2_grid, "--lambda2-grid", true);
  check_grid(delta_grid, "--delta-grid", false);
}

}  // namespace hsvm
