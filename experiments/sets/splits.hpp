// Random training and test samples as the paper draws them.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "hsvm/data/dataset.hpp"

namespace hsvm::lab {

struct Split {
  Dataset training;
  Dataset test;
};

// So many of the rows 0 .. n_rows - 1, each once, in random order.
[[nodiscard]] std::vector<Index> random_rows(Index n_rows, Index count, std::uint64_t seed);
// So many of each class, all of a class that has no more.
[[nodiscard]] std::vector<Index> random_rows_of_each_class(const Labels& labels, Index count,
                                                           std::uint64_t seed);
// The rows that are not among these, ascending.
[[nodiscard]] std::vector<Index> other_rows(Index n_rows, const std::vector<Index>& rows);
// The first n_training of random rows and the next n_test of them, or fewer where there are no more; drawn
// again while a class has no training sample.
[[nodiscard]] Split random_split(const Dataset& data, Index n_training, Index n_test, std::uint64_t seed);

// The samples of those classes for which `kept` is true; no class is left without samples.
[[nodiscard]] Dataset only_classes(const Dataset& data, const std::function<bool(Index k)>& kept);

// The same samples with the class numbers of other data, whose classes have to include theirs (InputError).
[[nodiscard]] Dataset with_classes_of(Dataset data, const Labels& labels);

// Per cent of the samples that are of the most frequent class: the accuracy of always saying that one.
[[nodiscard]] double majority_share(const Labels& labels);

}  // namespace hsvm::lab
