// tune: the folds, the choice by them, and the outer folds around that.

#include <algorithm>

#include "hsvm/api.hpp"
#include "hsvm/fit/setup.hpp"
#include "hsvm/select/make_folds.hpp"
#include "hsvm/select/nested.hpp"
#include "hsvm/select/tune_on_folds.hpp"

namespace hsvm {
namespace {

using detail::TuneControl;

void check_options(const FitOptions& options, const PathOptions& path_options,
                   const TuneOptions& tune_options) {
  check_for_path(options);
  path_options.check();
  tune_options.check();
  refuse_both(!tune_options.lambda2_grid.empty(), "lambda2_grid", options.alpha.has_value(), "alpha");
  refuse_both(!tune_options.lambda2_grid.empty(), "lambda2_grid", options.lambda2.has_value(), "lambda2");
}

// The two models are what is certified; what the folds' solves came to is in the grid. A stop that came when all was
// done has stopped nothing.
Status status_of(const TunedModel& model, const TuneControl& control) {
  if (!control.all_done()) return control.stopped().value_or(Status::interrupted);
  const Status best = model.best.report->status;
  return best != Status::converged ? best : model.one_se.report->status;
}

void require_groups(const TuneOptions& tune_options, Count n_samples) {
  const auto n = std::ssize(tune_options.group_of_sample);
  if (n != 0 && n != n_samples)
    throw InputError(std::to_string(n) + " groups for " + std::to_string(n_samples) +
                     " samples: there must be one for each");
}

}  // namespace

TunedModel tune(const FitInput& input, const FitOptions& options, const PathOptions& path_options,
                const TuneOptions& tune_options, const TuneMonitor& monitor) {
  check_options(options, path_options, tune_options);
  detail::check_input(input);
  const Count n_samples = detail::count_samples(input);
  require_groups(tune_options, n_samples);
  if (!tune_options.fold_of_sample.empty())
    static_cast<void>(folds_of(tune_options.fold_of_sample, static_cast<Index>(n_samples)));

  const Folds folds = detail::make_folds(input, options.seed, tune_options);
  const std::vector<std::vector<char>> halves = detail::make_halves(input, options.seed, tune_options);
  std::vector<Folds> inner;
  if (tune_options.nested) inner = detail::make_inner_folds(input, options.seed, tune_options, folds);
  TuneControl control(monitor, options.time_limit, input.ranks);
  control.add_paths(detail::count_paths(options, tune_options, folds) + tune_options.stability);
  for (const Folds& within : inner) control.add_paths(detail::count_paths(options, tune_options, within));

  TunedModel result =
      detail::tune_on_folds(input, options, path_options, tune_options, folds, halves, true, control);
  Tuning& tuning = result.tuning;
  if (tune_options.nested)
    tuning.nested = detail::tune_nested(input, options, path_options, tune_options, folds, inner, control);
  tuning.n_paths = static_cast<Index>(control.n_done());
  tuning.seconds = control.seconds();
  tuning.status = status_of(result, control);
  return result;
}

}  // namespace hsvm
