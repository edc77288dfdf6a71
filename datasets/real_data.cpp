#include "datasets/real_data.hpp"

#include <cstdlib>
#include <filesystem>

namespace hsvm::datasets {

std::vector<ManifestEntry> real_data() {
  const char* const named = std::getenv("HSVM_DATA");
  const std::string folder = named != nullptr ? named : HSVM_SOURCE_DIR "/../shared/data";
  if (!std::filesystem::exists(folder + "/MANIFEST.tsv")) return {};
  return read_manifest(folder);
}

std::vector<ManifestEntry> real_data(const std::string& task) {
  std::vector<ManifestEntry> sets = real_data();
  std::erase_if(sets, [&](const ManifestEntry& set) { return set.task != task; });
  return sets;
}

}  // namespace hsvm::datasets
