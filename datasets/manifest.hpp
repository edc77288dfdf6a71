// A folder of datasets with a MANIFEST.tsv: a line with the names of the columns, then a line for each set, fields
// separated by tabs. The first seven are name, file, task, classes, rows, cols, nnz; the rest is for people.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "hsvm/core/types.hpp"

namespace hsvm::datasets {

struct ManifestEntry {
  std::string name;
  std::string path;  // of the file, with its folder
  std::string task;  // binary or multiclass
  Index n_classes = 0;
  Index n_samples = 0;
  Index n_features = 0;
  Count n_nonzeros = 0;
};

// The sets whose files are there. Throws InputError where the manifest cannot be read.
[[nodiscard]] std::vector<ManifestEntry> read_manifest(const std::string& folder);

[[nodiscard]] std::optional<ManifestEntry> find_entry(const std::vector<ManifestEntry>& manifest,
                                                      const std::string& name);

}  // namespace hsvm::datasets
