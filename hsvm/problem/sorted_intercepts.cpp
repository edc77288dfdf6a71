#include "hsvm/problem/sorted_intercepts.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace hsvm {
namespace {

// dq/db_k as a function of b_k, from -far to far.
class ClassSlope {
 public:
  // A sample's share rises from 0 to `weight` between begin and end.
  struct Ramp {
    double begin, end, weight;
  };

  ClassSlope(const std::vector<Ramp>& ramps, double lambda3, double far) {
    struct Break {
      double place, rate, done;  // what it adds to the slope's rate, and to what ramps behind it have reached
    };
    std::vector<Break> breaks;
    for (const Ramp& ramp : ramps) {
      const double width = ramp.end - ramp.begin;  // as rounded, so that it rises by its weight
      if (width > 0.0) {
        breaks.push_back({ramp.begin, ramp.weight / width, 0.0});
        breaks.push_back({ramp.end, -ramp.weight / width, ramp.weight});
      } else {
        breaks.push_back({ramp.begin, 0.0, ramp.weight});
      }
    }
    std::sort(breaks.begin(), breaks.end(), [](const Break& a, const Break& b) { return a.place < b.place; });

    add(-far, 0.0, lambda3);
    double loss = 0.0;
    double rate = 0.0;
    double done = 0.0;
    Index rising = 0;
    for (const Break& next : breaks) {
      loss += rate * (next.place - places_.back());
      add(next.place, loss, lambda3);
      rate += next.rate;
      done += next.done;
      rising += next.rate > 0.0 ? 1 : next.rate < 0.0 ? -1 : 0;
      if (next.rate == 0.0) loss += next.done;
      if (rising == 0) {  // flat from here on: leave the rounding behind
        rate = 0.0;
        loss = done;
      }
      add(next.place, loss, lambda3);
    }
    add(far, loss, lambda3);
  }

  [[nodiscard]] double smallest() const { return slopes_.front(); }
  [[nodiscard]] double largest() const { return slopes_.back(); }
  // The ends of where the slope is mu.
  [[nodiscard]] std::pair<double, double> places_of(double mu) const {
    return {place_before(std::lower_bound(slopes_.begin(), slopes_.end(), mu), mu),
            place_before(std::upper_bound(slopes_.begin(), slopes_.end(), mu), mu)};
  }

 private:
  void add(double place, double loss, double lambda3) {
    const double slope = loss + lambda3 * place;
    places_.push_back(place);
    slopes_.push_back(slopes_.empty() ? slope : std::max(slope, slopes_.back()));
  }
  [[nodiscard]] double place_before(std::vector<double>::const_iterator next, double mu) const {
    const auto k = static_cast<std::size_t>(next - slopes_.begin());
    if (k == 0) return places_.front();
    if (k == places_.size()) return places_.back();
    const double rise = slopes_[k] - slopes_[k - 1];
    if (!(rise > 0.0)) return places_[k];
    return places_[k - 1] + (mu - slopes_[k - 1]) / rise * (places_[k] - places_[k - 1]);
  }

  std::vector<double> places_;  // ascending
  std::vector<double> slopes_;  // not descending
};

double sum(const std::vector<double>& values) {
  double total = 0.0;
  for (const double value : values) total += value;
  return total;
}

// The point between low and high, whose sums are at most and at least zero, that sums to zero.
std::vector<double> between(std::vector<double> low, const std::vector<double>& high) {
  const double from = sum(low);
  const double to = sum(high);
  const double share = to > from ? std::clamp(-from / (to - from), 0.0, 1.0) : 0.0;
  for (std::size_t k = 0; k < low.size(); ++k) low[k] += share * (high[k] - low[k]);
  return low;
}

}  // namespace

std::vector<double> sorted_intercepts(const MarginLoss& loss, std::span<const Index> y,
                                      std::span<const double> s, const ClassMatrix& z, double lambda3) {
  const auto n_classes = static_cast<std::size_t>(z.n_classes());
  const double n = static_cast<double>(y.size());
  double farthest = 1.0 + loss.delta;
  for (const double score : z.values()) farthest = std::max(farthest, std::abs(score) + 1.0 + loss.delta);
  const double far =
      farthest * static_cast<double>(n_classes + 1);  // no b_k that sum to zero need to go further

  std::vector<ClassSlope> classes;
  double low = 0.0;
  double high = 0.0;
  for (std::size_t k = 0; k < n_classes; ++k) {
    std::vector<ClassSlope::Ramp> ramps;
    for (std::size_t i = 0; i < y.size(); ++i) {
      if (static_cast<std::size_t>(y[i]) == k || s[i] == 0.0) continue;
      const double begin = -1.0 - z.row(static_cast<Index>(i))[k];
      // Without a cap the share rises on and on: up to where b_k can go.
      const double end = std::isinf(loss.cap) ? far : begin + loss.cap * loss.delta;
      const double share = std::isinf(loss.cap) ? (end - begin) / loss.delta : loss.cap;
      ramps.push_back({begin, end, share * s[i] / n});
    }
    classes.emplace_back(ramps, lambda3, far);
    low = std::min(low, classes.back().smallest());
    high = std::max(high, classes.back().largest());
  }

  const auto solve_for = [&](double mu) {
    std::pair<std::vector<double>, std::vector<double>> ends;
    for (const ClassSlope& slope : classes) {
      const auto [first, last] = slope.places_of(mu);
      ends.first.push_back(first);
      ends.second.push_back(last);
    }
    return ends;
  };
  for (;;) {
    const double mu = low + 0.5 * (high - low);
    auto [first, last] = solve_for(mu);
    const bool below = sum(last) < 0.0;
    const bool above = sum(first) > 0.0;
    if (!below && !above) return between(std::move(first), last);
    if (mu == low || mu == high) return between(solve_for(low).second, solve_for(high).first);
    (below ? low : high) = mu;
  }
}

}  // namespace hsvm
