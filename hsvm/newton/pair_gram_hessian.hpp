// The model of coupled_column_hessian.hpp with Gram matrices (row_quadratic.hpp): the samples of two classes a < b that
// have curvature against each other share one,
//
//   H = scale sum_{a < b} G_ab (x) (e_a - e_b)(e_a - e_b)' + diag(ridge),     G_ab = sum_i s_i x_i x_i'
//
// over the samples of class a with curvature against b and those of b with curvature against a. J (J - 1)/2 matrices:
// for few working rows. They are kept up to date as samples cross the elbow's ends, until the columns change.
#pragma once

#include <span>
#include <vector>

#include "hsvm/core/aligned_buffer.hpp"
#include "hsvm/core/class_matrix.hpp"
#include "hsvm/core/types.hpp"
#include "hsvm/linalg/symmetric_matrix.hpp"
#include "hsvm/newton/working_columns.hpp"

namespace hsvm {

class PairGramHessian {
 public:
  // The columns have changed.
  void forget() { grams_.clear(); }
  // curvatures (n x J): nonzero where sample i has curvature against class k.
  void refresh(WorkingColumns& columns, std::span<const Index> y, std::span<const double> s,
               const ClassMatrix& curvatures);
  // g (m x J): the gradient at W. ridge must outlive the model.
  void begin(double scale, std::span<const double> ridge, const ClassMatrix& g);

  void gradient(Index j, std::span<double> q) const;
  void curvature(Index j, std::span<double> h) const;  // twice the diagonal, as in the other
  void move(Index j, std::span<const double> change);
  void apply(std::span<const Index> rows, const ClassMatrix& d, ClassMatrix& out);

 private:
  void add_row(Index j, std::span<const double> change, AlignedBuffer<double>& to) const;
  // visit(a, b, G_ab), a < b
  template <class Visit>
  void for_each_pair(const Visit& visit) const;

  std::size_t n_classes_ = 0;
  std::vector<SymmetricMatrix> grams_;  // (0, 1), (0, 2), (1, 2), (0, 3), ...
  std::vector<char> held_;              // n x J: what is in them
  double scale_ = 1.0;
  std::span<const double> ridge_;
  AlignedBuffer<double> q_;        // J x m: the gradient, class by class
  AlignedBuffer<double> scratch_;  // J x m
};

}  // namespace hsvm
