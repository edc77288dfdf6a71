// A fitted regularisation path: one sparse model for each lambda1, largest first.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "hsvm/model/linear_model.hpp"

namespace hsvm {

using PathPoint = Fitted;  // always with its report

// Why a path has ended where it does.
enum class PathEnd {
  grid,          // there were no more values of lambda1
  explained,     // nothing is left to learn: nearly all of the null model's loss is explained
  flat,          // nothing more is learned: what is explained hardly moves
  max_nonzeros,  // the limit on nonzero features
  stopped        // cut short: the status says by what
};
inline constexpr std::array<std::string_view, 5> kPathEndNames = {"grid", "explained", "flat", "max_nonzeros",
                                                                  "stopped"};
[[nodiscard]] constexpr std::string_view to_string(PathEnd end) {
  return kPathEndNames[static_cast<std::size_t>(end)];
}

struct PathModel : ModelShape {
  double lambda1_max = 0.0;
  Solver solver = Solver::newton;
  double tolerance = 0.0;
  Count n_samples = 0;
  Status status = Status::converged;  // of what ended the path early, else of the first point not certified
  PathEnd ended = PathEnd::grid;
  double explained = 0.0;  // share of the null model's loss that the last point explains: 1 - loss/null loss
  double seconds = 0.0;
  double passes = 0.0;
  std::optional<double> pass_seconds;
  RankCost rank_cost = {};
  std::vector<PathPoint> points;  // lambda1 strictly falling; at least one
};

// The model at lambda1: a point of the path where there is one (to a relative 1e-12), with its report; between two
// points the linear interpolation of their intercepts and coefficients, without a report, as `predict(s =)` of glmnet
// does. With lambda2 and lambda3 fixed the path is piecewise linear: between two points without a break the
// interpolation is the solution.
//
// Above a first point at lambda1_max the model stays what it is there. Any other lambda1 outside of the path is
// refused (OptionError) with the path's range.
[[nodiscard]] LinearModel at(const PathModel& path, double lambda1);

// "from 0.0012 to 1.2"
[[nodiscard]] std::string describe_range(const PathModel& path);

}  // namespace hsvm
