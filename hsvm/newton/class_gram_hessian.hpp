// The multi-class model with a Gram matrix for each class (row_quadratic.hpp): H_k = scale G_k + diag(ridge).
#pragma once

#include <span>
#include <vector>

#include "hsvm/core/aligned_buffer.hpp"
#include "hsvm/core/class_matrix.hpp"
#include "hsvm/linalg/symmetric_matrix.hpp"

namespace hsvm {

class ClassGramHessian {
 public:
  // grams: J, perhaps all the same; g (m x J): the gradient at W. All must outlive the model.
  void begin(std::vector<const SymmetricMatrix*> grams, std::vector<double> scales,
             std::span<const double> ridge, const ClassMatrix& g);

  void gradient(Index j, std::span<double> q) const;
  void curvature(Index j, std::span<double> h) const;
  void move(Index j, std::span<const double> change);
  void apply(std::span<const Index> rows, const ClassMatrix& d, ClassMatrix& out);

 private:
  void add_row(Index j, std::span<const double> change, AlignedBuffer<double>& to) const;

  std::vector<const SymmetricMatrix*> grams_;
  std::vector<double> scales_;  // J
  std::span<const double> ridge_;
  AlignedBuffer<double> q_;        // J x m: the gradient, class by class
  AlignedBuffer<double> scratch_;  // J x m
};

}  // namespace hsvm
