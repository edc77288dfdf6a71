// From data and options to a problem, and from its solution to a model: what every kind of fit has in common.
// Inside of the library: users call fit and fit_path.
#pragma once

#include <algorithm>
#include <utility>
#include <variant>
#include <vector>

#include "hsvm/core/parallel.hpp"
#include "hsvm/data/ranking.hpp"
#include "hsvm/data/standardized_view.hpp"
#include "hsvm/fit/input.hpp"
#include "hsvm/fit/options.hpp"
#include "hsvm/model/data_scale.hpp"
#include "hsvm/model/linear_model.hpp"
#include "hsvm/problem/binary_problem.hpp"
#include "hsvm/problem/multiclass_problem.hpp"

namespace hsvm::detail {

inline constexpr double kDefaultLambda2 = 0.01;

// Two classes at least, and as many penalty factors as there are features.
void check_input(const FitInput& input);
// s_i: sample weight times class weight, scaled to mean 1.
[[nodiscard]] std::vector<double> total_weights(const FitInput& input, const FitOptions& options);
// Refuses what leaves a coefficient without any penalty: there is no dual bound then, and perhaps no minimum.
void require_penalty(const FitInput& input, double lambda2);
void require_penalty(double lambda1, double lambda2);

[[nodiscard]] FitReport make_report(const FitInput& input, const FitOptions& options, const SolveReport& report,
                                    double lambda1_max);

// The sample weights as they were given; all 1 where none were.
[[nodiscard]] std::vector<double> given_weights(const FitInput& input);

// What the options ask to be made of the features, learned from the samples that have a weight: empty where
// they stay as they are. Class weights have no part in it.
template <class Matrix>
[[nodiscard]] Standardization learn_standardization(const Matrix& matrix, const FitInput& input,
                                                    const FitOptions& options) {
  Standardization result;
  if (!options.standardize && !options.keep_top) return result;
  const std::vector<double> s = given_weights(input);
  const Labels& labels = *input.data.labels;
  if (options.standardize) result = standardize(matrix, s);
  if (options.keep_top && *options.keep_top < matrix.cols()) {
    const std::vector<double> ratios =
        between_within_ratios(matrix, labels.of_sample, labels.classes.size(), s);
    result = keep_features(std::move(result), top_features(ratios, *options.keep_top), matrix.cols());
  }
  return result;
}

// Chooses the problem and opens the design, with as many threads as the options say: visit(problem,
// standardization), all of whose lambdas are 0 as yet and whose features are seen through the standardization,
// where it is not empty.
template <class Visit>
void with_problem(const FitInput& input, const FitOptions& options, const Visit& visit) {
  const Labels& labels = *input.data.labels;
  const std::vector<double> s = total_weights(input, options);
  const auto prepare = [&](auto parameters) {
    parameters.loss.delta = options.delta;
    parameters.penalty.factors.assign(input.penalty_factors.begin(), input.penalty_factors.end());
    parameters.intercept = !options.no_intercept;
    parameters.intercept_by_gradient = options.stopping == Stopping::paper;
    return parameters;
  };
  const auto open = [&]<Design X>(const X& design, const Standardization& standardization) {
    if (labels.classes.size() > 2 || options.multiclass) {
      MulticlassParameters parameters = prepare(MulticlassParameters{});
      parameters.n_classes = labels.classes.size();
      MulticlassProblem<X> problem(design, labels.of_sample, s, std::move(parameters));
      visit(problem, standardization);
    } else {
      std::vector<double> y(labels.of_sample.size());
      std::transform(labels.of_sample.begin(), labels.of_sample.end(), y.begin(),
                     [](Index k) { return k == 1 ? 1.0 : -1.0; });
      BinaryProblem<X> problem(design, y, s, prepare(BinaryParameters{}));
      visit(problem, standardization);
    }
  };
  hsvm::with_threads(options.threads, [&] {
    std::visit(
        [&]<class Matrix>(const Matrix& matrix) {
          const Standardization standardization = learn_standardization(matrix, input, options);
          if (standardization.empty()) {
            open(matrix, standardization);
          } else {
            open(StandardizedView<Matrix>(matrix, standardization), standardization);
          }
        },
        input.data.design);
  });
}

template <class Point>
[[nodiscard]] constexpr ModelKind kind_of(const Point& point) {
  return requires {
    point.rows;
  }
  ? ModelKind::multiclass : ModelKind::binary;
}

// Writes the intercept and the coefficients of a point, on the scale of the data, into a model or a point of a path.
template <class Point>
void take_coefficients(const Point& point, const Standardization& standardization, Fitted& target) {
  if constexpr (requires { point.rows; }) {  // multi-class
    target.intercept = point.b;
    target.features = point.rows;
    for (Index row = 0; row < point.w.rows(); ++row) {
      target.coefficients.insert(target.coefficients.end(), point.w.row(row).begin(), point.w.row(row).end());
    }
  } else {
    target.intercept = {point.b};
    SparseCoefficients active = nonzeros(point.w);
    target.features = std::move(active.columns);
    target.coefficients = std::move(active.values);
  }
  to_data_scale(standardization, target);
}

}  // namespace hsvm::detail
