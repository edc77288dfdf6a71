// What a multi-class problem sums over its samples i and their wrong classes k != y_i, several classes at a
// time: margins t_ik = -score_ik from scores Z (n x J), sample weights s (n). Sums are not divided by n; their
// order depends on shapes alone.
#pragma once

#include <span>
#include <vector>

#include "hsvm/core/class_matrix.hpp"
#include "hsvm/core/types.hpp"
#include "hsvm/loss/margin_loss.hpp"
#include "hsvm/loss/margin_sums.hpp"

namespace hsvm {

struct ClassSamples {
  std::span<const Index> y;
  std::span<const double> s;
};

// sum s phi(t)
[[nodiscard]] double sum_losses(const MarginLoss& loss, ClassSamples samples, const ClassMatrix& z);

// sum s (phi(t) - phi(t0) - phi'(t0)(t - t0))
[[nodiscard]] double sum_divergences(const MarginLoss& loss, ClassSamples samples, const ClassMatrix& z,
                                     const ClassMatrix& z0);

// sum s a and sum s a^2
[[nodiscard]] DualSums sum_duals(const MarginLoss& loss, ClassSamples samples, const ClassMatrix& z);

// R_ik = scale s_i a_ik, scale times the derivative of the loss by the score, 0 for the right class; returns
// its column sums.
std::vector<double> loss_gradient(const MarginLoss& loss, ClassSamples samples, const ClassMatrix& z,
                                  double scale, ClassMatrix& r);

// By class, with an intercept b_k added to its scores: sum s a, and the weight sum s of the samples in the
// elbow.
struct ClassSlopes {
  std::vector<double> slope;
  std::vector<double> in_elbow;
};
void sum_for_intercepts(const MarginLoss& loss, ClassSamples samples, const ClassMatrix& z,
                        std::span<const double> b, ClassSlopes& out);

// Over the entries in the elbow: sum s p q and sum s q^2.
struct ElbowProducts {
  double mixed = 0.0;
  double square = 0.0;
};
[[nodiscard]] ElbowProducts sum_in_elbow(const MarginLoss& loss, ClassSamples samples, const ClassMatrix& z,
                                         const ClassMatrix& p, const ClassMatrix& q);

// Along Z + t dZ: the slope of the loss in t, sum s a dz, and its curvature, sum s dz^2/delta over the elbow.
[[nodiscard]] LineSums sum_along_line(const MarginLoss& loss, ClassSamples samples, const ClassMatrix& z,
                                      const ClassMatrix& dz, double t);

}  // namespace hsvm
