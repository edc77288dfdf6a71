// What a tuned model keeps for whoever looks at it later and no longer has the data: where the data came from, the path of
// all samples as an eye sees it, and which features go together. Nothing of it is needed to predict.
//
//   effect of feature j in output k   w_jk times the feature's standard deviation, so that features of any unit compare
//   correlation of j and l            of their values over the samples, by the samples' weights
#pragma once

#include <string>
#include <vector>

#include "hsvm/core/status.hpp"
#include "hsvm/core/types.hpp"
#include "hsvm/model/path_model.hpp"

namespace hsvm {

// How one point of a path was solved.
struct PathStep {
  double lambda1 = 0.0;
  Index nonzeros = 0;
  double objective = 0.0;
  double relative_gap = 0.0;
  int iterations = 0;
  double passes = 0.0;
  double seconds = 0.0;
  Status status = Status::converged;
};

// The effect of a feature in one output along a path: straight between these points, zero where it is before its first one.
struct EffectLine {
  Index feature = 0;
  Index output = 0;
  std::vector<Index> points;    // numbers of steps, ascending
  std::vector<double> effects;  // at these
};

// A path, thinned: features of small effect are left out, and points on a straight line between others. Effects are rounded to six
// digits; no line is off by more than a thousandth of the largest effect.
struct PathPicture {
  double lambda2 = 0.0;
  double delta = 1.0;
  bool scaled = false;  // effects are coefficients times standard deviations; else coefficients
  std::vector<PathStep> steps;
  std::vector<EffectLine> lines;
  Index n_features = 0;  // with a coefficient at some point, those left out included
};

// A feature that is not in the model beside one that is.
struct StandIn {
  Index feature = 0;
  Index left_out = 0;
  double correlation = 0.0;  // of the two
};

struct Correlations {
  std::vector<Index> features;  // of the model, ascending: all, or those of the largest effect
  std::vector<double> values;   // by rows, below the diagonal: (1, 0), (2, 0), (2, 1), ...
  std::vector<StandIn>
      stand_ins;  // for each of these features those most correlated with it; by feature, strongest first

  // Of the features at positions a and b.
  [[nodiscard]] double at(std::size_t a, std::size_t b) const {
    if (a == b) return 1.0;
    return a > b ? values[a * (a - 1) / 2 + b] : values[b * (b - 1) / 2 + a];
  }
};

struct Evidence {
  std::vector<std::string> sample_names = {};  // of all samples, in their order; empty: they have none
  std::string source;                          // the data's file
  std::string command;                         // that made the model, as its user gave it; may be empty
  std::vector<Index> class_counts;             // samples of each class
  std::vector<Index> features;                 // of either model, ascending
  std::vector<double> deviations;              // of these features: their standard deviations
  PathPicture path;                            // of the best model's lambda2 and delta
  Correlations correlations;

  // The standard deviation of a feature; 0 where it is not known.
  [[nodiscard]] double deviation_of(Index feature) const;
};

// The path as a picture. `deviations` has a number for each feature, or is empty: then those of the points count, and without them effects are
// coefficients. Features of `first`
// (ascending) come before all others when some must be left out.
[[nodiscard]] PathPicture picture_of(const PathModel& path, const std::vector<double>& deviations,
                                     const std::vector<Index>& first);

}  // namespace hsvm
