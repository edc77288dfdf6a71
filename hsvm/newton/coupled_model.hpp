// Newton's model of the all-together problem with relative margins on a working set: what MulticlassSubproblem asks
// in the place of the classes' own Gram matrices, since the classes couple through the curvature of each sample.
#pragma once

#include <span>
#include <vector>

#include "hsvm/core/class_matrix.hpp"
#include "hsvm/newton/coupled_column_hessian.hpp"
#include "hsvm/newton/newton_steps.hpp"
#include "hsvm/newton/working_columns.hpp"
#include "hsvm/newton/working_penalty.hpp"
#include "hsvm/problem/multiclass_problem.hpp"

namespace hsvm {

class CoupledModel {
 public:
  explicit CoupledModel(const MulticlassProblem& problem) : problem_(&problem) {}

  // From V = W to about the minimiser of the model at the scores, whose gradient, the ridge's part included, is g.
  void minimise(const WorkingColumns& columns, const StepControl& control, const ClassMatrix& scores,
                WorkingPenalty& coordinates, const ClassMatrix& g, double tolerance, ClassMatrix& v);
  // A step of length t along `change` is about to be taken: what a short one runs into has curvature in the next
  // model.
  void note_step(const StepControl& control, const ClassMatrix& scores, const ClassMatrix& change, double t);

 private:
  void find_curvatures(const StepControl& control, const ClassMatrix& scores);

  const MulticlassProblem* problem_;
  ClassMatrix curvatures_;  // n x J
  ClassMatrix crossed_;     // n x J: 1 where the last step, a short one, ran into the end of the elbow; else empty
  CoupledColumnHessian column_hessian_;
};

}  // namespace hsvm
