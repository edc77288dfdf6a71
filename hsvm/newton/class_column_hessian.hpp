// The model of the all-together problem (row_quadratic.hpp) through the scores: its second derivative is
//
//   H = sum_i x_i x_i' (x) C_i + diag(ridge),     x_i over the working columns
//
//   C_i = sum_k C_ik e_k e_k'                     absolute margins
//   C_i = sum_k C_ik (e_k - e_y)(e_k - e_y)'      relative margins
//
// C (n x J) holding the curvatures of the samples' margins against each wrong class. A row costs two looks at its
// column. Dense columns are packed as they are seen, samples sorted by class, for as long as the working set stays. Those of a sparse design
// cost their stored entries: what standardising adds to all entries, and the intercepts, are kept as J numbers.
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "hsvm/core/class_matrix.hpp"
#include "hsvm/loss/class_sums.hpp"
#include "hsvm/newton/class_blocks.hpp"
#include "hsvm/newton/working_columns.hpp"

namespace hsvm {

class ClassColumnHessian : public NoClassBlocks {
 public:
  // g (m x J): the gradient at W. All must outlive the model.
  void begin(const WorkingColumns& columns, ClassSamples samples, const ClassMatrix& curvatures,
             std::span<const double> ridge, const ClassMatrix& g);
  // out_j = (H D)_j for the rows of `to`, D being zero but in the rows of `from`; both ascending.
  void apply(std::span<const Index> from, std::span<const Index> to, const ClassMatrix& d, ClassMatrix& out);

  // Needed before what sweeps over rows ask for.
  void prepare_sweeps();
  void gradient(Index j, std::span<double> q) const;
  // The diagonal; with relative margins twice that: H's J x J block of a row is that of a graph, which is at most twice its
  // diagonal.
  void curvature(Index j, std::span<double> h) const;
  void move(Index j, std::span<const double> change);
  void apply(std::span<const Index> rows, const ClassMatrix& d, ClassMatrix& out) { apply(rows, rows, d, out); }

  // How many entries of columns were used since the model began, about; those of a column by itself count more.
  [[nodiscard]] double entries_used() const {
    return rows_used_ * columns_->n_nonzeros() / std::max(1.0, static_cast<double>(columns_->size()));
  }

 private:
  void sort_samples();
  void pack_columns();
  void sum_curved(Index j, const ColumnView& column, const double* d, double* out) const;
  void shift_by(double factor);
  [[nodiscard]] const double* packed(Index j) const;
  [[nodiscard]] ColumnView ones() const { return {.sparse = false, .rows = {}, .values = ones_}; }

  const WorkingColumns* columns_ = nullptr;
  ClassSamples samples_;
  const ClassMatrix* curvatures_ = nullptr;
  const ClassMatrix* gradient_ = nullptr;
  std::span<const double> ridge_;
  mutable double rows_used_ = 0.0;
  ClassMatrix g_;                           // m x J, with the ridge's part as V moves
  mutable ClassMatrix diagonal_;            // m x J, without the ridge; rows as they are asked for
  mutable std::vector<char> has_diagonal_;  // m
  // C X_W (V - W) = z_ + C 1 shift_', z_ (n x J) from the entries alone (hsvm/newton/working_columns.hpp); of a
  // dense design z_ is all of it, but for the right classes of relative margins: minus the sum of the others.
  ClassMatrix z_;
  AlignedBuffer<double> shift_;  // J, padded; sparse designs
  bool is_shifted_ = false;      // shift_ is not zero
  AlignedBuffer<double> sums_;   // J, padded: the columns' sums of C X_W (V - W); sparse designs
  std::vector<double> ones_;     // n; sparse designs
  mutable AlignedBuffer<double>
      class_sums_;  // of columns with many entries, as they are asked for; sparse designs
  mutable std::vector<Count> class_sums_begin_;  // m: where those of a column are, or -1
  AlignedBuffer<double> totals_by_class_;        // J, padded: the diagonal of the intercepts; sparse designs
  // Of dense designs the samples are sorted by class.
  std::vector<Index> place_, starts_;      // n: where a sample is; J + 1: where the classes begin
  ClassMatrix sorted_, diagonals_;         // n x J: curvatures, and the diagonals of what they stand for
  std::vector<Index> packed_features_;     // whose columns are packed
  std::vector<double> packed_;             // one after the other, after one of ones
  ClassMatrix totals_;                     // J x J: sum of C_ik over the samples of class y, row y
  ClassMatrix product_;                    // n x J
  ClassMatrix part_;                       // as many rows as are asked for
  mutable AlignedBuffer<double> scratch_;  // J, padded
  AlignedBuffer<double> room_;             // J, padded; sparse designs
};

}  // namespace hsvm
