#include "hsvm/problem/rounding.hpp"

#include <algorithm>
#include <numeric>

#include "hsvm/core/parallel.hpp"

namespace hsvm {

void ColumnSizes::measure(const Design& design, std::span<const Index> features) {
  if (sizes_.empty()) sizes_.assign(static_cast<std::size_t>(design.cols()), 0.0);
  std::vector<Index> unknown;
  for (const Index j : features) {
    if (sizes_[static_cast<std::size_t>(j)] == 0.0) unknown.push_back(j);
  }
  if (unknown.empty()) return;
  constexpr double kSmallest = 1e-150;  // squares of smaller entries vanish
  const double n = static_cast<double>(design.n_samples());
  std::vector<double> squares(unknown.size());
  design.column_squared_norms(unknown, {}, squares);
  for (std::size_t c = 0; c < unknown.size(); ++c) {
    const double center = center_size(design.affine(unknown[c]), n);
    sizes_[static_cast<std::size_t>(unknown[c])] = std::max(kSmallest, std::sqrt(squares[c]) + center);
  }
}

DualValue dual_value(double mean_dual, double mean_square, double delta, double n, double s_max) {
  const double factor = rounding_factor(n);
  return {.linear = (1.0 - factor) * mean_dual,
          .quadratic = (1.0 + factor) * delta * mean_square,
          .residual_norm = std::sqrt(s_max * mean_square / n),
          .factor = factor};
}

void pay_for_intercept(const Imbalance& imbalance, double lambda3, DualValue& value) {
  constexpr double kCheap = 1e-8;  // of the dual value
  const double price = lambda3 > 0.0 ? imbalance.square / lambda3 : 0.0;
  const bool is_large = imbalance.share > kLargestShare;
  if (lambda3 > 0.0 && (price <= kCheap * value.linear || is_large)) {
    value.quadratic += price;
  } else {
    value.linear = is_large ? 0.0 : std::max(0.0, value.linear - imbalance.cut);
    value.share = imbalance.share;
  }
}

// The ranks' sums are added with care as well: they may cancel.
CarefulProducts multiply_carefully(const Design& design, std::span<const Index> columns,
                                   std::span<const double> r, Index stride, Index n_outputs) {
  const Collective& ranks = design.collective();
  const auto n_values = columns.size() * static_cast<std::size_t>(n_outputs);
  CarefulProducts result{{}, {}};
  std::vector<double> parts;  // high and low of each sum
  // Blocks of samples are summed by themselves, on several threads, and added in order.
  constexpr Index kBlock = 1 << 16;
  const auto width = static_cast<std::size_t>(n_outputs);
  const auto n_blocks = static_cast<std::size_t>((design.rows() + kBlock - 1) / kBlock);
  std::vector<CarefulSum> sums(n_blocks * width);
  std::vector<double> squares(n_blocks);
  for (const Index j : columns) {
    std::ranges::fill(sums, CarefulSum{});
    std::ranges::fill(squares, 0.0);
    parallel_blocks(design.rows(), kBlock, [&](Index begin, Index end) {
      const auto block = static_cast<std::size_t>(begin / kBlock);
      ColumnBuffer buffer;
      const ColumnPart part = design.column_between(j, begin, end, buffer);
      const auto row_of = [&](std::size_t e) {
        return static_cast<std::size_t>(part.sparse ? part.rows[e] : begin + static_cast<Index>(e));
      };
      double square = 0.0;
      for (std::size_t e = 0; e < part.size; ++e) square += part[e] * part[e];
      squares[block] = square;
      for (std::size_t k = 0; k < width; ++k) {
        CarefulSum sum;  // in registers
        for (std::size_t e = 0; e < part.size; ++e)
          sum.add(part[e], r[row_of(e) * static_cast<std::size_t>(stride) + k]);
        sums[block * width + k] = sum;
      }
    });
    result.norms.push_back(std::sqrt(std::accumulate(squares.begin(), squares.end(), 0.0)));
    for (std::size_t k = 0; k < width; ++k) {
      CarefulSum sum;
      for (std::size_t at = k; at < sums.size(); at += width) {
        sum.add(sums[at].high(), 1.0);
        sum.add(sums[at].low(), 1.0);
      }
      result.values.push_back(sum.value());
      parts.insert(parts.end(), {sum.high(), sum.low()});
    }
  }
  if (ranks.is_alone()) return result;
  const std::vector<double> all = ranks.gather(std::span<const double>(parts));
  for (std::size_t v = 0; v < n_values; ++v) {
    CarefulSum sum;
    for (std::size_t part = 2 * v; part < all.size(); part += parts.size()) {
      sum.add(all[part], 1.0);
      sum.add(all[part + 1], 1.0);
    }
    result.values[v] = sum.value();
  }
  for (double& norm : result.norms) norm *= norm;
  ranks.sum(result.norms);
  for (double& norm : result.norms) norm = std::sqrt(norm);
  return result;
}

double norm_of(const ColumnView& column) {
  double square = 0.0;
  for (const double value : column.values) square += value * value;
  return std::sqrt(square);
}

double careful_size(const Affine& seen, double norm, double product, const DualValue& value) {
  constexpr double kEpsilon = std::numeric_limits<double>::epsilon();
  const bool is_stored = seen.center == 0.0 && seen.scale == 1.0;
  const double error = 4.0 * kEpsilon * product +
                       ((is_stored ? 0.0 : 4.0 * kEpsilon) + value.share) * norm * value.residual_norm;
  return value.rounding() > 0.0 ? error / value.rounding() : 0.0;
}

}  // namespace hsvm
