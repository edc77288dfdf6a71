// Every sum is one expression, written for four samples at a time and for the few that are left alike: `read` gives the
// entries of an array as Lanes or as one number. Long sums are made of the sums of blocks, added in order: all terms may be
// equal, and one after the other would then round to the same side 10,000 times; and blocks may be summed on several threads.

#include "hsvm/loss/margin_sums.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <vector>

#include "hsvm/core/clones.hpp"
#include "hsvm/core/lanes.hpp"
#include "hsvm/core/parallel.hpp"

namespace hsvm {
namespace {

struct ReadLanes {
  std::size_t i;
  [[gnu::always_inline]] Lanes operator()(std::span<const double> from) const { return load(from.data() + i); }
};
struct ReadOne {
  std::size_t i;
  [[gnu::always_inline]] double operator()(std::span<const double> from) const { return from[i]; }
};

// MarginLoss::dual, with its division done once.
struct MarginDual {
  double curvature, cap;
  explicit MarginDual(const MarginLoss& loss) : curvature(loss.curvature()), cap(loss.cap) {}

  template <class Number>
  [[gnu::always_inline]] Number operator()(Number t) const {
    const Number zero = {};
    const Number most = zero + cap;
    Number a = (1.0 - t) * curvature;
    a = a < zero ? zero : a;
    return a > most ? most : a;
  }
  // The weight where a dual variable is inside of its domain, the sample in the elbow; else 0.
  template <class Number>
  [[gnu::always_inline]] Number in_elbow(Number a, Number weight) const {
    const Number zero = {};
    const Number most = zero + cap;
    const Number positive = a > zero ? weight : zero;
    return a < most ? positive : zero;
  }
};

// The sums over n samples of what terms(read) lists.
template <std::size_t n_terms, class Terms>
[[gnu::always_inline]] inline std::array<double, n_terms> sum_samples(std::size_t n, const Terms& terms) {
  Lanes total[n_terms] = {};
  double rest[n_terms] = {};
  by_lanes(
      n,
      [&](std::size_t i) {
        const auto values = terms(ReadLanes{i});
        for (std::size_t k = 0; k < n_terms; ++k) total[k] += values[k];
      },
      [&](std::size_t i) {
        const auto values = terms(ReadOne{i});
        for (std::size_t k = 0; k < n_terms; ++k) rest[k] += values[k];
      });
  std::array<double, n_terms> sums;
  for (std::size_t k = 0; k < n_terms; ++k) sums[k] = sum(total[k]) + rest[k];
  return sums;
}

// Some of the samples.
struct Part {
  std::size_t begin, size;
  [[nodiscard]] std::span<const double> of(std::span<const double> all) const {
    return all.subspan(begin, size);
  }
  [[nodiscard]] Samples of(const Samples& all) const { return {of(all.y), of(all.s), all.ranks, 0}; }
};

constexpr std::size_t kBlockSamples = 1024;
constexpr std::size_t kTaskSamples = 8 * kBlockSamples;  // worth a task of their own

// Calls body(Part) for tasks of samples, on several threads where there are many.
template <class Body>
void for_each_task(std::size_t n, const Body& body) {
  parallel_blocks(static_cast<Index>(n), kTaskSamples, [&](Index begin, Index end) {
    body(Part{static_cast<std::size_t>(begin), static_cast<std::size_t>(end - begin)});
  });
}

// The sums over n samples from those of blocks: sums_of(Part) is an array of them.
template <class SumsOf>
auto sum_blocks_here(std::size_t n, const SumsOf& sums_of) {
  if (n <= kBlockSamples) return sums_of(Part{0, n});
  using Sums = decltype(sums_of(Part{0, n}));
  std::vector<Sums> sums((n + kBlockSamples - 1) / kBlockSamples);
  for_each_task(n, [&](const Part& task) {
    for (std::size_t begin = task.begin; begin < task.begin + task.size; begin += kBlockSamples)
      sums[begin / kBlockSamples] =
          sums_of(Part{begin, std::min(kBlockSamples, task.begin + task.size - begin)});
  });
  Sums total = {};
  for (const Sums& block : sums) {
    for (std::size_t k = 0; k < total.size(); ++k) total[k] += block[k];
  }
  return total;
}

// The same over the samples of all ranks.
template <class SumsOf>
auto sum_blocks(const Samples& samples, const SumsOf& sums_of) {
  auto sums = sum_blocks_here(samples.y.size(), sums_of);
  samples.ranks->sum(sums);
  return sums;
}

// The sums over one block.
HSVM_CLONES std::array<double, 1> block_losses(const MarginLoss& loss, Samples samples,
                                               std::span<const double> z) {
  const MarginDual dual(loss);
  return sum_samples<1>(z.size(), [&](const auto& read) {
    const auto t = read(samples.y) * read(z);
    const auto a = dual(t);
    return std::array{read(samples.s) * (a * ((1.0 - t) - 0.5 * loss.delta * a))};
  });
}

HSVM_CLONES std::array<double, 1> block_divergences(const MarginLoss& loss, Samples samples,
                                                    std::span<const double> z, std::span<const double> z0) {
  const MarginDual dual(loss);
  return sum_samples<1>(z.size(), [&](const auto& read) {
    const auto t = read(samples.y) * read(z);
    const auto a = dual(t);
    const auto a0 = dual(read(samples.y) * read(z0));
    return std::array{read(samples.s) * ((a - a0) * ((1.0 - t) - 0.5 * loss.delta * (a + a0)))};
  });
}

HSVM_CLONES std::array<double, 4> block_gradient(const MarginLoss& loss, Samples samples,
                                                 std::span<const double> z, double scale, double* r) {
  const MarginDual dual(loss);
  return sum_samples<4>(z.size(), [&](const auto& read) {
    const auto y = read(samples.y);
    const auto s = read(samples.s);
    const auto t = y * read(z);
    const auto a = dual(t);
    const auto value = -scale * (s * y * a);
    const auto weighted = s * a;
    std::memcpy(r + read.i, &value, sizeof(value));
    return std::array{value, weighted, weighted * a, s * (a * ((1.0 - t) - 0.5 * loss.delta * a))};
  });
}

HSVM_CLONES std::array<double, 3> block_intercept(const MarginLoss& loss, Samples samples,
                                                  std::span<const double> z, double b) {
  const MarginDual dual(loss);
  return sum_samples<3>(z.size(), [&](const auto& read) {
    const auto y = read(samples.y);
    const auto a = dual(y * (read(z) + b));
    const auto weighted = read(samples.s) * a;
    return std::array{-(weighted * y), dual.in_elbow(a, read(samples.s)), weighted};
  });
}

HSVM_CLONES std::array<double, 2> block_line(const MarginLoss& loss, Samples samples, std::span<const double> z,
                                             std::span<const double> dz, double t) {
  const MarginDual dual(loss);
  return sum_samples<2>(z.size(), [&](const auto& read) {
    const auto y = read(samples.y);
    const auto d = read(dz);
    const auto a = dual(y * (read(z) + t * d));
    return std::array{-(read(samples.s) * a * y * d), dual.in_elbow(a, read(samples.s)) * d * d};
  });
}

HSVM_CLONES Count block_curved(Samples samples, std::span<const double> z, double low, const char* crossed,
                               char* curved) {
  const double* const y = samples.y.data();
  const double* const s = samples.s.data();
  Count count = 0;
  for (std::size_t i = 0; i < z.size(); ++i) {  // without branches
    const double t = y[i] * z[i];
    const int inside = (t < 1.0 ? 1 : 0) & (t > low ? 1 : 0) & (s[i] > 0.0 ? 1 : 0);
    const int is_curved = inside | crossed[i];
    curved[i] = static_cast<char>(is_curved);
    count += is_curved;
  }
  return count;
}

}  // namespace

double sum_losses(const MarginLoss& loss, Samples samples, std::span<const double> z) {
  assert(samples.y.size() == z.size() && samples.s.size() == z.size());
  return sum_blocks(samples, [&](const Part& p) { return block_losses(loss, p.of(samples), p.of(z)); })[0];
}

double sum_divergences(const MarginLoss& loss, Samples samples, std::span<const double> z,
                       std::span<const double> z0) {
  assert(samples.y.size() == z.size() && z0.size() == z.size());
  return sum_blocks(
      samples, [&](const Part& p) { return block_divergences(loss, p.of(samples), p.of(z), p.of(z0)); })[0];
}

GradientSums loss_gradient(const MarginLoss& loss, Samples samples, std::span<const double> z, double scale,
                           std::span<double> r) {
  assert(samples.y.size() == z.size() && r.size() == z.size());
  const auto [slope, linear, square, losses] = sum_blocks(samples, [&](const Part& p) {
    return block_gradient(loss, p.of(samples), p.of(z), scale, r.data() + p.begin);
  });
  return {slope, {linear, square}, losses};
}

InterceptSums sum_for_intercept(const MarginLoss& loss, Samples samples, std::span<const double> z, double b) {
  assert(samples.y.size() == z.size());
  const auto [slope, elbow, size] =
      sum_blocks(samples, [&](const Part& p) { return block_intercept(loss, p.of(samples), p.of(z), b); });
  return {slope, elbow, size};
}

Count mark_curved(Samples samples, std::span<const double> z, double low, std::span<const char> crossed,
                  std::span<char> curved) {
  assert(samples.y.size() == z.size() && crossed.size() == z.size() && curved.size() == z.size());
  const Count here = sum_blocks_here(z.size(), [&](const Part& p) {
    return std::array{
        block_curved(p.of(samples), p.of(z), low, crossed.data() + p.begin, curved.data() + p.begin)};
  })[0];
  return samples.ranks->is_alone() ? here : static_cast<Count>(samples.ranks->sum(static_cast<double>(here)));
}

LineSums sum_along_line(const MarginLoss& loss, Samples samples, std::span<const double> z,
                        std::span<const double> dz, double t) {
  assert(samples.y.size() == z.size() && dz.size() == z.size());
  const auto [slope, square] =
      sum_blocks(samples, [&](const Part& p) { return block_line(loss, p.of(samples), p.of(z), p.of(dz), t); });
  return {slope, square * loss.curvature()};
}

}  // namespace hsvm
