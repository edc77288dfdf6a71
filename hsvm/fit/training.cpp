// ProblemTraining<Problem> holds a problem with all it refers to (weights, labels, the standardised view), its solver and
// its point; Kind<Problem> what the two problems differ in.

#include "hsvm/fit/training.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <utility>

#include "hsvm/data/imputed_view.hpp"
#include "hsvm/data/ranked_view.hpp"
#include "hsvm/data/ranking.hpp"
#include "hsvm/data/standardized_view.hpp"
#include "hsvm/fit/setup.hpp"
#include "hsvm/model/data_scale.hpp"
#include "hsvm/newton/newton.hpp"
#include "hsvm/solve/null_model.hpp"
#include "hsvm/solve/two_stage.hpp"

namespace hsvm::detail {
namespace {

// The features with values in place of missing ones, learned from the samples that have a weight; none where nothing is missing.
std::optional<ImputedView> impute(const FitInput& input) {
  const MissingEntries& missing = input.data.missing;
  if (missing.empty()) return std::nullopt;
  std::vector<Index> features;
  for (const MissingEntries::Column& column : missing.columns) features.push_back(column.feature);
  return ImputedView(*input.data.design, missing, learn_fill_values(input, features));
}

// The same over ranks, which have missing values in features of their own: all learn what one of them needs.
std::optional<ImputedView> impute_over_ranks(const FitInput& input) {
  const MissingEntries& missing = input.data.missing;
  if (!input.ranks.any(!missing.empty())) return std::nullopt;
  std::vector<double> has_missing(static_cast<std::size_t>(input.data.n_features()), 0.0);
  for (const MissingEntries::Column& column : missing.columns)
    has_missing[static_cast<std::size_t>(column.feature)] = 1.0;
  input.ranks.maximum(has_missing);
  const std::vector<Index> features = nonzeros(has_missing).columns;
  const std::vector<double> learned = learn_fill_values(input, features);
  std::vector<double> here;
  for (const MissingEntries::Column& column : missing.columns) {
    const auto found = std::ranges::lower_bound(features, column.feature);
    here.push_back(learned[static_cast<std::size_t>(found - features.begin())]);
  }
  return ImputedView(*input.data.design, missing, std::move(here));
}

// What the options ask to be made of the features, learned from the samples that have a weight: empty where they stay as
// they are. Class weights have no part in it.
Standardization learn_standardization(const FitInput& input, const Design& design, const FitOptions& options) {
  Standardization result;
  const bool excludes = excluded_features(input) > 0;
  if (!options.standardize && !options.keep_top && !excludes) return result;
  const std::vector<double> s = given_weights(input);
  const Labels& labels = *input.data.labels;
  if (options.standardize) result = standardize(design, s, input.ranks);
  if (options.no_intercept) {
    std::ranges::fill(result.centers, 0.0);  // there is none to take them up on the data's scale
    result.squared_norms.clear();
  }
  if (options.keep_top && *options.keep_top < design.cols()) {
    std::vector<double> ratios =
        between_within_ratios(design, labels.of_sample, labels.classes.size(), s, input.ranks);
    for (std::size_t j = 0; j < input.penalty_factors.size(); ++j) {
      if (std::isinf(input.penalty_factors[j])) ratios[j] = -1.0;  // behind all that may be chosen
    }
    result = keep_features(std::move(result), top_features(ratios, *options.keep_top), design.cols());
  }
  if (excludes) {
    std::vector<Index> kept;
    for (std::size_t j = 0; j < input.penalty_factors.size(); ++j) {
      if (!std::isinf(input.penalty_factors[j])) kept.push_back(static_cast<Index>(j));
    }
    result = keep_features(std::move(result), kept, design.cols());
  }
  return result;
}

// The first value that is no finite number, in words; empty where there is none. before: samples of the ranks before this one.
std::string describe_not_finite(const Design& design, Count before) {
  ColumnBuffer buffer;
  for (Index j = 0; j < design.cols(); ++j) {
    const ColumnView column = design.column(j, buffer);
    const auto bad = std::ranges::find_if(column.values, [](double value) { return !std::isfinite(value); });
    if (bad == column.values.end()) continue;
    auto i = static_cast<Index>(bad - column.values.begin());
    if (column.sparse) i = column.rows[static_cast<std::size_t>(i)];
    return fmt::format("sample {}, feature {} is {}: must be a finite number", before + i + 1, j + 1, *bad);
  }
  return "";
}

// +1 for the second class, -1 for the first.
std::vector<double> signs_of(const Labels& labels) {
  std::vector<double> y(labels.of_sample.size());
  std::ranges::transform(labels.of_sample, y.begin(), [](Index k) { return k == 1 ? 1.0 : -1.0; });
  return y;
}

// What binary and multi-class problems differ in, as seen from here.
template <class Problem>
struct Kind;

template <>
struct Kind<BinaryProblem> {
  using Targets = std::vector<double>;

  static Targets targets(const Labels& labels) { return signs_of(labels); }
  static BinaryParameters parameters(const Labels& /*labels*/, const FitOptions& /*options*/) { return {}; }
  static std::span<const double> scores(const BinaryProblem::Point& point, Index sample) {
    return std::span(point.scores).subspan(static_cast<std::size_t>(sample), 1);
  }
  static void read(const Fitted& fitted, BinaryProblem::Point& point) {
    point.b = fitted.intercept[0];
    point.w = {fitted.features, fitted.coefficients};
  }
  static void write(const BinaryProblem::Point& point, Fitted& fitted) {
    fitted.intercept = {point.b};
    fitted.features = point.w.columns;
    fitted.coefficients = point.w.values;
  }
};

template <>
struct Kind<MulticlassProblem> {
  using Targets = std::vector<Index>;

  static Targets targets(const Labels& labels) { return labels.of_sample; }
  static MulticlassParameters parameters(const Labels& labels, const FitOptions& options) {
    MulticlassParameters result;
    result.n_classes = labels.classes.size();
    result.margins = options.chosen_margins(result.n_classes);
    return result;
  }
  static std::span<const double> scores(const MulticlassProblem::Point& point, Index sample) {
    return point.scores.row(sample);
  }
  static void read(const Fitted& fitted, MulticlassProblem::Point& point) {
    const std::size_t n_classes = fitted.intercept.size();
    point.b = fitted.intercept;
    point.rows = fitted.features;
    point.w = ClassMatrix(static_cast<Index>(fitted.features.size()), static_cast<Index>(n_classes));
    for (std::size_t c = 0; c < fitted.features.size(); ++c) {
      const std::span<double> row = point.w.row(static_cast<Index>(c));
      for (std::size_t k = 0; k < n_classes; ++k) row[k] = fitted.coefficients[c * n_classes + k];
    }
  }
  static void write(const MulticlassProblem::Point& point, Fitted& fitted) {
    fitted.intercept = point.b;
    fitted.features = point.rows;
    for (Index row = 0; row < point.w.rows(); ++row) {
      const std::span<const double> w = point.w.row(row);
      fitted.coefficients.insert(fitted.coefficients.end(), w.begin(), w.end());
    }
  }
};

template <class Problem>
class ProblemTraining final : public Training {
 public:
  using Point = typename Problem::Point;

  ProblemTraining(const FitInput& input, const FitOptions& options, bool along_path)
      : input_(input),
        options_(options),
        along_path_(along_path),
        weights_(total_weights(input, options)),
        targets_(Kind<Problem>::targets(*input.data.labels)),
        imputed_(input.ranks.is_alone() ? impute(input) : impute_over_ranks(input)),
        standardization_(learn_standardization(input, features(), options)) {
    if (!standardization_.empty()) view_.emplace(features(), standardization_);
    const Design& here = view_ ? static_cast<const Design&>(*view_) : features();
    if (!input.ranks.is_alone()) ranked_.emplace(here, input.ranks);
    problem_.emplace(ranked_ ? static_cast<const Design&>(*ranked_) : here, targets_, weights_, parameters());
  }
  ProblemTraining(const ProblemTraining&) = delete;
  ProblemTraining& operator=(const ProblemTraining&) = delete;

  void start_at_null_model(double lambda2, double lambda3) override {
    problem_->set_lambdas(0.0, lambda2, lambda3);
    point_ = null_point(*problem_);
    loss_.reset();
  }
  // Newton's solver keeps the gradient: the solve that begins here need not read X for it again.
  [[nodiscard]] double lambda1_max() const override {
    if (options_.chosen_solver() != Solver::newton) return lambda1_max_at(*problem_, point_);
    return lambda1_max_of(*problem_, newton().gradient_at(point_));
  }
  void start_at_zero(double lambda2, double lambda3) override {
    problem_->set_lambdas(0.0, lambda2, lambda3);
    point_ = problem_->zero();
    loss_.reset();
  }

  void start_at(Fitted fitted) override {
    from_data_scale(standardization_, fitted);
    point_ = problem_->zero();
    Kind<Problem>::read(fitted, point_);
    problem_->refresh_scores(point_);
    loss_.reset();
  }

  SolveReport solve(const Lambdas& lambdas, double time_limit, const SolveMonitor& monitor) override {
    problem_->set_lambdas(lambdas.lambda1, lambdas.lambda2, lambdas.lambda3);
    Solution<Point> solution = solve_from(std::move(point_), time_limit, monitor);
    point_ = std::move(solution.point);
    if (solution.report.status == Status::not_finite && solution.report.iterations == 0) throw_not_finite();
    loss_ = solution.report.objective - problem_->penalty(point_);
    return std::move(solution.report);
  }

  [[nodiscard]] double loss() const override { return loss_ ? *loss_ : problem_->smooth(point_); }
  [[nodiscard]] Count n_samples() const override { return problem_->design().n_samples(); }
  [[nodiscard]] Index n_features() const override { return problem_->n_features(); }
  [[nodiscard]] std::vector<Index> support() const override { return problem_->support(point_); }
  [[nodiscard]] std::span<const double> scores(Index sample) const override {
    return Kind<Problem>::scores(point_, sample);
  }
  [[nodiscard]] Fitted fitted() const override {
    const typename Problem::Parameters& parameters = problem_->parameters();
    Fitted result{{parameters.penalty.lambda1, parameters.penalty.lambda2, parameters.lambda3}};
    Kind<Problem>::write(point_, result);
    to_data_scale(standardization_, result);
    for (const Index j : result.features) {
      if (options_.standardize)
        result.deviations.push_back(1.0 / standardization_.scales[static_cast<std::size_t>(j)]);
    }
    return result;
  }

 private:
  // All values, as they were or as they were learned.
  [[nodiscard]] const Design& features() const {
    return imputed_ ? static_cast<const Design&>(*imputed_) : *input_.data.design;
  }

  [[nodiscard]] typename Problem::Parameters parameters() const {
    typename Problem::Parameters result = Kind<Problem>::parameters(*input_.data.labels, options_);
    result.loss = margin_loss(options_.loss, options_.delta);
    result.penalty.factors.assign(input_.penalty_factors.begin(), input_.penalty_factors.end());
    for (double& factor : result.penalty.factors) {
      if (std::isinf(factor)) factor = 1.0;  // of a feature that is zero throughout
    }
    result.intercept = !options_.no_intercept;
    result.intercept_by_gradient = options_.stopping == Stopping::paper;
    return result;
  }

  [[nodiscard]] NewtonSolver<Problem>& newton() const {
    if (!newton_) newton_.emplace(*problem_, along_path_);
    return *newton_;
  }

  Solution<Point> solve_from(Point start, double time_limit, const SolveMonitor& monitor) {
    if (options_.chosen_solver() == Solver::newton) {
      return newton().solve(std::move(start), {options_.max_iterations, options_.tolerance, time_limit},
                            monitor);
    }
    ProximalGradientOptions options;
    options.max_iterations = options_.max_iterations;
    options.tolerance = options_.tolerance;
    options.stopping = options_.stopping;
    options.time_limit = time_limit;
    return options_.chosen_solver() == Solver::pg
               ? proximal_gradient(*problem_, std::move(start), options, monitor)
               : two_stage(*problem_, std::move(start), options, monitor);
  }

  [[noreturn]] void throw_not_finite() const {
    const Count before = input_.ranks.before(input_.data.n_samples());
    agree_on_errors(input_.ranks, [&] {
      const std::string value = describe_not_finite(*input_.data.design, before);
      if (!value.empty()) throw InputError(input_.data.source + ": " + value);
    });
    throw InputError(input_.data.source +
                     ": the values are so large that their squares overflow: scale the features");
  }

  const FitInput& input_;
  const FitOptions& options_;
  bool along_path_;
  std::vector<double> weights_;
  typename Kind<Problem>::Targets targets_;
  std::optional<ImputedView> imputed_;
  Standardization standardization_;
  std::optional<StandardizedView> view_;
  std::optional<RankedView> ranked_;  // around all others, where samples are divided over ranks
  std::optional<Problem> problem_;
  mutable std::optional<NewtonSolver<Problem>> newton_;  // made when it is first needed, and kept
  Point point_;
  std::optional<double> loss_;  // there, where it is known
};

}  // namespace

std::unique_ptr<Training> make_training(const FitInput& input, const FitOptions& options, bool along_path) {
  if (model_kind(input, options) == ModelKind::multiclass)
    return std::make_unique<ProblemTraining<MulticlassProblem>>(input, options, along_path);
  return std::make_unique<ProblemTraining<BinaryProblem>>(input, options, along_path);
}

}  // namespace hsvm::detail
