#include "experiments/registry.hpp"

#include "hsvm/core/error.hpp"

namespace hsvm::lab {

const std::vector<Experiment>& all_experiments() {
  static const std::vector<Experiment> list = {
      // clang-format off
      pg_settings(),
      synthetic_times(),
      synthetic_accuracy(),
      medium_real(),
      medium_statistics(),
      large_sparse(),
      delta_effect(),
      four_class(),
      benchmarks(),
      microarrays(),
      multiclass_statistics(),
      imbalance(),
      // clang-format on
  };
  return list;
}

const Experiment& find_experiment(const std::string& name) {
  std::string known;
  for (const Experiment& experiment : all_experiments()) {
    if (experiment.name == name) return experiment;
    known += " " + experiment.name;
  }
  throw OptionError("unknown experiment '" + name + "': must be one of" + known);
}

}  // namespace hsvm::lab
