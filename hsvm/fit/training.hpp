// A problem made from data and options, together with its solver and the point it stands at: what a fit, a path and
// cross-validation have in common. Whether the problem is binary or multi-class, and what the data are seen through, is
// known inside of training.cpp alone. Inside of the library: users call fit, fit_path and tune.
//
//   const std::unique_ptr<Training> training = make_training(input, options);
//   training->start_at_null_model(lambda2, lambda3);
//   const SolveReport report = training->solve({lambda1, lambda2, lambda3}, time_limit, monitor);   // again for the next lambda1
//   const Fitted fitted = training->fitted();
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "hsvm/core/lambdas.hpp"
#include "hsvm/core/types.hpp"
#include "hsvm/fit/input.hpp"
#include "hsvm/fit/options.hpp"
#include "hsvm/model/linear_model.hpp"
#include "hsvm/solve/solve_report.hpp"

namespace hsvm::detail {

class Training {
 public:
  virtual ~Training() = default;

  // To the model without penalised features, the best there is at these lambdas and lambda1_max: where the next solve starts.
  virtual void start_at_null_model(double lambda2, double lambda3) = 0;
  // The smallest lambda1 at which that model, where the training must stand, is the solution.
  [[nodiscard]] virtual double lambda1_max() const = 0;
  // To zero, where the paper's algorithm as printed starts.
  virtual void start_at_zero(double lambda2, double lambda3) = 0;

  // To a model on the data's own scale, of the same classes and features. Features that are left out now are dropped.
  virtual void start_at(Fitted fitted) = 0;

  // Solves from the point it stands at, with the solver that the options name. Where they have a time limit, this one, in
  // seconds, stands in for it. Throws InputError where no step was possible because the data has something in it that is no
  // finite number, or nearly so.
  virtual SolveReport solve(const Lambdas& lambdas, double time_limit, const SolveMonitor& monitor) = 0;

  // The mean loss of the point it stands at, without any penalty on the features.
  [[nodiscard]] virtual double loss() const = 0;
  [[nodiscard]] virtual Count n_samples() const = 0;  // of all ranks
  [[nodiscard]] virtual Index n_features() const = 0;
  [[nodiscard]] virtual std::vector<Index> support() const = 0;
  // The decision values of a sample of the data: one, or one for each class.
  [[nodiscard]] virtual std::span<const double> scores(Index sample) const = 0;

  // The lambdas of the point it stands at, its intercepts, the features with a nonzero coefficient and these coefficients, on
  // the data's own scale; without a report.
  [[nodiscard]] virtual Fitted fitted() const = 0;
};

// input and options must outlive the training. along_path: it will solve for several lambda1, one after the other.
[[nodiscard]] std::unique_ptr<Training> make_training(const FitInput& input, const FitOptions& options,
                                                      bool along_path = false);

}  // namespace hsvm::detail
