// The samples of all ranks, as far as folds and scores need them: on every rank the same. A sample's number counts through the ranks; folds,
// halves and groups are of all samples. Inside of the library.
#pragma once

#include <span>
#include <vector>

#include "hsvm/data/labels.hpp"
#include "hsvm/fit/input.hpp"

namespace hsvm::detail {

struct AllSamples {
  Labels labels;
  std::vector<double> weights;  // as they were given; all 1 where none were
  Index first = 0;              // the number of this rank's first sample

  [[nodiscard]] Index size() const { return static_cast<Index>(weights.size()); }
};

// Every rank must ask. Throws InputError where there are more than 2^31 - 1 samples.
[[nodiscard]] AllSamples gather_samples(const FitInput& input);

// Of numbers for all samples those of this rank's.
template <class T>
[[nodiscard]] std::span<const T> own_part(const FitInput& input, Index first, const std::vector<T>& of_all) {
  return std::span<const T>(of_all).subspan(static_cast<std::size_t>(first),
                                            static_cast<std::size_t>(input.data.n_samples()));
}

}  // namespace hsvm::detail
