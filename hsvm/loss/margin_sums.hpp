// What a binary problem sums over its samples, several at a time: margins t_i = y_i z_i from labels y, sample
// weights s and scores z (n each). Sums are not divided by n; their order depends on n alone.
#pragma once

#include <iterator>
#include <span>

#include "hsvm/core/collective.hpp"
#include "hsvm/core/types.hpp"
#include "hsvm/loss/margin_loss.hpp"

namespace hsvm {

struct Samples {
  std::span<const double> y;
  std::span<const double> s;
  // Where samples are divided over ranks, these are those of this one; sums are over all of them.
  const Collective* ranks = &single_process();
  Count n_elsewhere = 0;  // samples of the other ranks

  [[nodiscard]] double n() const { return static_cast<double>(std::ssize(y) + n_elsewhere); }
};

// sum s phi(t)
[[nodiscard]] double sum_losses(const MarginLoss& loss, Samples samples, std::span<const double> z);

// sum s (phi(t) - phi(t0) - phi'(t0)(t - t0))
[[nodiscard]] double sum_divergences(const MarginLoss& loss, Samples samples, std::span<const double> z,
                                     std::span<const double> z0);

// sum s a and sum s a^2
struct DualSums {
  double linear = 0.0;
  double square = 0.0;
};

// r_i = -scale s_i y_i a_i, scale times the derivative of the loss by the score; returns their sum, and what a look at the samples
// tells besides: the sums of losses and of dual variables.
struct GradientSums {
  double slope = 0.0;
  DualSums duals;
  double losses = 0.0;
};
GradientSums loss_gradient(const MarginLoss& loss, Samples samples, std::span<const double> z, double scale,
                           std::span<double> r);

// At an intercept b added to all scores: the slope -sum s y a, the weight sum s of the samples in the elbow,
// and sum s a.
struct InterceptSums {
  double slope = 0.0;
  double in_elbow = 0.0;
  double size = 0.0;
};
[[nodiscard]] InterceptSums sum_for_intercept(const MarginLoss& loss, Samples samples,
                                              std::span<const double> z, double b);

// curved_i = 1 where low < t_i < 1 and s_i > 0, or where crossed_i is 1, else 0; returns how many there are.
[[nodiscard]] Count mark_curved(Samples samples, std::span<const double> z, double low,
                                std::span<const char> crossed, std::span<char> curved);

// Along z + t dz: the slope -sum s y a dz of the loss in t, and its curvature, sum s dz^2/delta over the elbow.
struct LineSums {
  double slope = 0.0;
  double curvature = 0.0;
};
[[nodiscard]] LineSums sum_along_line(const MarginLoss& loss, Samples samples, std::span<const double> z,
                                      std::span<const double> dz, double t);

}  // namespace hsvm
