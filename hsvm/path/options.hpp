// The options of a path beside those of a fit: which lambda1, and how far.
#pragma once

#include <optional>
#include <vector>

#include "hsvm/core/types.hpp"
#include "hsvm/fit/options.hpp"

namespace hsvm {

struct PathOptions {
  std::optional<Index> nlambda = {};
  std::optional<double> lambda_min_ratio = {};
  std::vector<double> lambda_grid = {};  // values of lambda1 in any order, instead of the two above
  std::optional<Index> max_nonzeros = {};
  bool full_path = false;

  // Throws OptionError where a value is out of its range or two options contradict each other, InputError where
  // the grid holds something else than different numbers of at least 0.
  void check() const;
};

inline constexpr Index kDefaultNlambda = 100;

// The same for the options of a fit when they are those of a path: lambda1 is not given, the rule is `gap`, and
// alpha, which stands alone, is positive.
void check_for_path(const FitOptions& options);

template <class Options, class Visit>
void describe_path(Options& o, Visit&& visit) {
  visit(
      OptionInfo{"nlambda", "how many values of lambda1, falling geometrically from lambda1_max (default: 100)",
                 between(1, 1'000'000)},
      o.nlambda);
  visit(OptionInfo{"lambda_min_ratio",
                   "the smallest lambda1 as a fraction of lambda1_max (default: 1e-4 with more samples than "
                   "features, else 1e-2)",
                   {.low = 0.0, .high = 1.0, .low_included = false, .high_included = false}},
        o.lambda_min_ratio);
  visit(OptionInfo{"max_nonzeros",
                   "end the path with the first point that has more nonzero features (default: no limit)",
                   at_least(0)},
        o.max_nonzeros);
  visit(
      OptionInfo{
          "full_path",
          "fit all points, also where nothing is left to learn: by default the path ends when 0.999 of the "
          "null model's loss is explained, or that share hardly moves (a given grid is always fitted whole)"},
      o.full_path);
}

}  // namespace hsvm
