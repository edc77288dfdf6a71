// Which samples are held out when: folds for cross-validation, random halves, and a split into two parts.
// Classes are dealt evenly. The same seed gives the same parts, and each repeat, half and split has random
// numbers of its own: asking for more of them does not change the first ones.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "hsvm/core/types.hpp"
#include "hsvm/data/labels.hpp"

namespace hsvm {

inline constexpr Index kNeverHeldOut = -1;

// of_sample[r][i] is the fold, 0 .. n_folds - 1, in which sample i is held out in repeat r, or kNeverHeldOut. Every fold
// holds out one sample at least.
struct Folds {
  Index n_folds = 0;
  std::vector<std::vector<Index>> of_sample;
};

// The samples of each class, in random order, are dealt to the folds in turn, each class going on where the one
// before has stopped: the folds of a class differ by one sample at most, and so do the folds as a whole. Throws
// OptionError where there are more folds than samples to hold out, or fewer than two.
enum class SingleSamples {  // of a class that has only one
  dealt,                    // as any other
  kept                      // in every training part: never held out
};
[[nodiscard]] Folds stratified_folds(const Labels& labels, Index n_folds, Index repeats, std::uint64_t seed,
                                     SingleSamples singles = SingleSamples::dealt);

// A fold for each sample whose class has another one; throws InputError where there are not two of them.
[[nodiscard]] Folds leave_one_out(const Labels& labels);

// How many samples can be held out: those whose class has another one.
[[nodiscard]] Index count_to_hold_out(const Labels& labels);

// Folds by the numbers in a file, whatever they are: the smallest becomes fold 0. Throws InputError where there
// is not one for each sample, or only one fold.
[[nodiscard]] Folds folds_of(std::span<const Index> numbers, Index n_samples);

// Throws InputError unless there are two folds at least, and for each repeat one of their numbers, or kNeverHeldOut, for
// each sample, such that every fold holds out a sample.
void require_folds(const Folds& folds, Index n_samples);

// Throws InputError, naming the class, where some fold has all samples of a class and leaves none to fit to.
void require_classes_in_training(const Folds& folds, const Labels& labels);

// Random halves, stratified: for each, whether a sample is in it. Of a class with an odd number of samples the
// half has one more or one less, at random; of a class with one sample it has that one.
[[nodiscard]] std::vector<std::vector<char>> random_halves(const Labels& labels, Index n_halves,
                                                           std::uint64_t seed);

// A stratified split: whether a sample is in the first part, which has the given share of each class as nearly
// as whole numbers allow; of two equally near it takes one at random. Throws OptionError unless 0 < share < 1.
[[nodiscard]] std::vector<char> stratified_split(const Labels& labels, double share, std::uint64_t seed);

}  // namespace hsvm
