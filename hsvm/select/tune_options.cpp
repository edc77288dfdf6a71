#include "hsvm/select/tune_options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace hsvm {
namespace {

void check_grid(std::vector<double> grid, const char* field, bool zero_allowed) {
  std::sort(grid.begin(), grid.end());
  for (std::size_t k = 0; k < grid.size(); ++k) {
    if (!(zero_allowed ? grid[k] >= 0.0 : grid[k] > 0.0) || !std::isfinite(grid[k]))
      throw OptionError(fmt::format("{{}}: {} must be {} and finite", grid[k],
                                    zero_allowed ? "at least 0" : "greater than 0"),
                        {field});
    if (k > 0 && grid[k] == grid[k - 1])
      throw OptionError(fmt::format("{{}}: {} is there more than once: each value must be there once", grid[k]),
                        {field});
  }
}

}  // namespace

void TuneOptions::check() const {
  describe_tuning(*this, RangeCheck{});
  refuse_both(leave_one_out, "leave_one_out", folds.has_value(), "folds");
  refuse_both(leave_one_out, "leave_one_out", repeats > 1, "repeats");
  refuse_both(!fold_of_sample.empty(), "fold_of_sample", folds.has_value(), "folds");
  refuse_both(!fold_of_sample.empty(), "fold_of_sample", repeats > 1, "repeats");
  refuse_both(!fold_of_sample.empty(), "fold_of_sample", leave_one_out, "leave_one_out");
  refuse_both(!fold_of_sample.empty(), "fold_of_sample", !group_of_sample.empty(), "group_of_sample");
  check_grid(lambda2_grid, "lambda2_grid", true);
  check_grid(delta_grid, "delta_grid", false);
}

}  // namespace hsvm
