#include "hsvm/data/standardization.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "hsvm/core/clones.hpp"
#include "hsvm/core/lanes.hpp"
#include "hsvm/core/parallel.hpp"

namespace hsvm {
namespace {

constexpr Index kColumnsOfTask = 16;

struct CenterAndScale {
  double center = 0.0;
  double scale = 0.0;
  bool is_standard = false;  // mean 0, variance 1
};

// What is left as it is: the values that are no numbers will be found and named when the fit meets them.
constexpr CenterAndScale kAsItIs = {0.0, 1.0, false};

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// What the two readings of a column sum up, over the entries with a weight.
struct Extent {
  double sum = 0.0;  // s x; no number where an entry is none
  double low = kInfinity;
  double high = -kInfinity;

  // The values differ by little more than the rounding of numbers of their size: scaled up, it would make noise a feature.
  [[nodiscard]] bool is_constant() const {
    constexpr double kRoundings = 4096.0 * std::numeric_limits<double>::epsilon();  // 1e-12
    return !(high - low > kRoundings * std::max(std::abs(low), std::abs(high)));
  }
};
struct Spread {            // of the distances d = (x - from)/unit
  double distances = 0.0;  // s d
  double squares = 0.0;    // s d^2
};

// Two registers at a time, to keep both adders busy.
HSVM_CLONES Extent extent_of(const double* x, const double* s, std::size_t size) {
  Lanes sum_[2] = {};
  Lanes low[2] = {Lanes{} + kInfinity, Lanes{} + kInfinity};
  Lanes high[2] = {Lanes{} - kInfinity, Lanes{} - kInfinity};
  std::size_t i = 0;
  for (; i + 2 * kLanes <= size; i += 2 * kLanes) {
    for (std::size_t k = 0; k < 2; ++k) {
      const Lanes weight = load(s + i + k * kLanes);
      const Lanes value = weight != 0.0 ? load(x + i + k * kLanes) : Lanes{};
      sum_[k] += weight * value;
      low[k] = ((weight != 0.0) & (value < low[k])) ? value : low[k];
      high[k] = ((weight != 0.0) & (value > high[k])) ? value : high[k];
    }
  }
  Extent result{sum(sum_[0] + sum_[1])};
  for (std::size_t k = 0; k < 2; ++k) {
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      result.low = std::min(result.low, low[k][lane]);
      result.high = std::max(result.high, high[k][lane]);
    }
  }
  for (; i < size; ++i) {
    if (s[i] == 0.0) continue;
    const auto value = x[i];
    result.sum += s[i] * value;
    result.low = std::min(result.low, value);
    result.high = std::max(result.high, value);
  }
  return result;
}

HSVM_CLONES Spread spread_of(const double* x, const double* s, std::size_t size, double from, double unit) {
  Lanes distances[2] = {};
  Lanes squares[2] = {};
  std::size_t i = 0;
  for (; i + 2 * kLanes <= size; i += 2 * kLanes) {
    for (std::size_t k = 0; k < 2; ++k) {
      const Lanes weight = load(s + i + k * kLanes);
      const Lanes d = weight != 0.0 ? (load(x + i + k * kLanes) - from) / unit : Lanes{};
      distances[k] += weight * d;
      squares[k] += weight * d * d;
    }
  }
  Spread result{sum(distances[0] + distances[1]), sum(squares[0] + squares[1])};
  for (; i < size; ++i) {
    if (s[i] == 0.0) continue;
    const double d = (x[i] - from) / unit;
    result.distances += s[i] * d;
    result.squares += s[i] * d * d;
  }
  return result;
}

// A column by the readings of its entries; `rest` is the weight of the samples for which it is zero without an
// entry.
template <class ReadExtent, class ReadSpread>
CenterAndScale center_and_scale(double total, double rest, const ReadExtent& read_extent,
                                const ReadSpread& read_spread) {
  Extent extent = read_extent();
  if (!std::isfinite(extent.sum)) return kAsItIs;
  if (rest > 0.0) extent = {extent.sum, std::min(extent.low, 0.0), std::max(extent.high, 0.0)};
  if (extent.is_constant()) return {std::isfinite(extent.low) ? extent.low : 0.0, 0.0, false};
  const double rough = std::clamp(extent.sum / total, extent.low, extent.high);
  // Distances of at most 1: neither huge nor tiny features lose their variance. Their sum is what rounding left
  // of the mean, which counts where the mean is large and the deviation is small.
  const double farthest = std::max(extent.high - rough, rough - extent.low);
  Spread spread = read_spread(rough, farthest);
  const double at_zero = -rough / farthest;
  spread.distances += rest * at_zero;
  spread.squares += rest * at_zero * at_zero;
  const double off = spread.distances / total;
  const double mean = std::clamp(rough + farthest * off, extent.low, extent.high);
  const double scale = 1.0 / (farthest * std::sqrt(spread.squares / total - off * off));
  return std::isfinite(mean) && std::isfinite(scale) ? CenterAndScale{mean, scale, true} : kAsItIs;
}

CenterAndScale center_and_scale(const ColumnView& column, std::span<const double> s, double total,
                                Count n_present) {
  if (column.sparse) {
    const auto for_entries = [&](const auto& visit) {
      for (std::size_t e = 0; e < column.rows.size(); ++e) {
        const double weight = s[static_cast<std::size_t>(column.rows[e])];
        if (weight != 0.0) visit(weight, column.values[e]);
      }
    };
    double stored = 0.0;
    Count n_stored = 0;
    for_entries([&](double weight, double /*value*/) {
      stored += weight;
      ++n_stored;
    });
    const double rest =
        n_stored == n_present ? 0.0 : std::max(total - stored, std::numeric_limits<double>::min());
    const auto read_extent = [&] {
      Extent extent;
      for_entries([&](double weight, double value) {
        extent.sum += weight * value;
        extent.low = std::min(extent.low, value);
        extent.high = std::max(extent.high, value);
      });
      return extent;
    };
    const auto read_spread = [&](double from, double unit) {
      Spread spread;
      for_entries([&](double weight, double value) {
        const double d = (value - from) / unit;
        spread.distances += weight * d;
        spread.squares += weight * d * d;
      });
      return spread;
    };
    return center_and_scale(total, rest, read_extent, read_spread);
  }
  return center_and_scale(
      total, 0.0, [&] { return extent_of(column.values.data(), s.data(), s.size()); },
      [&](double from, double unit) {
        return spread_of(column.values.data(), s.data(), s.size(), from, unit);
      });
}

}  // namespace

Standardization standardize(const Design& design, std::span<const double> s) {
  Standardization result;
  result.centers.resize(static_cast<std::size_t>(design.cols()));
  result.scales.resize(result.centers.size());
  const auto n_present = std::count_if(s.begin(), s.end(), [](double weight) { return weight != 0.0; });
  const double total = std::accumulate(s.begin(), s.end(), 0.0);
  const bool equal_weights = std::ranges::adjacent_find(s, std::ranges::not_equal_to{}) == s.end();
  std::vector<char> is_standard(result.centers.size());
  design.for_each_piece(all_indices(design.cols()), [&](std::size_t first, std::size_t last) {
    parallel_blocks(static_cast<Index>(last - first), kColumnsOfTask, [&](Index begin, Index end) {
      ColumnBuffer buffer;
      for (auto j = first + static_cast<std::size_t>(begin); j < first + static_cast<std::size_t>(end); ++j) {
        const CenterAndScale found =
            center_and_scale(design.column(static_cast<Index>(j), buffer), s, total, n_present);
        result.centers[j] = found.center;
        result.scales[j] = found.scale;
        is_standard[j] = found.is_standard || found.scale == 0.0 ? 1 : 0;
      }
    });
  });
  if (equal_weights && std::ranges::find(is_standard, char{0}) == is_standard.end()) {
    for (const double scale : result.scales)
      result.squared_norms.push_back(scale == 0.0 ? 0.0 : static_cast<double>(s.size()));
  }
  return result;
}

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
