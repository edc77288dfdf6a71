#include "hsvm/api.hpp"
#include "hsvm/fit/setup.hpp"
#include "hsvm/fit/training.hpp"

namespace hsvm {
namespace {

constexpr double kDefaultRatio = 0.1;

double choose_lambda1(const FitOptions& options, double lambda1_max) {
  if (options.lambda) return options.alpha.value_or(1.0) * *options.lambda;
  return options.lambda1.value_or(options.lambda1_ratio.value_or(kDefaultRatio) * lambda1_max);
}

double choose_lambda2(const FitOptions& options) {
  if (options.lambda) return (1.0 - options.alpha.value_or(1.0)) * *options.lambda;
  return options.lambda2.value_or(detail::kDefaultLambda2);
}

// Throws InputError where a solve cannot begin with the model.
void require_same_shape(const LinearModel& start, const ModelShape& shape) {
  const char* what = nullptr;
  if (start.kind != shape.kind) what = "it is binary and the other multi-class";
  if (start.classes != shape.classes) what = "its classes are others";
  if (start.n_features != shape.n_features) what = "the number of its features is another";
  if (!start.feature_names.empty() && !shape.feature_names.empty() &&
      start.feature_names != shape.feature_names)
    what = "its features have other names";
  if (what != nullptr) throw InputError(std::string("the model to start with does not fit the data: ") + what);
}

}  // namespace

LinearModel fit(const FitInput& input, const FitOptions& options, const SolveMonitor& caller) {
  SolveMonitor monitor = caller;
  monitor.ranks = &input.ranks;
  const Collective::Traffic before = input.ranks.traffic();
  options.check();
  detail::check_input(input);
  Lambdas lambdas;
  lambdas.lambda2 = choose_lambda2(options);
  lambdas.lambda3 = options.lambda3.value_or(0.0);
  detail::require_penalty(input, lambdas.lambda2);

  LinearModel model;
  static_cast<ModelShape&>(model) = detail::model_shape(input, options);
  with_threads(options.threads, [&] {
    const auto training = detail::make_training(input, options);
    training->start_at_null_model(lambdas.lambda2, lambdas.lambda3);
    const double lambda1_max = training->lambda1_max();
    lambdas.lambda1 = choose_lambda1(options, lambda1_max);
    detail::require_penalty(lambdas.lambda1, lambdas.lambda2);
    // Under its own rule the paper's algorithm runs as printed, from zero. Otherwise the model without penalised features,
    // which is at hand, is the better start: at lambda1_max it is the answer.
    if (input.start) {
      require_same_shape(*input.start, model);
      training->start_at(*input.start);
    } else if (options.stopping == Stopping::paper)
      training->start_at_zero(lambdas.lambda2, lambdas.lambda3);
    const SolveReport report = training->solve(lambdas, options.time_limit, monitor);
    static_cast<Fitted&>(model) = training->fitted();
    model.report = detail::make_report(input, options, report, lambda1_max);
    model.report->reason = report.reason.text();
    model.report->rank_cost = detail::rank_cost(input.ranks, before);
  });
  if (options.measure_pass)
    model.report->pass_seconds = measure_pass_seconds(input.data.design, model.n_outputs());
  return model;
}

}  // namespace hsvm
