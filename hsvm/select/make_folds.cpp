#include "hsvm/select/make_folds.hpp"

#include <algorithm>

#include "hsvm/select/groups.hpp"

namespace hsvm::detail {
namespace {

std::vector<Index> pick(std::span<const Index> values, std::span<const std::size_t> chosen) {
  std::vector<Index> result;
  for (const std::size_t i : chosen) {
    if (!values.empty()) result.push_back(values[i]);
  }
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

Folds make_folds(const Labels& labels, std::uint64_t seed, const TuneOptions& tune_options,
                 std::span<const char> inside, bool fewer_allowed) {
  std::vector<std::size_t> chosen;
  for (std::size_t i = 0; i < inside.size(); ++i) {
    if (inside[i] != 0) chosen.push_back(i);
  }
  const Labels some{labels.classes, pick(labels.of_sample, chosen)};
  const std::vector<Index> groups = pick(tune_options.group_of_sample, chosen);
  const std::vector<Index> given = pick(tune_options.fold_of_sample, chosen);
  Folds folds = folds_of_all(some, groups, given, seed, tune_options, fewer_allowed);
  require_classes_in_training(folds, some);
  for (std::vector<Index>& repeat : folds.of_sample) {
    std::vector<Index> of_all(inside.size(), kNeverHeldOut);
    for (std::size_t c = 0; c < chosen.size(); ++c) of_all[chosen[c]] = repeat[c];
    repeat = std::move(of_all);
  }
  return folds;
}

std::vector<std::vector<char>> make_halves(const Labels& labels, std::uint64_t seed,
                                           const TuneOptions& tune_options) {
  return tune_options.group_of_sample.empty()
             ? random_halves(labels, tune_options.stability, seed)
             : grouped_halves(labels, tune_options.group_of_sample, tune_options.stability, seed);
}

}  // namespace hsvm::detail
