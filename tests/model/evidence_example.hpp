// Evidence made by hand, for the tests of its file and of pages.
#pragma once

#include "hsvm/model/evidence.hpp"
#include "tests/model/tuned_example.hpp"

namespace hsvm::test {

// A path of the example's five features at the penalties of its best model, two of them drawn.
inline Evidence example_evidence(ModelKind kind = ModelKind::binary) {
  Evidence evidence;
  evidence.source = "train.csv";
  evidence.command = "hsvm cv train.csv";
  evidence.class_counts.assign(kind == ModelKind::binary ? 2 : 3, 2);
  evidence.features = {0, 2, 3};
  evidence.deviations = {0.5, 2.0, 1.0 / 3.0};
  evidence.path.lambda2 = 0.1;
  evidence.path.delta = 0.35;
  evidence.path.scaled = true;
  evidence.path.n_features = 3;
  for (const double lambda1 : {1.0, 0.5, 0.25}) {
    evidence.path.steps.push_back({.lambda1 = lambda1,
                                   .nonzeros = lambda1 == 1.0 ? 0 : 3,
                                   .objective = 0.1 + lambda1,
                                   .relative_gap = 1e-9,
                                   .iterations = 4,
                                   .passes = 2.5,
                                   .seconds = 0.001,
                                   .status = Status::converged});
  }
  evidence.path.lines = {{.feature = 2, .output = 0, .points = {0, 1, 2}, .effects = {0.0, 2.0, 6.0}},
                         {.feature = 0, .output = 0, .points = {0, 2}, .effects = {0.0, -1.0}}};
  evidence.correlations.features = {0, 2, 3};
  evidence.correlations.values = {0.25, -0.5, 1.0 / 3.0};
  evidence.correlations.stand_ins = {{0, 1, 0.9}, {2, 4, -0.125}};
  return evidence;
}

inline TunedModel example_with_evidence(ModelKind kind = ModelKind::binary) {
  TunedModel tuned = example_tuned(kind);
  tuned.evidence = example_evidence(kind);
  tuned.tuning.nested.reset();
  OutOfFold& said = tuned.tuning.out_of_fold;
  said = {.samples = {0, 1, 3, 7}, .truth = {0, 1, 1, 0}, .folds = {0, 1, 0, 1}, .best = {}, .one_se = {}};
  for (int k = 0; k < 4 * tuned.best.n_outputs(); ++k) {
    said.best.push_back(0.1F * static_cast<float>(k) - 0.15F);
    said.one_se.push_back(0.2F - 0.1F * static_cast<float>(k));
  }
  return tuned;
}

}  // namespace hsvm::test
