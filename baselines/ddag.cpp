// PairwiseSvms is LIBSVM's model with the graph on top; Ddag trains one on the data itself, tune_ddag many on
// rows of a kernel matrix.
#include "baselines/ddag.hpp"

#include <svm.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "baselines/entries.hpp"
#include "baselines/gram.hpp"
#include "baselines/linear_models.hpp"
#include "hsvm/core/error.hpp"
#include "hsvm/model/score.hpp"

namespace hsvm::baselines {
namespace {

// All pairs of the classes among some samples. LIBSVM keeps pointers to the rows: they must outlive it.
class PairwiseSvms {
 public:
  // The rows must come class by class, in ascending order; LIBSVM keeps the order in which it meets classes.
  PairwiseSvms(std::vector<svm_node*>& rows, std::vector<double>& y, const svm_parameter& settings) {
    svm_set_print_string_function([](const char*) {});
    svm_problem data{static_cast<int>(y.size()), y.data(), rows.data()};
    model_.reset(svm_train(&data, &settings));
    decisions_.resize(n_classes() * (n_classes() - 1) / 2);
  }

  [[nodiscard]] const svm_model& model() const { return *model_; }
  [[nodiscard]] std::size_t n_classes() const { return static_cast<std::size_t>(model_->nr_class); }
  [[nodiscard]] Index class_at(std::size_t k) const { return model_->label[k]; }

  // Positive for the class at k, k < l.
  [[nodiscard]] double decision(std::size_t k, std::size_t l) const {
    return decisions_[k * (2 * n_classes() - k - 1) / 2 + l - k - 1];
  }
  void decide(const svm_node* row) { svm_predict_values(model_.get(), row, decisions_.data()); }

  [[nodiscard]] Index by_graph(const svm_node* row) {
    decide(row);
    std::size_t first = 0;
    std::size_t last = n_classes() - 1;
    while (first < last) decision(first, last) > 0.0 ? --last : ++first;
    return class_at(first);
  }

  [[nodiscard]] Index by_votes(const svm_node* row) {
    decide(row);
    std::vector<int> votes(n_classes(), 0);
    for (std::size_t k = 0; k < n_classes(); ++k) {
      for (std::size_t l = k + 1; l < n_classes(); ++l) ++votes[decision(k, l) > 0.0 ? k : l];
    }
    return class_at(static_cast<std::size_t>(std::ranges::max_element(votes) - votes.begin()));
  }

 private:
  struct Free {
    void operator()(svm_model* model) const { svm_free_and_destroy_model(&model); }
  };
  std::unique_ptr<svm_model, Free> model_;
  std::vector<double> decisions_;  // of the last row, LIBSVM's order: (0, 1), (0, 2), ..., (1, 2), ...
};

svm_parameter settings_of(int kernel, double gamma, double cost, double tolerance) {
  svm_parameter settings{};
  settings.svm_type = C_SVC;
  settings.kernel_type = kernel;
  settings.gamma = gamma;
  settings.cache_size = 200;
  settings.eps = tolerance;
  settings.C = cost;
  settings.shrinking = 1;
  return settings;
}

// Rows in LIBSVM's form, each ended by index -1.
struct NodeRows {
  std::vector<svm_node> nodes;
  std::vector<svm_node*> rows;

  explicit NodeRows(const Design& design) {
    const RowEntries entries = by_rows(design);
    const auto n = static_cast<std::size_t>(design.rows());
    nodes.reserve(entries.values.size() + n);  // never moved again: there are pointers into it
    for (std::size_t i = 0; i < n; ++i) {
      rows.push_back(nodes.data() + nodes.size());
      for (std::size_t k = entries.start[i]; k < entries.start[i + 1]; ++k) {
        nodes.push_back({entries.columns[k] + 1, entries.values[k]});
      }
      nodes.push_back({-1, 0.0});
    }
  }
};

// The samples class by class.
std::vector<std::size_t> by_class(const std::vector<Index>& of_sample) {
  std::vector<std::size_t> order(of_sample.size());
  std::iota(order.begin(), order.end(), 0U);
  std::ranges::stable_sort(order, [&](std::size_t i, std::size_t j) { return of_sample[i] < of_sample[j]; });
  return order;
}

}  // namespace

struct Ddag::Trained {
  NodeRows data;
  std::vector<svm_node*> rows;  // class by class
  std::vector<double> y;
  double cost = 0.0;
  double seconds = 0.0;
  std::unique_ptr<PairwiseSvms> svms = {};

  [[nodiscard]] std::vector<Index> classify(const Design& design,
                                            Index (PairwiseSvms::*rule)(const svm_node*)) const {
    const NodeRows samples(design);
    std::vector<Index> classes;
    for (const svm_node* row : samples.rows) classes.push_back((*svms.*rule)(row));
    return classes;
  }
};

Ddag::Ddag(const Design& design, const Labels& labels, const DdagOptions& options) {
  require_labels(labels, design.rows(), "ddag");
  if (!(options.cost > 0.0)) throw OptionError("ddag: cost must be greater than 0");
  if (!(options.gamma > 0.0)) throw OptionError("ddag: gamma must be greater than 0");
  if (!(options.tolerance > 0.0)) throw OptionError("ddag: tolerance must be greater than 0");
  trained_ =
      std::make_unique<Trained>(Trained{.data = NodeRows(design), .rows = {}, .y = {}, .cost = options.cost});
  for (const std::size_t i : by_class(labels.of_sample)) {
    trained_->rows.push_back(trained_->data.rows[i]);
    trained_->y.push_back(labels.of_sample[i]);
  }
  const Stopwatch watch;
  trained_->svms = std::make_unique<PairwiseSvms>(
      trained_->rows, trained_->y, settings_of(RBF, options.gamma, options.cost, options.tolerance));
  trained_->seconds = watch.seconds();
}

Ddag::~Ddag() = default;
Ddag::Ddag(Ddag&&) noexcept = default;
Ddag& Ddag::operator=(Ddag&&) noexcept = default;

double Ddag::seconds() const {
  return trained_->seconds;
}

Index Ddag::n_support_vectors() const {
  return trained_->svms->model().l;
}

std::vector<Index> Ddag::predict(const Design& design) const {
  return trained_->classify(design, &PairwiseSvms::by_graph);
}

std::vector<Index> Ddag::predict_by_votes(const Design& design) const {
  return trained_->classify(design, &PairwiseSvms::by_votes);
}

// With the decision values d_i = w'f(x_i) - rho of a pair's samples and its signed duals a_i:
// |w|^2 = sum_i a_i (d_i + rho), and the gap is |w|^2 + C sum max(0, 1 - y d) - sum |a|.
std::vector<Ddag::Pair> Ddag::measure() const {
  PairwiseSvms& svms = *trained_->svms;
  const svm_model& model = svms.model();
  const std::size_t J = svms.n_classes();
  std::vector<Pair> pairs;
  std::vector<double> norms, losses, sums;
  for (std::size_t k = 0; k < J; ++k) {
    for (std::size_t l = k + 1; l < J; ++l)
      pairs.push_back({.first = svms.class_at(k), .second = svms.class_at(l)});
  }
  norms.assign(pairs.size(), 0.0);
  losses.assign(pairs.size(), 0.0);
  sums.assign(pairs.size(), 0.0);
  std::vector<int> vector_of(trained_->y.size(), -1);  // the support vector that a sample is
  for (int s = 0; s < model.l; ++s) vector_of[static_cast<std::size_t>(model.sv_indices[s] - 1)] = s;
  for (std::size_t i = 0; i < trained_->y.size(); ++i) {
    svms.decide(trained_->rows[i]);
    std::size_t pair = 0;
    for (std::size_t k = 0; k < J; ++k) {
      for (std::size_t l = k + 1; l < J; ++l, ++pair) {
        const bool is_first = trained_->y[i] == svms.class_at(k);
        if (!is_first && trained_->y[i] != svms.class_at(l)) continue;
        const double d = svms.decision(k, l);
        losses[pair] += std::max(0.0, 1.0 - (is_first ? d : -d));
        if (vector_of[i] < 0) continue;
        const double a = model.sv_coef[is_first ? l - 1 : k][vector_of[i]];
        norms[pair] += a * (d + model.rho[pair]);
        sums[pair] += std::abs(a);
      }
    }
  }
  for (std::size_t pair = 0; pair < pairs.size(); ++pair) {
    pairs[pair].objective = 0.5 * norms[pair] + trained_->cost * losses[pair];
    pairs[pair].gap = norms[pair] + trained_->cost * losses[pair] - sums[pair];
  }
  return pairs;
}

namespace {

// exp(-gamma D) as LIBSVM wants precomputed kernels: entry 0 is the row's number from 1, entry k its kernel
// with sample k.
class KernelRows {
 public:
  explicit KernelRows(const SymmetricMatrix& gram)
      : n_(static_cast<std::size_t>(gram.size())), distances_(n_ * n_), nodes_(n_ * (n_ + 2)) {
    for (std::size_t i = 0; i < n_; ++i) {
      const auto row = static_cast<Index>(i);
      for (std::size_t k = 0; k < n_; ++k) {
        const auto other = static_cast<Index>(k);
        const double distance = gram(row, row) + gram(other, other) - 2.0 * gram(row, other);
        distances_[i * n_ + k] = i == k ? 0.0 : std::max(0.0, distance);
        mean_ += distances_[i * n_ + k];
      }
    }
    mean_ /= static_cast<double>(n_ * std::max<std::size_t>(1, n_ - 1));
  }

  [[nodiscard]] double mean_squared_distance() const { return mean_; }
  [[nodiscard]] svm_node* row(std::size_t i) { return nodes_.data() + i * (n_ + 2); }

  void set_gamma(double gamma) {
    for (std::size_t i = 0; i < n_; ++i) {
      svm_node* nodes = row(i);
      nodes[0] = {0, static_cast<double>(i + 1)};
      for (std::size_t k = 0; k < n_; ++k) {
        nodes[k + 1] = {static_cast<int>(k + 1), std::exp(-gamma * distances_[i * n_ + k])};
      }
      nodes[n_ + 1] = {-1, 0.0};
    }
  }

 private:
  std::size_t n_;
  double mean_ = 0.0;
  std::vector<double> distances_;
  std::vector<svm_node> nodes_;
};

void check_tuning(const Labels& labels, std::span<const Index> folds, const DdagGrid& grid) {
  if (folds.size() != labels.of_sample.size()) {
    throw InputError("tune_ddag: " + std::to_string(folds.size()) + " folds for " +
                     std::to_string(labels.of_sample.size()) + " samples");
  }
  if (folds.size() > static_cast<std::size_t>(kMaxTuningSamples)) {
    throw InputError("tune_ddag: " + std::to_string(folds.size()) + " samples; at most " +
                     std::to_string(kMaxTuningSamples) + " have a kernel matrix that fits");
  }
  if (std::ranges::min(folds) < 0) throw InputError("tune_ddag: folds are numbered from 0");
  for (Index fold = 0; fold <= std::ranges::max(folds); ++fold) {
    std::vector<char> seen(labels.classes.names.size(), 0);
    for (std::size_t i = 0; i < folds.size(); ++i) {
      if (folds[i] != fold) seen[static_cast<std::size_t>(labels.of_sample[i])] = 1;
    }
    if (std::ranges::count(seen, 1) < 2) {
      throw InputError("tune_ddag: fold " + std::to_string(fold) +
                       " leaves fewer than two classes to train on");
    }
  }
  const auto positive = [](const std::vector<double>& values) {
    return !values.empty() && std::ranges::all_of(values, [](double value) { return value > 0.0; });
  };
  if (!positive(grid.costs)) throw OptionError("tune_ddag: costs must be given and greater than 0");
  if (!positive(grid.relative_gammas)) {
    throw OptionError("tune_ddag: relative_gammas must be given and greater than 0");
  }
}

// The share of the samples that are classified rightly where they are held out.
double held_out_accuracy(KernelRows& kernel, const Labels& labels, const std::vector<std::size_t>& order,
                         std::span<const Index> folds, double cost) {
  const std::vector<Index>& of_sample = labels.of_sample;
  std::vector<Index> predicted(of_sample.size());
  for (Index fold = 0; fold <= std::ranges::max(folds); ++fold) {
    std::vector<svm_node*> rows;
    std::vector<double> y;
    std::vector<std::size_t> held_out;
    for (const std::size_t i : order) {
      if (folds[i] == fold) {
        held_out.push_back(i);
      } else {
        rows.push_back(kernel.row(i));
        y.push_back(of_sample[i]);
      }
    }
    if (held_out.empty()) continue;
    PairwiseSvms svms(rows, y, settings_of(PRECOMPUTED, 0.0, cost, DdagOptions{}.tolerance));
    for (const std::size_t i : held_out) predicted[i] = svms.by_graph(kernel.row(i));
  }
  return score(Score::accuracy,
               {.n_classes = labels.classes.size(), .truth = of_sample, .predicted = predicted})
      .value();
}

}  // namespace

DdagTuning tune_ddag(const Design& design, const Labels& labels, std::span<const Index> fold_of_sample,
                     const DdagGrid& grid, const RunLimits& limits) {
  require_labels(labels, design.rows(), "tune_ddag");
  check_tuning(labels, fold_of_sample, grid);
  const RunClock clock(limits);
  const std::vector<std::size_t> order = by_class(labels.of_sample);
  KernelRows kernel(gram_of_rows(design));
  const double unit = kernel.mean_squared_distance() > 0.0 ? 1.0 / kernel.mean_squared_distance() : 1.0;
  DdagTuning tuning;
  std::optional<Status> stop;
  for (std::size_t g = 0; g < grid.relative_gammas.size() && !stop; ++g) {
    const double gamma = grid.relative_gammas[g] * unit;
    kernel.set_gamma(gamma);
    for (std::size_t c = 0; c < grid.costs.size() && !stop; ++c) {
      tuning.points.push_back(
          {.cost = grid.costs[c],
           .gamma = gamma,
           .accuracy = held_out_accuracy(kernel, labels, order, fold_of_sample, grid.costs[c])});
      if (tuning.points.size() == 1 || tuning.points.back().accuracy > tuning.best.accuracy) {
        tuning.best = tuning.points.back();
      }
      stop = clock.reason_to_stop();
    }
  }
  tuning.status = stop.value_or(Status::converged);
  tuning.seconds = clock.seconds();
  return tuning;
}

}  // namespace hsvm::baselines
