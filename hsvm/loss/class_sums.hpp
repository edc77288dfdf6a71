// What a multi-class problem sums over its samples i and their wrong classes k != y_i, several classes at a
// time: margins t_ik = c_i - Z_ik from scores Z (n x J), c_i = Z_iy for relative margins and 0 for absolute
// ones (margins.hpp); sample weights s (n). Sums are not divided by n; their order depends on shapes alone.
#pragma once

#include <iterator>
#include <span>
#include <vector>

#include "hsvm/core/class_matrix.hpp"
#include "hsvm/core/types.hpp"
#include "hsvm/loss/margin_loss.hpp"
#include "hsvm/loss/margin_sums.hpp"
#include "hsvm/loss/margins.hpp"

namespace hsvm {

struct ClassSamples {
  std::span<const Index> y;
  std::span<const double> s;
  Margins margins = Margins::absolute;
  // As in Samples: where there are ranks, sums are over the samples of all of them.
  const Collective* ranks = &single_process();
  Count n_elsewhere = 0;

  [[nodiscard]] double n() const { return static_cast<double>(std::ssize(y) + n_elsewhere); }
};

// sum s phi(t)
[[nodiscard]] double sum_losses(const MarginLoss& loss, ClassSamples samples, const ClassMatrix& z);

// sum s (phi(t) - phi(t0) - phi'(t0)(t - t0))
[[nodiscard]] double sum_divergences(const MarginLoss& loss, ClassSamples samples, const ClassMatrix& z,
                                     const ClassMatrix& z0);

// R_ik = scale s_i a_ik, scale times the derivative of the loss by the score; for the right class 0, or with
// relative margins minus the sum of the others. Returns its column sums, and what a look at the scores tells besides.
struct ClassGradientSums {
  std::vector<double> by_class;
  DualSums duals;       // sum s a and sum s a^2
  double losses = 0.0;  // sum s phi(t)
  // With relative margins the sums of R by pairs, row y and column k for the samples of class y and a wrong class k: J x J, zero on
  // the diagonal.
  ClassMatrix by_pairs;
};
ClassGradientSums loss_gradient(const MarginLoss& loss, ClassSamples samples, const ClassMatrix& z,
                                double scale, ClassMatrix& r);

// By class, with an intercept b_k added to its scores: sum s a, and the weight sum s of the samples in the
// elbow. Absolute margins alone.
struct ClassSlopes {
  std::vector<double> slope;
  std::vector<double> in_elbow;
};
void sum_for_intercepts(const MarginLoss& loss, ClassSamples samples, const ClassMatrix& z,
                        std::span<const double> b, ClassSlopes& out);

// The same by pairs, row y and column k for the samples of class y against k: J x J, zero on the diagonal. With
// relative margins the gradient in b and the Hessian delta^{-1} sum_{y,k} in_elbow_yk (e_k - e_y)(e_k - e_y)'
// follow from these (pair_gradient, pair_product).
struct PairSlopes {
  ClassMatrix slope;
  ClassMatrix in_elbow;
};
void sum_by_pairs(const MarginLoss& loss, ClassSamples samples, const ClassMatrix& z, std::span<const double> b,
                  PairSlopes& out);
// Adds factor b to every row of z.
void add_to_rows(double factor, std::span<const double> b, ClassMatrix& z);
// out_k = sum over y of T_yk, less the sum of row k of T.
void pair_gradient(const ClassMatrix& t, std::span<double> out);
// out = sum_{y,k} T_yk (e_k - e_y)(e_k - e_y)'d
void pair_product(const ClassMatrix& t, std::span<const double> d, std::span<double> out);

// C_ik = scale s_i for the wrong classes that have curvature: those in the elbow, or, with `all`, all that have
// a loss; 0 elsewhere. n x J.
void find_curvatures(const MarginLoss& loss, ClassSamples samples, const ClassMatrix& z, double scale, bool all,
                     ClassMatrix& c);
// T_yk = the sum of C_ik over the samples of class y: J x J.
[[nodiscard]] ClassMatrix sum_curvatures(ClassSamples samples, const ClassMatrix& c);
// The second derivative of sample i's loss by its scores is sum_k C_ik e_k e_k', or with relative margins
// sum_k C_ik (e_k - e_y)(e_k - e_y)': replaces each row of U (n x J) by its product with that, and returns the column sums.
std::vector<double> apply_curvatures(ClassSamples samples, const ClassMatrix& c, ClassMatrix& u);

// Along Z + t dZ: the slope of the loss in t, sum s a dz, and its curvature, sum s dz^2/delta over the elbow;
// dz_ik - dz_iy stands for dz_ik with relative margins.
[[nodiscard]] LineSums sum_along_line(const MarginLoss& loss, ClassSamples samples, const ClassMatrix& z,
                                      const ClassMatrix& dz, double t);

}  // namespace hsvm
