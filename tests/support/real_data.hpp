// Real datasets, where there are any: the folder named by HSVM_DATA, else ../shared/data beside the source
// tree, with a manifest (experiments/lab/manifest.hpp). Tests that use them are skipped without.
#pragma once

#include <string>
#include <vector>

#include "experiments/lab/manifest.hpp"

namespace hsvm::test {

using RealData = lab::ManifestEntry;

[[nodiscard]] std::vector<RealData> real_data(const std::string& task);

}  // namespace hsvm::test
