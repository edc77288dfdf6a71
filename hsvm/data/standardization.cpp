#include "hsvm/data/standardization.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "hsvm/core/parallel.hpp"
#include "hsvm/data/csc_matrix.hpp"
#include "hsvm/data/dense_matrix.hpp"

namespace hsvm {
namespace {

constexpr Index kBlockColumns = 64;

struct CenterAndScale {
  double center = 0.0;
  double scale = 0.0;
};

// What is left as it is: the values that are no numbers will be found and named when the fit meets them.
constexpr CenterAndScale kAsItIs = {0.0, 1.0};

// Entries of a column with their weights, and the weight of those that are zero without being stored.
template <class Value, class Weight>
CenterAndScale center_and_scale(std::size_t size, const Value& value, const Weight& weight, double rest) {
  double total = rest;
  double sum = 0.0;
  double low = rest > 0.0 ? 0.0 : std::numeric_limits<double>::infinity();
  double high = rest > 0.0 ? 0.0 : -std::numeric_limits<double>::infinity();
  for (std::size_t e = 0; e < size; ++e) {
    if (weight(e) == 0.0) continue;
    if (!std::isfinite(value(e))) return kAsItIs;
    total += weight(e);
    sum += weight(e) * value(e);
    low = std::min(low, value(e));
    high = std::max(high, value(e));
  }
  if (!(low < high)) return {std::isfinite(low) ? low : 0.0, 0.0};
  if (!std::isfinite(sum)) return kAsItIs;
  const double rough = std::clamp(sum / total, low, high);
  // Distances of at most 1: neither huge nor tiny features lose their variance. Their sum is
  // what rounding left of the mean, which counts where the mean is large and the deviation is small.
  const double farthest = std::max(high - rough, rough - low);
  const auto distance = [&](double x) { return (x - rough) / farthest; };
  double distances = rest * distance(0.0);
  double squares = rest * distance(0.0) * distance(0.0);
  for (std::size_t e = 0; e < size; ++e) {
    if (weight(e) == 0.0) continue;
    const double d = distance(value(e));
    distances += weight(e) * d;
    squares += weight(e) * d * d;
  }
  const double off = distances / total;
  const double mean = std::clamp(rough + farthest * off, low, high);
  const double scale = 1.0 / (farthest * std::sqrt(squares / total - off * off));
  return std::isfinite(mean) && std::isfinite(scale) ? CenterAndScale{mean, scale} : kAsItIs;
}

}  // namespace

template <class X>
Standardization standardize(const X& design, std::span<const double> s) {
  Standardization result;
  result.centers.resize(static_cast<std::size_t>(design.cols()));
  result.scales.resize(result.centers.size());
  const auto n_present = std::count_if(s.begin(), s.end(), [](double weight) { return weight != 0.0; });
  const double total = std::accumulate(s.begin(), s.end(), 0.0);
  parallel_blocks(design.cols(), kBlockColumns, [&](Index begin, Index end) {
    for (Index j = begin; j < end; ++j) {
      const auto column = design.column(j);
      CenterAndScale found;
      if constexpr (requires { column.rows; }) {
        const auto weight = [&](std::size_t e) { return s[static_cast<std::size_t>(column.rows[e])]; };
        double stored = 0.0;
        Count n_stored = 0;
        for (std::size_t e = 0; e < column.rows.size(); ++e) {
          stored += weight(e);
          n_stored += weight(e) != 0.0 ? 1 : 0;
        }
        const double rest =
            n_stored == n_present ? 0.0 : std::max(total - stored, std::numeric_limits<double>::min());
        found = center_and_scale(
            column.rows.size(), [&](std::size_t e) { return static_cast<double>(column.values[e]); }, weight,
            rest);
      } else {
        found = center_and_scale(
            column.size(), [&](std::size_t i) { return static_cast<double>(column[i]); },
            [&](std::size_t i) { return s[i]; }, 0.0);
      }
      result.centers[static_cast<std::size_t>(j)] = found.center;
      result.scales[static_cast<std::size_t>(j)] = found.scale;
    }
  });
  return result;
}

template Standardization standardize(const DenseMatrix<double>&, std::span<const double>);
template Standardization standardize(const DenseMatrix<float>&, std::span<const double>);
template Standardization standardize(const CscMatrix<double>&, std::span<const double>);
template Standardization standardize(const CscMatrix<float>&, std::span<const double>);

Standardization keep_features(Standardization standardization, std::span<const Index> kept, Index n_features) {
  const auto p = static_cast<std::size_t>(n_features);
  if (standardization.empty()) standardization = {std::vector<double>(p, 0.0), std::vector<double>(p, 1.0)};
  std::size_t next = 0;
  for (std::size_t j = 0; j < p; ++j) {
    if (next < kept.size() && static_cast<std::size_t>(kept[next]) == j) {
      ++next;
    } else {
      standardization.scales[j] = 0.0;
    }
  }
  return standardization;
}

}  // namespace hsvm
