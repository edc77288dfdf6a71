#include "tests/support/real_data.hpp"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace hsvm::test {

std::vector<RealData> real_data(const std::string& task) {
  const char* const named = std::getenv("HSVM_DATA");
  const std::filesystem::path folder = named != nullptr ? named : HSVM_SOURCE_DIR "/../shared/data";
  std::ifstream manifest(folder / "MANIFEST.tsv");
  std::vector<RealData> result;
  std::string line;
  std::getline(manifest, line);  // the header
  while (std::getline(manifest, line)) {
    std::istringstream fields(line);
    RealData entry;
    std::string file;
    fields >> entry.name >> file >> entry.task >> entry.n_classes >> entry.n_samples >> entry.n_features >>
        entry.n_nonzeros;
    entry.path = (folder / file).string();
    if (fields && entry.task == task && std::filesystem::exists(entry.path)) result.push_back(entry);
  }
  return result;
}

}  // namespace hsvm::test
