#include "hsvm/problem/rounding.hpp"

#include <algorithm>

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
  ColumnBuffer buffer;
  for (const Index j : columns) {
    const ColumnView column = design.column(j, buffer);
    result.norms.push_back(norm_of(column));
    for (Index k = 0; k < n_outputs; ++k) {
      const double* const of_output = r.data() + k;
      CarefulSum sum;
      for_each_entry(column, [&](std::size_t i, double x) {
        sum.add(x, of_output[i * static_cast<std::size_t>(stride)]);
      });
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
