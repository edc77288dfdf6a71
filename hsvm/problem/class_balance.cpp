#include "hsvm/problem/class_balance.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

namespace hsvm {
namespace {

// The stationary measure of the rates, its largest value 1 in every part of the classes that no flow joins to the
// others; none where something flows into a class, or a part, and nothing out.
std::optional<std::vector<double>> stationary_measure(ClassMatrix rates) {
  const Index size = rates.rows();
  std::vector<char> begins_part(static_cast<std::size_t>(size), 0);
  begins_part[0] = 1;
  for (Index last = size - 1; last > 0; --last) {
    double out = 0.0;
    double in = 0.0;
    for (Index k = 0; k < last; ++k) {
      out += rates.row(last)[static_cast<std::size_t>(k)];
      in += rates.row(k)[static_cast<std::size_t>(last)];
    }
    if (in == 0.0 && out == 0.0) begins_part[static_cast<std::size_t>(last)] = 1;
    if ((in == 0.0) != (out == 0.0)) return std::nullopt;
    if (out == 0.0) continue;
    for (Index y = 0; y < last; ++y) {
      double& into_last = rates.row(y)[static_cast<std::size_t>(last)];
      into_last /= out;
      for (Index k = 0; k < last; ++k) {
        if (k != y)
          rates.row(y)[static_cast<std::size_t>(k)] += into_last * rates.row(last)[static_cast<std::size_t>(k)];
      }
    }
  }
  std::vector<double> theta(static_cast<std::size_t>(size), 0.0);
  std::vector<std::size_t> part(theta.size());
  std::vector<double> largest(theta.size(), 0.0);  // of each part
  for (std::size_t k = 0; k < theta.size(); ++k) {
    part[k] = k;
    if (begins_part[k] != 0) theta[k] = 1.0;
    for (std::size_t y = 0; y < k && begins_part[k] == 0; ++y) {
      const double rate = rates.row(static_cast<Index>(y))[k];
      theta[k] += theta[y] * rate;
      if (rate > 0.0) part[k] = part[y];
    }
    largest[part[k]] = std::max(largest[part[k]], theta[k]);
  }
  for (std::size_t k = 0; k < theta.size(); ++k) theta[k] /= largest[part[k]];
  return theta;
}

}  // namespace

Imbalance imbalance_of_flows(const ClassMatrix& flows, double n) {
  const Index size = flows.rows();
  Imbalance result;
  std::vector<double> out(static_cast<std::size_t>(size), 0.0);
  std::vector<double> in(out.size(), 0.0);
  double total = 0.0;
  for (Index y = 0; y < size; ++y) {
    for (std::size_t k = 0; k < out.size(); ++k) {
      out[static_cast<std::size_t>(y)] += flows.row(y)[k];
      in[k] += flows.row(y)[k];
      total += flows.row(y)[k];
    }
  }
  const double off = rounding_factor(n);
  for (std::size_t k = 0; k < out.size(); ++k) {
    const double deviation = std::abs(in[k] - out[k]) + off * (in[k] + out[k]);
    result.square += deviation * deviation;
  }
  const std::optional<std::vector<double>> theta = stationary_measure(flows);
  const double smallest = theta ? *std::ranges::min_element(*theta) : 0.0;
  const double uncertain = 2.0 * static_cast<double>(size) * off;
  result.share = std::isfinite(smallest) ? 1.0 - smallest + uncertain : 1.0;
  result.cut = uncertain * total;
  for (std::size_t k = 0; k < out.size(); ++k) result.cut += (theta ? 1.0 - (*theta)[k] : 1.0) * out[k];
  return result;
}

}  // namespace hsvm
