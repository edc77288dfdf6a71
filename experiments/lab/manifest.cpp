#include "experiments/lab/manifest.hpp"

#include <filesystem>
#include <fstream>
#include <sstream>

namespace hsvm::lab {

std::vector<ManifestEntry> read_manifest(const std::string& folder) {
  const std::filesystem::path place(folder);
  std::ifstream manifest(place / "MANIFEST.tsv");
  std::vector<ManifestEntry> result;
  std::string line;
  std::getline(manifest, line);  // the header
  while (std::getline(manifest, line)) {
    std::istringstream fields(line);
    ManifestEntry entry;
    std::string file;
    fields >> entry.name >> file >> entry.task >> entry.n_classes >> entry.n_samples >> entry.n_features >>
        entry.n_nonzeros;
    entry.path = (place / file).string();
    if (fields && std::filesystem::exists(entry.path)) result.push_back(entry);
  }
  return result;
}

std::optional<ManifestEntry> find_entry(const std::vector<ManifestEntry>& manifest, const std::string& name) {
  for (const ManifestEntry& entry : manifest) {
    if (entry.name == name) return entry;
  }
  return std::nullopt;
}

}  // namespace hsvm::lab
