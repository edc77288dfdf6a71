#include "datasets/manifest.hpp"

#include <filesystem>
#include <fstream>
#include <sstream>

#include "hsvm/core/error.hpp"

namespace hsvm::datasets {

std::vector<ManifestEntry> read_manifest(const std::string& folder) {
  const std::filesystem::path base(folder);
  const std::string path = (base / "MANIFEST.tsv").string();
  std::ifstream manifest(path);
  if (!manifest) throw file_error(path, "cannot open");
  std::vector<ManifestEntry> result;
  std::string line;
  std::getline(manifest, line);  // the header
  for (int number = 2; std::getline(manifest, line); ++number) {
    if (line.find_first_not_of(" \t\r") == std::string::npos) continue;
    std::istringstream fields(line);
    ManifestEntry entry;
    std::string file;
    fields >> entry.name >> file >> entry.task >> entry.n_classes >> entry.n_samples >> entry.n_features >>
        entry.n_nonzeros;
    if (!fields || entry.n_features < 1) {
      throw InputError(path + ":" + std::to_string(number) +
                       ": expected name, file, task, classes, rows, cols and nnz, separated by tabs");
    }
    entry.path = (base / file).string();
    if (std::filesystem::exists(entry.path)) result.push_back(entry);
  }
  return result;
}

std::optional<ManifestEntry> find_entry(const std::vector<ManifestEntry>& manifest, const std::string& name) {
  for (const ManifestEntry& entry : manifest) {
    if (entry.name == name) return entry;
  }
  return std::nullopt;
}

}  // namespace hsvm::datasets
