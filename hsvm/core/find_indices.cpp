#include "hsvm/core/find_indices.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "hsvm/core/clones.hpp"
#include "hsvm/core/lanes.hpp"

namespace hsvm {
namespace {

using Mask = decltype(Lanes{} > Lanes{});

// Gathers indices that are found 16 entries at a time: which of these are chosen cannot be foreseen, so they are counted without
// branches.
constexpr std::size_t kParts = 4;
constexpr std::size_t kBlock = kParts * kLanes;

class FoundIndices {
 public:
  explicit FoundIndices(std::size_t size) {
    found_.reserve(std::min(4 * kBlock, size));  // a few dozen are found as a rule: no growing for them
  }
  // Those of entries j .. j + 15 that are chosen; whether there is one.
  [[gnu::always_inline]] bool add(std::size_t j, const Mask* masks) {
    const Mask any = (masks[0] | masks[1]) | (masks[2] | masks[3]);
    if ((any[0] | any[1] | any[2] | any[3]) == 0) return false;
    if (count_ + kBlock > kRoom) found_.insert(found_.end(), some_, some_ + std::exchange(count_, 0));
    long long is_chosen[kBlock];  // -1 or 0
    std::memcpy(is_chosen, masks, sizeof(is_chosen));
    for (std::size_t k = 0; k < kBlock; ++k) {
      some_[count_] = static_cast<Index>(j + k);
      count_ -= static_cast<std::size_t>(is_chosen[k]);
    }
    return true;
  }
  [[gnu::always_inline]] void add(std::size_t j) {
    if (count_ == kRoom) found_.insert(found_.end(), some_, some_ + std::exchange(count_, 0));
    some_[count_++] = static_cast<Index>(j);
  }
  [[gnu::always_inline]] std::vector<Index> take() {
    found_.insert(found_.end(), some_, some_ + count_);
    return std::move(found_);
  }

 private:
  static constexpr std::size_t kRoom = 16 * kBlock;
  std::vector<Index> found_;
  Index some_[kRoom];  // found last
  std::size_t count_ = 0;
};

// The indices of the entries for which chosen(x_j, ...) holds; `chosen` takes Lanes and numbers.
template <class Chosen, class... Vectors>
[[gnu::always_inline]] inline std::vector<Index> find_chosen(const Chosen& chosen, std::span<const double> x,
                                                             const Vectors&... more) {
  FoundIndices found(x.size());
  std::size_t j = 0;
  for (; j + kBlock <= x.size(); j += kBlock) {
    Mask masks[kParts];
    for (std::size_t part = 0; part < kParts; ++part)
      masks[part] = chosen(load(x.data() + j + part * kLanes), load(more.data() + j + part * kLanes)...);
    found.add(j, masks);
  }
  for (; j < x.size(); ++j) {
    if (chosen(x[j], more[j]...)) found.add(j);
  }
  return found.take();
}

template <bool has_factors>
[[gnu::always_inline]] inline std::vector<Index> find_combined(std::span<const std::span<const double>> parts,
                                                               std::span<const double> alpha, double least,
                                                               const MayReach& reach, std::span<const double> v,
                                                               std::span<double> out) {
  FoundIndices found(out.size());
  const double* const y = reach.y.data();
  std::size_t j = 0;
  for (; j + kBlock <= out.size(); j += kBlock) {
    Lanes x[kParts] = {};
    for (std::size_t s = 0; s < parts.size(); ++s) {
      for (std::size_t part = 0; part < kParts; ++part)
        x[part] += alpha[s] * load(parts[s].data() + j + part * kLanes);
    }
    Mask masks[kParts];
    for (std::size_t part = 0; part < kParts; ++part) {
      const std::size_t at = j + part * kLanes;
      Lanes factors = Lanes{} + 1.0;
      if constexpr (has_factors) factors = load(v.data() + at);
      const Lanes size = absolute(x[part]);
      masks[part] = (size >= least * factors) | (size + reach.factor * load(y + at) >= reach.limit * factors);
    }
    if (!found.add(j, masks)) continue;
    for (std::size_t part = 0; part < kParts; ++part) store(out.data() + j + part * kLanes, x[part]);
  }
  for (; j < out.size(); ++j) {
    double x = 0.0;
    for (std::size_t s = 0; s < parts.size(); ++s) x += alpha[s] * parts[s][j];
    const double factor = has_factors ? v[j] : 1.0;
    const double size = absolute(x);
    out[j] = x;
    if (size >= least * factor || size + reach.factor * y[j] >= reach.limit * factor) found.add(j);
  }
  return found.take();
}

}  // namespace

HSVM_CLONES std::vector<Index> indices_above(std::span<const double> x, double limit) {
  const auto is_above = [&](const auto& a) { return absolute(a) > limit; };
  return find_chosen(is_above, x);
}

HSVM_CLONES std::vector<Index> indices_reaching(std::span<const double> x, std::span<const double> y,
                                                double factor, double limit) {
  const auto reaches = [&](const auto& a, const auto& b) { return absolute(a) + factor * b >= limit; };
  return find_chosen(reaches, x, y);
}

HSVM_CLONES std::vector<Index> indices_near(std::span<const double> x, double least, const MayReach& reach,
                                            std::span<const double> v) {
  if (v.empty()) {
    const auto is_near = [&](const auto& a, const auto& b) {
      return (absolute(a) >= least) | (absolute(a) + reach.factor * b >= reach.limit);
    };
    return find_chosen(is_near, x, reach.y);
  }
  const auto is_near = [&](const auto& a, const auto& b, const auto& factor) {
    return (absolute(a) >= least * factor) | (absolute(a) + reach.factor * b >= reach.limit * factor);
  };
  return find_chosen(is_near, x, reach.y, v);
}

HSVM_CLONES std::vector<Index> combination_above(std::span<const std::span<const double>> parts,
                                                 std::span<const double> alpha, double least,
                                                 const MayReach& reach, std::span<const double> v,
                                                 std::span<double> out) {
  return v.empty() ? find_combined<false>(parts, alpha, least, reach, v, out)
                   : find_combined<true>(parts, alpha, least, reach, v, out);
}

}  // namespace hsvm
