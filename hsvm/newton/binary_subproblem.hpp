// The binary problem over a working set of features, as newton_steps.hpp asks for it. Coordinate 0 is the
// intercept, where there is one.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "hsvm/newton/column_hessian.hpp"
#include "hsvm/newton/elbow_gram.hpp"
#include "hsvm/newton/gram_hessian.hpp"
#include "hsvm/newton/l1_quadratic.hpp"
#include "hsvm/newton/newton_steps.hpp"
#include "hsvm/newton/sample_model.hpp"
#include "hsvm/newton/working_columns.hpp"
#include "hsvm/newton/working_penalty.hpp"
#include "hsvm/problem/binary_problem.hpp"

namespace hsvm {

// How Newton's model of a working set is solved: with its Gram matrix, from column to column, or on the side of the samples.
enum class ModelSide { gram, columns, samples };

class BinarySubproblem {
 public:
  using Problem = BinaryProblem;
  using Point = Problem::Point;

  explicit BinarySubproblem(const Problem& problem, bool along_path = false);

  // The features to work on. Those that were there keep what is known of them. Also to be called when the
  // problem's lambdas have changed.
  void set_columns(std::span<const Index> columns);
  [[nodiscard]] std::span<const Index> columns() const { return columns_.columns(); }
  [[nodiscard]] std::span<const Index> sorted_columns() const { return columns_.sorted_columns(); }
  [[nodiscard]] bool keeps_gram() const { return model_ == ModelSide::gram; }
  // Whether a feature that enters costs about as much as many do.
  [[nodiscard]] bool takes_in_many() const { return keeps_gram() && columns_.has_far_rows(); }

  [[nodiscard]] const Problem& problem() const { return *problem_; }
  [[nodiscard]] StepControl& control() { return control_; }
  void load(const Point& u);
  // The gradient of the loss at the point to come, exact for the working features: no product is needed for it there.
  void know_gradient(const MarginLoss& loss, const Problem::Gradient& gradient);
  void store(Point& u) const;
  void differentiate(const Point& u);
  [[nodiscard]] StepState state(const Point& u) const;
  void minimise_model(const Point& u, double tolerance);
  [[nodiscard]] double search_line(const Point& u) const;
  void advance(Point& u, double t);
  void minimise_intercept(Point& u);
  [[nodiscard]] Index count_nonzeros() const;

 private:
  [[nodiscard]] ModelSide cheapest_model() const;
  void find_curved(const Point& u);
  void take_direction();
  void find_crossed(const Point& u, double t);

  const Problem* problem_;
  bool along_path_;
  StepControl control_;
  WorkingColumns columns_;
  ModelSide model_ = ModelSide::gram;
  ElbowGram gram_;
  std::vector<char> curved_;   // n: whether the sample has curvature in the model
  std::vector<char> crossed_;  // n: whether the last step, a short one, ran into it
  bool any_crossed_ = false;
  double n_curved_;  // of all samples
  WorkingPenalty coordinates_;
  double gradient_b_ = 0.0;
  DualSums duals_;                                           // where the gradient was taken
  double losses_ = 0.0;                                      // likewise, under the control's loss
  std::optional<MarginLoss> known_;                          // the loss of which g_ is the gradient already
  std::vector<double> v_, g_, next_, direction_, diagonal_;  // m
  std::vector<double> r_, change_, curvatures_;              // n
  ElasticNet penalty_;                                       // of the working features
  GramHessian gram_hessian_;
  ColumnHessian column_hessian_;
  SampleModel sample_model_;
  L1QuadraticWorkspace workspace_;
};

}  // namespace hsvm
