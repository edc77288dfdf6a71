// The medium-scale datasets of [XAC15, Table 4], or what stands in for them, with the numbers of its Tables 5 and 9:
// australian, colon, duke, gisette, leuk, sub-rcv1, sub-realsim and three of fMRI.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "experiments/methods/comparison.hpp"
#include "experiments/sets/set_source.hpp"

namespace hsvm::lab {

struct DeltaScore {
  PaperScore pg;
  PaperScore gcd;
};

struct MediumSet {
  std::string name;  // the paper's
  SetSource original = {};
  SetSource stand_in = {};  // where the original is not in the data folder
  bool intercept = true;
  std::map<Method, PaperScore> paper = {};
  DeltaScore delta_01 = {};   // delta = 0.1
  DeltaScore delta_001 = {};  // delta = 0.01

  // The original, or what stands in for it, or null.
  [[nodiscard]] const SetSource* source(const Lab& lab) const;
  // Its name, and in parentheses what stands in.
  [[nodiscard]] std::string label(const Lab& lab) const;
};

// By scale: two made-up ones for tests, the paper's otherwise.
[[nodiscard]] std::vector<MediumSet> medium_sets(const Lab& lab);

// The trials of a set: where nothing is drawn there is one, without data none.
[[nodiscard]] int trials_of_set(const MediumSet& set, const Lab& lab);
[[nodiscard]] std::string trial_key(const MediumSet& set, int trial);

// What is missing and what stands in, as notes.
void note_sets(Lab& lab, const std::vector<MediumSet>& sets);

}  // namespace hsvm::lab
