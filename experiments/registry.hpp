// The list of all experiments, in the order of the paper.
#pragma once

#include <string>
#include <vector>

#include "experiments/lab/experiment.hpp"

namespace hsvm::lab {

[[nodiscard]] const std::vector<Experiment>& all_experiments();

// Throws OptionError, with all names, where there is none of this name.
[[nodiscard]] const Experiment& find_experiment(const std::string& name);

// Each in a file of its own name.
[[nodiscard]] Experiment pg_settings();
[[nodiscard]] Experiment synthetic_times();
[[nodiscard]] Experiment synthetic_accuracy();
[[nodiscard]] Experiment medium_real();
[[nodiscard]] Experiment medium_statistics();
[[nodiscard]] Experiment large_sparse();
[[nodiscard]] Experiment delta_effect();
[[nodiscard]] Experiment four_class();
[[nodiscard]] Experiment benchmarks();
[[nodiscard]] Experiment microarrays();
[[nodiscard]] Experiment multiclass_statistics();
[[nodiscard]] Experiment imbalance();

}  // namespace hsvm::lab
