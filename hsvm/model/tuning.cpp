#include "hsvm/model/tuning.hpp"

#include "hsvm/model/predict.hpp"

namespace hsvm {

std::vector<Index> predicted_classes(const std::vector<float>& scores, Index n_outputs) {
  const auto size = static_cast<std::size_t>(n_outputs);
  std::vector<Index> classes;
  std::vector<double> row(size);
  for (std::size_t begin = 0; begin < scores.size(); begin += size) {
    for (std::size_t k = 0; k < size; ++k) row[k] = static_cast<double>(scores[begin + k]);
    classes.push_back(predicted_class(row));
  }
  return classes;
}

}  // namespace hsvm
