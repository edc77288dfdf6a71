#include "tests/support/real_data.hpp"

#include <cstdlib>
#include <filesystem>

namespace hsvm::test {

std::vector<RealData> real_data(const std::string& task) {
  const char* const named = std::getenv("HSVM_DATA");
  const std::string folder = named != nullptr ? named : HSVM_SOURCE_DIR "/../shared/data";
  if (!std::filesystem::exists(folder + "/MANIFEST.tsv")) return {};
  std::vector<RealData> sets = lab::read_manifest(folder);
  std::erase_if(sets, [&](const RealData& set) { return set.task != task; });
  return sets;
}

}  // namespace hsvm::test
