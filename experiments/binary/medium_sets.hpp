// The medium-scale datasets of [XAC15, Table 4], or what stands in for them, with the numbers of its Tables 5
// and 9: australian, colon, duke, gisette, leuk, sub-rcv1, sub-realsim and three of fMRI.
#pragma once

#include <string>
#include <vector>

#include "experiments/binary/comparison.hpp"

namespace hsvm::lab {

enum class Scaling { none, by_largest, unit_rows };  // x_ij/max_i |x_ij|, x_i/|x_i|

struct DeltaScore {
  PaperScore pg;
  PaperScore gcd;
};

struct MediumSet {
  std::string name;         // the paper's
  std::string source = {};  // in the manifest; empty where there is nothing that could stand in
  std::string test = {};    // a test set of its own in the manifest, or a random split
  Index n_train = 0;
  Index n_test = 0;
  Scaling scaling = Scaling::none;
  bool intercept = true;
  std::string note = {};  // what is different from the paper's
  std::map<Method, PaperScore> paper = {};
  DeltaScore delta_01 = {};   // delta = 0.1
  DeltaScore delta_001 = {};  // delta = 0.01

  [[nodiscard]] std::string label() const;
};

// By scale: two made-up ones for tests, the paper's otherwise.
[[nodiscard]] std::vector<MediumSet> medium_sets(const Lab& lab);

[[nodiscard]] bool has_data(const MediumSet& set, const Lab& lab);
// Training and test samples of a trial.
[[nodiscard]] Split read_set(const MediumSet& set, int trial, const Lab& lab);

// The trials of a set: those that have a test set of their own have one.
[[nodiscard]] int trials_of_set(const MediumSet& set, const Lab& lab);
[[nodiscard]] std::string trial_key(const MediumSet& set, int trial);

// What is missing and what stands in, as notes.
void note_sets(Lab& lab, const std::vector<MediumSet>& sets);

void scale_features(Dataset& data, Scaling scaling);

}  // namespace hsvm::lab
