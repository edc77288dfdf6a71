#include "hsvm/core/vector_sums.hpp"

#include <algorithm>
#include <cassert>
#include <vector>

#include "hsvm/core/clones.hpp"
#include "hsvm/core/parallel.hpp"
#include "hsvm/core/widths.hpp"

namespace hsvm {
namespace {

// The sum of term(x_i, ...) over the entries of all vectors; `term` takes Lanes and numbers. Two sums at a time: one
// alone would wait for each addition.
template <class Term, class... Vectors>
[[gnu::always_inline]] inline double sum_terms(const Term& term, std::span<const double> x,
                                               const Vectors&... more) {
  Lanes even = {};
  Lanes odd = {};
  std::size_t i = 0;
  for (; i + 2 * kLanes <= x.size(); i += 2 * kLanes) {
    even += term(load(x.data() + i), load(more.data() + i)...);
    odd += term(load(x.data() + i + kLanes), load(more.data() + i + kLanes)...);
  }
  double rest = 0.0;
  for (; i < x.size(); ++i) rest += term(x[i], more[i]...);
  return sum(even + odd) + rest;
}

constexpr std::size_t kSumBlock =
    8192;  // of long vectors: summed by themselves, added in order, on several threads

template <class Body>
void for_each_block(std::size_t n, const Body& body) {
  parallel_blocks(static_cast<Index>(n), kSumBlock, [&](Index begin, Index end) {
    body(static_cast<std::size_t>(begin), static_cast<std::size_t>(end - begin));
  });
}

// The sum over a vector from those over its blocks: part_of(begin, size).
template <class PartOf>
double sum_long(std::size_t n, const PartOf& part_of) {
  std::vector<double> parts((n + kSumBlock - 1) / kSumBlock);
  for_each_block(n,
                 [&](std::size_t begin, std::size_t size) { parts[begin / kSumBlock] = part_of(begin, size); });
  double total = 0.0;
  for (const double part : parts) total += part;
  return total;
}

// Whether it holds for every block of a long vector: holds(begin, size).
template <class Holds>
bool holds_throughout(std::size_t n, const Holds& holds) {
  if (n <= 2 * kSumBlock) return holds(0, n);
  std::vector<char> parts((n + kSumBlock - 1) / kSumBlock);
  for_each_block(n,
                 [&](std::size_t begin, std::size_t size) { parts[begin / kSumBlock] = holds(begin, size); });
  return std::ranges::all_of(parts, [](char part) { return part != 0; });
}

HSVM_CLONES double sum_of_block(std::span<const double> x) {
  return sum_terms([](const auto& a) { return a; }, x);
}

HSVM_CLONES double dot_of_block(std::span<const double> x, std::span<const double> y) {
  return sum_terms([](const auto& a, const auto& b) { return a * b; }, x, y);
}

HSVM_CLONES double square_of_block(std::span<const double> x) {
  return sum_terms([](const auto& a) { return a * a; }, x);
}

HSVM_CLONES void add_scaled_few(double factor, std::span<const double> x, std::span<double> out) {
  by_lanes(
      out.size(),
      [&](std::size_t i) { store(out.data() + i, load(out.data() + i) + factor * load(x.data() + i)); },
      [&](std::size_t i) { out[i] += factor * x[i]; });
}

void add_scaled_block(double factor, std::span<const double> x, std::span<double> out) {
  constexpr std::size_t kFew = 64;  // fewer are not worth a choice
  if (out.size() < kFew) return add_scaled_few(factor, x, out);
  at_best_width([=]<bool wide>() HSVM_INLINED {
    const std::size_t whole = out.size() / kLanes * kLanes;
    for_lanes<wide>(static_cast<Index>(whole), [&]<class L>(Index k) HSVM_INLINED {
      store(out.data() + k, load_as<L>(out.data() + k) + factor * load_as<L>(x.data() + k));
    });
    for (std::size_t i = whole; i < out.size(); ++i) out[i] += factor * x[i];
  });
}

}  // namespace

double sum_of(std::span<const double> x) {
  if (x.size() <= kSumBlock) return sum_of_block(x);
  return sum_long(x.size(),
                  [&](std::size_t begin, std::size_t size) { return sum_of_block(x.subspan(begin, size)); });
}

HSVM_CLONES double absolute_sum_of(std::span<const double> x) {
  return sum_terms([](const auto& a) { return absolute(a); }, x);
}

HSVM_CLONES double weighted_absolute_sum_of(std::span<const double> weights, std::span<const double> x) {
  assert(weights.size() == x.size());
  return sum_terms([](const auto& v, const auto& a) { return v * absolute(a); }, weights, x);
}

double squared_norm_of(std::span<const double> x) {
  if (x.size() <= kSumBlock) return square_of_block(x);
  return sum_long(x.size(),
                  [&](std::size_t begin, std::size_t size) { return square_of_block(x.subspan(begin, size)); });
}

HSVM_CLONES double squared_distance_of(std::span<const double> x, std::span<const double> y) {
  assert(x.size() == y.size());
  return sum_terms([](const auto& a, const auto& b) { return (a - b) * (a - b); }, x, y);
}

double dot_of(std::span<const double> x, std::span<const double> y) {
  if (x.size() <= kSumBlock) return dot_of_block(x, y);
  return sum_long(x.size(), [&](std::size_t begin, std::size_t size) {
    return dot_of_block(x.subspan(begin, size), y.subspan(begin, size));
  });
}

void add_scaled(double factor, std::span<const double> x, std::span<double> out) {
  if (out.size() <= 2 * kSumBlock) return add_scaled_block(factor, x, out);
  for_each_block(out.size(), [&](std::size_t begin, std::size_t size) {
    add_scaled_block(factor, x.subspan(begin, size), out.subspan(begin, size));
  });
}

void add_constant(double value, std::span<double> out) {
  const auto add = [&](std::size_t begin, std::size_t size) {
    for (double& entry : out.subspan(begin, size)) entry += value;
  };
  if (out.size() <= 2 * kSumBlock) return add(0, out.size());
  for_each_block(out.size(), add);
}

void copy_to(std::span<const double> x, std::span<double> out) {
  assert(x.size() == out.size());
  const auto copy = [&](std::size_t begin, std::size_t size) {
    std::ranges::copy(x.subspan(begin, size), out.begin() + static_cast<std::ptrdiff_t>(begin));
  };
  if (out.size() <= 2 * kSumBlock) return copy(0, out.size());
  for_each_block(out.size(), copy);
}

bool are_equal(std::span<const double> x, std::span<const double> y) {
  return x.size() == y.size() && holds_throughout(x.size(), [&](std::size_t begin, std::size_t size) {
           return std::ranges::equal(x.subspan(begin, size), y.subspan(begin, size));
         });
}

bool are_all(std::span<const double> x, double value) {
  return holds_throughout(x.size(), [&](std::size_t begin, std::size_t size) {
    return std::ranges::all_of(x.subspan(begin, size), [&](double entry) { return entry == value; });
  });
}

}  // namespace hsvm
