#include "baselines/gram.hpp"

#include <algorithm>
#include <span>

#include "baselines/entries.hpp"
#include "hsvm/linalg/outer_products.hpp"

namespace hsvm::baselines {
namespace {

// G (m x m) = sum over k of a_k a_k', where fill(panel, first, depth) puts `depth` of the `count` vectors, from the
// first on, into the panel's rows.
template <class Fill>
[[nodiscard]] SymmetricMatrix gram_of_dense(Index m, Index count, const Fill& fill) {
  constexpr Index kDepth = 128;  // vectors a panel: it stays in cache
  SymmetricMatrix gram(m);
  PackedPanel panel;
  for (Index first = 0; first < count; first += kDepth) {
    const Index depth = std::min(kDepth, count - first);
    panel.reset(depth, m);
    fill(panel, first, depth);
    add_outer_products(panel, 0, 1.0, gram);
  }
  gram.mirror();
  return gram;
}

void add_sparse_outer_product(std::span<const Index> indices, std::span<const double> values,
                              SymmetricMatrix& gram) {
  for (std::size_t a = 0; a < indices.size(); ++a) {
    double* row = gram.row(indices[a]);
    for (std::size_t b = 0; b < indices.size(); ++b) row[indices[b]] += values[a] * values[b];
  }
}

}  // namespace

SymmetricMatrix gram_of_columns(const Design& design) {
  if (design.is_sparse()) {
    SymmetricMatrix gram(design.cols());
    const RowEntries rows = by_rows(design);
    for (std::size_t i = 0; i + 1 < rows.start.size(); ++i) {
      const std::size_t size = rows.start[i + 1] - rows.start[i];
      add_sparse_outer_product({rows.columns.data() + rows.start[i], size},
                               {rows.values.data() + rows.start[i], size}, gram);
    }
    return gram;
  }
  const std::vector<Index> samples = all_indices(design.rows());
  return gram_of_dense(design.cols(), design.rows(), [&](PackedPanel& panel, Index first, Index depth) {
    const std::span<const Index> part(samples.data() + first, static_cast<std::size_t>(depth));
    for (Index j = 0; j < design.cols(); ++j) design.gather(j, part, panel.column(j), PackedPanel::kGroup);
  });
}

SymmetricMatrix gram_of_rows(const Design& design) {
  ColumnBuffer buffer;
  if (design.is_sparse()) {
    SymmetricMatrix gram(design.rows());
    const std::vector<Index> samples = all_indices(design.rows());
    for (Index j = 0; j < design.cols(); ++j) {
      const ColumnView column = design.column(j, buffer);
      add_sparse_outer_product(column.sparse ? column.rows : samples, column.values, gram);
    }
    return gram;
  }
  return gram_of_dense(design.rows(), design.cols(), [&](PackedPanel& panel, Index first, Index depth) {
    for (Index k = 0; k < depth; ++k) {
      for_each_entry(design.column(first + k, buffer), [&](std::size_t i, double value) {
        panel.column(static_cast<Index>(i))[k * PackedPanel::kGroup] = value;
      });
    }
  });
}

}  // namespace hsvm::baselines
