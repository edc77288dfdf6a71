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

// Where the samples of a set come from.
struct SetSource {
  std::string training = {};  // in the manifest; empty where there is nothing
  std::string test = {};      // a test set of its own there; else both parts are drawn from the one file
  Index n_train = 0;          // drawn at random; 0: all
  Index n_test = 0;
  std::vector<std::string> classes = {};  // of these alone; empty: of all
  Scaling scaling = Scaling::none;        // before a random split; not with a test set of its own
  std::string note = {};                  // what is different from the paper's
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

// Training and test samples of a trial; only where there is a source.
[[nodiscard]] Split read_set(const MediumSet& set, int trial, const Lab& lab);

// The trials of a set: where nothing is drawn there is one, without data none.
[[nodiscard]] int trials_of_set(const MediumSet& set, const Lab& lab);
[[nodiscard]] std::string trial_key(const MediumSet& set, int trial);

// What is missing and what stands in, as notes.
void note_sets(Lab& lab, const std::vector<MediumSet>& sets);

void scale_features(Dataset& data, Scaling scaling);

}  // namespace hsvm::lab
