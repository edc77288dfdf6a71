// A fitted regularisation path: one sparse model for each lambda1, largest first.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "hsvm/model/linear_model.hpp"

namespace hsvm {

struct PathPoint {
  double lambda1 = 0.0;
  double lambda2 = 0.0;
  double lambda3 = 0.0;
  std::vector<double> intercept;     // one for each output
  std::vector<Index> features;       // those with a nonzero coefficient, ascending
  std::vector<double> coefficients;  // features.size() rows of n_outputs() numbers
  FitReport report;
};

struct PathModel {
  ModelKind kind = ModelKind::binary;
  Classes classes;
  Index n_features = 0;
  std::vector<std::string> feature_names;  // empty, or one for each feature
  double delta = 1.0;
  double lambda1_max = 0.0;
  std::string solver;
  double tolerance = 0.0;
  Index n_samples = 0;
  std::string status;  // of what ended the path early, else of the first point not certified, else "converged"
  double seconds = 0.0;
  double passes = 0.0;
  std::optional<double> pass_seconds;
  std::vector<PathPoint> points;  // lambda1 strictly falling; at least one

  [[nodiscard]] Index n_outputs() const { return kind == ModelKind::binary ? 1 : classes.size(); }
};

// The model at lambda1: a point of the path where there is one (to a relative 1e-12), with its report; between
// two points the linear interpolation of their intercepts and coefficients, without a report, as `predict(s =)`
// of glmnet does. With lambda2 and lambda3 fixed the path is piecewise linear, so where it has no break between
// the two that is the solution.
//
// Above a first point at lambda1_max the model stays what it is there. Any other lambda1 outside of the path is
// refused (OptionError) with its range.
[[nodiscard]] LinearModel at(const PathModel& path, double lambda1);

// "from 0.0012 to 1.2"
[[nodiscard]] std::string describe_range(const PathModel& path);

}  // namespace hsvm
