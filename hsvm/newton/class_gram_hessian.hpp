// The model of class_column_hessian.hpp with Gram matrices (row_quadratic.hpp). Samples whose curvatures point the same
// way share one,
//
//   H = scale sum_d G_d (x) d d' + diag(ridge),     G_d = sum_i s_i x_i x_i' over the curved pairs (i, k) of direction d
//
//   absolute margins   d = e_k          J matrices
//   relative margins   d = e_a - e_b    J (J - 1)/2: class a against b and b against a
//
// For few working rows. They are kept up to date as samples cross the elbow's ends and columns come and go.
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "hsvm/core/aligned_buffer.hpp"
#include "hsvm/core/class_matrix.hpp"
#include "hsvm/core/types.hpp"
#include "hsvm/linalg/symmetric_matrix.hpp"
#include "hsvm/loss/class_sums.hpp"
#include "hsvm/newton/class_blocks.hpp"
#include "hsvm/newton/working_columns.hpp"

namespace hsvm {

class ClassGramHessian {
 public:
  // How many matrices there are for so many classes.
  [[nodiscard]] static std::size_t n_matrices(std::size_t n_classes, Margins margins);

  // Nothing is kept.
  void forget() {
    grams_.clear();
    summed_.clear();
    blocks_.forget();
  }
  // After columns.change(), which returned `from`.
  void remap(WorkingColumns& columns, std::span<const Index> from, ClassSamples samples);
  // curvatures (n x J): nonzero where sample i has curvature against class k.
  void refresh(WorkingColumns& columns, ClassSamples samples, const ClassMatrix& curvatures);
  // g (m x J): the gradient at W. ridge must outlive the model.
  void begin(double scale, std::span<const double> ridge, const ClassMatrix& g);

  void gradient(Index j, std::span<double> q) const;
  void curvature(Index j,
                 std::span<double> h) const;  // as in the other: of relative margins twice the diagonal
  void move(Index j, std::span<const double> change);
  void apply(std::span<const Index> rows, const ClassMatrix& d, ClassMatrix& out);
  [[nodiscard]] bool prepare_blocks(std::span<const Index> rows, const ClassMatrix& inverse);
  void solve_blocks(const ClassMatrix& r, const ClassMatrix& inverse, ClassMatrix& z) {
    blocks_.solve(r, inverse, z);
  }
  void note_iterations(int iterations) { blocks_.note_iterations(iterations); }

  [[nodiscard]] bool is_empty() const { return grams_.empty(); }
  // Of the last model: products with all matrices, and samples that were added or taken away.
  [[nodiscard]] double n_products() const {
    return rows_used_ / std::max(1.0, static_cast<double>(ridge_.size()));
  }
  [[nodiscard]] double n_crossings() const { return n_crossings_; }

 private:
  using Lists = std::vector<std::vector<Index>>;
  [[nodiscard]] std::size_t matrix_of(std::size_t own, std::size_t k) const;
  struct Changes;
  void start_afresh(const WorkingColumns& columns, ClassSamples samples);
  Changes find_changes(ClassSamples samples, const ClassMatrix& curvatures);
  [[nodiscard]] double work_anew(const Changes& changes, std::vector<char>& whole) const;
  void start_from_classes(WorkingColumns& columns, ClassSamples samples, std::span<const char> whole,
                          Changes& changes);
  void add_row(Index j, std::span<const double> change, AlignedBuffer<double>& to) const;
  // visit(a, b, G_d): a < b for d = e_a - e_b, a == b for d = e_a.
  template <class Visit>
  void for_each_matrix(const Visit& visit) const;

  std::size_t n_classes_ = 0;
  bool is_relative_ = false;
  std::vector<SymmetricMatrix>
      grams_;  // of pairs: (0, 1), (0, 2), (1, 2), (0, 3), ...; over the samples of this rank
  std::vector<SymmetricMatrix> summed_;  // over those of all ranks, where there are several
  std::vector<char> held_;               // n x J: what is in them
  double scale_ = 1.0;
  double rows_used_ = 0.0;
  double n_crossings_ = 0.0;
  std::span<const double> ridge_;
  AlignedBuffer<double> q_;        // J x m: the gradient, class by class
  AlignedBuffer<double> scratch_;  // J x m
  ClassBlocks blocks_;
};

}  // namespace hsvm
