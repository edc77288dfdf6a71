// Inside, every model is the multi-class one: rows of J numbers, (0, f) of a binary model. Each class's scores are
// centred, so that slope and offsets hardly interact, and divided by the largest of all, so that their unit does not
// matter. The parameters theta are the J offsets, then the slope; adding a number to all offsets changes nothing.

#include "hsvm/select/calibrate.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <utility>
#include <vector>

#include "hsvm/core/error.hpp"
#include "hsvm/core/parallel.hpp"
#include "hsvm/core/vector_sums.hpp"
#include "hsvm/model/score_sums.hpp"

namespace hsvm {
namespace {

constexpr std::size_t kScoresOfTask = 1 << 15;  // scores in one task
constexpr int kMaxNewtonSteps = 100;
constexpr int kMaxHalvings = 60;
constexpr double kSufficientDecrease = 1e-4;  // [LLW07]
// Added to the Hessian, relative to its diagonal [LLW07]: where it is flat (equal changes of all offsets; slope
// and offsets that say the same), rounding would otherwise take steps of any length.
constexpr double kRidge = 1e-12;
// Newton decrements, of the mean loss: below the first one the loss is so nearly quadratic, and its decrease so
// nearly rounding, that the line is not searched; the step that has the second one is the last.
constexpr double kNearDecrement = 1e-10;
constexpr double kLastDecrement = 1e-16;

using Vector = std::vector<double>;

// The sum of term(0) .. term(n - 1), four of them at a time: one sum alone would wait for each addition.
template <class Term>
double sum_of(std::size_t n, const Term& term) {
  double sums[4] = {};
  std::size_t k = 0;
  for (; k + 4 <= n; k += 4) {
    for (std::size_t lane = 0; lane < 4; ++lane) sums[lane] += term(k + lane);
  }
  for (; k < n; ++k) sums[0] += term(k);
  return (sums[0] + sums[1]) + (sums[2] + sums[3]);
}

// z = (f - centre)/scale: n rows of J numbers.
struct ScaledScores {
  std::size_t n_classes = 0;
  Vector z;
  Vector centre;
  double scale = 0.0;  // 0 where a class has the same score everywhere, and z = 0

  [[nodiscard]] std::span<const double> row(std::size_t i) const {
    return std::span(z).subspan(i * n_classes, n_classes);
  }
};

ScaledScores scale_scores(const ScoredSamples& samples, const Vector& weights, double total_weight) {
  const std::size_t n = samples.truth.size();
  const auto n_classes = static_cast<std::size_t>(samples.n_classes);
  const auto n_outputs = static_cast<std::size_t>(samples.n_outputs);
  const std::size_t first = n_classes - n_outputs;  // a binary model has no score of class 0
  ScaledScores scaled{n_classes, Vector(n * n_classes, 0.0), Vector(n_classes, 0.0)};
  if (total_weight == 0.0) return scaled;
  const auto weighed = std::ranges::find_if(weights, [](double weight) { return weight > 0.0; });
  const auto one = static_cast<std::size_t>(weighed - weights.begin());
  // Centres are taken about the scores of one sample: those of a constant class then differ from it by nothing.
  Vector shift(n_classes, 0.0);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t k = 0; k < n_outputs; ++k) {
      const double from_one = samples.scores_of(i)[k] - samples.scores_of(one)[k];
      scaled.z[i * n_classes + first + k] = from_one;
      shift[first + k] += weights[i] / total_weight * from_one;
    }
  }
  for (std::size_t e = 0; e < scaled.z.size(); ++e) {
    scaled.z[e] -= shift[e % n_classes];
    if (weights[e / n_classes] > 0.0) scaled.scale = std::max(scaled.scale, std::abs(scaled.z[e]));
  }
  for (double& value : scaled.z) value = scaled.scale > 0.0 ? value / scaled.scale : 0.0;
  for (std::size_t k = 0; k < n_outputs; ++k) {
    scaled.centre[first + k] = samples.scores_of(one)[k] + shift[first + k];
  }
  return scaled;
}

// Minus the log likelihood as a function of theta, and its derivatives where it was evaluated last.
class Likelihood {
 public:
  // In place of the samples' own weights; those of weight 0 are not there.
  Likelihood(const ScoredSamples& samples, Vector weights)
      : truth_(samples.truth),
        weights_(std::move(weights)),
        class_weights_(static_cast<std::size_t>(samples.n_classes), 0.0) {
    for (std::size_t i = 0; i < weights_.size(); ++i) class_weights_[class_of(i)] += weights_[i];
    const double n_others = static_cast<double>(samples.n_classes - 1);
    for (const double weight : class_weights_) {
      total_weight_ += weight;
      right_.push_back((weight + 1.0) / (weight + 2.0));
      wrong_.push_back(1.0 / (weight + 2.0) / n_others);
    }
    scores_ = scale_scores(samples, weights_, total_weight_);
    p_.resize(scores_.z.size());
  }

  [[nodiscard]] const ScaledScores& scores() const { return scores_; }
  [[nodiscard]] double total_weight() const { return total_weight_; }

  // The best theta with slope 0.
  [[nodiscard]] Vector without_slope() const {
    Vector theta(scores_.n_classes + 1, 0.0);
    if (total_weight_ == 0.0) return theta;
    double shared = 0.0;
    for (std::size_t l = 0; l < class_weights_.size(); ++l) shared += class_weights_[l] * wrong_[l];
    for (std::size_t k = 0; k < class_weights_.size(); ++k) {
      theta[k] = std::log((shared + class_weights_[k] * (right_[k] - wrong_[k])) / total_weight_);
    }
    return theta;
  }

  // Sets p to the probabilities of one sample and returns -log of that of its class.
  double log_loss(const Vector& theta, std::size_t i, std::span<double> p) const {
    const std::span<const double> z = scores_.row(i);
    const double slope = theta[z.size()];
    for (std::size_t k = 0; k < z.size(); ++k) p[k] = slope * z[k] + theta[k];
    const double own = p[class_of(i)];
    const LogSum sum = softmax(p);
    return (sum.largest - own) + sum.excess;
  }

  double evaluate(const Vector& theta) {
    const std::size_t n_classes = scores_.n_classes;
    const double slope = theta[n_classes];
    return sum_over_samples(1, [&](std::size_t i, double* sum) {
      const std::size_t y = class_of(i);
      const std::span<const double> z = scores_.row(i);
      // The lead of the class's own eta over the others, in all.
      const double lead =
          sum_of(n_classes, [&](std::size_t k) { return slope * (z[y] - z[k]) + (theta[y] - theta[k]); });
      const double loss = log_loss(theta, i, std::span(p_).subspan(i * n_classes, n_classes));
      *sum += weights_[i] * (loss + wrong_[y] * lead);
    })[0];
  }

  // The gradient, then the diagonal of the Hessian.
  [[nodiscard]] Vector derivatives() const {
    const std::size_t n_classes = scores_.n_classes;
    return sum_over_samples(2 * (n_classes + 1), [&](std::size_t i, double* gradient) {
      double* const diagonal = gradient + n_classes + 1;
      const double weight = weights_[i];
      const std::size_t y = class_of(i);
      const double wrong = wrong_[y];
      const double beyond = right_[y] - wrong;
      const std::span<const double> z = scores_.row(i);
      const std::span<const double> p = p_of(i);
      for (std::size_t k = 0; k < n_classes; ++k) {
        gradient[k] += weight * (p[k] - wrong);
        diagonal[k] += weight * p[k] * (1.0 - p[k]);
      }
      gradient[y] -= weight * beyond;
      gradient[n_classes] +=
          weight * (sum_of(n_classes, [&](std::size_t k) { return (p[k] - wrong) * z[k]; }) - beyond * z[y]);
      const double mean = sum_of(n_classes, [&](std::size_t k) { return p[k] * z[k]; });
      diagonal[n_classes] +=
          weight * sum_of(n_classes, [&](std::size_t k) { return p[k] * (z[k] - mean) * (z[k] - mean); });
    });
  }

  [[nodiscard]] Vector hessian_times(const Vector& v) const {
    const std::size_t n_classes = scores_.n_classes;
    const double* const offsets = v.data();
    const double slope = v[n_classes];
    return sum_over_samples(n_classes + 1, [&](std::size_t i, double* out) {
      const double weight = weights_[i];
      const double* const z = scores_.row(i).data();
      const double* const p = p_of(i).data();
      const auto change = [&](std::size_t k) { return offsets[k] + slope * z[k]; };  // of eta
      const double mean = sum_of(n_classes, [&](std::size_t k) { return p[k] * change(k); });
      for (std::size_t k = 0; k < n_classes; ++k) out[k] += weight * p[k] * (change(k) - mean);
      out[n_classes] +=
          weight * sum_of(n_classes, [&](std::size_t k) { return p[k] * (change(k) - mean) * z[k]; });
    });
  }

 private:
  // The sums of what add(i, sums) adds for each sample: n_sums of them, in an order that depends on shapes alone.
  template <class Add>
  [[nodiscard]] Vector sum_over_samples(std::size_t n_sums, const Add& add) const {
    const std::size_t n = weights_.size();
    const std::size_t block = std::max<std::size_t>(1, kScoresOfTask / scores_.n_classes);
    const std::size_t n_blocks = (n + block - 1) / block;
    Vector partial(n_blocks * n_sums, 0.0);
    parallel_for(static_cast<Index>(n_blocks), [&](Index b) {
      const std::size_t begin = static_cast<std::size_t>(b) * block;
      double* const sums = partial.data() + static_cast<std::size_t>(b) * n_sums;
      for (std::size_t i = begin; i < std::min(begin + block, n); ++i) {
        if (weights_[i] > 0.0) add(i, sums);
      }
    });
    Vector sums(n_sums, 0.0);
    for (std::size_t e = 0; e < partial.size(); ++e) sums[e % n_sums] += partial[e];
    return sums;
  }

  [[nodiscard]] std::size_t class_of(std::size_t i) const { return static_cast<std::size_t>(truth_[i]); }
  [[nodiscard]] std::span<const double> p_of(std::size_t i) const {
    return std::span(p_).subspan(i * scores_.n_classes, scores_.n_classes);
  }

  std::span<const Index> truth_;
  Vector weights_;
  double total_weight_ = 0.0;
  Vector class_weights_;
  ScaledScores scores_;
  Vector right_;  // by class of the sample: the target of its own class, and of each of the others
  Vector wrong_;
  Vector p_;  // n x J: probabilities where evaluated last
};

// Newton's step: conjugate gradients for H step = -gradient, preconditioned by the diagonal. The nearer the
// optimum, the more exactly, so that convergence stays quadratic.
Vector newton_step(const Likelihood& likelihood, const Vector& gradient, const Vector& diagonal) {
  const std::size_t size = gradient.size();
  const auto precondition = [&](const Vector& r) {
    Vector result(size);
    for (std::size_t k = 0; k < size; ++k) result[k] = diagonal[k] > 0.0 ? r[k] / diagonal[k] : 0.0;
    return result;
  };
  Vector step(size, 0.0);
  Vector residual(size);
  for (std::size_t k = 0; k < size; ++k) residual[k] = -gradient[k];
  Vector direction = precondition(residual);
  double square = dot_of(residual, direction);
  const double tolerance = std::clamp(std::sqrt(square / likelihood.total_weight()), 1e-9, 0.1);
  const double enough = tolerance * tolerance * square;
  for (std::size_t t = 0; t < 2 * size && square > enough; ++t) {
    Vector image = likelihood.hessian_times(direction);
    for (std::size_t k = 0; k < size; ++k) image[k] += kRidge * diagonal[k] * direction[k];
    const double curvature = dot_of(direction, image);
    if (!(curvature > 0.0)) break;
    add_scaled(square / curvature, direction, step);
    add_scaled(-square / curvature, image, residual);
    const Vector next = precondition(residual);
    const double next_square = dot_of(residual, next);
    for (std::size_t k = 0; k < size; ++k) direction[k] = next[k] + next_square / square * direction[k];
    square = next_square;
  }
  return step;
}

// What a gradient has in common for all offsets is rounding: their sum does not matter.
void remove_common_part(Vector& gradient) {
  const std::size_t n_classes = gradient.size() - 1;
  const double mean =
      sum_of(n_classes, [&](std::size_t k) { return gradient[k]; }) / static_cast<double>(n_classes);
  for (std::size_t k = 0; k < n_classes; ++k) gradient[k] -= mean;
}

// The best theta, whatever its slope. Where the slope does not matter it stays 0.
Vector fit_freely(Likelihood& likelihood) {
  Vector theta = likelihood.without_slope();
  if (likelihood.total_weight() == 0.0) return theta;
  double value = likelihood.evaluate(theta);
  double last_decrement = kNearDecrement;
  for (int newton = 0; newton < kMaxNewtonSteps; ++newton) {
    Vector gradient = likelihood.derivatives();
    const Vector diagonal(gradient.begin() + static_cast<std::ptrdiff_t>(theta.size()), gradient.end());
    gradient.resize(theta.size());
    remove_common_part(gradient);
    const Vector step = newton_step(likelihood, gradient, diagonal);
    const double decrement = -dot_of(gradient, step) / likelihood.total_weight();
    if (decrement <= kNearDecrement) {
      if (decrement >= last_decrement) return theta;  // nothing but rounding is left
      last_decrement = decrement;
      add_scaled(1.0, step, theta);
      if (decrement <= kLastDecrement) return theta;
      value = likelihood.evaluate(theta);
      continue;
    }
    double length = 1.0;
    for (int halving = 0;; ++halving, length *= 0.5) {
      if (halving == kMaxHalvings) return theta;  // rounding hides any further decrease
      Vector moved = theta;
      add_scaled(length, step, moved);
      const double moved_value = likelihood.evaluate(moved);
      if (moved_value <= value - kSufficientDecrease * length * decrement * likelihood.total_weight()) {
        theta = std::move(moved);
        value = moved_value;
        break;
      }
    }
  }
  return theta;
}

// The best theta whose slope is not negative: the loss is convex, so it is the best of all, or has the slope 0.
Vector fit(Likelihood& likelihood) {
  Vector theta = fit_freely(likelihood);
  return theta.back() < 0.0 ? likelihood.without_slope() : theta;
}

// Measures each sample of positive weight by parameters fitted without its fold: visit(sample, log-loss, probabilities).
template <class Visit>
void cross_fit(const ScoredSamples& samples, std::span<const Index> folds, Index n_folds, const Visit& visit) {
  std::vector<std::vector<std::size_t>> held_out(static_cast<std::size_t>(n_folds));
  for (std::size_t i = 0; i < folds.size(); ++i) {
    if (samples.weights[i] > 0.0) held_out[static_cast<std::size_t>(folds[i])].push_back(i);
  }
  Vector p(static_cast<std::size_t>(samples.n_classes));
  for (const std::vector<std::size_t>& fold : held_out) {
    if (fold.empty()) continue;
    Vector weights(samples.weights.begin(), samples.weights.end());
    for (const std::size_t i : fold) weights[i] = 0.0;
    Likelihood likelihood(samples, std::move(weights));
    const Vector without = fit(likelihood);
    for (const std::size_t i : fold) {
      const double log_loss = likelihood.log_loss(without, i, p);
      visit(i, log_loss, p);
    }
  }
}

// theta in the units of the scores.
Calibration unscaled(const ScaledScores& scores, const Vector& theta, bool binary) {
  const std::size_t n_classes = scores.n_classes;
  Calibration result{scores.scale > 0.0 ? theta[n_classes] / scores.scale : 0.0, Vector(n_classes)};
  double mean = 0.0;
  for (std::size_t k = 0; k < n_classes; ++k) {
    result.offsets[k] = theta[k] - result.slope * scores.centre[k];
    mean += result.offsets[k] / static_cast<double>(n_classes);
  }
  if (binary) {
    result.offsets = {result.offsets[1] - result.offsets[0]};
  } else {
    for (double& offset : result.offsets) offset -= mean;
  }
  return result;
}

}  // namespace

Calibration calibrate(const ScoredSamples& samples, std::span<const Index> folds, Index n_folds) {
  assert(samples.n_classes >= 2 && folds.size() == samples.truth.size());
  assert(samples.n_outputs == samples.n_classes || (samples.n_outputs == 1 && samples.n_classes == 2));
  Likelihood likelihood(samples, {samples.weights.begin(), samples.weights.end()});
  if (!(likelihood.total_weight() > 0.0)) {
    throw InputError("class probabilities: there must be samples that were held out");
  }
  const Vector theta = fit(likelihood);
  Calibration result = unscaled(likelihood.scores(), theta, samples.n_outputs == 1);
  double total_weight = 0.0;
  for (const double weight : samples.weights) total_weight += weight;
  cross_fit(samples, folds, n_folds, [&](std::size_t i, double log_loss, const Vector& p) {
    const double share = samples.weights[i] / total_weight;
    result.log_loss += share * log_loss;
    result.brier_score += share * detail::brier_score_of(p, samples.truth[i]);
  });
  return result;
}

std::vector<double> cross_fitted_probabilities(const ScoredSamples& samples, std::span<const Index> folds,
                                               Index n_folds) {
  const auto n_classes = static_cast<std::size_t>(samples.n_classes);
  std::vector<double> result(samples.truth.size() * n_classes, 1.0 / static_cast<double>(n_classes));
  cross_fit(samples, folds, n_folds, [&](std::size_t i, double /*log_loss*/, const Vector& p) {
    std::ranges::copy(p, result.begin() + static_cast<std::ptrdiff_t>(i * n_classes));
  });
  return result;
}

}  // namespace hsvm
