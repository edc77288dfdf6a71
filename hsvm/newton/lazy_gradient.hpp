// The gradient over all features, as far as a certificate needs it: exact where it may matter, elsewhere known
// to stay below its threshold [docs/newton.md, look-ahead].
//
// C = X'R is linear in the residuals R. With R = sum_s alpha_s R_s + E, the R_s being residuals whose products
// C_s are at hand, C is sum_s alpha_s C_s up to |x_j| |E| for feature j. A path is piecewise linear, so a few
// of its last points tell the next residuals closely, and most features need not be looked at. A solve on its
// own has nothing to go by and takes the product.
//
// Of a sparse X with very many samples columns differ in what they cost and in what is known of them. Where many entries would have to be read, a sharper bound is asked first:
// columns with few entries meet the largest of E alone (residual_tail.hpp). What is left are long columns, the near ones, a few hundred of them. Snapshots
// of theirs alone are taken when looking at them one by one has cost as much; the others have their products in whole snapshots only.
#pragma once

#include <limits>
#include <span>
#include <vector>

#include "hsvm/core/class_matrix.hpp"
#include "hsvm/core/types.hpp"
#include "hsvm/linalg/cholesky.hpp"
#include "hsvm/loss/margin_loss.hpp"
#include "hsvm/loss/margins.hpp"
#include "hsvm/newton/residual_tail.hpp"

namespace hsvm {

template <class P>
class LazyGradient {
 public:
  using Point = typename P::Point;
  using Gradient = typename P::Gradient;
  static constexpr Count kNearRows = 1 << 18;  // beyond, a look at X is not cheap any more

  // look_ahead: for many solves in a row. Not worth its bookkeeping where columns are short.
  // near_rows: so many samples have their residuals in the caches.
  LazyGradient(const P& problem, bool look_ahead, Count near_rows = kNearRows)
      : problem_(problem),
        look_ahead_(look_ahead && problem.design().n_samples() >= kMinRows),
        keeps_snapshots_(look_ahead_ && has_many_features(problem)),
        has_far_residuals_(problem.n_outputs() == 1 && problem.design().is_sparse() &&
                           problem.design().n_samples() > near_rows) {}

  [[nodiscard]] bool looks_ahead() const { return look_ahead_; }

  // At u, with the dual variables of `loss`, for the problem's present thresholds. Adds to `passes` what it
  // reads.
  const Gradient& at(const Point& u, const MarginLoss& loss, double& passes);
  // The same once more where it was asked for last, for other thresholds.
  const Gradient& again(double& passes) { return look(false, passes); }
  // Has all features among the contenders whose strength, as far as it is known, is above `level` times their penalty factor.
  void watch_down_to(double level);
  // Makes that gradient exact in these features, too.
  void complete(std::span<const Index> features, double& passes);

 private:
  using Residuals = typename P::Residuals;
  static constexpr Index kMinRows = 30;
  static constexpr double kUnknown = std::numeric_limits<double>::infinity();
  static constexpr std::size_t kSnapshots = 4;
  static constexpr double kTooMany = 0.5;  // of the entries: beyond, the whole product is as good

  // A few columns are multiplied sooner than residuals compared, above all with many classes.
  static constexpr Index kFewFeatures = 32;
  static constexpr Index kFewFeaturesOfClasses = 64;
  static bool has_many_features(const P& problem) {
    return problem.n_features() > (problem.n_outputs() == 1 ? kFewFeatures : kFewFeaturesOfClasses);
  }

  struct Snapshot {
    Residuals r;
    Gradient gradient;
    bool is_whole;                 // or of the near features alone
    std::vector<double> products;  // with the residuals of all snapshots
  };
  // What some of the snapshots tell of the residuals.
  struct Estimate {
    std::vector<std::size_t> snapshots;
    std::vector<std::span<const double>> parts;  // their residuals
    std::vector<double> alpha;
    double off = kUnknown;  // c_j is off by no more than this times the column's norm
    double slack = 0.0;     // the part of that which is for rounding
    ResidualTail tail;      // of E, where it is known
  };
  // The numbers a residual or a gradient is made of, in one row.
  static std::span<const double> flat(const std::vector<double>& values) { return values; }
  static std::span<const double> flat(const ClassMatrix& values) { return values.values(); }
  static std::span<double> flat(std::vector<double>& values) { return values; }
  static std::span<double> flat(ClassMatrix& values) { return values.values(); }

  const Gradient& look(bool moved, double& passes);
  void measure_columns();
  [[nodiscard]] bool is_exact(Index j) const { return is_whole_ || seen_[static_cast<std::size_t>(j)] != 0; }
  void forget_entries();
  void watch();
  void find_contenders(double level, double reach);
  void look_at(std::span<const Index> features, double& passes);
  void look_at_all(double& passes);
  void take_snapshot(bool is_whole);
  void predict();
  void find_alpha(bool only_whole, std::span<const double> products, Estimate& estimate);
  void add_estimate(const Estimate& estimate, std::span<const Index> features);
  [[nodiscard]] const Estimate& estimate_of(Index j) const {
    return !is_near_.empty() && is_near_[static_cast<std::size_t>(j)] != 0 ? of_near_ : of_all_;
  }
  [[nodiscard]] std::vector<Index> features_to_see();
  void measure_tails();
  void leave_out_by_tails(std::vector<Index>& features);
  bool renew_near_features(std::span<const Index> features, double& passes);
  [[nodiscard]] std::vector<Index> choose_near_features();
  // Their entries, over those of X; or their number over that of all.
  [[nodiscard]] double share_of(std::span<const Index> features) const;
  // The same of those that are so far from their thresholds that a fresh snapshot would spare them.
  [[nodiscard]] double spare_share_of(std::span<const Index> features) const;

  const P& problem_;
  bool look_ahead_;
  bool keeps_snapshots_;
  bool has_far_residuals_;  // of a sparse X with two classes: what follows of near features is for it
  Residuals r_, last_r_;
  Gradient gradient_;
  double last_lambda1_ = 0.0;  // of the last call
  double fall_ = 1.0;          // lambda1 over that of the solve before
  ColumnReach reach_;
  double rounding_ = 0.0;            // what products with a column may be off by, over its norm and that of r
  double product_rounding_ = 0.0;    // what products of residuals may be off by, over their norms
  bool is_whole_ = false;            // all entries are exact
  std::vector<char> seen_;           // p: else, whether one is
  std::vector<Index> looked_at_;     // those that are
  std::vector<Snapshot> snapshots_;  // the latest last
  Cholesky cholesky_;
  Estimate of_all_, of_near_;  // from whole snapshots, and from all
  bool knows_tails_ = false;   // of both
  std::vector<Index> near_;
  std::vector<char> is_near_;  // p, or empty
  double spent_ = 0.0;         // on looks at single features since the last snapshot, in shares of X
  double spent_far_ = 0.0;     // on those that are not near, since the last whole one
};

}  // namespace hsvm
