// Some columns of a design, ready for what Newton's method asks of them: their products by rows,
//
//   add_gram(rows, weights, sign, G)    G += sign sum over those rows i of weight_i x_i x_i'
//
// where x_i holds the m working columns of row i. Where the problem has an intercept, column 0 is a column of
// ones and stands for it. A dense design is read where it lies, column by column; of a sparse one the working
// columns are kept by rows, a part of X that shrinks and grows with the working set.
//
// A sparse design that is standardised stays sparse: with z_i = x_i - c, x_i being scaled and c = scales o
// centers,
//
//   sum weight_i z_i z_i' = sum weight_i x_i x_i' - q c' - c q' + W c c',   q = sum weight_i x_i, W = sum
//   weight_i
//
// but for columns far from zero, of which all entries are kept as they are seen, and c = 0.
#pragma once

#include <span>
#include <vector>

#include "hsvm/core/types.hpp"
#include "hsvm/core/class_matrix.hpp"
#include "hsvm/data/standardized_view.hpp"
#include "hsvm/linalg/outer_products.hpp"
#include "hsvm/linalg/symmetric_matrix.hpp"

namespace hsvm {

template <Design X>
class WorkingColumns {
 public:
  WorkingColumns(const X& design, bool ones) : design_(&design), ones_(ones ? 1 : 0) {}

  // Other columns. Those that were there come first, in the order they had; returns where they were, ones
  // included.
  std::vector<Index> change(std::span<const Index> columns);

  [[nodiscard]] const X& design() const { return *design_; }
  [[nodiscard]] std::span<const Index> columns() const { return columns_; }  // without the column of ones
  [[nodiscard]] Index ones() const { return ones_; }                         // 1 with a column of ones, else 0
  [[nodiscard]] Index size() const { return ones_ + static_cast<Index>(columns_.size()); }

  // On and below the diagonal, for rows of G from `first` on, a multiple of SymmetricMatrix::kTile. weights: of
  // all samples, >= 0.
  void add_gram(std::span<const Index> rows, std::span<const double> weights, double sign, Index first,
                SymmetricMatrix& gram);

  // K += sum over the given columns of X of u u'/ridge, u_e = (weight_i)^{1/2} x_i for the rows i = rows[e];
  // place is the inverse of rows, -1 elsewhere. On and below the diagonal.
  void add_row_gram(std::span<const Index> features, std::span<const double> ridge, std::span<const Index> rows,
                    std::span<const Index> place, std::span<const double> weights, PackedPanel& panel,
                    SymmetricMatrix& k) const;

  // The column of X that stands at a place other than that of the ones.
  [[nodiscard]] Index feature_at(Index place) const {
    return columns_[static_cast<std::size_t>(place - ones_)];
  }
  // The columns of X that stand at these places, none of which is that of the ones.
  [[nodiscard]] std::vector<Index> features_at(std::span<const Index> places) const;

  // out (n) = the columns times v (m).
  void multiply(std::span<const double> v, std::span<double> out) const;
  // out (n x J) = the columns at these places, ascending, times those rows of d (m x J).
  void multiply(std::span<const Index> places, const ClassMatrix& d, ClassMatrix& out) const;
  // out (m) = the columns' products with r (n); ones_sum is the sum of r, known to the caller.
  void multiply_transposed(std::span<const double> r, double ones_sum, std::span<double> out) const;

  // out (m): the sums over samples of weight_i x_i^2.
  void squared_norms(std::span<const double> weights, std::span<double> out) const;

  // Column j of the design as e_j + at_zero(j) 1, where e_j = scale x_j for visit(matrix, scale): what goes
  // from column to column keeps the two parts apart, so that a standardised column costs its stored entries
  // alone. What is dense, or far from zero, is visited as it is seen: no digits are lost to the distance.
  template <class Visit>
  auto with_entries(Index j, const Visit& visit) const {
    if constexpr (kSparse && kStandardized) {
      if (!is_far(j) && design_->scale(j) != 0.0) return visit(stored_matrix(*design_), design_->scale(j));
    }
    return visit(*design_, 1.0);
  }
  [[nodiscard]] double at_zero(Index j) const;

  // About how many multiplications and additions add_gram and add_row_gram take for so many rows.
  [[nodiscard]] double gram_work(double n_rows) const;
  [[nodiscard]] double row_gram_work(double n_rows) const;
  [[nodiscard]] double n_nonzeros() const { return n_nonzeros_; }
  static constexpr bool kSparse = requires(const X& x) { stored_matrix(x).n_nonzeros(); };
  static constexpr bool kStandardized = requires(const X& x, Index j) { x.center(j); };

 private:
  [[nodiscard]] auto column(Index j) const { return stored_matrix(*design_).column(j); }
  // Whether the mean of a sparse column is so many deviations away from zero that differences of its products
  // with the stored entries would lose digits. Hardly a zero is among them then: all samples count as entries.
  [[nodiscard]] bool is_far(Index j) const;
  // What the design makes of an entry of column j.
  [[nodiscard]] auto seen_as(Index j) const {
    if constexpr (kStandardized) {
      return [center = design_->center(j), scale = design_->scale(j)](double x) {
        return scale == 0.0 ? 0.0 : scale * (x - center);  // whatever x is
      };
    } else {
      return [](double x) { return x; };
    }
  }
  // Calls visit(sample, e_ij) for the entries of column j, samples ascending.
  template <class Visit>
  void for_each_entry(Index j, const Visit& visit) const;
  void build_rows();
  void center_gram(std::span<const Index> rows, std::span<const double> weights, double sign, Index first,
                   SymmetricMatrix& gram) const;

  const X* design_;
  Index ones_;
  std::vector<Index> columns_;
  std::vector<Index> sorted_;    // the same, ascending
  double n_nonzeros_ = 0.0;      // of the working columns
  double sum_of_squares_ = 0.0;  // of their numbers of nonzeros
  // Sparse designs, once add_gram is asked for: row i holds entries start[i] .. start[i+1]-1, columns
  // ascending.
  std::vector<Count> start_;
  std::vector<Index> position_;
  std::vector<double> value_;
  PackedPanel panel_;
};

#define HSVM_EXTERN_WORKING_COLUMNS(X) extern template class WorkingColumns<X>
HSVM_FOR_EVERY_DESIGN(HSVM_EXTERN_WORKING_COLUMNS);
#undef HSVM_EXTERN_WORKING_COLUMNS

}  // namespace hsvm
