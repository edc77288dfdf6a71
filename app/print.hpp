// Models and data in words.
#pragma once

#include <string>

#include "hsvm/api.hpp"
#include "hsvm/report/words.hpp"

namespace hsvm::app {

// "62 samples, 2000 features, ..."
[[nodiscard]] std::string describe_data(const Dataset& data, const Collective& ranks = single_process());
using report::describe_parameters;
using report::describe_path_range;
using report::describe_path_solve;
using report::describe_solve;
// Why a path ended, and how much its last point explains.
[[nodiscard]] std::string describe_path_end(const PathModel& path);
// lambda1, nonzeros, objective and relative gap; about every tenth point, or all of them.
[[nodiscard]] std::string path_table(const PathModel& path, bool all);
// The `count` features with the largest coefficients in output k, one a line; 0 means all. Where it is known, the
// share of random halves of the samples on which the feature was selected stands beside it.
[[nodiscard]] std::string list_features(const LinearModel& model, Index k, std::size_t count);
// The `count` features that were selected most often, in the model or not; 0 means all.
[[nodiscard]] std::string list_stable_features(const LinearModel& model, std::size_t count);
// A table, features by classes: the `count` features whose coefficients are largest in some class; 0 means all. As many classes
// stand side by side as fit into a line; the others follow below.
[[nodiscard]] std::string features_by_class(const LinearModel& model, std::size_t count);
// How many nonzero coefficients each class has: "NZ1 = 12, NZ2 = 7, ..., NR = 15 rows".
[[nodiscard]] std::string count_by_class(const LinearModel& model);
// Rows: true classes, columns: predicted ones.
[[nodiscard]] std::string confusion_table(const Classes& classes, const std::vector<Index>& truth,
                                          const std::vector<Index>& predicted);

}  // namespace hsvm::app
