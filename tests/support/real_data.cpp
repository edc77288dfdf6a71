#include "tests/support/real_data.hpp"

#include <cstdlib>

namespace hsvm::test {

std::vector<RealData> real_data(const std::string& task) {
  const char* const named = std::getenv("HSVM_DATA");
  std::vector<RealData> sets = lab::read_manifest(named != nullptr ? named : HSVM_SOURCE_DIR "/../shared/data");
  std::erase_if(sets, [&](const RealData& set) { return set.task != task; });
  return sets;
}

}  // namespace hsvm::test
