// The decision directed acyclic graph over pairwise kernel SVMs [PCS00], these from LIBSVM [CL11].
//
// For every two classes a C-SVM with the kernel K(x, z) = exp(-gamma |x - z|^2) is trained on their samples,
//
//   |w|^2/2 + C sum_i max(0, 1 - y_i (w'f(x_i) - rho)),
//
// by sequential minimal optimisation with LIBSVM's default stopping rule: the two most violating duals differ
// by at most 0.001. A sample is classified by a list of the classes in ascending order: the SVM of the first
// against the last removes the loser, until one is left, J - 1 decisions in all. At a tie the first is removed.
//
// tune_ddag chooses C and gamma by cross-validation over a grid, on folds that the caller gives. gamma is told
// in units of 1/(mean squared distance of two samples), so that the same grid fits data of any scale and
// dimension. Squared distances are computed once, and a kernel matrix once for each gamma.
//
// In the build where libsvm-dev is: HSVM_HAS_LIBSVM.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "baselines/run_limits.hpp"
#include "hsvm/data/design.hpp"
#include "hsvm/data/labels.hpp"

namespace hsvm::baselines {

struct DdagOptions {
  double cost = 1.0;        // C > 0
  double gamma = 1.0;       // > 0, in the units of the data: 1/|x|^2
  double tolerance = 1e-3;  // > 0
};

class Ddag {
 public:
  // Throws InputError where the labels do not fit, OptionError where an option is out of its range.
  Ddag(const Design& design, const Labels& labels, const DdagOptions& options);
  ~Ddag();
  Ddag(Ddag&&) noexcept;
  Ddag& operator=(Ddag&&) noexcept;

  // One call at a time: the pairs' decisions are kept in one place.
  [[nodiscard]] std::vector<Index> predict(const Design& design) const;
  // By the most pairwise decisions won, the first class of equals: LIBSVM's own rule.
  [[nodiscard]] std::vector<Index> predict_by_votes(const Design& design) const;

  [[nodiscard]] double seconds() const;  // of training all pairs
  [[nodiscard]] Index n_support_vectors() const;

  // How well the pairs are solved: for each (k, l), k < l, in order.
  struct Pair {
    Index first = 0;
    Index second = 0;
    double objective = 0.0;  // the formula above
    double gap = 0.0;        // to the dual objective
  };
  [[nodiscard]] std::vector<Pair> measure() const;

 private:
  struct Trained;
  std::unique_ptr<Trained> trained_;
};

struct DdagGrid {
  std::vector<double> costs = {0.25, 1, 4, 16, 64, 256, 1024, 4096};  // ascending
  // ascending; times 1/(mean squared distance of two samples)
  std::vector<double> relative_gammas = {1.0 / 64, 1.0 / 16, 0.25, 0.5, 1, 2, 4, 16};
};

struct DdagTuning {
  struct Point {
    double cost = 0.0;
    double gamma = 0.0;
    double accuracy = 0.0;  // share of the held-out samples, over all folds
  };
  std::vector<Point> points;  // every C at the first gamma, then at the next
  Point best;                 // among equals the one that comes first: small gamma, small C, the smoothest
  Status status = Status::converged;
  double seconds = 0.0;
};

inline constexpr Index kMaxTuningSamples = 10'000;  // the kernel matrix has 16 bytes an entry

// fold_of_sample: the fold, from 0, in which each sample is held out. Throws InputError where there is not one for
// each sample, where some fold leaves fewer than two classes, or where there are too many samples; and OptionError
// where the grid is empty or not positive. Ends early, with the points that were done, at the limits.
[[nodiscard]] DdagTuning tune_ddag(const Design& design, const Labels& labels,
                                   std::span<const Index> fold_of_sample, const DdagGrid& grid = {},
                                   const RunLimits& limits = {});

}  // namespace hsvm::baselines
