#include "hsvm/path/options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace hsvm {

void PathOptions::check() const {
  describe_path(*this, RangeCheck{});
  if (lambda_grid.empty()) return;
  if (nlambda || lambda_min_ratio) {
    throw OptionError(fmt::format("--lambda-grid and --{} exclude each other: give one of them",
                                  nlambda ? "nlambda" : "lambda-min-ratio"));
  }
  for (std::size_t k = 0; k < lambda_grid.size(); ++k) {
    if (!(lambda_grid[k] >= 0.0 && std::isfinite(lambda_grid[k]))) {
      throw InputError(fmt::format("the lambda grid's number {} is {}: must be at least 0 and finite", k + 1,
                                   lambda_grid[k]));
    }
  }
  std::vector<double> sorted = lambda_grid;
  std::sort(sorted.begin(), sorted.end());
  const auto twice = std::adjacent_find(sorted.begin(), sorted.end());
  if (twice != sorted.end())
    throw InputError(
        fmt::format("the lambda grid holds {} more than once: each value must be there once", *twice));
}

void check_for_path(const FitOptions& options) {
  const auto refuse = [](bool given, const char* flag, const char* instead) {
    if (given)
      throw OptionError(
          fmt::format("{} makes no sense for a path, which runs over lambda1: {}", flag, instead));
  };
  refuse(options.lambda1.has_value(), "--lambda1", "give --lambda-grid, or use hsvm fit");
  refuse(options.lambda1_ratio.has_value(), "--lambda1-ratio", "give --lambda-min-ratio, or use hsvm fit");
  refuse(options.lambda.has_value(), "--lambda", "give --alpha alone, or use hsvm fit");
  if (options.stopping != Stopping::gap)
    throw OptionError("--stopping paper: must be gap for a path, each point of which is certified");
  FitOptions others = options;
  others.alpha.reset();
  others.check();
  if (!options.alpha) return;
  if (!(*options.alpha > 0.0 && *options.alpha <= 1.0)) {
    throw OptionError(
        fmt::format("--alpha {}: must be greater than 0 and at most 1 for a path", *options.alpha));
  }
  if (options.lambda2) throw OptionError("--alpha and --lambda2 exclude each other: give one of them");
}

}  // namespace hsvm
