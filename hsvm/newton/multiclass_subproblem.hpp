// The all-together multi-class problem over a working set of features, as newton_steps.hpp asks for it. Row 0 of
// the coefficients is the intercepts, where there are any.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "hsvm/newton/class_model.hpp"
#include "hsvm/newton/newton_steps.hpp"
#include "hsvm/newton/working_columns.hpp"
#include "hsvm/newton/working_penalty.hpp"
#include "hsvm/problem/multiclass_problem.hpp"

namespace hsvm {

class MulticlassSubproblem {
 public:
  using Problem = MulticlassProblem;
  using Point = Problem::Point;

  explicit MulticlassSubproblem(const Problem& problem, bool along_path = false);

  // As in BinarySubproblem.
  void set_columns(std::span<const Index> columns);
  [[nodiscard]] std::span<const Index> columns() const { return columns_.columns(); }

  [[nodiscard]] const Problem& problem() const { return *problem_; }
  [[nodiscard]] StepControl& control() { return control_; }
  // Whether the working columns have matrices for classes or pairs of them.
  [[nodiscard]] bool keeps_gram() const { return model_.keeps_gram(); }
  void load(const Point& u);
  void store(Point& u) const;
  // The next call of differentiate is at the point of this gradient over all features, whose loss it is of.
  void know_gradient(const MarginLoss& loss, const Problem::Gradient& gradient);
  void differentiate(const Point& u);
  [[nodiscard]] StepState state(const Point& u) const;
  void minimise_model(const Point& u, double tolerance);
  [[nodiscard]] double search_line(const Point& u) const;
  void advance(Point& u, double t);
  void minimise_intercept(Point& u);
  [[nodiscard]] Index count_nonzeros() const;

 private:
  void set_direction();
  void take_gradient();

  const Problem* problem_;
  bool along_path_;
  StepControl control_;
  WorkingColumns columns_;
  ClassModel model_;
  WorkingPenalty coordinates_;        // of a row in every class
  ClassMatrix v_, next_, direction_;  // m x J
  Problem::Gradient g_;               // over the working features
  std::optional<MarginLoss> known_;   // the loss of a gradient that was told
  ClassMatrix model_g_;               // m x J, with the ridge's part and the intercepts'
  ClassMatrix r_, change_;            // n x J
  SumToZeroElasticNet penalty_;       // of the working features
};

}  // namespace hsvm
