#include "hsvm/select/folds.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "hsvm/core/error.hpp"
#include "hsvm/select/random_parts.hpp"

namespace hsvm {
namespace {

using detail::random_for;
using detail::shuffle;
using detail::Use;

using SamplesOfClasses = std::vector<std::vector<Index>>;

SamplesOfClasses samples_by_class(const Labels& labels) {
  SamplesOfClasses result(static_cast<std::size_t>(labels.classes.size()));
  for (std::size_t i = 0; i < labels.of_sample.size(); ++i) {
    result[static_cast<std::size_t>(labels.of_sample[i])].push_back(static_cast<Index>(i));
  }
  return result;
}

// How many of a class the first part takes: the whole number nearest to the share.
std::size_t nearest(double wanted, Random& random) {
  const double below = std::floor(wanted);
  const double rest = wanted - below;
  const bool up = rest == 0.5 ? random.below(2) == 1 : rest > 0.5;
  return static_cast<std::size_t>(below) + (up ? 1 : 0);
}

// Whether a sample is in a part with the given share, and `at_least` samples, of each class.
std::vector<char> stratified_part(SamplesOfClasses classes, std::size_t n_samples, double share,
                                  std::size_t at_least, Random random) {
  std::vector<char> in_part(n_samples, 0);
  for (std::vector<Index>& samples : classes) {
    shuffle(samples, random);
    const std::size_t wanted = nearest(share * static_cast<double>(samples.size()), random);
    const std::size_t count = std::min(std::max(wanted, at_least), samples.size());
    for (std::size_t t = 0; t < count; ++t) in_part[static_cast<std::size_t>(samples[t])] = 1;
  }
  return in_part;
}

}  // namespace

Folds stratified_folds(const Labels& labels, Index n_folds, Index repeats, std::uint64_t seed,
                       SingleSamples singles) {
  const std::size_t n = labels.of_sample.size();
  if (n_folds < 2) throw value_error("folds", std::to_string(n_folds), "must be at least 2");
  const SamplesOfClasses in_order = samples_by_class(labels);
  const bool keep_singles = singles == SingleSamples::kept;
  const Index n_to_hold_out = keep_singles ? count_to_hold_out(labels) : static_cast<Index>(n);
  if (n_folds > n_to_hold_out) {
    throw value_error(
        "folds", std::to_string(n_folds),
        fmt::format("must be at most {}, the number of samples{}", n_to_hold_out,
                    static_cast<std::size_t>(n_to_hold_out) < n ? " whose class has another one" : ""));
  }
  Folds folds{n_folds, {}};
  for (Index r = 0; r < repeats; ++r) {
    Random random = random_for(Use::folds, seed, r);
    SamplesOfClasses classes = in_order;
    std::vector<Index> fold(n, kNeverHeldOut);
    Index next = 0;
    for (std::vector<Index>& samples : classes) {
      if (keep_singles && samples.size() < 2) continue;
      shuffle(samples, random);
      for (const Index i : samples) {
        fold[static_cast<std::size_t>(i)] = next;
        next = (next + 1) % n_folds;
      }
    }
    folds.of_sample.push_back(std::move(fold));
  }
  return folds;
}

Folds leave_one_out(const Labels& labels) {
  const SamplesOfClasses classes = samples_by_class(labels);
  std::vector<Index> fold(labels.of_sample.size(), kNeverHeldOut);
  Index n_folds = 0;
  for (std::size_t i = 0; i < fold.size(); ++i) {
    if (classes[static_cast<std::size_t>(labels.of_sample[i])].size() > 1) fold[i] = n_folds++;
  }
  if (n_folds < 2) throw InputError("no class has two samples: none can be held out");
  return {n_folds, {std::move(fold)}};
}

Index count_to_hold_out(const Labels& labels) {
  Index count = 0;
  for (const std::vector<Index>& samples : samples_by_class(labels))
    count += samples.size() > 1 ? static_cast<Index>(samples.size()) : 0;
  return count;
}

Folds folds_of(std::span<const Index> numbers, Index n_samples) {
  if (std::ssize(numbers) != n_samples) {
    throw InputError(
        fmt::format("{} fold numbers for {} samples: there must be one for each", numbers.size(), n_samples));
  }
  std::map<Index, Index> fold_of_number;
  for (const Index number : numbers) fold_of_number[number] = 0;
  if (fold_of_number.size() < 2)
    throw InputError(
        (numbers.empty() ? "no fold numbers" : fmt::format("all samples are in fold {}", numbers[0])) +
        ": there must be two folds at least");
  Index n_folds = 0;
  for (auto& [number, fold] : fold_of_number) fold = n_folds++;
  std::vector<Index> folds;
  for (const Index number : numbers) folds.push_back(fold_of_number[number]);
  return {n_folds, {std::move(folds)}};
}

void require_classes_in_training(const Folds& folds, const Labels& labels) {
  const SamplesOfClasses classes = samples_by_class(labels);
  for (const std::vector<Index>& fold : folds.of_sample) {
    const auto fold_of = [&](Index i) { return fold[static_cast<std::size_t>(i)]; };
    for (std::size_t k = 0; k < classes.size(); ++k) {
      const std::vector<Index>& samples = classes[k];
      if (samples.empty() || fold_of(samples[0]) == kNeverHeldOut) continue;
      if (!std::ranges::all_of(samples, [&](Index i) { return fold_of(i) == fold_of(samples[0]); })) continue;
      const std::string& name = labels.classes.names[k];
      throw InputError(
          (samples.size() == 1
               ? fmt::format("class '{}' has one sample only", name)
               : fmt::format("all {} samples of class '{}' are in one fold", samples.size(), name)) +
          ": each class must have samples in two folds, so that none is missing when a fold is held out");
    }
  }
}

std::vector<std::vector<char>> random_halves(const Labels& labels, Index n_halves, std::uint64_t seed) {
  const SamplesOfClasses classes = samples_by_class(labels);
  std::vector<std::vector<char>> halves;
  halves.reserve(static_cast<std::size_t>(n_halves));
  for (Index h = 0; h < n_halves; ++h) {
    halves.push_back(
        stratified_part(classes, labels.of_sample.size(), 0.5, 1, random_for(Use::halves, seed, h)));
  }
  return halves;
}

std::vector<char> stratified_split(const Labels& labels, double share, std::uint64_t seed) {
  if (!(share > 0.0 && share < 1.0)) {
    throw OptionError(fmt::format("a share of {}: must be greater than 0 and less than 1", share));
  }
  return stratified_part(samples_by_class(labels), labels.of_sample.size(), share, 0,
                         random_for(Use::split, seed, 0));
}

}  // namespace hsvm
