// The all-together multi-class problem over a working set of features, as newton_steps.hpp asks for it. Row 0
// of the coefficients is the intercepts, where there are any.
//
// The loss separates over samples and classes, so the Hessian is block-diagonal by class, each class with an
// elbow of its own. Where most samples are in the elbows, one Gram matrix over all of them, scaled, may stand
// in for the classes' own; conjugate directions then make up for what it lacks. That is so for absolute margins;
// relative ones couple the classes, and have a model of their own (coupled_model.hpp).
#pragma once

#include <span>
#include <vector>

#include "hsvm/newton/class_column_hessian.hpp"
#include "hsvm/newton/class_gram_hessian.hpp"
#include "hsvm/newton/coupled_model.hpp"
#include "hsvm/newton/elbow_gram.hpp"
#include "hsvm/newton/newton_steps.hpp"
#include "hsvm/newton/working_columns.hpp"
#include "hsvm/newton/working_penalty.hpp"
#include "hsvm/problem/multiclass_problem.hpp"

namespace hsvm {

class MulticlassSubproblem {
 public:
  using Problem = MulticlassProblem;
  using Point = Problem::Point;

  explicit MulticlassSubproblem(const Problem& problem);

  // As in BinarySubproblem.
  void set_columns(std::span<const Index> columns);
  [[nodiscard]] std::span<const Index> columns() const { return columns_.columns(); }

  [[nodiscard]] const Problem& problem() const { return *problem_; }
  [[nodiscard]] StepControl& control() { return control_; }
  void load(const Point& u);
  void store(Point& u) const;
  void differentiate(const Point& u);
  [[nodiscard]] StepState state(const Point& u) const;
  void minimise_model(const Point& u, double tolerance);
  [[nodiscard]] double search_line(const Point& u) const;
  void advance(Point& u, double t);
  void minimise_intercept(Point& u);
  [[nodiscard]] Index count_nonzeros() const;

 private:
  [[nodiscard]] bool prefers_gram() const;
  [[nodiscard]] bool prefers_classwise() const;
  void find_curved(const Point& u);
  void minimise_gram_model(const Point& u, bool is_shared, double tolerance);
  void minimise_column_model(double tolerance);
  void set_direction();
  void conjugate(const Point& u);

  const Problem* problem_;
  StepControl control_;
  WorkingColumns columns_;
  bool is_coupled_;  // margins are relative
  CoupledModel coupled_;
  bool with_gram_ = true;
  bool classwise_ = false;                  // each class has a Gram matrix of its own
  ElbowGram all_;                           // over all samples, for every class
  std::vector<ElbowGram> by_class_;         // J
  std::vector<std::vector<char>> curved_;   // J x n: whether the sample has curvature in the class's model
  std::vector<std::vector<char>> crossed_;  // J x n: whether the last step, a short one, ran into it
  double n_curved_;                         // how many, all classes together
  WorkingPenalty coordinates_;              // of a row in every class
  std::vector<double> bounds_;              // m: on the curvature of the column in any class
  ClassMatrix v_, next_, direction_, last_direction_;  // m x J
  Problem::Gradient g_;                                // over the working features
  ClassMatrix model_g_;                                // m x J, with the ridge's part and the intercepts'
  ClassMatrix r_, change_, last_change_, curvatures_;  // n x J
  SumToZeroElasticNet penalty_;                        // of the working features
  ClassGramHessian gram_hessian_;
  ClassColumnHessian column_hessian_;
};

}  // namespace hsvm
