// A design with its labels: what reading a file gives, and what a fit takes.
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "hsvm/core/types.hpp"
#include "hsvm/data/csc_matrix.hpp"
#include "hsvm/data/dense_matrix.hpp"
#include "hsvm/data/labels.hpp"

namespace hsvm {

// Opened once, at the top of a fit; below it every type is known.
using AnyDesign = std::variant<DenseMatrix<double>, DenseMatrix<float>, CscMatrix<double>, CscMatrix<float>>;

struct Dataset {
  std::string source;  // where it came from, for messages
  AnyDesign design;
  std::optional<Labels> labels;            // absent in unlabelled data
  std::vector<std::string> feature_names;  // empty, or one for each feature

  [[nodiscard]] Index n_samples() const {
    return std::visit([](const auto& x) { return x.rows(); }, design);
  }
  [[nodiscard]] Index n_features() const {
    return std::visit([](const auto& x) { return x.cols(); }, design);
  }
};

}  // namespace hsvm
