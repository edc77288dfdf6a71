#include "hsvm/stats/distributions.hpp"

#include <boost/math/distributions/chi_squared.hpp>
#include <boost/math/distributions/complement.hpp>
#include <boost/math/distributions/fisher_f.hpp>
#include <cmath>
#include <numbers>

namespace hsvm::stats {

double normal_cdf(double z) {
  return 0.5 * std::erfc(-z / std::numbers::sqrt2);
}

double two_sided_normal(double z) {
  return std::erfc(std::abs(z) / std::numbers::sqrt2);
}

double chi_squared_tail(double x, double freedom) {
  return boost::math::cdf(boost::math::complement(boost::math::chi_squared(freedom), x));
}

double fisher_tail(double x, double freedom, double freedom_below) {
  if (std::isinf(x)) return 0.0;
  return boost::math::cdf(boost::math::complement(boost::math::fisher_f(freedom, freedom_below), x));
}

double normal_range_tail(double q, int k) {
  if (q <= 0.0) return 1.0;
  // The integrand is analytic and negligible at both ends, so that the trapezoidal rule converges
  // exponentially. Beyond the bulk of the largest normal it peaks near q/2, where phi(x) Phi(x - q) does.
  constexpr double kReach = 10.0;
  constexpr double kStep = 1.0 / 16.0;
  const auto n_steps = static_cast<int>((2.0 * kReach + q / 2.0) / kStep);
  double sum = 0.0;
  for (int step = 0; step <= n_steps; ++step) {
    const double x = kStep * step - kReach;
    const double below = normal_cdf(x);
    // A^m - B^m as A^m (1 - (B/A)^m): two nearly equal powers would cancel.
    const double ratio = std::log1p(-normal_cdf(x - q) / below);
    sum += std::exp(-0.5 * x * x) * std::pow(below, k - 1) * -std::expm1((k - 1) * ratio);
  }
  return std::fmin(1.0, k * kStep * std::numbers::inv_sqrtpi / std::numbers::sqrt2 * sum);
}

double normal_range_quantile(double alpha, int k) {
  double low = 0.0;
  double high = 1.0;
  while (normal_range_tail(high, k) > alpha) {
    low = high;
    high *= 2.0;
  }
  for (;;) {  // until the two are neighbours
    const double middle = 0.5 * (low + high);
    if (middle <= low || middle >= high) return middle;
    (normal_range_tail(middle, k) > alpha ? low : high) = middle;
  }
}

}  // namespace hsvm::stats
