// Newton's model of the all-together problem on a working set, with either kind of margins, and its minimiser:
//
//   very few working rows            row sweeps and conjugate gradients (row_quadratic.hpp) on the model itself, which a
//                                    Gram matrix for each class, or pair of classes, tells (class_gram_hessian.hpp)
//   fewer working rows than samples  row sweeps on the mean model (class_mean_hessian.hpp) find the support and the
//                                    signs; conjugate gradients with the Hessian as it is, through the scores, go on
//                                    from there, preconditioned by the mean model where that is cheap; what leaves the
//                                    orthant is set to zero and the sums of the rows are restored before the step is
//                                    taken
//   otherwise                        row sweeps and conjugate gradients on the model itself, through the scores
#pragma once

#include <span>
#include <vector>

#include "hsvm/core/class_matrix.hpp"
#include "hsvm/newton/class_column_hessian.hpp"
#include "hsvm/newton/class_gram_hessian.hpp"
#include "hsvm/newton/class_mean_hessian.hpp"
#include "hsvm/newton/elbow_gram.hpp"
#include "hsvm/newton/gram_choice.hpp"
#include "hsvm/newton/newton_steps.hpp"
#include "hsvm/newton/support_system.hpp"
#include "hsvm/newton/working_columns.hpp"
#include "hsvm/newton/working_penalty.hpp"
#include "hsvm/problem/multiclass_problem.hpp"

namespace hsvm {

class ClassModel {
 public:
  ClassModel(const MulticlassProblem& problem, bool along_path) : problem_(&problem), along_path_(along_path) {}

  // Whether the last models had a matrix for each class or pair of classes.
  [[nodiscard]] bool keeps_gram() const { return by_gram_; }
  // After columns.change(), which returned `from`.
  void remap(WorkingColumns& columns, std::span<const Index> from);
  // From V = W to about the minimiser of the model at the scores, whose gradient, the ridge's part included, is g.
  void minimise(WorkingColumns& columns, const StepControl& control, const ClassMatrix& scores,
                WorkingPenalty& coordinates, const ClassMatrix& g, double tolerance, ClassMatrix& v);
  // A step of length t along `change` is about to be taken: what a short one runs into has curvature in the next
  // model.
  void note_step(const StepControl& control, const ClassMatrix& scores, const ClassMatrix& change, double t);

 private:
  void find_curvatures(const StepControl& control, const ClassMatrix& scores);
  void minimise_with_grams(WorkingColumns& columns, double curvature, const WorkingPenalty& coordinates,
                           const ClassMatrix& g, double tolerance, double left, ClassMatrix& v);
  void note_scores(double mean_numbers);
  void minimise_through_mean(WorkingColumns& columns, const WorkingPenalty& coordinates, const ClassMatrix& g,
                             double tolerance, double left, ClassMatrix& v);
  [[nodiscard]] int affordable_inner_iterations() const;
  void improve(const WorkingPenalty& coordinates, const ClassMatrix& g, const ClassMatrix& w, double tolerance,
               double left, ClassMatrix& v);

  const MulticlassProblem* problem_;
  bool along_path_;
  bool is_tall_ = false;
  bool is_small_ = false;
  bool by_gram_ = false;
  ClassModelSizes sizes_;  // of the working set
  GramChoice choice_;
  ElbowGram gram_;               // over all samples
  bool last_was_short_ = false;  // the last step
  ClassMatrix curvatures_;       // n x J
  ClassMatrix crossed_;  // n x J: 1 where the last step, a short one, ran into the end of the elbow; else empty
  ClassColumnHessian column_hessian_;
  ClassMeanHessian mean_hessian_;
  ClassGramHessian gram_hessian_;
  SupportSystem system_;
};

}  // namespace hsvm
