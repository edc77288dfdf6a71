#include "hsvm/fit/setup.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <utility>

namespace hsvm::detail {
namespace {

constexpr Index kMostSingleClasses = 4;  // of one sample each: that may be a test

void require_classes(const FitInput& input) {
  const Dataset& data = input.data;
  if (!data.labels) throw InputError(data.source + ": the data has no labels: a fit needs them");
  const Classes& classes = data.labels->classes;
  if (classes.size() < 2) {
    throw InputError(fmt::format("{}: all samples have the label {}: a fit needs two classes", data.source,
                                 classes.names.at(0)));
  }
  if (classes.size() == count_samples(input) && classes.size() > kMostSingleClasses) {
    throw InputError(fmt::format(
        "{}: every sample has a label of its own, {}, {}, {} ...: {} is not the label; expected classes of several samples",
        data.source, classes.names[0], classes.names[1], classes.names[2],
        data.table.label && !data.table.label->name.empty() ? "column '" + data.table.label->name + "'"
                                                            : "the label's column"));
  }
}

// Nothing says what should stand there.
void refuse_missing(const Dataset& data) {
  if (data.missing.empty() || data.fill != Fill::none) return;
  const MissingEntries::Column& first = data.missing.columns.front();
  const std::string name = data.feature_names.empty()
                               ? std::to_string(first.feature + 1)
                               : "'" + data.feature_names[static_cast<std::size_t>(first.feature)] + "'";
  throw InputError(fmt::format(
      "{}: {} missing values, the first of feature {} in sample {}: a fit needs values, or a rule for missing ones",
      data.source, data.missing.size(), name, first.rows.front() + 1));
}

void require_weights(std::span<const double> weights, Index expected, const char* what, const char* of_what,
                     bool may_be_infinite = false) {
  if (std::ssize(weights) != expected) {
    throw InputError(
        fmt::format("{} {} for {} {}: there must be one for each", weights.size(), what, expected, of_what));
  }
  for (std::size_t k = 0; k < weights.size(); ++k) {
    if (!(weights[k] >= 0.0 && (may_be_infinite || std::isfinite(weights[k])))) {
      throw InputError(fmt::format("{} number {} is {}: must be at least 0", what, k + 1, weights[k]));
    }
  }
}

}  // namespace

Count count_samples(const FitInput& input) {
  return static_cast<Count>(input.ranks.sum(static_cast<double>(input.data.n_samples())));
}

void check_input(const FitInput& input) {
  require_classes(input);
  agree_on_errors(input.ranks, [&] { refuse_missing(input.data); });
  if (!input.penalty_factors.empty())
    require_weights(input.penalty_factors, input.data.n_features(), "penalty factors", "features", true);
  if (!input.penalty_factors.empty() && excluded_features(input) == input.data.n_features())
    throw InputError("all penalty factors are inf: one feature at least must stay in");
}

Index excluded_features(const FitInput& input) {
  return static_cast<Index>(
      std::ranges::count_if(input.penalty_factors, [](double factor) { return std::isinf(factor); }));
}

std::vector<double> given_weights(const FitInput& input) {
  if (input.sample_weights.empty())
    return std::vector<double>(static_cast<std::size_t>(input.data.n_samples()), 1.0);
  agree_on_errors(input.ranks, [&] {
    require_weights(input.sample_weights, input.data.n_samples(), "sample weights", "samples");
  });
  return {input.sample_weights.begin(), input.sample_weights.end()};
}

std::vector<double> total_weights(const FitInput& input, const FitOptions& options) {
  const Labels& labels = *input.data.labels;
  std::vector<double> s = given_weights(input);
  const std::vector<double> by_class = weigh_classes(options.class_weight, labels, s, input.ranks);
  double sum = 0.0;
  for (std::size_t i = 0; i < s.size(); ++i) {
    s[i] *= by_class[static_cast<std::size_t>(labels.of_sample[i])];
    sum += s[i];
  }
  std::array<double, 2> sums = {sum, static_cast<double>(s.size())};
  input.ranks.sum(sums);
  if (!(sums[0] > 0.0 && std::isfinite(sums[0])))
    throw InputError("the sample weights must have a positive, finite sum");
  for (double& weight : s) weight *= sums[1] / sums[0];
  return s;
}

void require_penalty(const FitInput& input, double lambda2) {
  const auto& factors = input.penalty_factors;
  if (lambda2 == 0.0 && std::find(factors.begin(), factors.end(), 0.0) != factors.end())
    throw OptionError("a penalty factor of 0 leaves its feature without any penalty: lambda2 must be positive");
}

void require_penalty(double lambda1, double lambda2) {
  if (lambda1 == 0.0 && lambda2 == 0.0)
    throw OptionError("lambda1 and lambda2 are both 0: one of them must be positive");
}

ModelKind model_kind(const FitInput& input, const FitOptions& options) {
  return input.data.labels->classes.size() > 2 || options.multiclass ? ModelKind::multiclass
                                                                     : ModelKind::binary;
}

std::vector<double> learn_fill_values(const FitInput& input, std::span<const Index> features) {
  const Dataset& data = input.data;
  return learn_fill(*data.design, data.missing, data.fill, features, given_weights(input), input.ranks);
}

ModelShape model_shape(const FitInput& input, const FitOptions& options) {
  const Dataset& data = input.data;
  TablePreparation preparation{.label = data.table.label, .words = data.table.words, .fill = data.fill};
  if (data.fill != Fill::none) preparation.values = learn_fill_values(input, all_indices(data.n_features()));
  return {.kind = model_kind(input, options),
          .classes = input.data.labels->classes,
          .n_features = input.data.n_features(),
          .feature_names = input.data.feature_names,
          .loss = options.loss,
          .delta = options.delta,
          .margins = options.chosen_margins(input.data.labels->classes.size()),
          .preparation = std::move(preparation)};
}

RankCost rank_cost(const Collective& ranks, const Collective::Traffic& before) {
  if (ranks.is_alone()) return {};
  const Collective::Traffic now = ranks.traffic();
  std::array<double, 2> sent = {static_cast<double>(now.messages - before.messages),
                                static_cast<double>(now.bytes - before.bytes)};
  ranks.maximum(sent);
  return {.ranks = ranks.size(),
          .collectives = now.calls - before.calls,
          .messages_sent = static_cast<Count>(sent[0]),
          .bytes_sent = static_cast<Count>(sent[1])};
}

FitReport make_report(const FitInput& input, const FitOptions& options, const SolveReport& report,
                      double lambda1_max) {
  return {.status = report.status,
          .solver = options.chosen_solver(),
          .objective = report.objective,
          .dual_objective = report.dual_objective,
          .gap = report.gap(),
          .relative_gap = report.relative_gap(),
          .iterations = report.iterations,
          .passes = report.passes,
          .seconds = report.seconds,
          .pass_seconds = std::nullopt,
          .n_samples = count_samples(input),
          .lambda1_max = lambda1_max,
          .fallback = report.fell_back ? std::optional(Solver::pg) : std::nullopt,
          .tolerance = options.tolerance,
          .stopping = options.stopping,
          .standardized = options.standardize,
          .kept_features = options.keep_top && *options.keep_top < input.data.n_features() ? options.keep_top
                                                                                           : std::nullopt};
}

}  // namespace hsvm::detail
