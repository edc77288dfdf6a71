#include "tests/support/reference.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace hsvm::test {
namespace {

double factor(const ProblemData& data, std::size_t j) {
  return data.parameters.penalty.factors.empty() ? 1.0 : data.parameters.penalty.factors[j];
}

double score(const ProblemData& data, std::size_t i, double b, const std::vector<double>& w) {
  long double sum = b;
  for (std::size_t j = 0; j < w.size(); ++j) {
    sum += static_cast<long double>(data.x(static_cast<Index>(i), static_cast<Index>(j))) * w[j];
  }
  return static_cast<double>(sum);
}

double phi_slope(double t, double delta) {
  if (t > 1.0) return 0.0;
  return t > 1.0 - delta ? -(1.0 - t) / delta : -1.0;
}

}  // namespace

double reference_phi(double t, double delta) {
  if (t > 1.0) return 0.0;
  return t > 1.0 - delta ? (1.0 - t) * (1.0 - t) / (2.0 * delta) : 1.0 - t - delta / 2.0;
}

double reference_smooth(const ProblemData& data, double b, const std::vector<double>& w) {
  long double total = 0.0;
  for (std::size_t i = 0; i < data.y.size(); ++i) {
    total += data.s[i] * reference_phi(data.y[i] * score(data, i, b, w), data.parameters.loss.delta);
  }
  return static_cast<double>(total / static_cast<long double>(data.y.size()));
}

double reference_objective(const ProblemData& data, double b, const std::vector<double>& w) {
  long double total = reference_smooth(data, b, w);
  for (std::size_t j = 0; j < w.size(); ++j) {
    total += data.parameters.penalty.lambda1 * factor(data, j) * std::abs(w[j]);
    total += 0.5 * data.parameters.penalty.lambda2 * w[j] * w[j];
  }
  return static_cast<double>(total + 0.5 * data.parameters.lambda3 * b * b);
}

ReferenceGradient reference_gradient(const ProblemData& data, double b, const std::vector<double>& w) {
  ReferenceGradient result{0.0, std::vector<double>(w.size())};
  for (std::size_t i = 0; i < data.y.size(); ++i) {
    const double slope = data.s[i] * data.y[i] *
                         phi_slope(data.y[i] * score(data, i, b, w), data.parameters.loss.delta) /
                         static_cast<double>(data.y.size());
    if (data.parameters.intercept) result.b += slope;
    for (std::size_t j = 0; j < w.size(); ++j) {
      result.w[j] += slope * data.x(static_cast<Index>(i), static_cast<Index>(j));
    }
  }
  return result;
}

double reference_dual(const ProblemData& data, double b, const std::vector<double>& w) {
  const BinaryParameters& parameters = data.parameters;
  const ReferenceGradient gradient = reference_gradient(data, b, w);
  double k = 1.0;  // a is scaled by it
  if (parameters.penalty.lambda2 == 0.0) {
    for (std::size_t j = 0; j < w.size(); ++j) {
      const double threshold = parameters.penalty.lambda1 * factor(data, j);
      if (std::abs(gradient.w[j]) > threshold) k = std::min(k, threshold / std::abs(gradient.w[j]));
    }
  }
  long double total = 0.0;
  for (std::size_t i = 0; i < data.y.size(); ++i) {
    const double a = -k * phi_slope(data.y[i] * score(data, i, b, w), parameters.loss.delta);
    total += data.s[i] * (a - parameters.loss.delta * a * a / 2.0) / static_cast<double>(data.y.size());
  }
  if (parameters.penalty.lambda2 > 0.0) {
    for (std::size_t j = 0; j < w.size(); ++j) {
      const double excess =
          std::max(0.0, std::abs(gradient.w[j]) - parameters.penalty.lambda1 * factor(data, j));
      total -= excess * excess / (2.0 * parameters.penalty.lambda2);
    }
  }
  if (data.free_intercept()) {
    if (std::abs(gradient.b) > 1e-12) throw std::logic_error("b is not the best intercept for w");
  } else if (parameters.intercept) {
    total -= gradient.b * gradient.b / (2.0 * parameters.lambda3);
  }
  return static_cast<double>(total);
}

double reference_violation(const ProblemData& data, double b, const std::vector<double>& w) {
  const BinaryParameters& parameters = data.parameters;
  const ReferenceGradient gradient = reference_gradient(data, b, w);
  double worst = parameters.intercept ? std::abs(gradient.b + parameters.lambda3 * b) : std::abs(b);
  for (std::size_t j = 0; j < w.size(); ++j) {
    const double threshold = parameters.penalty.lambda1 * factor(data, j);
    const double smooth = gradient.w[j] + parameters.penalty.lambda2 * w[j];
    worst = std::max(worst, w[j] != 0.0 ? std::abs(smooth + std::copysign(threshold, w[j]))
                                        : std::max(0.0, std::abs(smooth) - threshold));
  }
  return worst;
}

}  // namespace hsvm::test
