// Real datasets, where there are any: those of the folder that HSVM_DATA names, else of ../shared/data beside the
// source tree.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "datasets/manifest.hpp"

namespace hsvm::datasets {

// All of them; none where the folder has no manifest.
[[nodiscard]] std::vector<ManifestEntry> real_data();
// Those of one task: binary or multiclass.
[[nodiscard]] std::vector<ManifestEntry> real_data(const std::string& task);

}  // namespace hsvm::datasets
