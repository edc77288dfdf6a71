#include "hsvm/linalg/outer_products.hpp"

#include <algorithm>
#include <cassert>

#include "hsvm/core/clones.hpp"
#include "hsvm/core/lanes.hpp"
#include "hsvm/core/parallel.hpp"

namespace hsvm {
namespace {

constexpr Index kPanelGroup = PackedPanel::kGroup;
constexpr Index kPanelTileRows = 4;
constexpr Count kParallelFlops = 1 << 21;  // below this, starting tasks costs more than it saves

// C (4 x 12, rows `stride` apart) += sign sum over k of a[k][0..3]' b[k][0..11]; rows of a and b are 12 apart.
// 12 registers of sums, 3 of b: at 16 multiplications and additions a cycle with AVX2, as fast as fused ones.
[[gnu::always_inline]] inline void add_tile(const double* a, const double* b, Index depth, double sign,
                                            double* c, std::size_t stride) {
  Lanes total[kPanelTileRows][3] = {};
  for (Index k = 0; k < depth; ++k, a += kPanelGroup, b += kPanelGroup) {
    const Lanes b0 = load(b);
    const Lanes b1 = load(b + 4);
    const Lanes b2 = load(b + 8);
    for (Index i = 0; i < kPanelTileRows; ++i) {
      const Lanes a_i = Lanes{} + a[i];
      total[i][0] += a_i * b0;
      total[i][1] += a_i * b1;
      total[i][2] += a_i * b2;
    }
  }
  for (Index i = 0; i < kPanelTileRows; ++i) {
    double* const row = c + static_cast<std::size_t>(i) * stride;
    for (Index part = 0; part < 3; ++part) {
      store(row + part * kLanes, load(row + part * kLanes) + sign * total[i][part]);
    }
  }
}

// The tiles of one group of 12 rows of C on and below the diagonal.
HSVM_CLONES void add_group_rows(const double* a, const double* const* b, Index n_groups, Index depth,
                                double sign, double* c, std::size_t stride) {
  for (Index g = 0; g < n_groups; ++g) {
    for (Index i = 0; i < kPanelGroup; i += kPanelTileRows) {
      add_tile(a + i, b[g], depth, sign, c + static_cast<std::size_t>(i) * stride + g * kPanelGroup, stride);
    }
  }
}

}  // namespace

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
