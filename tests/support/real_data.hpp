// Real datasets, where there are any: the folder named by HSVM_DATA, else ../shared/data beside the source
// tree, with a MANIFEST.tsv whose columns name, file, task, classes, rows, cols, nnz come first. Tests that use
// them are skipped without.
#pragma once

#include <string>
#include <vector>

#include "hsvm/core/types.hpp"

namespace hsvm::test {

struct RealData {
  std::string name;
  std::string path;
  std::string task;  // binary or multiclass
  Index n_classes = 0;
  Index n_samples = 0;
  Index n_features = 0;
  Count n_nonzeros = 0;
};

[[nodiscard]] std::vector<RealData> real_data(const std::string& task);

}  // namespace hsvm::test
