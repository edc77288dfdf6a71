#include "baselines/liblinear.hpp"

#include <linear.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <span>

#include "baselines/entries.hpp"
#include "baselines/linear_models.hpp"
#include "hsvm/core/error.hpp"
#include "hsvm/core/stopwatch.hpp"

namespace hsvm::baselines {

// Each row has its entries, an entry for the bias and an end, whose index is -1.
struct Liblinear::Data {
  Index n_features = 0;
  Classes classes;
  std::vector<feature_node> nodes;
  std::vector<feature_node*> rows;
  std::vector<feature_node*> ends;  // the entries for the bias
  std::vector<double> y;            // class numbers

  [[nodiscard]] LiblinearProblem measure(const LiblinearOptions& options, double positive_class,
                                         std::span<const double> w) const;
};

namespace {

void check(const LiblinearOptions& options) {
  if (!(options.cost > 0.0)) throw OptionError("liblinear: cost must be greater than 0");
  if (!(options.tolerance.value_or(1.0) > 0.0)) {
    throw OptionError("liblinear: tolerance must be greater than 0");
  }
  if (!(options.bias.value_or(1.0) > 0.0)) throw OptionError("liblinear: bias must be greater than 0");
}

// LIBLINEAR tells its iterations to its print function only.
thread_local int told_iterations = 0;
void listen(const char* text) {
  constexpr const char* kTotal = "#iter = ";  // coordinate descent, at the end
  if (const char* at = std::strstr(text, kTotal)) {
    told_iterations += std::atoi(at + std::strlen(kTotal));  // NOLINT(cert-err34-c): not a number is 0 here
  } else if (std::strncmp(text, "iter ", 5) == 0) {          // Newton, each time
    ++told_iterations;
  }
}

}  // namespace

Liblinear::Liblinear(const Design& design, const Labels& labels) : data_(std::make_unique<Data>()) {
  require_labels(labels, design.rows(), "liblinear");
  data_->n_features = design.cols();
  data_->classes = labels.classes;
  data_->y.assign(labels.of_sample.begin(), labels.of_sample.end());
  const RowEntries entries = by_rows(design);
  const std::size_t n = data_->y.size();
  data_->nodes.reserve(entries.values.size() + 2 * n);  // never moved again: there are pointers into it
  for (std::size_t i = 0; i < n; ++i) {
    data_->rows.push_back(data_->nodes.data() + data_->nodes.size());
    for (std::size_t k = entries.start[i]; k < entries.start[i + 1]; ++k) {
      data_->nodes.push_back({entries.columns[k] + 1, entries.values[k]});
    }
    data_->ends.push_back(data_->nodes.data() + data_->nodes.size());
    data_->nodes.insert(data_->nodes.end(), 2, {-1, 0.0});
  }
}

Liblinear::~Liblinear() = default;

LiblinearResult Liblinear::train(const LiblinearOptions& options) {
  check(options);
  const bool has_bias = options.bias.has_value();
  const int p = data_->n_features;
  for (feature_node* end : data_->ends) *end = {has_bias ? p + 1 : -1, options.bias.value_or(0.0)};
  problem data{};
  data.l = static_cast<int>(data_->y.size());
  data.n = p + (has_bias ? 1 : 0);
  data.y = data_->y.data();
  data.x = data_->rows.data();
  data.bias = options.bias.value_or(-1.0);
  parameter settings{};
  settings.solver_type = static_cast<int>(options.kind);
  settings.eps = options.tolerance.value_or(default_tolerance(options.kind));
  settings.C = options.cost;
  settings.p = 0.1;  // of regression: not used, but checked

  set_print_string_function(listen);
  told_iterations = 0;
  std::srand(options.seed);
  LiblinearResult result;
  const Stopwatch watch;
  ::model* trained = ::train(&data, &settings);
  result.seconds = watch.seconds();
  result.iterations = told_iterations;

  // LIBLINEAR orders classes as they come; its single w for two classes scores the first of them.
  const int outputs = trained->nr_class == 2 ? 1 : trained->nr_class;
  ClassMatrix w(p, outputs);
  std::vector<double> intercept(static_cast<std::size_t>(outputs), 0.0);
  result.problems.resize(static_cast<std::size_t>(outputs));
  for (int k = 0; k < outputs; ++k) {
    const double sign = outputs == 1 && trained->label[0] == 0 ? -1.0 : 1.0;
    const auto output = static_cast<std::size_t>(outputs == 1 ? 0 : trained->label[k]);
    std::vector<double> weights(static_cast<std::size_t>(data.n));
    for (int j = 0; j < data.n; ++j) {
      weights[static_cast<std::size_t>(j)] = sign * trained->w[j * outputs + k];
    }
    for (int j = 0; j < p; ++j) w.row(j)[output] = weights[static_cast<std::size_t>(j)];
    if (has_bias) intercept[output] = *options.bias * weights.back();
    result.problems[output] =
        data_->measure(options, outputs == 1 ? 1.0 : static_cast<double>(output), weights);
  }
  free_and_destroy_model(&trained);
  result.model = linear_model(data_->classes, std::move(intercept), w);
  return result;
}

// w has the weight of the bias last, where there is one.
LiblinearProblem Liblinear::Data::measure(const LiblinearOptions& options, double positive_class,
                                          std::span<const double> w) const {
  const bool l1 = options.kind == LiblinearKind::l1_squared_hinge;
  LiblinearProblem result;
  std::vector<double> gradient(w.size(), 0.0);  // of the losses
  std::vector<double> gradient_at_zero(w.size(), 0.0);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const double sign = y[i] == positive_class ? 1.0 : -1.0;
    double score = 0.0;
    for (const feature_node* node = rows[i]; node->index != -1; ++node) {
      score += node->value * w[static_cast<std::size_t>(node->index - 1)];
    }
    const double short_of = std::max(0.0, 1.0 - sign * score);
    result.objective += options.cost * short_of * short_of;
    for (const feature_node* node = rows[i]; node->index != -1; ++node) {
      const auto j = static_cast<std::size_t>(node->index - 1);
      gradient[j] -= 2.0 * options.cost * short_of * sign * node->value;
      gradient_at_zero[j] -= 2.0 * options.cost * sign * node->value;
    }
  }
  // The smallest subgradient's entry, for the gradient g of the losses at weight w_j.
  const auto violation = [l1](double g, double weight) {
    if (!l1) return std::abs(g + weight);
    if (weight != 0.0) return std::abs(g + std::copysign(1.0, weight));
    return std::max(0.0, std::abs(g) - 1.0);
  };
  double scale = 0.0;
  for (std::size_t j = 0; j < w.size(); ++j) {
    result.objective += l1 ? std::abs(w[j]) : 0.5 * w[j] * w[j];
    result.violation = std::max(result.violation, violation(gradient[j], w[j]));
    scale = std::max(scale, violation(gradient_at_zero[j], 0.0));
  }
  if (scale > 0.0) result.violation /= scale;
  return result;
}

}  // namespace hsvm::baselines
