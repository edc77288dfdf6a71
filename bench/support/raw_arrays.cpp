#include "bench/support/raw_arrays.hpp"

#include <string>
#include <vector>

namespace hsvm::bench {

void write_design(const std::filesystem::path& stem, const Dataset& data) {
  const std::string name = stem.string();
  if (const auto* dense = data.design.get_if<DenseMatrix<double>>()) {
    write_array(name + ".f64", dense->column(0).data(),
                static_cast<std::size_t>(dense->rows()) * static_cast<std::size_t>(dense->cols()));
    return;
  }
  const auto& sparse = *data.design.get_if<CscMatrix<double>>();
  std::vector<Count> start = {0};
  for (Index j = 0; j < sparse.cols(); ++j) start.push_back(start.back() + std::ssize(sparse.column(j).rows));
  const auto size = static_cast<std::size_t>(start.back());
  write_array(name + "_start.i64", start.data(), start.size());
  write_array(name + "_rows.i32", sparse.column(0).rows.data(), size);
  write_array(name + "_values.f64", sparse.column(0).values.data(), size);
}

}  // namespace hsvm::bench
