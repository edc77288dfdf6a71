#include "hsvm/select/all_samples.hpp"

#include <limits>
#include <string>

#include "hsvm/core/error.hpp"
#include "hsvm/fit/setup.hpp"

namespace hsvm::detail {

AllSamples gather_samples(const FitInput& input) {
  const Count total = count_samples(input);
  if (total > std::numeric_limits<Index>::max()) {
    throw InputError(input.data.source + ": " + std::to_string(total) +
                     " samples; cross-validation takes at most 2147483647");
  }
  const Labels& labels = *input.data.labels;
  const std::vector<double> weights = given_weights(input);
  return {.labels = {labels.classes, input.ranks.gather(std::span<const Index>(labels.of_sample))},
          .weights = input.ranks.gather(std::span<const double>(weights)),
          .first = input.ranks.is_alone() ? 0 : static_cast<Index>(input.ranks.before(input.data.n_samples()))};
}

}  // namespace hsvm::detail
