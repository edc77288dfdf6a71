// The notes of a cross-validation in words: what was found, and what to try.
#pragma once

#include <functional>
#include <string>

#include "hsvm/model/tuning.hpp"

namespace hsvm {

// One line without an end. Names of options in it are fields (lambda_min_ratio), which a face spells in its own way.
[[nodiscard]] std::string describe(
    TuningNote note, const TunedModel& model,
    const std::function<std::string(const std::string& name)>& spell = [](const std::string& name) {
      return name;
    });

// The score of naming the most frequent class for every sample; none of a score that needs decision values of a size.
[[nodiscard]] std::optional<double> majority_score(const Tuning& tuning, Score score);

}  // namespace hsvm
