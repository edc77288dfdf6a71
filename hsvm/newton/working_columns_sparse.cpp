// The Gram matrices of sparse working columns.

#include <algorithm>
#include <cmath>
#include <vector>

#include "hsvm/core/parallel.hpp"
#include "hsvm/newton/working_columns.hpp"

namespace hsvm {
namespace {

// G += weight x x' on and below the diagonal, for rows of G from `first` on.
void add_outer_product(const SparseRow& row, double weight, Index first, SymmetricMatrix& gram) {
  const std::span<const Index> at = row.positions;
  for (std::size_t a = 0; a < at.size(); ++a) {
    if (at[a] < first) continue;
    double* const to = gram.row(at[a]);
    const double x = weight * row.values[a];
    for (std::size_t b = 0; b <= a; ++b) to[at[b]] += x * row.values[b];
  }
}

}  // namespace

template <class Visit>
void WorkingColumns::for_each_entry(Index j, ColumnBuffer& buffer, const Visit& visit) const {
  const Entries from = entries(j);
  const ColumnView view = from.design.column(j, buffer);
  for (std::size_t e = 0; e < view.values.size(); ++e)
    visit(view.sparse ? view.rows[e] : static_cast<Index>(e), from.scale * view.values[e]);
}

// Row by row, so that a product is made where both its columns have an entry alone. Rows are copied out of the columns
// block by block; where the working set stays and is not much of X, all rows are kept at last.
void WorkingColumns::add_sparse_gram(std::span<const Index> rows, std::span<const double> weights, double sign,
                                     Index first, bool extends, SymmetricMatrix& gram) {
  constexpr int kLookedThrough = 3;  // times, before that costs as much as to keep all rows
  if (rows.empty()) return;
  if (!has_all_rows_ && n_nonzeros_ <= most_gathered_ && ++times_looked_through_ > kLookedThrough) {
    rows_.gather(*this);
    has_all_rows_ = true;
  }
  std::vector<double> q(static_cast<std::size_t>(size()), 0.0);
  if (has_all_rows_) {
    for (const Index i : rows) {
      const SparseRow row = rows_[static_cast<std::size_t>(i)];
      const double weight = weights[static_cast<std::size_t>(i)];
      for (std::size_t e = 0; e < row.positions.size(); ++e)
        q[static_cast<std::size_t>(row.positions[e])] += weight * row.values[e];
      add_outer_product(row, sign * weight, first, gram);
    }
  } else {
    add_row_blocks(rows, weights, sign, first, extends, q, gram);
  }
  double total = 0.0;
  for (const Index i : rows) total += sign * weights[static_cast<std::size_t>(i)];
  for (double& sum : q) sum *= sign;
  for (Index k = first_feature_; extends && has_intercept() && k < first; ++k)
    q[static_cast<std::size_t>(k)] = gram(k, 0) - total * entries(feature_at(k)).of_zero;
  add_sums(total, q, first, gram);
}

// Where there is much to do, the rows are cut into chunks, each summed into a matrix of its own on a thread of its own; these are
// added in order. The cuts depend on the sizes alone.
void WorkingColumns::add_row_blocks(std::span<const Index> rows, std::span<const double> weights, double sign,
                                    Index first, bool only_touched, std::span<double> q,
                                    SymmetricMatrix& gram) {
  constexpr double kChunkWork = 1 << 18;    // entries and products: less is not worth a matrix
  constexpr double kMatrices = 8.0;         // nor is less than so many entries of that
  constexpr double kMostNumbers = 1 << 22;  // of the matrices of all chunks
  const double m = static_cast<double>(size());
  const double share = static_cast<double>(rows.size()) / static_cast<double>(design_->rows());
  const double work = n_nonzeros_ + gram_work(share * static_cast<double>(design_->n_samples()));
  const double most = std::min({static_cast<double>(kMostChunks), static_cast<double>(rows.size()),
                                work / std::max(kChunkWork, kMatrices * m * m), kMostNumbers / (m * m)});
  const auto n_chunks = static_cast<std::size_t>(std::max(1.0, most));
  chunk_grams_.resize(kMostChunks - 1);
  std::vector<double> sums(n_chunks * q.size(), 0.0);
  parallel_for(static_cast<Index>(n_chunks), [&](Index task) {
    const auto chunk = static_cast<std::size_t>(task);
    SymmetricMatrix& to = chunk == 0 ? gram : chunk_grams_[chunk - 1];
    if (chunk > 0) to.reset(size());
    const std::size_t end = rows.size() * (chunk + 1) / n_chunks;
    GatheredBlock block;
    for (std::size_t begin = rows.size() * chunk / n_chunks; begin < end;) {
      const auto rest = rows.subspan(begin, end - begin);
      const std::size_t count = GatheredBlock::size_of(rest, only_touched);
      block.gather(*this, rest.first(count), weights, only_touched ? first : 0,
                   std::span(sums).subspan(chunk * q.size(), q.size()));
      block.for_each(
          [&](const SparseRow& row, double weight) { add_outer_product(row, sign * weight, first, to); });
      begin += count;
    }
  });
  for (std::size_t k = 0; k < sums.size(); ++k) q[k % q.size()] += sums[k];
  add_chunks(n_chunks, first, gram);
}

// What the rows' sums q and weight W add: the products with the intercept's column, and the three terms by which those of centred
// columns differ from those of the stored ones. The intercept's column is not centred: its q is W.
void WorkingColumns::add_sums(double total, std::span<double> q, Index first, SymmetricMatrix& gram) const {
  if (has_intercept()) {
    q[0] = total;
    for (Index a = first; a < size(); ++a) gram.row(a)[0] += q[static_cast<std::size_t>(a)];
  }
  if (!is_standardized()) return;
  std::vector<double> c(q.size(), 0.0);
  for (std::size_t k = 0; k < columns_.size(); ++k)
    c[k + static_cast<std::size_t>(first_feature_)] = -entries(columns_[k]).of_zero;
  for (Index a = first; a < size(); ++a) {
    double* const to = gram.row(a);
    const double c_a = c[static_cast<std::size_t>(a)];
    const double q_a = q[static_cast<std::size_t>(a)];
    for (Index b = 0; b <= a; ++b) {
      const auto k = static_cast<std::size_t>(b);
      to[b] += c_a * (total * c[k] - q[k]) - q_a * c[k];
    }
  }
}

void WorkingColumns::add_sparse_row_gram(std::span<const Index> features, std::span<const double> ridge,
                                         std::span<const Index> rows, std::span<const Index> position,
                                         std::span<const double> weights, SymmetricMatrix& k) const {
  ColumnBuffer buffer;
  std::vector<Index> e;
  std::vector<double> u;
  // Of centred columns u is that less a_e c, a_e = (weight_i)^{1/2}; t = sum u c/ridge and tau = sum c^2/ridge put that
  // right.
  std::vector<double> t(rows.size(), 0.0);
  double tau = 0.0;
  for (std::size_t a = 0; a < features.size(); ++a) {
    const double center = -entries(features[a]).of_zero;
    tau += center * center / ridge[a];
    e.clear();
    u.clear();
    for_each_entry(features[a], buffer, [&](Index sample, double value) {
      const auto i = static_cast<std::size_t>(sample);
      if (position[i] < 0) return;
      e.push_back(position[i]);
      u.push_back(std::sqrt(weights[i]) * value);
      t[static_cast<std::size_t>(position[i])] += u.back() * center / ridge[a];
    });
    for (std::size_t c = 0; c < e.size(); ++c) {
      double* const to = k.row(e[c]);
      const double value = u[c] / ridge[a];
      for (std::size_t d = 0; d <= c; ++d) to[e[d]] += value * u[d];
    }
  }
  if (!is_standardized()) return;
  for (std::size_t c = 0; c < rows.size(); ++c) {
    double* const to = k.row(static_cast<Index>(c));
    const double root = std::sqrt(weights[static_cast<std::size_t>(rows[c])]);
    for (std::size_t d = 0; d <= c; ++d) {
      const double other = std::sqrt(weights[static_cast<std::size_t>(rows[d])]);
      to[d] += root * (tau * other - t[d]) - t[c] * other;
    }
  }
}

}  // namespace hsvm
