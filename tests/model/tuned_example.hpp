// A tuned model made by hand, for the tests of its file and of what the program says of it.
#pragma once

#include "hsvm/model/tuning.hpp"

namespace hsvm::test {

// Binary over five features or of three classes; four points, lambda2 = 1/3 and 0.1. Best is the fourth (its
// model has three features), one_se the third (one feature).
inline TunedModel example_tuned(ModelKind kind = ModelKind::binary) {
  TunedModel tuned;
  const bool binary = kind == ModelKind::binary;
  const auto model = [&](double lambda1, std::vector<Index> features,
                         const std::vector<double>& first_outputs) {
    LinearModel m;
    m.kind = kind;
    m.classes = binary ? Classes{true, {"-1", "1"}} : Classes{false, {"a", "b", "c"}};
    m.n_features = 5;
    m.delta = lambda1 + 0.1;
    m.lambda1 = lambda1;
    m.lambda2 = 0.1;
    m.lambda3 = 1.0 / 7.0;
    m.features = std::move(features);
    m.intercept = binary ? std::vector{0.5 - lambda1} : std::vector{0.5 - lambda1, lambda1, -0.5};
    for (const double w : first_outputs) {
      m.coefficients.push_back(w);
      if (!binary) m.coefficients.insert(m.coefficients.end(), {-w, 0.0});
    }
    m.report = FitReport{.status = Status::converged,
                         .solver = Solver::newton,
                         .objective = 0.1 + lambda1,
                         .dual_objective = 0.1,
                         .gap = lambda1 / 3e9,
                         .relative_gap = lambda1 / 3e8,
                         .iterations = 7,
                         .passes = 4.5,
                         .seconds = 1.0 / 7.0,
                         .pass_seconds = std::nullopt,
                         .n_samples = 77,
                         .lambda1_max = 1.0,
                         .tolerance = 1e-6,
                         .stopping = Stopping::gap,
                         .standardized = true,
                         .kept_features = 4};
    m.calibration = Calibration{.slope = 1.5 + lambda1,
                                .offsets = binary ? std::vector{-0.1} : std::vector{0.1, 0.2, -0.3},
                                .log_loss = 1.0 / 3.0,
                                .brier_score = 0.2};
    m.stability = Stability{
        .n_halves = 40, .features = {0, 2, 4}, .frequencies = {1.0, 0.975, 0.1}, .mean_selected = 1.0 / 0.7};
    return m;
  };
  tuned.best = model(0.25, {0, 2, 3}, {-2.0, 3.0, 1.0 / 7.0});
  tuned.one_se = model(0.5, {2}, {1.0});

  tuned.tuning.score = Score::balanced_accuracy;
  tuned.tuning.best = 3;
  tuned.tuning.one_se = 2;
  tuned.tuning.n_folds = 10;
  tuned.tuning.repeats = 3;
  tuned.tuning.seed = 18446744073709551615U;
  tuned.tuning.status = Status::converged;
  tuned.tuning.n_paths = 62;
  tuned.tuning.seconds = 0.123456789012345678;
  tuned.tuning.passes = 61.5;
  tuned.tuning.ends = {PathEnd::flat, PathEnd::grid};
  tuned.tuning.lambda2_lowered = 1;
  tuned.tuning.continued = 2;
  tuned.tuning.held_out.assign(tuned.best.classes.names.size(), 3);
  tuned.tuning.majority_share = 1.0 / 3.0;
  tuned.tuning.notes = {TuningNote::end_of_grid, TuningNote::small_classes};
  for (const double lambda2 : {1.0 / 3.0, 0.1}) {
    for (const double lambda1 : {0.5, 0.25}) {
      TuningPoint point;
      point.lambda1 = lambda1;
      point.lambda2 = lambda2;
      point.lambda3 = lambda2;
      point.delta = 0.35;
      point.nonzeros = lambda1 == 0.5 ? 1 : 3;
      point.mean_nonzeros = point.nonzeros + 1.0 / 3.0;
      for (const Score score : tuning_scores()) {
        if (score == Score::auc && !binary) continue;
        point.scores[static_cast<std::size_t>(score)] = ScoreSummary{1.0 - lambda1 / 2.0 - lambda2 / 7.0, 0.2};
      }
      tuned.tuning.grid.push_back(point);
    }
  }
  tuned.tuning.grid[0].not_certified = 2;
  const std::vector<float> scores =
      binary ? std::vector{0.1F, -1e-20F, 3.0F}
             : std::vector{0.1F, 0.2F, -0.3F, 1.0F / 3.0F, 7.0F, 0.0F, 1e30F, 2.0F, 3.0F};
  tuned.tuning.out_of_fold = {
      .samples = {0, 1, 2}, .truth = {1, 0, 1}, .folds = {4, 0, 4}, .best = scores, .one_se = scores};
  tuned.tuning.out_of_fold.one_se[1] = 0.7F;
  Nested& nested = tuned.tuning.nested.emplace();
  nested.passes = 12.5;
  nested.out_of_fold = {
      .samples = {0, 3, 9}, .truth = {1, 1, 0}, .folds = {1, 0, 1}, .best = scores, .one_se = {}};
  nested.best[static_cast<std::size_t>(Score::accuracy)] = ScoreSummary{2.0 / 3.0, 0.1};
  nested.best[static_cast<std::size_t>(Score::log_loss)] = ScoreSummary{7.0 / 3.0, 0.1};
  nested.one_se[static_cast<std::size_t>(Score::auc)] = ScoreSummary{1.0 / 3.0, 1.0 / 7.0};
  NestedFold fold{.held_out = 2, .best = {}, .one_se = {}};
  fold.best.lambda1 = 1.0 / 3.0;
  fold.one_se.delta = 0.35;
  fold.one_se.nonzeros = 3;
  nested.folds = {fold, fold};
  return tuned;
}

}  // namespace hsvm::test
