#include "bench/support/rival_files.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <vector>

#include "baselines/linear_models.hpp"
#include "bench/support/against_liblinear.hpp"
#include "bench/support/instances.hpp"
#include "bench/support/raw_arrays.hpp"
#include "hsvm/core/error.hpp"

namespace hsvm::bench {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

void write_json(const fs::path& file, const Json& value) {
  std::ofstream stream(file);
  stream << value.dump(1) << '\n';
  if (!stream.flush()) throw file_error(file.string(), "cannot write");
}

// X and y in files of this name, and what the list says of them.
Json write_set(const fs::path& folder, const std::string& file, const std::string& name, const Dataset& data) {
  const std::vector<double> y = baselines::signs_of(*data.labels);
  write_design(folder / file, data);
  write_array(folder / (file + "_y.f64"), y.data(), y.size());
  return {
      {"instance", name}, {"file", file}, {"n_samples", data.n_samples()}, {"n_features", data.n_features()}};
}

}  // namespace

bool write_for_rivals(const std::string& folder, std::string_view group) {
  fs::create_directories(folder);
  Json list = Json::array();
  if (group == "path") {
    for (const GaussianDesign& size : paper_sizes()) {
      const std::string file = fmt::format("path_{}_{}_{}", size.n, size.p, size.s);
      list.push_back(write_set(folder, file, name_of(size), hsvm::generate(size)));
    }
  } else if (group == "liblinear") {
    for (const NamedData& set : sparse_data()) {
      const std::string file = fmt::format("liblinear_{}", list.size());
      const Dataset data = set.make();
      list.push_back(write_set(folder, file, set.name, data));
      for (const double ratio : kLiblinearRatios)
        list.back()["costs"].push_back({{"ratio", ratio}, {"cost", liblinear_cost(data, ratio)}});
    }
  } else {
    return false;
  }
  write_json(fs::path(folder) / fmt::format("{}.json", group), list);
  return true;
}

}  // namespace hsvm::bench
