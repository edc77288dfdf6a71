#include "hsvm/core/widths.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <type_traits>
#include <vector>

#include "hsvm/core/random.hpp"

namespace hsvm {
namespace {

// What a body gives with registers of four and, where there are any, of eight.
template <class Body>
auto at_all_widths(const Body& body) {
  std::vector<decltype(body.template operator()<false>())> results;
  results.push_back(body.template operator()<false>());
  if (has_wide_registers()) results.push_back(run_wide(body));
  return results;
}

TEST(Widths, PartsAreAllOfARowOneAfterTheOther) {
  for (Index stride = 4; stride <= 120; stride += 4) {
    const auto ends = at_all_widths([=]<bool wide>() HSVM_INLINED {
      Index end = 0;
      by_row_parts<wide>(stride, [&]<class Part>(Index first) HSVM_INLINED {
        end = first == end && first + Part::kSize <= stride ? first + Part::kSize : -1000;
      });
      return end;
    });
    for (const Index end : ends) EXPECT_EQ(end, stride);
  }
}

// The entries in each lane: themselves, wherever the row is cut.
TEST(Widths, RegistersBeginWhereTheyAreSaidTo) {
  for (Index stride = 4; stride <= 120; stride += 4) {
    std::vector<double> from(static_cast<std::size_t>(stride));
    for (std::size_t k = 0; k < from.size(); ++k) from[k] = static_cast<double>(k) + 0.25;
    std::vector<double> room(3 * from.size());
    const double* const x = from.data();
    double* const lanes = room.data();
    double* const parts = lanes + stride;
    double* const numbered = parts + stride;
    const auto filled = at_all_widths([=]<bool wide>() HSVM_INLINED {
      for_lanes<wide>(stride,
                      [&]<class L>(Index k) HSVM_INLINED { store(lanes + k, 2.0 * load_as<L>(x + k)); });
      by_row_parts<wide>(stride, [&]<class Part>(Index first) HSVM_INLINED {
        Part part;
        part.each([&](auto& l, Index k) HSVM_INLINED { l = load_as<LanesOf<decltype(l)>>(x + first + k); });
        part.each([&](auto& l, Index k) HSVM_INLINED { store(parts + first + k, 2.0 * l); });
        Part::for_each_register([&]<class L>(Index v, Index k) HSVM_INLINED {
          store(numbered + first + k, 2.0 * part.template at<L>(v));
        });
      });
      return std::vector<double>(lanes, lanes + 3 * stride);
    });
    for (const std::vector<double>& values : filled) {
      for (std::size_t k = 0; k < values.size(); ++k)
        EXPECT_EQ(values[k], 2.0 * from[k % from.size()]) << stride;
    }
  }
}

// Infinite numbers and those at a bound among them, which is a number of the row.
TEST(Widths, ComparisonsAreThoseOfNumbers) {
  constexpr Index kSize = 20;
  const double infinity = std::numeric_limits<double>::infinity();
  Random random(1, 0);
  for (int round = 0; round < 50; ++round) {
    std::vector<double> a(kSize);
    std::vector<double> x(kSize);
    for (double& value : a) value = random.below(4) == 0 ? 0.5 : random.normal();
    for (double& value : x) value = random.below(8) == 0 ? infinity : random.normal();
    const double bound = a[static_cast<std::size_t>(random.below(kSize))];
    std::vector<double> room(4 * kSize);
    const double* const from_a = a.data();
    const double* const from_x = x.data();
    double* const out = room.data();
    const auto kept = at_all_widths([=]<bool wide>() HSVM_INLINED {
      for_lanes<wide>(kSize, [&]<class L>(Index k) HSVM_INLINED {
        const L at = load_as<L>(from_a + k);
        L values[4];
        for (L& value : values) value = load_as<L>(from_x + k);
        limit(values[0], 0.75);
        keep_above(bound, at, values[1]);
        keep_below(bound, at, values[2]);
        keep_other_than(bound, at, values[3]);
        for (Index which = 0; which < 4; ++which) store(out + which * kSize + k, values[which]);
      });
      return std::vector<double>(out, out + 4 * kSize);
    });
    for (const std::vector<double>& values : kept) {
      for (std::size_t k = 0; k < kSize; ++k) {
        EXPECT_EQ(values[k], std::min(0.75, std::max(0.0, x[k])));
        EXPECT_EQ(values[kSize + k], a[k] > bound ? x[k] : 0.0);
        EXPECT_EQ(values[2 * kSize + k], a[k] < bound ? x[k] : 0.0);
        EXPECT_EQ(values[3 * kSize + k], a[k] == bound ? 0.0 : x[k]);
      }
    }
  }
}

TEST(Widths, SumsAlongARowHaveOneOrder) {
  constexpr Index kSize = 44;
  Random random(2, 0);
  std::vector<double> x(kSize);
  for (double& value : x) value = random.normal();
  const double* const from = x.data();
  const auto sums = at_all_widths([=]<bool wide>() HSVM_INLINED {
    Lanes total = {};
    for_lanes<wide>(kSize, [&]<class L>(Index k) HSVM_INLINED { add_in_turn(total, load_as<L>(from + k)); });
    return sum(total);
  });
  Lanes expected = {};
  for (Index k = 0; k < kSize; k += kLanes) expected += load(from + k);
  for (const double value : sums) EXPECT_EQ(value, sum(expected));
}

}  // namespace
}  // namespace hsvm
