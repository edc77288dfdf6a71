// A path made by hand, for the tests of the model and of its file.
#pragma once

#include "hsvm/model/path_model.hpp"

namespace hsvm::test {

// Four points, binary over five features or of three classes; lambda1_max = 1.
inline PathModel example_path(ModelKind kind = ModelKind::binary) {
  PathModel path;
  path.kind = kind;
  path.classes = kind == ModelKind::binary ? Classes{true, {"-1", "1"}} : Classes{false, {"a", "b", "c"}};
  path.n_features = 5;
  path.delta = 0.1;
  path.lambda1_max = 1.0;
  path.solver = Solver::pg2;
  path.tolerance = 1.0 / 3e6;
  path.n_samples = 77;
  path.status = Status::iteration_limit;
  path.seconds = 0.123456789012345678;
  path.passes = 61.5;
  const auto add = [&](double lambda1, std::vector<Index> features, std::vector<double> first_outputs) {
    PathPoint point;
    point.lambda1 = lambda1;
    point.lambda2 = 0.5 * lambda1;
    point.lambda3 = 1.0 / 3.0;
    point.features = std::move(features);
    if (kind == ModelKind::binary) {
      point.intercept = {0.5 - lambda1};
      point.coefficients = std::move(first_outputs);
    } else {
      point.intercept = {0.5 - lambda1, lambda1, -0.5};
      for (const double w : first_outputs) point.coefficients.insert(point.coefficients.end(), {w, -w, 0.0});
    }
    point.report.emplace();
    point.report->status = path.points.size() == 2 ? Status::iteration_limit : Status::converged;
    point.report->solver = path.solver;
    point.report->objective = 0.1 + lambda1;
    point.report->dual_objective = 0.1 + 0.999 * lambda1;
    point.report->gap = 0.001 * lambda1;
    point.report->relative_gap = 0.002 * lambda1;
    point.report->iterations = 3 + static_cast<int>(path.points.size());
    point.report->passes = 4.5;
    point.report->seconds = 1.0 / 7.0;
    point.report->n_samples = path.n_samples;
    point.report->lambda1_max = path.lambda1_max;
    point.report->tolerance = path.tolerance;
    point.report->stopping = Stopping::gap;
    path.points.push_back(std::move(point));
  };
  add(1.0, {}, {});
  add(0.5, {2}, {1.0});
  add(0.25, {0, 2}, {-2.0, 3.0});
  add(0.125, {0, 2, 4}, {2.0, 1.0 / 7.0, -1e-300});
  return path;
}

}  // namespace hsvm::test
