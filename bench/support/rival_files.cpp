#include "bench/support/rival_files.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <vector>

#include "bench/solve_liblinear.hpp"
#include "bench/support/instances.hpp"
#include "hsvm/core/error.hpp"

namespace hsvm::bench {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

template <class T>
void write_array(const fs::path& file, const T* values, std::size_t size) {
  std::ofstream stream(file, std::ios::binary);
  stream.write(reinterpret_cast<const char*>(values), static_cast<std::streamsize>(size * sizeof(T)));
  if (!stream.flush()) throw file_error(file.string(), "cannot write");
}

void write_signs(const fs::path& file, const Labels& labels) {
  std::vector<double> y;
  for (const Index k : labels.of_sample) y.push_back(k == 1 ? 1.0 : -1.0);
  write_array(file, y.data(), y.size());
}

void write_json(const fs::path& file, const Json& value) {
  std::ofstream stream(file);
  stream << value.dump(1) << '\n';
  if (!stream.flush()) throw file_error(file.string(), "cannot write");
}

Json write_dense(const fs::path& folder, const std::string& file, const std::string& name,
                 const Dataset& data) {
  const auto& x = (*data.design.get_if<DenseMatrix<double>>());
  write_array(folder / (file + ".f64"), x.column(0).data(),
              static_cast<std::size_t>(x.rows()) * static_cast<std::size_t>(x.cols()));
  write_signs(folder / (file + "_y.f64"), *data.labels);
  return {{"instance", name}, {"file", file}, {"n_samples", x.rows()}, {"n_features", x.cols()}};
}

Json write_sparse(const fs::path& folder, const std::string& file, const std::string& name,
                  const Dataset& data) {
  const auto& x = (*data.design.get_if<CscMatrix<double>>());
  std::vector<Count> start = {0};
  for (Index j = 0; j < x.cols(); ++j) start.push_back(start.back() + std::ssize(x.column(j).rows));
  const auto size = static_cast<std::size_t>(start.back());
  write_array(folder / (file + "_start.i64"), start.data(), start.size());
  write_array(folder / (file + "_rows.i32"), x.column(0).rows.data(), size);
  write_array(folder / (file + "_values.f64"), x.column(0).values.data(), size);
  write_signs(folder / (file + "_y.f64"), *data.labels);
  Json costs = Json::array();
  for (const double ratio : kLiblinearRatios) {
    costs.push_back({{"ratio", ratio}, {"cost", liblinear_cost(data, ratio)}});
  }
  return {
      {"instance", name}, {"file", file}, {"n_samples", x.rows()}, {"n_features", x.cols()}, {"costs", costs}};
}

}  // namespace

bool write_for_rivals(const std::string& folder, std::string_view group) {
  fs::create_directories(folder);
  Json list = Json::array();
  if (group == "path") {
    for (const GaussianDesign& size : paper_sizes()) {
      const std::string file = fmt::format("path_{}_{}_{}", size.n, size.p, size.s);
      list.push_back(write_dense(folder, file, name_of(size), hsvm::generate(size)));
    }
  } else if (group == "liblinear") {
    for (const NamedData& set : sparse_data()) {
      const std::string file = fmt::format("liblinear_{}", list.size());
      list.push_back(write_sparse(folder, file, set.name, set.make()));
    }
  } else {
    return false;
  }
  write_json(fs::path(folder) / fmt::format("{}.json", group), list);
  return true;
}

}  // namespace hsvm::bench
