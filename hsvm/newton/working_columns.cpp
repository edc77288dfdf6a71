#include "hsvm/newton/working_columns.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <iterator>
#include <numeric>
#include <utility>

#include "hsvm/core/parallel.hpp"
#include "hsvm/core/vector_sums.hpp"
#include "hsvm/loss/class_sums.hpp"

namespace hsvm {
namespace {

constexpr Index kNowhere = -1;
constexpr Index kPackedColumns = 256;  // packed by one task
constexpr Index kFarColumns = 32;      // where numbers come from memory
constexpr Index kFarRows = 1 << 15;
constexpr Index kPanelRows = 128;  // rows of X packed at a time: 12 columns of them stay in the L1 cache

}  // namespace

WorkingColumns::WorkingColumns(const Design& design, bool intercept, double most_gathered)
    : design_(&design),
      source_(&design.source()),
      sparse_(design.is_sparse()),
      first_feature_(intercept ? 1 : 0),
      most_gathered_(most_gathered) {}

WorkingColumns::Entries WorkingColumns::entries(Index j) const {
  // Where the mean of a sparse column is so many deviations away from zero, differences of its products with the stored
  // entries lose the square of that: three digits. A share of 1/101 of the samples, at most, is zero then.
  constexpr double kFar = 10.0;
  if (sparse_ && is_standardized()) {
    const Affine seen = design_->affine(j);
    const double of_zero = -seen.scale * seen.center;
    if (seen.scale != 0.0 && !(std::abs(of_zero) > kFar)) return {*source_, seen.scale, of_zero};
  }
  return {*design_, 1.0, 0.0};
}

std::vector<Index> WorkingColumns::change(std::span<const Index> columns) {
  std::vector<Index> wanted(columns.begin(), columns.end());
  if (!std::ranges::is_sorted(wanted)) std::ranges::sort(wanted);
  std::vector<Index> from;
  if (wanted == sorted_) {
    from.resize(static_cast<std::size_t>(size()));
    std::iota(from.begin(), from.end(), Index{0});
    return from;
  }
  std::vector<Index> next;
  if (has_intercept()) from.push_back(0);
  place_of_.resize(static_cast<std::size_t>(design_->cols()), kNowhere);
  for (const Index j : wanted) place_of_[static_cast<std::size_t>(j)] = 0;
  for (std::size_t c = 0; c < columns_.size(); ++c) {
    if (place_of_[static_cast<std::size_t>(columns_[c])] == kNowhere) continue;
    next.push_back(columns_[c]);
    from.push_back(first_feature_ + static_cast<Index>(c));
  }
  std::set_difference(wanted.begin(), wanted.end(), sorted_.begin(), sorted_.end(), std::back_inserter(next));
  columns_ = std::move(next);
  sorted_ = std::move(wanted);
  for (std::size_t c = 0; c < columns_.size(); ++c)
    place_of_[static_cast<std::size_t>(columns_[c])] = first_feature_ + static_cast<Index>(c);
  sorted_positions_.clear();
  for (const Index j : sorted_)
    sorted_positions_.push_back(std::exchange(place_of_[static_cast<std::size_t>(j)], kNowhere));
  in_memory_ = design_->keep_in_memory(sorted_);

  has_all_rows_ = false;
  times_looked_through_ = 0;
  n_nonzeros_ = 0.0;
  sum_of_squares_ = 0.0;
  for (const Index j : columns_) {
    const auto size = static_cast<double>(design_->stored(j));
    n_nonzeros_ += size;
    sum_of_squares_ += size * size;
  }
  return from;
}

void WorkingColumns::add_gram(std::span<const Index> rows, std::span<const double> weights, double sign,
                              Index first, SymmetricMatrix& gram) {
  assert(gram.size() == size() && (sparse_ || first % SymmetricMatrix::kTile == 0));
  if (sparse_) {
    add_sparse_gram(rows, weights, sign, first, false, gram);
  } else {
    add_dense_gram(rows, weights, sign, first, gram);
  }
}

void WorkingColumns::extend_gram(std::span<const Index> rows, std::span<const double> weights, Index first,
                                 SymmetricMatrix& gram) {
  assert(gram.size() == size() && (sparse_ || first % SymmetricMatrix::kTile == 0));
  if (sparse_) {
    // Samples without an entry in a new column have a part in the sums of the others alone: those are products with the intercept's.
    add_sparse_gram(rows, weights, 1.0, first, first > 0 && (has_intercept() || !is_standardized()), gram);
  } else {
    add_dense_gram(rows, weights, 1.0, first, gram);
  }
}

// The matrices of all chunks but the first.
void WorkingColumns::add_chunks(std::size_t n_chunks, Index first, SymmetricMatrix& gram) const {
  constexpr Index kBlockRows = 16;
  if (n_chunks <= 1) return;
  parallel_blocks(size() - first, kBlockRows, [&](Index begin, Index end) {
    for (Index i = first + begin; i < first + end; ++i) {
      for (std::size_t chunk = 1; chunk < n_chunks; ++chunk) {
        const double* const from = chunk_grams_[chunk - 1].row(i);
        double* const to = gram.row(i);
        for (Index j = 0; j <= i; ++j) to[j] += from[j];
      }
    }
  });
}

// Where there is much to do, the rows are cut into chunks, each summed into a matrix of its own on a thread of its own; these are
// added in order. The cuts depend on the sizes alone.
void WorkingColumns::add_dense_gram(std::span<const Index> rows, std::span<const double> weights, double sign,
                                    Index first, SymmetricMatrix& gram) {
  constexpr double kChunkWork = 1 << 22;  // multiplications: less is not worth a matrix
  constexpr double kFetch = 64.0;         // as long as so many takes a number of X that is in no cache
  constexpr Index kFewColumns =
      512;  // more have tiles enough for all threads, and matrices that are too large for this
  const double m = static_cast<double>(size());
  const double work =
      static_cast<double>(rows.size()) * (kFetch * m + m * m - static_cast<double>(first) * first);
  const std::size_t n_panels = (rows.size() + kPanelRows - 1) / kPanelRows;
  const std::size_t n_chunks =
      std::min({kMostChunks, n_panels, static_cast<std::size_t>(std::max(1.0, work / kChunkWork))});
  if (n_chunks <= 1 || size() > kFewColumns) return add_panels(rows, weights, sign, first, panel_, gram);

  chunk_grams_.resize(kMostChunks - 1);
  chunk_panels_.resize(kMostChunks - 1);
  parallel_for(static_cast<Index>(n_chunks), [&](Index task) {
    const auto chunk = static_cast<std::size_t>(task);
    const std::size_t begin = std::min(rows.size(), n_panels * chunk / n_chunks * kPanelRows);
    const std::size_t end = std::min(rows.size(), n_panels * (chunk + 1) / n_chunks * kPanelRows);
    const auto part = rows.subspan(begin, end - begin);
    if (chunk == 0) return add_panels(part, weights, sign, first, panel_, gram);
    SymmetricMatrix& own = chunk_grams_[chunk - 1];
    own.reset(size());
    add_panels(part, weights, sign, first, chunk_panels_[chunk - 1], own);
  });
  add_chunks(n_chunks, first, gram);
}

void WorkingColumns::add_panels(std::span<const Index> rows, std::span<const double> weights, double sign,
                                Index first, PackedPanel& panel, SymmetricMatrix& gram) const {
  std::vector<double> roots(static_cast<std::size_t>(kPanelRows));
  for (std::size_t begin = 0; begin < rows.size(); begin += kPanelRows) {
    const auto part = rows.subspan(begin, std::min<std::size_t>(kPanelRows, rows.size() - begin));
    panel.reset(static_cast<Index>(part.size()), size());
    for (std::size_t k = 0; k < part.size(); ++k)
      roots[k] = std::sqrt(weights[static_cast<std::size_t>(part[k])]);
    if (has_intercept()) {
      double* const to = panel.column(0);
      for (std::size_t k = 0; k < part.size(); ++k) to[k * PackedPanel::kGroup] = roots[k];
    }
    parallel_blocks(static_cast<Index>(columns_.size()),
                    design_->rows() < kFarRows ? kPackedColumns : kFarColumns,
                    [&](Index begin_column, Index end_column) {
                      for (Index c = begin_column; c < end_column; ++c) {
                        double* const to = panel.column(first_feature_ + c);
                        design_->gather(columns_[static_cast<std::size_t>(c)], part, to, PackedPanel::kGroup);
                        for (std::size_t k = 0; k < part.size(); ++k) to[k * PackedPanel::kGroup] *= roots[k];
                      }
                    });
    add_outer_products(panel, first, sign, gram);
  }
}

void WorkingColumns::add_few_to_gram(std::span<const Index> rows, std::span<const double> signs,
                                     std::span<const double> weights, SymmetricMatrix& gram) {
  assert(!sparse_ && gram.size() == size() && rows.size() == signs.size());
  const auto width = static_cast<std::size_t>(gram.padded_size());
  few_rows_.assign(rows.size() * width, 0.0);
  if (has_intercept()) {
    for (std::size_t k = 0; k < rows.size(); ++k) few_rows_[k * width] = 1.0;
  }
  for (std::size_t c = 0; c < columns_.size(); ++c)
    design_->gather(columns_[c], rows, few_rows_.data() + first_feature_ + c, gram.padded_size());
  for (std::size_t k = 0; k < rows.size(); ++k) {
    const double weight = weights[static_cast<std::size_t>(rows[k])];
    if (weight == 1.0) continue;
    const double root = std::sqrt(weight);
    for (std::size_t c = 0; c < width; ++c) few_rows_[k * width + c] *= root;
  }
  add_few_outer_products(few_rows_, signs, gram);
}

void WorkingColumns::add_row_gram(std::span<const Index> features, std::span<const double> ridge,
                                  std::span<const Index> rows, std::span<const Index> position,
                                  std::span<const double> weights, PackedPanel& panel,
                                  SymmetricMatrix& k) const {
  if (sparse_) {
    add_sparse_row_gram(features, ridge, rows, position, weights, k);
  } else {
    add_dense_row_gram(features, ridge, rows, weights, panel, k);
  }
}

void WorkingColumns::add_dense_row_gram(std::span<const Index> features, std::span<const double> ridge,
                                        std::span<const Index> rows, std::span<const double> weights,
                                        PackedPanel& panel, SymmetricMatrix& k) const {
  std::vector<double> values(rows.size());
  for (std::size_t begin = 0; begin < features.size(); begin += kPanelRows) {
    const std::size_t depth = std::min<std::size_t>(kPanelRows, features.size() - begin);
    panel.reset(static_cast<Index>(depth), static_cast<Index>(rows.size()));
    for (std::size_t d = 0; d < depth; ++d) {
      const double root = 1.0 / std::sqrt(ridge[begin + d]);
      design_->gather(features[begin + d], rows, values.data(), 1);
      for (std::size_t e = 0; e < rows.size(); ++e) {
        panel.column(static_cast<Index>(e))[d * PackedPanel::kGroup] =
            root * std::sqrt(weights[static_cast<std::size_t>(rows[e])]) * values[e];
      }
    }
    add_outer_products(panel, 0, 1.0, k);
  }
}

void WorkingColumns::multiply(std::span<const double> v, std::span<double> out) const {
  // Few of them move in a step; the others are not read.
  SparseCoefficients moved;
  moved.columns.reserve(columns_.size());
  moved.values.reserve(columns_.size());
  for (std::size_t c = 0; c < columns_.size(); ++c) {
    const double value = v[c + static_cast<std::size_t>(first_feature_)];
    if (value == 0.0) continue;
    moved.columns.push_back(columns_[c]);
    moved.values.push_back(value);
  }
  design_->multiply(moved.columns, moved.values, out);
  if (has_intercept() && v[0] != 0.0) add_constant(v[0], out);
}

std::vector<Index> WorkingColumns::features_at(std::span<const Index> positions) const {
  std::vector<Index> features(positions.size());
  std::ranges::transform(positions, features.begin(), [&](Index position) { return feature_at(position); });
  return features;
}

void WorkingColumns::multiply(std::span<const Index> positions, const ClassMatrix& d, ClassMatrix& out) const {
  const bool with_intercept = has_intercept() && !positions.empty() && positions[0] == 0;
  const std::span<const Index> others = positions.subspan(with_intercept ? 1 : 0);
  ClassMatrix part(static_cast<Index>(others.size()), d.n_classes());
  for (std::size_t a = 0; a < others.size(); ++a) {
    std::ranges::copy(d.row(others[a]), part.row(static_cast<Index>(a)).begin());
  }
  design_->multiply(features_at(others), part, out);
  if (with_intercept) add_to_rows(1.0, d.row(0), out);
}

void WorkingColumns::multiply_transposed(std::span<const double> r, double sum, std::span<double> out) const {
  if (has_intercept()) out[0] = sum;
  design_->multiply_transposed(columns_, r, out.subspan(static_cast<std::size_t>(first_feature_)));
}

void WorkingColumns::squared_norms(std::span<const double> weights, std::span<double> out) const {
  if (has_intercept()) out[0] = std::accumulate(weights.begin(), weights.end(), 0.0);
  design_->column_squared_norms(columns_, weights, out.subspan(static_cast<std::size_t>(first_feature_)));
}

double WorkingColumns::gram_work(double n_rows) const {
  const double n = std::max(1.0, static_cast<double>(design_->n_samples()));
  const double in_row = sparse_ ? n_nonzeros_ / n : static_cast<double>(size());
  return 0.5 * n_rows * in_row * in_row;
}

double WorkingColumns::row_gram_work(double n_rows) const {
  const double share = n_rows / std::max(1.0, static_cast<double>(design_->n_samples()));
  return 0.5 * share * share * sum_of_squares_;
}

}  // namespace hsvm
