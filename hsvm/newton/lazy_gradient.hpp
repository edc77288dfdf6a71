// The gradient over all features, as far as a certificate needs it: exact where it may matter, elsewhere known
// to stay below its threshold [docs/newton.md, look-ahead].
//
// C = X'R is linear in the residuals R. With R = sum_s alpha_s R_s + E, the R_s being residuals whose products
// C_s are at hand, C is sum_s alpha_s C_s up to |x_j| |E| for feature j. A path is piecewise linear, so a few
// of its last points tell the next residuals closely, and most features need not be looked at. A solve on its
// own has nothing to go by and takes the product.
#pragma once

#include <limits>
#include <span>
#include <vector>

#include "hsvm/core/class_matrix.hpp"
#include "hsvm/core/types.hpp"
#include "hsvm/linalg/cholesky.hpp"
#include "hsvm/loss/margin_loss.hpp"
#include "hsvm/loss/margins.hpp"

namespace hsvm {

template <class P>
class LazyGradient {
 public:
  using Point = typename P::Point;
  using Gradient = typename P::Gradient;

  // look_ahead: for many solves in a row. Not worth its bookkeeping where columns are short.
  LazyGradient(const P& problem, bool look_ahead)
      : problem_(problem),
        look_ahead_(look_ahead && problem.design().n_samples() >= kMinRows),
        keeps_snapshots_(look_ahead_ && has_many_features(problem)) {}

  [[nodiscard]] bool looks_ahead() const { return look_ahead_; }

  // At u, with the dual variables of `loss`, for the problem's present thresholds. Adds to `passes` what it
  // reads.
  const Gradient& at(const Point& u, const MarginLoss& loss, double& passes);
  // Makes that gradient exact in these features, too.
  void complete(std::span<const Index> features, double& passes);

 private:
  using Residuals = typename P::Residuals;
  static constexpr Index kMinRows = 30;
  static constexpr double kUnknown = std::numeric_limits<double>::infinity();
  static constexpr std::size_t kSnapshots = 4;
  static constexpr double kTooMany = 0.5;  // of the features: beyond, the whole product is as good

  // With many classes a few columns are multiplied sooner than residuals compared.
  static constexpr Index kFewFeatures = 64;
  static bool has_many_features(const P& problem) {
    return problem.n_outputs() == 1 || problem.n_features() > kFewFeatures;
  }

  struct Snapshot {
    Residuals r;
    Gradient gradient;
    std::vector<double> products;  // with the residuals of all snapshots
  };
  // The numbers a residual or a gradient is made of, in one row.
  static std::span<const double> flat(const std::vector<double>& values) { return values; }
  static std::span<const double> flat(const ClassMatrix& values) { return values.values(); }
  static std::span<double> flat(std::vector<double>& values) { return values; }
  static std::span<double> flat(ClassMatrix& values) { return values.values(); }

  void measure_columns();
  void look_at(std::span<const Index> features, double& passes);
  void take_snapshot();
  void predict();
  [[nodiscard]] std::vector<Index> features_to_see() const;

  const P& problem_;
  bool look_ahead_;
  bool keeps_snapshots_;
  Residuals r_, last_r_;
  Gradient gradient_;
  std::vector<double> norms_;        // p: |x_j|
  double rounding_ = 0.0;            // what products with a column may be off by, over its norm and that of r
  std::vector<char> seen_;           // p: whether the entry is exact
  double off_ = kUnknown;            // the others are by no more than this times the column's norm
  std::vector<Snapshot> snapshots_;  // the latest last
  Cholesky cholesky_;
  std::vector<double> rest_;  // the residuals less what the snapshots tell of them
};

}  // namespace hsvm
