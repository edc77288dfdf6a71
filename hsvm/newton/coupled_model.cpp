#include "hsvm/newton/coupled_model.hpp"

#include <algorithm>

#include "hsvm/loss/class_sums.hpp"
#include "hsvm/newton/row_quadratic.hpp"

namespace hsvm {
namespace {

constexpr double kLeft = 0.3;  // of the violations at first are left by a model: more is lost on one that changes

}  // namespace

void CoupledModel::find_curvatures(const StepControl& control, const ClassMatrix& scores) {
  const ClassSamples samples = problem_->samples();
  const double scale = control.loss.curvature() / static_cast<double>(samples.y.size());
  hsvm::find_curvatures(control.loss, samples, scores, scale, control.first, curvatures_);
  if (crossed_.rows() != scores.rows()) return;
  for (Index i = 0; i < scores.rows(); ++i) {
    const double weight = scale * samples.s[static_cast<std::size_t>(i)];
    const std::span<const double> crossed = crossed_.row(i);
    for (std::size_t k = 0; k < crossed.size(); ++k) {
      if (crossed[k] != 0.0) curvatures_.row(i)[k] = weight;
    }
  }
}

void CoupledModel::minimise(const WorkingColumns& columns, const StepControl& control, const ClassMatrix& scores,
                            WorkingPenalty& coordinates, const ClassMatrix& g, double tolerance,
                            ClassMatrix& v) {
  find_curvatures(control, scores);
  std::vector<double> bounds(coordinates.size);
  for (double& bound : bounds) bound *= control.loss.curvature();
  coordinates.set_ridge(bounds, control.damping, control.loss.curvature());
  column_hessian_.begin(columns, problem_->y(), curvatures_, coordinates.ridge, g);
  RowQuadraticSolver(column_hessian_, coordinates.tau, v).minimise(tolerance, kLeft);
}

void CoupledModel::note_step(const StepControl& control, const ClassMatrix& scores, const ClassMatrix& change,
                             double t) {
  crossed_.reset(0, 0);
  if (!StepControl::is_short(t)) return;
  crossed_.reset(scores.rows(), scores.n_classes());
  for (Index i = 0; i < scores.rows(); ++i) {
    const auto own = static_cast<std::size_t>(problem_->y()[static_cast<std::size_t>(i)]);
    const std::span<const double> z = scores.row(i);
    const std::span<const double> d = change.row(i);
    for (std::size_t k = 0; k < z.size(); ++k) {
      const double margin = z[own] - z[k];
      const double ahead = margin + 2.0 * t * (d[own] - d[k]);
      crossed_.row(i)[k] = k != own && control.loss.dual(margin) != control.loss.dual(ahead) ? 1.0 : 0.0;
    }
  }
}

}  // namespace hsvm
