#include "hsvm/select/make_folds.hpp"

#include <algorithm>

#include "hsvm/select/content_order.hpp"
#include "hsvm/select/groups.hpp"

namespace hsvm::detail {
namespace {

std::vector<Index> pick(std::span<const Index> values, std::span<const Index> samples) {
  std::vector<Index> result;
  for (const Index i : samples) {
    if (!values.empty()) result.push_back(values[static_cast<std::size_t>(i)]);
  }
  return result;
}

// What was found for each of `samples`, for all n samples.
template <class T>
std::vector<T> spread(const std::vector<T>& found, std::span<const Index> samples, std::size_t n, T missing) {
  std::vector<T> result(n, missing);
  for (std::size_t c = 0; c < samples.size(); ++c) result[static_cast<std::size_t>(samples[c])] = found[c];
  return result;
}

// Of samples that are all there.
Folds folds_of_all(const Labels& labels, std::span<const Index> groups, std::span<const Index> given,
                   std::uint64_t seed, const TuneOptions& tune_options, bool fewer_allowed) {
  if (!given.empty()) return folds_of(given, static_cast<Index>(labels.of_sample.size()));
  const bool grouped = !groups.empty();
  const Index most = grouped ? count_groups_to_hold_out(labels, groups) : count_to_hold_out(labels);
  if (tune_options.leave_one_out || most < 2)
    return grouped ? leave_one_group_out(labels, groups) : leave_one_out(labels);
  Index n_folds = tune_options.folds.value_or(std::min(kDefaultFolds, most));
  if (fewer_allowed) n_folds = std::min(n_folds, most);
  return grouped ? grouped_folds(labels, groups, n_folds, tune_options.repeats, seed)
                 : stratified_folds(labels, n_folds, tune_options.repeats, seed, SingleSamples::kept);
}

}  // namespace

Folds make_folds(const FitInput& input, std::uint64_t seed, const TuneOptions& tune_options,
                 bool fewer_allowed) {
  const AllSamples all = gather_samples(input);
  const Labels& labels = all.labels;
  if (tune_options.given_folds) {
    require_folds(*tune_options.given_folds, all.size());
    require_classes_in_training(*tune_options.given_folds, labels);
    return *tune_options.given_folds;
  }
  const std::vector<Index> samples = content_order(input, all);
  const Labels some{labels.classes, pick(labels.of_sample, samples)};
  const std::vector<Index> groups = pick(tune_options.group_of_sample, samples);
  const std::vector<Index> given = pick(tune_options.fold_of_sample, samples);
  Folds folds = folds_of_all(some, groups, given, seed, tune_options, fewer_allowed);
  require_classes_in_training(folds, some);
  for (std::vector<Index>& repeat : folds.of_sample)
    repeat = spread(repeat, samples, labels.of_sample.size(), kNeverHeldOut);
  return folds;
}

std::vector<std::vector<char>> make_halves(const FitInput& input, std::uint64_t seed,
                                           const TuneOptions& tune_options) {
  if (tune_options.stability == 0) return {};
  const AllSamples all = gather_samples(input);
  const Labels& labels = all.labels;
  const std::vector<Index> samples = content_order(input, all);
  const Labels some{labels.classes, pick(labels.of_sample, samples)};
  const std::vector<Index> groups = pick(tune_options.group_of_sample, samples);
  std::vector<std::vector<char>> halves = groups.empty()
                                              ? random_halves(some, tune_options.stability, seed)
                                              : grouped_halves(some, groups, tune_options.stability, seed);
  for (std::vector<char>& half : halves) half = spread(half, samples, labels.of_sample.size(), char{0});
  return halves;
}

}  // namespace hsvm::detail
