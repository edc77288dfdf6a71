#include "hsvm/linalg/outer_products.hpp"

#include <algorithm>
#include <cassert>

#include "hsvm/core/parallel.hpp"
#include "hsvm/core/widths.hpp"

namespace hsvm {
namespace {

constexpr Index kPanelGroup = PackedPanel::kGroup;
constexpr Index kTileRows = 4;             // whose sums fill the registers
constexpr Index kWideTileRows = 6;         // the same for wide ones
constexpr Count kParallelFlops = 1 << 21;  // below this, starting tasks costs more than it saves

// C (rows x 12, `stride` apart) += sign sum over k of a[k][0..rows-1]' b[k][0..11]; rows of a and b are 12 apart.
// With AVX2 12 registers of sums of 4 rows, 3 of b: at 16 multiplications and additions a cycle, as fast as fused ones.
template <class Part, Index rows>
[[gnu::always_inline]] inline void add_tile(const double* a, const double* b, Index depth, double sign,
                                            double* c, std::size_t stride) {
  Part total[rows] = {};
  for (Index k = 0; k < depth; ++k, a += kPanelGroup, b += kPanelGroup) {
    Part of_b;
    of_b.load(b);
    for (Index i = 0; i < rows; ++i) total[i].add(a[i], of_b);
  }
  for (Index i = 0; i < rows; ++i) total[i].add_to(c + static_cast<std::size_t>(i) * stride, sign);
}

// The tiles of one group of 12 rows of C on and below the diagonal.
void add_group_rows(const double* a, const double* const* b, Index n_groups, Index depth, double sign,
                    double* c, std::size_t stride) {
  at_best_width([=]<bool wide>() HSVM_INLINED {
    constexpr Index kRows = wide ? kWideTileRows : kTileRows;
    for (Index g = 0; g < n_groups; ++g) {
      for (Index i = 0; i < kPanelGroup; i += kRows) {
        add_tile<RowPartOf<wide, kPanelGroup / kLanes>, kRows>(
            a + i, b[g], depth, sign, c + static_cast<std::size_t>(i) * stride + g * kPanelGroup, stride);
      }
    }
  });
}

// Rows begin .. end - 1 of C += sum over k < count of signs_k x_k x_k', rows of C and the x_k being `width` apart.
template <bool wide, Index count>
[[gnu::always_inline]] inline void add_few_to_rows(const double* x, const double* signs, Index begin, Index end,
                                                   Index width, double* c, std::size_t stride) {
  for (Index i = begin; i < end; ++i) {
    double* const row = c + static_cast<std::size_t>(i) * stride;
    double factor[count];
    for (Index k = 0; k < count; ++k) factor[k] = signs[k] * x[k * width + i];
    for_lanes<wide>(width, [&]<class L>(Index j) HSVM_INLINED {
      L total = load_as<L>(row + j);
      for (Index k = 0; k < count; ++k) total += factor[k] * load_as<L>(x + k * width + j);
      store(row + j, total);
    });
  }
}

void add_few_rows(const double* x, const double* signs, Index count, Index begin, Index end,
                  SymmetricMatrix& c) {
  double* const rows = c.row(0);
  const Index width = c.padded_size();
  const auto stride = static_cast<std::size_t>(c.stride());
  at_best_width([=]<bool wide>() HSVM_INLINED {
    if (count == 1) add_few_to_rows<wide, 1>(x, signs, begin, end, width, rows, stride);
    if (count == 2) add_few_to_rows<wide, 2>(x, signs, begin, end, width, rows, stride);
    if (count == 3) add_few_to_rows<wide, 3>(x, signs, begin, end, width, rows, stride);
    if (count == 4) add_few_to_rows<wide, 4>(x, signs, begin, end, width, rows, stride);
  });
}

}  // namespace

void add_few_outer_products(std::span<const double> values, std::span<const double> signs, SymmetricMatrix& c) {
  constexpr Index kAtOnce = 4;
  constexpr Index kBlockRows = 64;
  const auto width = static_cast<std::size_t>(c.padded_size());
  const auto count = static_cast<Index>(signs.size());
  const auto add = [&](Index begin, Index end) {
    for (Index k = 0; k < count; k += kAtOnce) {
      add_few_rows(values.data() + static_cast<std::size_t>(k) * width, signs.data() + k,
                   std::min(kAtOnce, count - k), begin, end, c);
    }
  };
  if (Count{count} * c.size() * c.size() < kParallelFlops) {
    add(0, c.size());
  } else {
    parallel_blocks(c.size(), kBlockRows, add);
  }
}

void PackedPanel::reset(Index depth, Index cols) {
  depth_ = depth;
  cols_ = cols;
  const Index n_groups = (cols + kPanelGroup - 1) / kPanelGroup;
  values_.resize(static_cast<std::size_t>(n_groups) * kPanelGroup * static_cast<std::size_t>(depth));
  if (cols % kPanelGroup != 0)
    std::fill_n(group(n_groups - 1), static_cast<std::size_t>(depth) * kPanelGroup, 0.0);
}

void add_outer_products(const PackedPanel& a, Index first_row, double sign, SymmetricMatrix& c, Index offset) {
  assert(offset % kPanelGroup == 0 && first_row % kPanelGroup == 0 && offset + a.cols() <= c.size());
  const Index n_groups = (a.cols() + kPanelGroup - 1) / kPanelGroup;
  std::vector<const double*> groups(static_cast<std::size_t>(n_groups));
  for (Index g = 0; g < n_groups; ++g) groups[static_cast<std::size_t>(g)] = a.group(g);
  const auto rows_of_group = [&](Index g) {
    add_group_rows(groups[static_cast<std::size_t>(g)], groups.data(), g + 1, a.depth(), sign,
                   c.row(offset + g * kPanelGroup) + offset, static_cast<std::size_t>(c.stride()));
  };
  const Index first_group = first_row / kPanelGroup;
  if (Count{a.depth()} * a.cols() * a.cols() < kParallelFlops) {
    for (Index g = first_group; g < n_groups; ++g) rows_of_group(g);
  } else {
    parallel_for(n_groups - first_group, [&](Index g) { rows_of_group(first_group + g); });
  }
}

}  // namespace hsvm
