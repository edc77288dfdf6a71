#include "hsvm/api.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

#include "hsvm/fit/solver.hpp"
#include "hsvm/core/stopwatch.hpp"
#include "hsvm/fit/setup.hpp"
#include "hsvm/io/streams/output_file.hpp"
#include "hsvm/io/streams/text_input.hpp"
#include "hsvm/solve/null_model.hpp"

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

  detail::with_problem(
      input, options, [&]<class Problem>(Problem& problem, const Standardization& standardization) {
        problem.set_lambdas(0.0, model.lambda2, model.lambda3);
        auto null_model = solve_null_model(problem);
        const double lambda1_max = null_model.lambda1_max;
        model.lambda1 = choose_lambda1(options, lambda1_max);
        detail::require_penalty(model.lambda1, model.lambda2);
        problem.set_lambdas(model.lambda1, model.lambda2, model.lambda3);

        // Under its own rule the paper's algorithm runs as printed, from zero. Otherwise the model without
        // penalised features, which is at hand, is the better start: at lambda1_max it is the answer.
        auto start = options.stopping == Stopping::paper ? problem.zero() : std::move(null_model.point);
        detail::ChosenSolver<Problem> solve(input, options);
        const auto solution = solve(problem, std::move(start), options.time_limit, monitor);
        model.kind = detail::kind_of(solution.point);
        detail::take_coefficients(solution.point, standardization, model);
        model.report = detail::make_report(input, options, solution.report, lambda1_max);
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

double measure_pass_seconds(const AnyDesign& design, Index n_outputs) {
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
    std::visit(
        [&](const auto& x) {
          if (n_outputs == 1) {
            const std::vector<double> w(static_cast<std::size_t>(x.cols()), 1.0);
            std::vector<double> scores(static_cast<std::size_t>(x.rows()));
            std::vector<double> gradient(w.size());
            measure([&] {
              x.multiply(w, scores);
              x.multiply_transposed(scores, gradient);
            });
          } else {
            std::vector<Index> columns(static_cast<std::size_t>(x.cols()));
            std::iota(columns.begin(), columns.end(), Index{0});
            ClassMatrix w(x.cols(), n_outputs);
            std::fill(w.values().begin(), w.values().end(), 1.0);
            ClassMatrix scores;
            ClassMatrix gradient;
            measure([&] {
              x.multiply(columns, w, scores);
              x.multiply_transposed(scores, gradient);
            });
          }
        },
        design);
  });
  return best;
}

}  // namespace hsvm
