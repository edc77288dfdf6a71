#include "hsvm/api.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "hsvm/core/stopwatch.hpp"
#include "hsvm/io/output_file.hpp"
#include "hsvm/io/text_input.hpp"
#include "hsvm/solve/null_model.hpp"
#include "hsvm/solve/two_stage.hpp"

namespace hsvm {
namespace {

constexpr double kDefaultRatio = 0.1;
constexpr double kDefaultLambda2 = 0.01;

const Labels& require_classes(const Dataset& data) {
  if (!data.labels) throw InputError(data.source + ": the data has no labels: a fit needs them");
  const Classes& classes = data.labels->classes;
  if (classes.size() < 2) {
    throw InputError(fmt::format("{}: all samples have the label {}: a fit needs two classes", data.source,
                                 classes.names.at(0)));
  }
  return *data.labels;
}

void require_weights(std::span<const double> weights, Index expected, const char* what, const char* of_what) {
  if (std::ssize(weights) != expected) {
    throw InputError(
        fmt::format("{} {} for {} {}: there must be one for each", weights.size(), what, expected, of_what));
  }
  for (std::size_t k = 0; k < weights.size(); ++k) {
    if (!(weights[k] >= 0.0 && std::isfinite(weights[k]))) {
      throw InputError(fmt::format("{} number {} is {}: must be at least 0", what, k + 1, weights[k]));
    }
  }
}

// One weight for each class, from 'balanced' or LABEL=WEIGHT,...
std::vector<double> class_weights(const std::string& text, const Labels& labels) {
  const auto n_classes = static_cast<std::size_t>(labels.classes.size());
  std::vector<double> weights(n_classes, 1.0);
  if (text == "balanced") {
    std::vector<double> counts(n_classes, 0.0);
    for (const Index k : labels.of_sample) counts[static_cast<std::size_t>(k)] += 1.0;
    for (std::size_t k = 0; k < n_classes; ++k) {
      weights[k] = static_cast<double>(labels.of_sample.size()) / (static_cast<double>(n_classes) * counts[k]);
    }
    return weights;
  }
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    const std::string item = text.substr(begin, end - begin);
    begin = end + 1;
    const std::size_t equals = item.rfind('=');
    char* rest = nullptr;
    const double weight = equals == std::string::npos ? -1.0 : std::strtod(item.c_str() + equals + 1, &rest);
    if (equals == std::string::npos || *rest != '\0' || rest == item.c_str() + equals + 1 || !(weight >= 0.0) ||
        std::isinf(weight)) {
      throw OptionError("--class-weight " + text + ": '" + item +
                        "' must be LABEL=WEIGHT with a weight of at least 0");
    }
    const Index k = labels.classes.find(item.substr(0, equals));
    if (k == kUnknownClass) {
      throw OptionError("--class-weight " + text + ": no sample has the label '" + item.substr(0, equals) +
                        "'");
    }
    weights[static_cast<std::size_t>(k)] = weight;
  }
  return weights;
}

// s_i: sample weight times class weight, scaled to mean 1.
std::vector<double> total_weights(const FitInput& input, const FitOptions& options, const Labels& labels) {
  const std::vector<double> by_class = class_weights(options.class_weight, labels);
  std::vector<double> s(labels.of_sample.size(), 1.0);
  if (!input.sample_weights.empty()) {
    require_weights(input.sample_weights, input.data.n_samples(), "sample weights", "samples");
    std::copy(input.sample_weights.begin(), input.sample_weights.end(), s.begin());
  }
  double sum = 0.0;
  for (std::size_t i = 0; i < s.size(); ++i) {
    s[i] *= by_class[static_cast<std::size_t>(labels.of_sample[i])];
    sum += s[i];
  }
  if (!(sum > 0.0 && std::isfinite(sum)))
    throw InputError("the sample weights must have a positive, finite sum");
  for (double& weight : s) weight *= static_cast<double>(s.size()) / sum;
  return s;
}

// All parameters but lambda1, which may be asked for as a fraction of lambda1_max. Refuses what leaves a
// coefficient without any penalty: there is no dual bound then, and perhaps no minimum.
template <class Parameters>
Parameters make_parameters(const FitInput& input, const FitOptions& options) {
  Parameters parameters;
  parameters.loss.delta = options.delta;
  parameters.penalty.factors.assign(input.penalty_factors.begin(), input.penalty_factors.end());
  parameters.penalty.lambda2 = options.lambda ? (1.0 - options.alpha.value_or(1.0)) * *options.lambda
                                              : options.lambda2.value_or(kDefaultLambda2);
  parameters.intercept = !options.no_intercept;
  parameters.lambda3 = parameters.intercept ? options.lambda3.value_or(parameters.penalty.lambda2) : 0.0;
  parameters.intercept_by_gradient = options.stopping == Stopping::paper;
  const std::vector<double>& factors = parameters.penalty.factors;
  if (parameters.penalty.lambda2 == 0.0 && std::find(factors.begin(), factors.end(), 0.0) != factors.end()) {
    throw OptionError("a penalty factor of 0 leaves its feature without any penalty: lambda2 must be positive");
  }
  return parameters;
}

double choose_lambda1(const FitOptions& options, double lambda1_max) {
  if (options.lambda) return options.alpha.value_or(1.0) * *options.lambda;
  return options.lambda1.value_or(options.lambda1_ratio.value_or(kDefaultRatio) * lambda1_max);
}

// The first value that is no finite number, in words; empty where there is none.
template <Design X>
std::string describe_not_finite(const X& design) {
  for (Index j = 0; j < design.cols(); ++j) {
    const auto column = design.column(j);
    const auto values = [&] {
      if constexpr (requires { column.values; })
        return column.values;
      else
        return column;
    }();
    const auto bad =
        std::find_if(values.begin(), values.end(), [](auto value) { return !std::isfinite(value); });
    if (bad == values.end()) continue;
    auto i = static_cast<Index>(bad - values.begin());
    if constexpr (requires { column.rows; }) i = column.rows[static_cast<std::size_t>(i)];
    return fmt::format("sample {}, feature {} is {}: must be a finite number", i + 1, j + 1, *bad);
  }
  return "";
}

// A solved problem as a model, all but its coefficients.
template <class Problem>
LinearModel describe_model_of(const FitInput& input, const FitOptions& options,
                              const typename Problem::Parameters& parameters, const SolveReport& report,
                              double lambda1_max) {
  LinearModel model;
  model.classes = input.data.labels->classes;
  model.n_features = input.data.n_features();
  model.feature_names = input.data.feature_names;
  model.delta = options.delta;
  model.lambda1 = parameters.penalty.lambda1;
  model.lambda2 = parameters.penalty.lambda2;
  model.lambda3 = parameters.lambda3;
  model.report = FitReport{.status = std::string(to_string(report.status)),
                           .solver = std::string(to_string(options.solver)),
                           .objective = report.objective,
                           .dual_objective = report.dual_objective,
                           .gap = report.gap(),
                           .relative_gap = report.relative_gap(),
                           .iterations = report.iterations,
                           .passes = report.passes,
                           .seconds = report.seconds,
                           .pass_seconds = std::nullopt,
                           .n_samples = input.data.n_samples(),
                           .lambda1_max = lambda1_max,
                           .tolerance = options.tolerance,
                           .stopping = std::string(to_string(options.stopping))};
  return model;
}

void take_coefficients(const auto& point, LinearModel& model) {
  if constexpr (requires { point.rows; }) {  // multi-class
    model.kind = ModelKind::multiclass;
    model.intercept = point.b;
    model.features = point.rows;
    for (Index row = 0; row < point.w.rows(); ++row) {
      model.coefficients.insert(model.coefficients.end(), point.w.row(row).begin(), point.w.row(row).end());
    }
  } else {
    model.kind = ModelKind::binary;
    model.intercept = {point.b};
    SparseCoefficients active = nonzeros(point.w);
    model.features = std::move(active.columns);
    model.coefficients = std::move(active.values);
  }
}

// From the data to a model, for either problem; `y` is what the problem calls its labels.
template <class Problem>
LinearModel fit_problem(const typename Problem::DesignType& design, const auto& y,
                        typename Problem::Parameters parameters, const FitInput& input,
                        const FitOptions& options, const SolveMonitor& monitor) {
  const std::vector<double> s = total_weights(input, options, *input.data.labels);
  const NullModel null_model = solve_null_model(Problem(design, y, s, parameters));
  parameters.penalty.lambda1 = choose_lambda1(options, null_model.lambda1_max);
  if (parameters.penalty.lambda1 == 0.0 && parameters.penalty.lambda2 == 0.0) {
    throw OptionError("lambda1 and lambda2 are both 0: one of them must be positive");
  }
  const Problem problem(design, y, s, parameters);

  ProximalGradientOptions solver;
  solver.max_iterations = options.max_iterations;
  solver.tolerance = options.tolerance;
  solver.stopping = options.stopping;
  solver.time_limit = options.time_limit;
  // Under its own rule the paper's algorithm runs as printed. It starts at zero; the best constant model is as
  // cheap and, at lambda1_max, already the answer.
  auto start = options.stopping == Stopping::paper ? problem.zero() : problem.constant();
  const auto solution = options.solver == Solver::pg
                            ? proximal_gradient(problem, std::move(start), solver, monitor)
                            : two_stage(problem, std::move(start), solver, monitor);
  if (solution.report.status == Status::not_finite && solution.report.iterations == 0) {
    const std::string value = describe_not_finite(design);
    if (!value.empty()) throw InputError(input.data.source + ": " + value);
    throw InputError(input.data.source +
                     ": the values are so large that their squares overflow: scale the features");
  }
  LinearModel model =
      describe_model_of<Problem>(input, options, parameters, solution.report, null_model.lambda1_max);
  take_coefficients(solution.point, model);
  return model;
}

template <Design X>
LinearModel fit_design(const X& design, const FitInput& input, const FitOptions& options,
                       const SolveMonitor& monitor) {
  const Labels& labels = *input.data.labels;
  if (labels.classes.size() > 2 || options.multiclass) {
    auto parameters = make_parameters<MulticlassParameters>(input, options);
    parameters.n_classes = labels.classes.size();
    return fit_problem<MulticlassProblem<X>>(design, labels.of_sample, std::move(parameters), input, options,
                                             monitor);
  }
  std::vector<double> y(labels.of_sample.size());
  std::transform(labels.of_sample.begin(), labels.of_sample.end(), y.begin(),
                 [](Index k) { return k == 1 ? 1.0 : -1.0; });
  return fit_problem<BinaryProblem<X>>(design, y, make_parameters<BinaryParameters>(input, options), input,
                                       options, monitor);
}

}  // namespace

LinearModel fit(const FitInput& input, const FitOptions& options, const SolveMonitor& monitor) {
  options.check();
  require_classes(input.data);
  if (!input.penalty_factors.empty()) {
    require_weights(input.penalty_factors, input.data.n_features(), "penalty factors", "features");
  }
  LinearModel model;
  with_threads(options.threads, [&] {
    model = std::visit([&](const auto& design) { return fit_design(design, input, options, monitor); },
                       input.data.design);
  });
  if (options.measure_pass)
    model.report->pass_seconds = measure_pass_seconds(input.data.design, model.n_outputs());
  return model;
}

void save_model(const LinearModel& model, const std::string& path) {
  OutputFile file(path);
  file.write(model_to_json(model));
  file.commit();
}

LinearModel load_model(const std::string& path) {
  const TextBlock text = read_whole_text(path);
  return model_from_json(text.text, path);
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
