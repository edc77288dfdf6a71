// One table of the paper as an experiment: what it is, and how it is run. An experiment is one file,
// experiments/NAME.cpp, with one function `Experiment NAME()` that stands in experiments/registry.hpp.
#pragma once

#include <string>

namespace hsvm::lab {

class Lab;

struct Experiment {
  std::string name;      // that of its file
  std::string title;     // a heading
  std::string table;     // of the paper: "Table 2"
  std::string protocol;  // how the paper measures and how we do, in words
  int trials = 1;        // the paper's, unless the protocol says otherwise
  int quick_trials = 1;
  double minutes = 1.0;  // expected on two cores, all trials
  double quick_minutes = 0.5;
  void (*run)(Lab& lab) = nullptr;
};

}  // namespace hsvm::lab
