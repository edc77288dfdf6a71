// A design with its labels: what reading a file gives, and what a fit takes.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "hsvm/core/types.hpp"
#include "hsvm/data/csc_matrix.hpp"
#include "hsvm/data/dense_matrix.hpp"
#include "hsvm/data/labels.hpp"

namespace hsvm {

struct Dataset {
  std::string source;  // where it came from, for messages
  SharedDesign design;
  std::optional<Labels> labels;                // absent in unlabelled data
  std::vector<std::string> feature_names;      // empty, or one for each feature
  std::vector<std::string> sample_names = {};  // empty, or one for each sample
  std::string groups_name = {};                // the column the groups came from
  std::vector<std::string> groups = {};        // empty, or the group of each sample: those that belong together

  [[nodiscard]] Index n_samples() const { return design->rows(); }
  [[nodiscard]] Index n_features() const { return design->cols(); }
};

}  // namespace hsvm
