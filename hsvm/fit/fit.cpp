#include "hsvm/api.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "hsvm/core/stopwatch.hpp"
#include "hsvm/fit/setup.hpp"
#include "hsvm/fit/training.hpp"
#include "hsvm/io/streams/output_file.hpp"
#include "hsvm/io/streams/text_input.hpp"

namespace hsvm {
namespace {

constexpr double kDefaultRatio = 0.1;

double choose_lambda1(const FitOptions& options, double lambda1_max) {
  if (options.lambda) return options.alpha.value_or(1.0) * *options.lambda;
  return options.lambda1.value_or(options.lambda1_ratio.value_or(kDefaultRatio) * lambda1_max);
}

void write_text(const std::string& path, const std::string& text) {
  OutputFile file(path);
  file.write(text);
  file.commit();
}

}  // namespace

LinearModel fit(const FitInput& input, const FitOptions& options, const SolveMonitor& monitor) {
  options.check();
  detail::check_input(input);
  LinearModel model;
  model.classes = input.data.labels->classes;
  model.n_features = input.data.n_features();
  model.feature_names = input.data.feature_names;
  model.delta = options.delta;
  model.lambda2 = options.lambda ? (1.0 - options.alpha.value_or(1.0)) * *options.lambda
                                 : options.lambda2.value_or(detail::kDefaultLambda2);
  model.lambda3 = options.no_intercept ? 0.0 : options.lambda3.value_or(model.lambda2);
  detail::require_penalty(input, model.lambda2);

  with_threads(options.threads, [&] {
    const auto training = detail::make_training(input, options);
    training->start_at_null_model(model.lambda2, model.lambda3);
    const double lambda1_max = training->lambda1_max();
    model.lambda1 = choose_lambda1(options, lambda1_max);
    detail::require_penalty(model.lambda1, model.lambda2);
    // Under its own rule the paper's algorithm runs as printed, from zero. Otherwise the model without penalised features,
    // which is at hand, is the better start: at lambda1_max it is the answer.
    if (options.stopping == Stopping::paper) training->start_at_zero(model.lambda2, model.lambda3);
    const SolveReport report =
        training->solve({model.lambda1, model.lambda2, model.lambda3}, options.time_limit, monitor);
    model.kind = training->kind();
    training->write_coefficients(model.intercept, model.features, model.coefficients);
    model.report = detail::make_report(input, options, report, lambda1_max);
  });
  if (options.measure_pass)
    model.report->pass_seconds = measure_pass_seconds(input.data.design, model.n_outputs());
  return model;
}

void save_model(const LinearModel& model, const std::string& path) {
  write_text(path, model_to_json(model));
}

LinearModel load_model(const std::string& path) {
  return model_from_json(read_whole_text(path).text, path);
}

void save_path(const PathModel& model, const std::string& path) {
  write_text(path, path_to_json(model));
}

PathModel load_path(const std::string& path) {
  return path_from_json(read_whole_text(path).text, path);
}

void save_tuned(const TunedModel& model, const std::string& path) {
  write_text(path, tuned_to_json(model));
}

TunedModel load_tuned(const std::string& path) {
  return tuned_from_json(read_whole_text(path).text, path);
}

AnyModel load_any_model(const std::string& path) {
  return any_model_from_json(read_whole_text(path).text, path);
}

double measure_pass_seconds(const Design& design, Index n_outputs) {
  constexpr int kMinRounds = 3;
  constexpr double kEnoughSeconds = 0.05;
  double best = std::numeric_limits<double>::infinity();
  const auto measure = [&](const auto& pass) {
    const Stopwatch total;
    for (int round = 0; round < kMinRounds || total.seconds() < kEnoughSeconds; ++round) {
      const Stopwatch watch;
      pass();
      best = std::min(best, watch.seconds());
    }
  };
  with_threads(1, [&] {
    if (n_outputs == 1) {
      const std::vector<double> w(static_cast<std::size_t>(design.cols()), 1.0);
      std::vector<double> scores(static_cast<std::size_t>(design.rows()));
      std::vector<double> gradient(w.size());
      measure([&] {
        design.multiply(w, scores);
        design.multiply_transposed(scores, gradient);
      });
    } else {
      const std::vector<Index> columns = all_indices(design.cols());
      ClassMatrix w(design.cols(), n_outputs);
      std::fill(w.values().begin(), w.values().end(), 1.0);
      ClassMatrix scores;
      ClassMatrix gradient;
      measure([&] {
        design.multiply(columns, w, scores);
        design.multiply_transposed(scores, gradient);
      });
    }
  });
  return best;
}

}  // namespace hsvm
