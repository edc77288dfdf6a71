#include "datasets/dense.hpp"

#include <algorithm>
#include <utility>
#include <vector>

namespace hsvm::datasets {
namespace {

// Writes feature j of the data into a column of z, from a row on.
void copy_feature(const Dataset& data, Index j, DenseMatrix<double>& z, Index column, Index first_row) {
  if (j >= data.n_features()) return;
  const auto n = static_cast<std::size_t>(data.n_samples());
  const std::vector<double> ones(n, 1.0);
  std::vector<double> values(n, 0.0);
  data.design->add_column(j, 1.0, ones, values);
  for (std::size_t i = 0; i < n; ++i) z(first_row + static_cast<Index>(i), column) = values[i];
}

}  // namespace

Dataset dense_features(const Dataset& data, std::span<const Index> features) {
  DenseMatrix<double> z(data.n_samples(), static_cast<Index>(features.size()));
  for (std::size_t k = 0; k < features.size(); ++k)
    copy_feature(data, features[k], z, static_cast<Index>(k), 0);
  return {.source = data.source, .design = std::move(z), .labels = data.labels, .feature_names = {}};
}

Dataset stacked(const Dataset& above, const Dataset& below) {
  DenseMatrix<double> z(above.n_samples() + below.n_samples(),
                        std::max(above.n_features(), below.n_features()));
  for (Index j = 0; j < z.cols(); ++j) {
    copy_feature(above, j, z, j, 0);
    copy_feature(below, j, z, j, above.n_samples());
  }
  std::vector<std::string> labels;
  for (const Dataset* data : {&above, &below}) {
    for (const Index k : data->labels->of_sample)
      labels.push_back(data->labels->classes.names[static_cast<std::size_t>(k)]);
  }
  return {.source = above.source, .design = std::move(z), .labels = make_labels(labels), .feature_names = {}};
}

}  // namespace hsvm::datasets
