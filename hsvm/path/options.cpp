#include "hsvm/path/options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace hsvm {

void PathOptions::check() const {
  describe_path(*this, RangeCheck{});
  if (lambda_grid.empty()) return;
  refuse_both(true, "lambda_grid", nlambda.has_value(), "nlambda");
  refuse_both(true, "lambda_grid", lambda_min_ratio.has_value(), "lambda_min_ratio");
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
  const auto refuse = [](bool given, const char* field, const char* instead, const char* alone = "") {
    if (given)
      throw OptionError(
          std::string("{} makes no sense for a path, which runs over lambda1: give {}") + alone + ", or use {}",
          {field, instead, "fit()"});
  };
  refuse(options.lambda1.has_value(), "lambda1", "lambda_grid");
  refuse(options.lambda1_ratio.has_value(), "lambda1_ratio", "lambda_min_ratio");
  refuse(options.lambda.has_value(), "lambda", "alpha", " alone");
  if (options.stopping != Stopping::gap)
    throw value_error("stopping", "paper", "must be gap for a path, each point of which is certified");
  FitOptions others = options;
  others.alpha.reset();
  others.check();
  if (!options.alpha) return;
  if (!(*options.alpha > 0.0 && *options.alpha <= 1.0))
    throw value_error("alpha", fmt::format("{}", *options.alpha),
                      "must be greater than 0 and at most 1 for a path");
  refuse_both(true, "alpha", options.lambda2.has_value(), "lambda2");
}

}  // namespace hsvm
