// Some columns of a design, ready for what Newton's method asks of them: their products by rows,
//
//   add_gram(rows, weights, sign, G)    G += sign sum over those rows i of weight_i x_i x_i'
//
// where x_i holds the m working columns of row i. Where the problem has an intercept, column 0 is a column of ones and
// stands for it. A dense design is read where it lies, column by column; of a sparse one rows are
// copied out of the working columns, block by block or, where these are small, all of them.
//
// A sparse design that is standardised stays sparse: with z_i = x_i - c, x_i being scaled and c = scales o centers,
//
//   sum weight_i z_i z_i' = sum weight_i x_i x_i' - q c' - c q' + W c c',     q = sum weight_i x_i,  W = sum weight_i
//
// Columns far from zero are the exception: all their entries are copied out as they are seen, and c = 0.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "hsvm/core/class_matrix.hpp"
#include "hsvm/core/types.hpp"
#include "hsvm/data/design.hpp"
#include "hsvm/linalg/outer_products.hpp"
#include "hsvm/linalg/symmetric_matrix.hpp"
#include "hsvm/newton/gathered_rows.hpp"

namespace hsvm {

class WorkingColumns {
 public:
  static constexpr double kMostGathered = 1 << 23;  // entries of sparse rows that are kept

  WorkingColumns(const Design& design, bool intercept, double most_gathered = kMostGathered);

  // Other columns. Those that were there come first, in the order they had; returns where they were, the intercept's
  // included.
  std::vector<Index> change(std::span<const Index> columns);

  [[nodiscard]] const Design& design() const { return *design_; }
  [[nodiscard]] bool is_sparse() const { return sparse_; }
  [[nodiscard]] bool is_standardized() const { return source_ != design_; }
  [[nodiscard]] std::span<const Index> columns() const { return columns_; }  // without the intercept's
  [[nodiscard]] std::span<const Index> sorted_columns() const { return sorted_; }
  // Their positions among all, the intercept's counted in.
  [[nodiscard]] std::span<const Index> sorted_positions() const { return sorted_positions_; }
  // The position of the first feature: 1 with a column for the intercept before it, else 0.
  [[nodiscard]] Index first_feature() const { return first_feature_; }
  [[nodiscard]] bool has_intercept() const { return first_feature_ == 1; }
  [[nodiscard]] Index size() const { return first_feature_ + static_cast<Index>(columns_.size()); }

  // Where add_gram has to begin where the products of the first `kept` columns are at hand: there, or for a dense design at a whole tile.
  [[nodiscard]] Index first_anew(Index kept) const {
    return sparse_ || kept == size() ? kept : kept / SymmetricMatrix::kTile * SymmetricMatrix::kTile;
  }
  // On and below the diagonal, for rows of G from `first` on, of a dense design a multiple of SymmetricMatrix::kTile. weights: of
  // all samples; of a dense design >= 0.
  void add_gram(std::span<const Index> rows, std::span<const double> weights, double sign, Index first,
                SymmetricMatrix& gram);
  // The same with sign +1 where the rows of G before `first` hold the products over these rows already.
  void extend_gram(std::span<const Index> rows, std::span<const double> weights, Index first,
                   SymmetricMatrix& gram);
  // As add_gram for a few rows of a dense design, each added (sign +1) or taken away (-1), on both sides of the diagonal.
  void add_few_to_gram(std::span<const Index> rows, std::span<const double> signs,
                       std::span<const double> weights, SymmetricMatrix& gram);

  // K += sum over the given columns of X of u u'/ridge, u_e = (weight_i)^{1/2} x_i for the rows i = rows[e]; `position` is
  // the inverse of rows, -1 elsewhere. On and below the diagonal.
  void add_row_gram(std::span<const Index> features, std::span<const double> ridge, std::span<const Index> rows,
                    std::span<const Index> position, std::span<const double> weights, PackedPanel& panel,
                    SymmetricMatrix& k) const;

  // The column of X at a position other than the intercept's.
  [[nodiscard]] Index feature_at(Index position) const {
    return columns_[static_cast<std::size_t>(position - first_feature_)];
  }
  // The columns of X at these positions, none of which is the intercept's.
  [[nodiscard]] std::vector<Index> features_at(std::span<const Index> positions) const;

  // out (n) = the columns times v (m).
  void multiply(std::span<const double> v, std::span<double> out) const;
  // out (n x J) = the columns at these positions, ascending, times those rows of d (m x J).
  void multiply(std::span<const Index> positions, const ClassMatrix& d, ClassMatrix& out) const;
  // out (m) = the columns' products with r (n), whose sum is known to the caller.
  void multiply_transposed(std::span<const double> r, double sum, std::span<double> out) const;

  // out (m): the sums over samples of weight_i x_i^2.
  void squared_norms(std::span<const double> weights, std::span<double> out) const;

  // Column j of the design as scale e_j + of_zero 1, e_j being column j of `design`. What goes from column to column keeps
  // the two parts apart, so that a standardised sparse column costs its stored entries alone. What is dense, or far from
  // zero, is taken as it is seen: no digits are lost to the distance.
  struct Entries {
    const Design& design;
    double scale = 1.0;
    double of_zero = 0.0;
  };
  [[nodiscard]] Entries entries(Index j) const;

  // About how many multiplications and additions add_gram and add_row_gram take for so many rows.
  [[nodiscard]] double gram_work(double n_rows) const;
  [[nodiscard]] double row_gram_work(double n_rows) const;
  [[nodiscard]] double n_nonzeros() const { return n_nonzeros_; }
  // Whether every change of a Gram matrix goes through the entries of all working columns, since rows of so many are not kept.
  [[nodiscard]] bool has_far_rows() const { return sparse_ && n_nonzeros_ > most_gathered_; }

 private:
  static constexpr std::size_t kMostChunks = 16;  // of rows, each with a matrix of its own

  // Calls visit(sample, scale e_ij) for the stored entries of column j of a sparse design, samples ascending.
  template <class Visit>
  void for_each_entry(Index j, ColumnBuffer& buffer, const Visit& visit) const;
  void add_sparse_gram(std::span<const Index> rows, std::span<const double> weights, double sign, Index first,
                       bool extends, SymmetricMatrix& gram);
  void add_dense_gram(std::span<const Index> rows, std::span<const double> weights, double sign, Index first,
                      SymmetricMatrix& gram);
  void add_panels(std::span<const Index> rows, std::span<const double> weights, double sign, Index first,
                  PackedPanel& panel, SymmetricMatrix& gram) const;
  void add_row_blocks(std::span<const Index> rows, std::span<const double> weights, double sign, Index first,
                      bool only_touched, std::span<double> q, SymmetricMatrix& gram);
  void add_chunks(std::size_t n_chunks, Index first, SymmetricMatrix& gram) const;
  void add_sums(double total, std::span<double> q, Index first, SymmetricMatrix& gram) const;
  void add_sparse_row_gram(std::span<const Index> features, std::span<const double> ridge,
                           std::span<const Index> rows, std::span<const Index> position,
                           std::span<const double> weights, SymmetricMatrix& k) const;
  void add_dense_row_gram(std::span<const Index> features, std::span<const double> ridge,
                          std::span<const Index> rows, std::span<const double> weights, PackedPanel& panel,
                          SymmetricMatrix& k) const;

  const Design* design_;
  const Design* source_;  // what the design is seen from; itself where it is not standardised
  bool sparse_;
  Index first_feature_;
  double most_gathered_;
  std::vector<Index> columns_;
  std::vector<Index> sorted_;              // the same, ascending
  std::vector<Index> sorted_positions_;    // of these
  std::shared_ptr<const void> in_memory_;  // keeps them there, where the design lies on a disk
  std::vector<Index> place_of_;            // p, each nowhere but for a moment
  double n_nonzeros_ = 0.0;                // of the working columns
  double sum_of_squares_ = 0.0;            // of their numbers of nonzeros
  GatheredRows rows_;                      // of a sparse design whose working columns are few and stay
  bool has_all_rows_ = false;
  int times_looked_through_ = 0;  // these columns, for their rows
  PackedPanel panel_;
  std::vector<SymmetricMatrix> chunk_grams_;  // of chunks of rows, but for the first
  std::vector<PackedPanel> chunk_panels_;
  AlignedBuffer<double> few_rows_;
};

}  // namespace hsvm
