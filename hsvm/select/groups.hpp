// Folds, halves and a split that keep groups of samples together: those of one patient, batch or site never stand on both
// sides. Classes are dealt as evenly as whole groups allow.
//
// Groups are dealt one by one, the larger ones first, in random order among equals. A part f with the share t_f of all
// samples has s_fk samples of class k, which has N_k altogether; a group with c_k samples of class k goes where it adds least to
//
//   sum_f sum_k s_fk^2/(t_f N_k^2),      by      sum_k (2 c_k s_fk + c_k^2)/(t_f N_k^2),
//
// which is least where every part has its share of every class. Of equals the emptiest part is taken. A part that would then
// have all groups of a class is taken only where every part would.
//
// The same seed gives the same parts, and each repeat, half and split has random numbers of its own.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "hsvm/data/labels.hpp"
#include "hsvm/select/folds.hpp"

namespace hsvm {

// Numbers for words, 0, 1, ...: in the order of the numbers where all words are numbers, else of their bytes.
[[nodiscard]] std::vector<Index> numbers_of_words(std::span<const std::string> words);

// Whether a group can be held out: each of its classes has samples in another group, too. One for each sample.
[[nodiscard]] std::vector<char> samples_to_hold_out(const Labels& labels, std::span<const Index> groups);
[[nodiscard]] Index count_groups_to_hold_out(const Labels& labels, std::span<const Index> groups);

// groups[i]: any numbers, one for each sample. Groups that cannot be held out are in every training part. Throws OptionError
// where there are more folds than groups to hold out, or fewer than two.
[[nodiscard]] Folds grouped_folds(const Labels& labels, std::span<const Index> groups, Index n_folds,
                                  Index repeats, std::uint64_t seed);
// A fold for each group that can be held out; throws InputError where there are not two of them.
[[nodiscard]] Folds leave_one_group_out(const Labels& labels, std::span<const Index> groups);
// Of a class in one group only, the half has that one.
[[nodiscard]] std::vector<std::vector<char>> grouped_halves(const Labels& labels, std::span<const Index> groups,
                                                            Index n_halves, std::uint64_t seed);
// Whether a sample is in the first part. Throws OptionError unless 0 < share < 1, InputError where there is one group only.
[[nodiscard]] std::vector<char> grouped_split(const Labels& labels, std::span<const Index> groups, double share,
                                              std::uint64_t seed);

}  // namespace hsvm
