#include "hsvm/newton/class_model.hpp"

#include <algorithm>
#include <cmath>

#include "hsvm/loss/class_sums.hpp"
#include "hsvm/newton/row_quadratic.hpp"

namespace hsvm {
namespace {

// What is left of the violations at first by a model: to go on is lost on one that changes with the step. Where many steps are
// needed, exactness may be what lacks.
double share_left(double at_first, const StepControl& control) {
  return at_first * control.looseness() / StepControl::kLoosest;
}

constexpr double kLeft = 0.1;
constexpr double kLeftAlone =
    0.3;  // by models by columns of a solve on its own, most of which are far from the solution
constexpr ModelEffort kEffort{.rounds = 2, .sweeps = 8, .iterations = 10};  // of models by columns

// Whether the objective falls on the way from W to V: <G, V - W> + sum_j tau_j (|V_j|_1 - |W_j|_1) is no less than its
// slope there.
bool falls_along(const WorkingPenalty& coordinates, const ClassMatrix& g, const ClassMatrix& w,
                 const ClassMatrix& v) {
  double slope = 0.0;
  for (Index j = 0; j < v.rows(); ++j) {
    const double tau = coordinates.tau[static_cast<std::size_t>(j)];
    for (std::size_t k = 0; k < v.row(j).size(); ++k) {
      slope += g.row(j)[k] * (v.row(j)[k] - w.row(j)[k]);
      slope += tau * (std::abs(v.row(j)[k]) - std::abs(w.row(j)[k]));
    }
  }
  return slope < 0.0;
}

}  // namespace

// Matrices for all classes, or pairs of them, where they are small and pay (gram_choice.hpp). Else one of few columns, which all
// classes share, where a product with it costs less than one with the columns.
void ClassModel::remap(WorkingColumns& columns, std::span<const Index> from) {
  // Times the numbers in the scores: matrices that have no more are taken always, since models with them are more exact, and
  // take fewer steps; along a path they are kept, a solve on its own has them for a few models.
  const double always = along_path_ ? 20.0 : 3.0;
  constexpr double kMost = 64.0;     // likewise: those with more never
  constexpr double kMostSent = 4e6;  // numbers: over ranks they are sent at every step
  const auto m = static_cast<double>(columns.size());
  const auto n_classes = static_cast<std::size_t>(problem_->n_outputs());
  const Margins margins = problem_->parameters().margins;
  sizes_.rows = m;
  sizes_.nonzeros = columns.n_nonzeros();
  sizes_.samples = problem_->n_samples();
  sizes_.n_classes = static_cast<double>(ClassMatrix(0, problem_->n_outputs()).stride());
  sizes_.n_matrices = static_cast<double>(ClassGramHessian::n_matrices(n_classes, margins));
  sizes_.is_sparse = columns.is_sparse();
  sizes_.is_relative = margins == Margins::relative;
  const double numbers = sizes_.matrix_numbers();
  const double in_scores = sizes_.samples * static_cast<double>(n_classes);
  const bool may_send = problem_->design().collective().is_alone() || numbers <= kMostSent;
  by_gram_ = may_send && (numbers <= always * in_scores ||
                          (numbers <= kMost * in_scores && choice_.pays(sizes_, !gram_hessian_.is_empty())));
  // A small model of a solve on its own is solved to the end, its digits cost nothing: then the last step ends at the
  // solution itself.
  constexpr double kSmall = 100.0;
  is_small_ = !along_path_ && m * sizes_.n_classes <= kSmall;
  const double with_building =
      along_path_ ? 1.0 : 2.0;  // of the matrix, which a path keeps from point to point
  is_tall_ = !by_gram_ && !is_small_ &&
             with_building * GramChoice::numbers_cost(sizes_, m * m) <=
                 GramChoice::entries_cost(sizes_, 2.0 * columns.n_nonzeros());
  if (by_gram_) {
    gram_hessian_.remap(columns, from, problem_->samples());
  } else {
    gram_hessian_.forget();
  }
  if (is_tall_) {
    gram_.remap(columns, from, problem_->sample_weights());
  } else {
    gram_.forget();
  }
}

void ClassModel::find_curvatures(const StepControl& control, const ClassMatrix& scores) {
  const ClassSamples samples = problem_->samples();
  const double scale = control.loss.curvature() / samples.n();
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

void ClassModel::minimise(WorkingColumns& columns, const StepControl& control, const ClassMatrix& scores,
                          WorkingPenalty& coordinates, const ClassMatrix& g, double tolerance, ClassMatrix& v) {
  find_curvatures(control, scores);
  std::vector<double> bounds(coordinates.size);
  for (double& bound : bounds) bound *= control.loss.curvature();
  coordinates.set_ridge(bounds, control.damping, control.loss.curvature());
  constexpr double kExact = 1e-6;
  if (is_small_) tolerance *= kExact;
  if (by_gram_) {
    return minimise_with_grams(columns, control.loss.curvature(), coordinates, g, tolerance,
                               is_small_ ? 0.0 : share_left(kLeft, control), v);
  }
  // Every digit costs looks at the columns, and the gap is flat around its target.
  if (!is_small_) tolerance *= control.looseness();
  const double left = is_small_ ? 0.0 : share_left(along_path_ ? kLeft : kLeftAlone, control);
  column_hessian_.begin(columns, problem_->samples(), curvatures_, coordinates.ridge, g);
  // A short step blames the mean of the curvatures, too: the next model has each sample's own.
  if (is_tall_ && !last_was_short_) {
    const ClassMatrix w = v;
    minimise_through_mean(columns, coordinates, g, tolerance, left, v);
    note_scores(mean_hessian_.numbers_used());
    if (falls_along(coordinates, g, w, v)) return;
    v = w;
    column_hessian_.begin(columns, problem_->samples(), curvatures_, coordinates.ridge, g);
  }
  column_hessian_.prepare_sweeps();
  RowQuadraticSolver(column_hessian_, coordinates.tau, v).minimise(tolerance, left, kEffort.at(control.steps));
  note_scores(0.0);
}

void ClassModel::minimise_with_grams(WorkingColumns& columns, double curvature,
                                     const WorkingPenalty& coordinates, const ClassMatrix& g, double tolerance,
                                     double left, ClassMatrix& v) {
  gram_hessian_.refresh(columns, problem_->samples(), curvatures_);
  gram_hessian_.begin(curvature / problem_->n_samples(), coordinates.ridge, g);
  RowQuadraticSolver(gram_hessian_, coordinates.tau, v).minimise(tolerance, left);
  choice_.note_gram(gram_hessian_.n_products(), gram_hessian_.n_crossings());
}

// What the last model cost, with so many numbers of the mean model's matrix.
void ClassModel::note_scores(double mean_numbers) {
  choice_.note_scores(sizes_, GramChoice::entries_cost(sizes_, column_hessian_.entries_used()) +
                                  GramChoice::numbers_cost(sizes_, mean_numbers));
}

void ClassModel::minimise_through_mean(WorkingColumns& columns, const WorkingPenalty& coordinates,
                                       const ClassMatrix& g, double tolerance, double left, ClassMatrix& v) {
  constexpr double kSwept = 0.3;  // of that is left by the sweeps
  const ClassMatrix w = v;
  gram_.refresh(columns, std::vector<char>(problem_->y().size(), 1), problem_->sample_weights());
  mean_hessian_.begin(gram_.matrix(), problem_->samples(), curvatures_, coordinates.ridge, g);
  RowQuadraticSolver(mean_hessian_, coordinates.tau, v).minimise(tolerance, kSwept * left);
  improve(coordinates, g, w, tolerance, left, v);
}

// With the mean model before each product through the scores: so many as take no longer than a third of it; one alone knows no
// more than the diagonal does.
int ClassModel::affordable_inner_iterations() const {
  constexpr double kMost = 10.0;
  constexpr double kShare = 1.0 / 3.0;
  const double through_scores = GramChoice::entries_cost(sizes_, 2.0 * sizes_.nonzeros);
  const double through_mean = GramChoice::numbers_cost(sizes_, sizes_.rows * sizes_.rows);
  const auto iterations = static_cast<int>(std::min(kMost, kShare * through_scores / through_mean));
  return iterations > 1 ? iterations : 0;
}

// From V on to about the minimiser of the model among what has V's pattern and signs.
void ClassModel::improve(const WorkingPenalty& coordinates, const ClassMatrix& g, const ClassMatrix& w,
                         double tolerance, double left, ClassMatrix& v) {
  constexpr int kMaxIterations = 30;
  constexpr double kInner = 0.1;
  const Index m = v.rows();
  const Index n_classes = v.n_classes();
  system_.begin(v, coordinates.tau);
  // The residual at V, in the model as it is: -(G + H (V - W) + tau sign V) on the pairs.
  std::vector<Index> moved;
  ClassMatrix step(m, n_classes);
  for (Index j = 0; j < m; ++j) {
    for (std::size_t k = 0; k < v.row(j).size(); ++k) step.row(j)[k] = v.row(j)[k] - w.row(j)[k];
    if (std::ranges::any_of(step.row(j), [](double value) { return value != 0.0; })) moved.push_back(j);
  }
  if (moved.empty() || system_.rows().empty()) return;
  std::vector<Index> all(system_.rows().begin(), system_.rows().end());
  ClassMatrix residual(m, n_classes);
  column_hessian_.apply(moved, all, step, residual);
  for (const Index j : all) {
    const double tau = coordinates.tau[static_cast<std::size_t>(j)];
    for (std::size_t k = 0; k < v.row(j).size(); ++k) {
      const double sign = v.row(j)[k] == 0.0 ? 0.0 : std::copysign(tau, v.row(j)[k]);
      residual.row(j)[k] = -(g.row(j)[k] + residual.row(j)[k] + sign);
    }
  }
  system_.project(residual);

  ClassMatrix h(m, n_classes);
  for (const Index j : all) mean_hessian_.curvature(j, h.row(j));
  const int inner_iterations = affordable_inner_iterations();
  const auto precondition = [&](const ClassMatrix& r, ClassMatrix& z) {
    if (inner_iterations == 0) return system_.divide(r, h, z);
    ClassMatrix rest = r;
    z.reset(m, n_classes);
    system_.solve([&](const ClassMatrix& d, ClassMatrix& out) { mean_hessian_.apply(all, d, out); },
                  [&](const ClassMatrix& from, ClassMatrix& to) { system_.divide(from, h, to); },
                  kInner * std::sqrt(system_.dot(r, r)), inner_iterations, rest, z);
  };
  ClassMatrix solution(m, n_classes);
  const double enough = std::max(tolerance, left * std::sqrt(system_.dot(residual, residual)));
  system_.solve([&](const ClassMatrix& d, ClassMatrix& out) { column_hessian_.apply(all, all, d, out); },
                precondition, enough, kMaxIterations, residual, solution);
  for (const Index j : all) {
    const std::vector<double> before(v.row(j).begin(), v.row(j).end());
    for (std::size_t k = 0; k < before.size(); ++k) v.row(j)[k] += solution.row(j)[k];
    if (coordinates.tau[static_cast<std::size_t>(j)] > 0.0) clip_to_signs(before, v.row(j));
  }
}

void ClassModel::note_step(const StepControl& control, const ClassMatrix& scores, const ClassMatrix& change,
                           double t) {
  crossed_.reset(0, 0);
  last_was_short_ = StepControl::is_short(t);
  if (!last_was_short_) return;
  const bool is_relative = problem_->parameters().margins == Margins::relative;
  crossed_.reset(scores.rows(), scores.n_classes());
  for (Index i = 0; i < scores.rows(); ++i) {
    const auto own = static_cast<std::size_t>(problem_->y()[static_cast<std::size_t>(i)]);
    const std::span<const double> z = scores.row(i);
    const std::span<const double> d = change.row(i);
    for (std::size_t k = 0; k < z.size(); ++k) {
      const double margin = (is_relative ? z[own] : 0.0) - z[k];
      const double ahead = margin + 2.0 * t * ((is_relative ? d[own] : 0.0) - d[k]);
      crossed_.row(i)[k] = k != own && control.loss.dual(margin) != control.loss.dual(ahead) ? 1.0 : 0.0;
    }
  }
}

}  // namespace hsvm
