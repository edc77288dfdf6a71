// What the classes weigh in a fit: all 1, balanced, or some of them by their labels.
#pragma once

#include <map>
#include <span>
#include <string>
#include <vector>

#include "hsvm/core/collective.hpp"
#include "hsvm/data/labels.hpp"

namespace hsvm {

struct ClassWeights {
  bool balanced = false;                        // each class weighs the same in all: n/(J n_k) a sample
  std::map<std::string, double> by_label = {};  // labels as in the data; the classes it does not name weigh 1

  // Throws OptionError where both are given, or a weight is negative or not finite.
  void check() const;
};

namespace detail {

// One weight for each class. Throws OptionError, naming the label, where no sample has it. Samples of weight 0 are not
// there: a fold that holds them out must not see how many they are.
[[nodiscard]] std::vector<double> weigh_classes(const ClassWeights& class_weights, const Labels& labels,
                                                std::span<const double> sample_weights,
                                                const Collective& ranks = single_process());

}  // namespace detail
}  // namespace hsvm
