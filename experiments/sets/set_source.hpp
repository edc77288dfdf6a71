// Where the samples of a set come from, and how training and test samples are drawn from it.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "experiments/lab/lab.hpp"
#include "experiments/sets/splits.hpp"

namespace hsvm::lab {

enum class Scaling { none, by_largest, unit_rows };  // x_ij/max_i |x_ij|, x_i/|x_i|

struct SetSource {
  std::string training = {};           // in the manifest; empty where there is nothing
  std::string test = {};               // a test set of its own there; else both parts are of the one file
  std::function<Dataset()> make = {};  // made up instead
  Index n_train = 0;                   // drawn at random; 0: all, but for those that are tested
  Index n_test = 0;                    // drawn at random; 0: all of the test set
  Index per_class = 0;  // instead of n_train: so many of each class, or all of a class with fewer
  std::vector<std::string> classes = {};   // of these alone; empty: of all
  std::vector<std::string> positive = {};  // these against all others as 1 and -1; empty: as they are
  Scaling scaling = Scaling::none;         // before a random split; not with a test set of its own
  std::string note = {};                   // what is different from the paper's
};

[[nodiscard]] bool is_there(const SetSource& source, const Lab& lab);

// Training and test samples of each trial. Files are read when the first trial needs them. Only where the source is
// there.
class SetReader {
 public:
  SetReader(const Lab& lab, SetSource source) : lab_(lab), source_(std::move(source)) {}
  [[nodiscard]] Split draw(int trial);

 private:
  void load();

  const Lab& lab_;
  SetSource source_;
  std::optional<Dataset> training_;
  std::optional<Dataset> test_;
};

void scale_features(Dataset& data, Scaling scaling);

}  // namespace hsvm::lab
