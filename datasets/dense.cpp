#include "datasets/dense.hpp"

#include <algorithm>
#include <utility>
#include <vector>

namespace hsvm::datasets {
namespace {

// Writes features of the data, those that it has, into the columns of z, from a row on.
void copy_features(const Dataset& data, std::span<const Index> features, Index first_row,
                   DenseMatrix<double>& z) {
  const std::vector<Index> samples = all_indices(data.n_samples());
  for (std::size_t k = 0; k < features.size() && !samples.empty(); ++k) {
    if (features[k] >= data.n_features()) continue;
    data.design->gather(features[k], samples, &z(first_row, static_cast<Index>(k)), 1);
  }
}

}  // namespace

Dataset dense_features(const Dataset& data, std::span<const Index> features) {
  DenseMatrix<double> z(data.n_samples(), static_cast<Index>(features.size()));
  copy_features(data, features, 0, z);
  return {.source = data.source, .design = std::move(z), .labels = data.labels, .feature_names = {}};
}

Dataset stacked(const Dataset& above, const Dataset& below) {
  DenseMatrix<double> z(above.n_samples() + below.n_samples(),
                        std::max(above.n_features(), below.n_features()));
  const std::vector<Index> features = all_indices(z.cols());
  copy_features(above, features, 0, z);
  copy_features(below, features, above.n_samples(), z);
  std::vector<std::string> labels;
  for (const Dataset* data : {&above, &below}) {
    for (const Index k : data->labels->of_sample)
      labels.push_back(data->labels->classes.names[static_cast<std::size_t>(k)]);
  }
  return {.source = above.source, .design = std::move(z), .labels = make_labels(labels), .feature_names = {}};
}

}  // namespace hsvm::datasets
