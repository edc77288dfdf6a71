#include "hsvm/newton/residual_tail.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "hsvm/core/clones.hpp"
#include "hsvm/core/lanes.hpp"
#include "hsvm/core/parallel.hpp"

namespace hsvm {
namespace {

constexpr std::size_t kTailBlock = 8192;  // samples, which stay in a cache while all parts pass over them

// The sums of blocks, each an array of `size` numbers, added in order: sums_of(begin, size of the block, its sums).
template <class SumsOf>
std::vector<double> sum_tail_blocks(std::size_t n, std::size_t size, const Collective& ranks,
                                    const SumsOf& sums_of) {
  const std::size_t n_blocks = std::max<std::size_t>(1, (n + kTailBlock - 1) / kTailBlock);
  std::vector<double> sums(n_blocks * size, 0.0);
  parallel_for(static_cast<Index>(n_blocks), [&](Index k) {
    const std::size_t begin = static_cast<std::size_t>(k) * kTailBlock;
    sums_of(begin, std::min(kTailBlock, n - begin), sums.data() + static_cast<std::size_t>(k) * size);
  });
  for (std::size_t at = size; at < sums.size(); ++at) sums[at % size] += sums[at];
  sums.resize(size);
  ranks.sum(sums);
  return sums;
}

HSVM_CLONES double tail_product(const double* r, const double* part, std::size_t n) {
  Lanes even = {};
  Lanes odd = {};
  std::size_t i = 0;
  for (; i + 2 * kLanes <= n; i += 2 * kLanes) {
    even += load(r + i) * load(part + i);
    odd += load(r + i + kLanes) * load(part + i + kLanes);
  }
  double rest = 0.0;
  for (; i < n; ++i) rest += r[i] * part[i];
  return sum(even + odd) + rest;
}

HSVM_CLONES void tail_subtract(double factor, const double* part, std::size_t n, double* e) {
  by_lanes(
      n, [&](std::size_t i) { store(e + i, load(e + i) - factor * load(part + i)); },
      [&](std::size_t i) { e[i] -= factor * part[i]; });
}

// sums: of E, then of what is beyond each t.
HSVM_CLONES void add_tail(const double* e, std::size_t n, double unit, double* sums) {
  constexpr std::size_t kSums = ResidualTail::kTimes.size();
  Lanes squares[kSums];
  Lanes beyond[kSums] = {};
  for (std::size_t q = 0; q < kSums; ++q) {
    const double t = ResidualTail::kTimes[q] * unit;
    squares[q] = Lanes{} + t * t;
  }
  Lanes total = {};
  by_lanes(
      n,
      [&](std::size_t i) {
        const Lanes x = load(e + i);
        const Lanes square = x * x;
        total += x;
        for (std::size_t q = 0; q < kSums; ++q) {
          const Lanes over = square - squares[q];
          beyond[q] += over > Lanes{} ? over : Lanes{};
        }
      },
      [&](std::size_t i) {
        sums[0] += e[i];
        for (std::size_t q = 0; q < kSums; ++q) sums[q + 1] += std::max(0.0, e[i] * e[i] - squares[q][0]);
      });
  sums[0] += sum(total);
  for (std::size_t q = 0; q < kSums; ++q) sums[q + 1] += sum(beyond[q]);
}

// E of one block.
void form_residuals(std::span<const double> r, ResidualParts parts, std::span<const double> factors,
                    std::size_t begin, std::size_t size, double* e) {
  std::copy_n(r.data() + begin, size, e);
  for (std::size_t s = 0; s < parts.size(); ++s) tail_subtract(factors[s], parts[s].data() + begin, size, e);
}

constexpr double kTailRounding = 1.0 + 1e-9;  // what sums of a billion squares may be off by, and more

}  // namespace

double ResidualTail::norm() const {
  return kTailRounding * std::sqrt(beyond[0]);
}

double ResidualTail::norm_of_largest(double k) const {
  double least = beyond[0];
  for (std::size_t q = 1; q < kTimes.size(); ++q) {
    const double t = kTimes[q] * unit;
    least = std::min(least, k * t * t + beyond[q]);
  }
  return kTailRounding * std::sqrt(least);
}

std::vector<double> residual_products(std::span<const double> r, ResidualParts parts, const Collective& ranks) {
  return sum_tail_blocks(r.size(), parts.size() + 1, ranks,
                         [&](std::size_t begin, std::size_t size, double* sums) {
                           for (std::size_t s = 0; s < parts.size(); ++s)
                             sums[s] = tail_product(r.data() + begin, parts[s].data() + begin, size);
                           sums[parts.size()] = tail_product(r.data() + begin, r.data() + begin, size);
                         });
}

// A lane adds up one in 2 kLanes of the numbers of a block, then blocks are added.
double residual_product_rounding(double n) {
  const double in_lane = std::min(n, static_cast<double>(kTailBlock)) / (2.0 * kLanes);
  return std::numeric_limits<double>::epsilon() * (in_lane + n / kTailBlock + 16.0);
}

ResidualTail residual_tail(std::span<const double> r, ResidualParts parts, std::span<const double> factors,
                           double unit, const Collective& ranks) {
  ResidualTail tail;
  tail.unit = unit;
  const std::vector<double> sums = sum_tail_blocks(r.size(), tail.beyond.size() + 1, ranks,
                                                   [&](std::size_t begin, std::size_t size, double* of_block) {
                                                     std::array<double, kTailBlock> e;
                                                     form_residuals(r, parts, factors, begin, size, e.data());
                                                     add_tail(e.data(), size, unit, of_block);
                                                   });
  tail.sum = sums[0];
  std::copy_n(sums.begin() + 1, tail.beyond.size(), tail.beyond.begin());
  return tail;
}

void ColumnReach::measure(const Design& design) {
  const auto p = static_cast<std::size_t>(design.cols());
  norms.resize(p);
  entries.resize(p);
  if (design.is_sparse()) shifts.resize(p);
  design.column_squared_norms(all_indices(design.cols()), {}, norms);
  for (std::size_t j = 0; j < p; ++j) {
    norms[j] = std::sqrt(norms[j]);
    entries[j] = static_cast<double>(design.stored(static_cast<Index>(j)));
    if (shifts.empty()) continue;
    const Affine seen = design.affine(static_cast<Index>(j));
    shifts[j] = std::abs(seen.scale * seen.center);
  }
}

double ColumnReach::most(Index index, const ResidualTail& tail) const {
  const auto j = static_cast<std::size_t>(index);
  const double by_norms = norms[j] * tail.norm();
  if (shifts.empty()) return by_norms;
  const double stored = norms[j] + std::sqrt(entries[j]) * shifts[j];
  return std::min(by_norms, stored * tail.norm_of_largest(entries[j]) + shifts[j] * std::abs(tail.sum));
}

}  // namespace hsvm
