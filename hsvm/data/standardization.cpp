#include "hsvm/data/standardization.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>

#include "hsvm/core/clones.hpp"
#include "hsvm/core/lanes.hpp"
#include "hsvm/core/parallel.hpp"

namespace hsvm {
namespace {

constexpr Index kMostColumnsOfTask = 16;

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

// Samples that have a weight.
struct Present {
  double total = 0.0;
  Count count = 0;
};

// The entries of a column that have a weight, sparse or not, and what stands beside them.
class WeightedColumn {
 public:
  // all_equal: the weights are the same number; which sample an entry is of does not matter then.
  WeightedColumn(const ColumnView& column, std::span<const double> s, bool all_equal)
      : column_(column), s_(s), in_order_(!column.sparse || all_equal) {}

  // The entries that are there; of a dense column all, `here`.
  [[nodiscard]] Present stored(const Present& here) const {
    if (!column_.sparse) return here;
    Present found;
    if (in_order_) {
      const double weight = s_.empty() ? 0.0 : s_[0];
      if (weight != 0.0) found.count = std::ssize(column_.values);
      found.total = weight * static_cast<double>(found.count);
      return found;
    }
    for_entries([&](double weight, double /*value*/) {
      found.total += weight;
      ++found.count;
    });
    return found;
  }
  [[nodiscard]] Extent extent() const {
    if (in_order_) return extent_of(column_.values.data(), s_.data(), column_.values.size());
    Extent extent;
    for_entries([&](double weight, double value) {
      extent.sum += weight * value;
      extent.low = std::min(extent.low, value);
      extent.high = std::max(extent.high, value);
    });
    return extent;
  }
  [[nodiscard]] Spread spread(double from, double unit) const {
    if (in_order_) return spread_of(column_.values.data(), s_.data(), column_.values.size(), from, unit);
    Spread spread;
    for_entries([&](double weight, double value) {
      const double d = (value - from) / unit;
      spread.distances += weight * d;
      spread.squares += weight * d * d;
    });
    return spread;
  }

 private:
  template <class Visit>
  void for_entries(const Visit& visit) const {
    for (std::size_t e = 0; e < column_.rows.size(); ++e) {
      const double weight = s_[static_cast<std::size_t>(column_.rows[e])];
      if (weight != 0.0) visit(weight, column_.values[e]);
    }
  }

  const ColumnView& column_;
  std::span<const double> s_;
  bool in_order_;  // the weights of the entries are the first of s
};

bool are_equal(std::span<const double> s) {
  return std::ranges::adjacent_find(s, std::ranges::not_equal_to{}) == s.end();
}

// The weight of the samples for which a sparse column is zero without an entry.
double weight_of_rest(const Present& stored, const Present& present) {
  return stored.count == present.count
             ? 0.0
             : std::max(present.total - stored.total, std::numeric_limits<double>::min());
}

// What the first reading of a column tells: where distances are measured from, and in which unit. Nothing where it is done already.
struct FirstReading {
  CenterAndScale done;
  bool is_done = false;
  double rest = 0.0;
  Extent extent;
  double rough = 0.0;
  double farthest = 1.0;
};

FirstReading read_first(Extent extent, double rest, double total) {
  FirstReading result;
  result.done = kAsItIs;
  result.is_done = true;
  result.rest = rest;
  if (!std::isfinite(extent.sum)) return result;
  if (rest > 0.0) extent = {extent.sum, std::min(extent.low, 0.0), std::max(extent.high, 0.0)};
  if (extent.is_constant()) {
    result.done = {std::isfinite(extent.low) ? extent.low : 0.0, 0.0};
    return result;
  }
  result.is_done = false;
  result.extent = extent;
  result.rough = std::clamp(extent.sum / total, extent.low, extent.high);
  // Distances of at most 1: neither huge nor tiny features lose their variance. Their sum is what rounding left
  // of the mean, which counts where the mean is large and the deviation is small.
  result.farthest = std::max(extent.high - result.rough, result.rough - extent.low);
  return result;
}

CenterAndScale read_second(const FirstReading& first, Spread spread, double total) {
  const double at_zero = -first.rough / first.farthest;
  spread.distances += first.rest * at_zero;
  spread.squares += first.rest * at_zero * at_zero;
  const double off = spread.distances / total;
  const double mean = std::clamp(first.rough + first.farthest * off, first.extent.low, first.extent.high);
  const double scale = 1.0 / (first.farthest * std::sqrt(spread.squares / total - off * off));
  return std::isfinite(mean) && std::isfinite(scale) ? CenterAndScale{mean, scale, true} : kAsItIs;
}

CenterAndScale center_and_scale(const ColumnView& view, std::span<const double> s, bool all_equal,
                                const Present& present) {
  const WeightedColumn column(view, s, all_equal);
  const double rest = weight_of_rest(column.stored(present), present);
  const FirstReading first = read_first(column.extent(), rest, present.total);
  if (first.is_done) return first.done;
  return read_second(first, column.spread(first.rough, first.farthest), present.total);
}

// body(j, column j), for all columns.
template <class Body>
void for_each_column(const Design& design, const Body& body) {
  design.for_each_piece(all_indices(design.cols()), [&](std::size_t first, std::size_t last) {
    const auto count = static_cast<Index>(last - first);
    const Index in_task = std::clamp(count / kMostColumnsOfTask, Index{1}, kMostColumnsOfTask);
    parallel_blocks(count, in_task, [&](Index begin, Index end) {
      ColumnBuffer buffer;
      for (auto j = first + static_cast<std::size_t>(begin); j < first + static_cast<std::size_t>(end); ++j)
        body(j, design.column(static_cast<Index>(j), buffer));
    });
  });
}

// What a rank learns from its entries of one column, read once: their extent, and their distances from their own mean.
struct OwnReading {
  Present stored;
  Extent extent;
  double from = 0.0;
  double unit = 1.0;
  Spread spread;

  OwnReading() = default;
  OwnReading(const WeightedColumn& column, const Present& here)
      : stored(column.stored(here)), extent(column.extent()) {
    if (!(extent.high > extent.low)) {  // no entries, equal ones, or none that are numbers
      from = std::isfinite(extent.low) ? extent.low : 0.0;
      return;
    }
    from = std::clamp(extent.sum / stored.total, extent.low, extent.high);
    unit = std::max(extent.high - from, from - extent.low);
    spread = column.spread(from, unit);
  }
  // The same entries' distances from another place, in another unit: (x - to)/other = a d + b.
  [[nodiscard]] Spread seen_from(double to, double other) const {
    const double a = unit / other;
    const double b = (from - to) / other;
    return {a * spread.distances + b * stored.total,
            a * a * spread.squares + 2.0 * a * b * spread.distances + b * b * stored.total};
  }
};

std::vector<OwnReading> read_own(const Design& design, std::span<const double> s, const Present& here) {
  std::vector<OwnReading> own(static_cast<std::size_t>(design.cols()));
  const bool all_equal = are_equal(s);
  for_each_column(design, [&](std::size_t j, const ColumnView& view) {
    own[j] = OwnReading(WeightedColumn(view, s, all_equal), here);
  });
  return own;
}

// What the ranks' readings tell together: sums of the entries, how many they are and what they weigh, their ends.
std::vector<FirstReading> join_readings(std::span<const OwnReading> own, const Collective& ranks,
                                        const Present& present) {
  const std::size_t p = own.size();
  // Where all weights are 1 or 0 what the entries weigh is how many they are, and need not travel.
  const bool are_counted = !ranks.any(std::ranges::any_of(own, [](const OwnReading& column) {
    return column.stored.total != static_cast<double>(column.stored.count);
  }));
  std::vector<double> sums((are_counted ? 2 : 3) * p);
  std::vector<double> ends(2 * p);  // -low, high
  for (std::size_t j = 0; j < p; ++j) {
    sums[j] = own[j].extent.sum;
    sums[p + j] = static_cast<double>(own[j].stored.count);
    if (!are_counted) sums[2 * p + j] = own[j].stored.total;
    ends[j] = -own[j].extent.low;
    ends[p + j] = own[j].extent.high;
  }
  ranks.sum(sums);
  ranks.maximum(ends);
  std::vector<FirstReading> result(p);
  for (std::size_t j = 0; j < p; ++j) {
    const Present stored{sums[(are_counted ? p : 2 * p) + j], static_cast<Count>(sums[p + j])};
    result[j] = read_first({sums[j], -ends[j], ends[p + j]}, weight_of_rest(stored, present), present.total);
  }
  return result;
}

// Over ranks X is read once, too: each rank measures from its own means, and turns to those of all when it knows them.
Standardization standardize_over_ranks(const Design& design, std::span<const double> s, const Collective& ranks,
                                       const Present& here) {
  std::array<double, 2> both = {here.total, static_cast<double>(here.count)};
  ranks.sum(both);
  const Present present{both[0], static_cast<Count>(both[1])};
  const std::vector<OwnReading> own = read_own(design, s, here);
  const std::size_t p = own.size();
  const std::vector<FirstReading> first = join_readings(own, ranks, present);
  std::vector<double> spreads(2 * p, 0.0);
  for (std::size_t j = 0; j < p; ++j) {
    if (first[j].is_done) continue;
    const Spread spread = own[j].seen_from(first[j].rough, first[j].farthest);
    spreads[j] = spread.distances;
    spreads[p + j] = spread.squares;
  }
  ranks.sum(spreads);
  Standardization result;
  for (std::size_t j = 0; j < p; ++j) {
    const CenterAndScale found =
        first[j].is_done ? first[j].done : read_second(first[j], {spreads[j], spreads[p + j]}, present.total);
    result.centers.push_back(found.center);
    result.scales.push_back(found.scale);
  }
  return result;
}

}  // namespace

Standardization standardize(const Design& design, std::span<const double> s, const Collective& ranks) {
  const Present present{std::accumulate(s.begin(), s.end(), 0.0),
                        std::count_if(s.begin(), s.end(), [](double weight) { return weight != 0.0; })};
  if (!ranks.is_alone()) return standardize_over_ranks(design, s, ranks, present);
  Standardization result;
  result.centers.resize(static_cast<std::size_t>(design.cols()));
  result.scales.resize(result.centers.size());
  const bool equal_weights = are_equal(s);
  std::vector<char> is_standard(result.centers.size());
  for_each_column(design, [&](std::size_t j, const ColumnView& column) {
    const CenterAndScale found = center_and_scale(column, s, equal_weights, present);
    result.centers[j] = found.center;
    result.scales[j] = found.scale;
    is_standard[j] = found.is_standard || found.scale == 0.0 ? 1 : 0;
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
