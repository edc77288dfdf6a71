// Where the samples of a set of two classes come from, and how training and test samples are drawn.
#pragma once

#include <string>
#include <vector>

#include "experiments/lab/lab.hpp"
#include "experiments/lab/splits.hpp"

namespace hsvm::lab {

enum class Scaling { none, by_largest, unit_rows };  // x_ij/max_i |x_ij|, x_i/|x_i|

struct SetSource {
  std::string training = {};               // in the manifest; empty where there is nothing
  std::string test = {};                   // a test set of its own there; else both parts are of the one file
  Index n_train = 0;                       // drawn at random; 0: all, but for those that are tested
  Index n_test = 0;                        // drawn at random; 0: all of the test set
  std::vector<std::string> classes = {};   // of these alone; empty: of all
  std::vector<std::string> positive = {};  // these against all others as 1 and -1; empty: as they are
  Scaling scaling = Scaling::none;         // before a random split; not with a test set of its own
  std::string note = {};                   // what is different from the paper's
};

[[nodiscard]] bool is_there(const SetSource& source, const Lab& lab);
// Training and test samples of a trial; only where it is there.
[[nodiscard]] Split read_source(const SetSource& source, int trial, const Lab& lab);
// The same for data that are at hand and have no test set of their own.
[[nodiscard]] Split draw_parts(Dataset data, const SetSource& source, int trial, const Lab& lab);

void scale_features(Dataset& data, Scaling scaling);

}  // namespace hsvm::lab
