// When a path has nothing left to learn: by the share of the null model's loss that its points explain, 1 - loss/null loss.
//
//   explained   the share is above 0.999, and above 1 - 1/n: less is left than the part of one sample of n
//   flat        after five points, the share has moved by less than 1e-5 of itself while lambda1 fell by a fifth
//
// The same two tests as glmnet's. Differs in `explained`: 0.999 alone leaves several of many samples on the wrong side. Differs in
// `flat`: glmnet compares two points next to each other, which on a fine grid may be
// closer than the tolerance of the solves. Inside of the library.
#pragma once

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include "hsvm/core/types.hpp"
#include "hsvm/model/path_model.hpp"

namespace hsvm::detail {

class PathEndRule {
 public:
  PathEndRule(double null_loss, Count n_samples)
      : null_loss_(null_loss), enough_(1.0 - std::min(kLittle, 1.0 / static_cast<double>(n_samples))) {}

  [[nodiscard]] double explained(double loss) const { return null_loss_ > 0.0 ? 1.0 - loss / null_loss_ : 0.0; }

  // To be told of every point, lambda1 falling: why the path should end with this one, nothing where it should go on.
  [[nodiscard]] std::optional<PathEnd> after(double lambda1, double loss) {
    const double share = explained(loss);
    points_.push_back({lambda1, share});
    if (share > enough_) return PathEnd::explained;
    if (points_.size() <= kFirstPoints || share < kSomething) return std::nullopt;
    while (compared_ + 2 < points_.size() && points_[compared_ + 1].lambda1 * kFall >= lambda1) ++compared_;
    if (!(points_[compared_].lambda1 * kFall >= lambda1)) return std::nullopt;
    return std::abs(share - points_[compared_].explained) < kHardly * share ? std::optional(PathEnd::flat)
                                                                            : std::nullopt;
  }

 private:
  static constexpr double kLittle = 1e-3;
  static constexpr double kHardly = 1e-5;
  static constexpr double kFall = 0.8;
  static constexpr double kSomething =
      1e-3;  // below it nothing was learned yet: the models are empty, or nearly so
  static constexpr std::size_t kFirstPoints = 5;

  struct Point {
    double lambda1;
    double explained;
  };
  double null_loss_;
  double enough_;
  std::vector<Point> points_;
  std::size_t compared_ = 0;  // the last point with a lambda1 so much larger
};

}  // namespace hsvm::detail
