// A preconditioner for models of several classes (row_quadratic.hpp): the block of H of each class by itself, factored on the
// pairs of a support. Where features are correlated the diagonal tells little of H, but what ties one class to another, the
// margins between them, is well conditioned: conjugate gradients take some ten iterations with the blocks where they take
// hundreds with the diagonal.
//
// Factors serve the next supports, too: pairs that have left the support are left out of what they give, pairs that have come
// have the diagonal. They are made anew once a run has taken so many more iterations than the first one that new factors would
// have cost less. How many iterations each way takes is learned; costs are counted, never timed, so that the choice is the same
// in every run.
#pragma once

#include <span>
#include <vector>

#include "hsvm/core/class_matrix.hpp"
#include "hsvm/linalg/cholesky.hpp"

namespace hsvm {

// For models that have no matrix to take blocks from.
struct NoClassBlocks {
  static bool prepare_blocks(std::span<const Index> /*rows*/, const ClassMatrix& /*inverse*/) { return false; }
  static void solve_blocks(const ClassMatrix& /*r*/, const ClassMatrix& /*inverse*/, ClassMatrix& /*z*/) {}
  static void note_iterations(int /*iterations*/) {}
};

class ClassBlocks {
 public:
  // Rows have other places now, or the model is another.
  void forget() { rows_of_.clear(); }

  // Whether the next run of conjugate gradients has blocks. rows: those with pairs in the support; inverse (m x J): of the
  // diagonal of H on the pairs, 0 elsewhere; product_cost: nanoseconds, about, of a product with H; entry(k, i, j): of the
  // block of class k.
  template <class Entry>
  [[nodiscard]] bool prepare(std::span<const Index> rows, const ClassMatrix& inverse, double product_cost,
                             const Entry& entry) {
    kind_ = choose(rows, inverse, product_cost);
    if (kind_ != Kind::fresh) return kind_ == Kind::stale;
    take_pairs(rows, inverse);
    for (std::size_t k = 0; k < rows_of_.size(); ++k) {
      const std::vector<Index>& of_class = rows_of_[k];
      SymmetricMatrix& block = factors_[k].matrix();
      block.reset_uninitialised(static_cast<Index>(of_class.size()));
      for (std::size_t a = 0; a < of_class.size(); ++a) {
        double* const to = block.row(static_cast<Index>(a));
        for (std::size_t b = 0; b <= a; ++b) to[b] = entry(k, of_class[a], of_class[b]);
      }
      if (factors_[k].factor()) continue;
      forget();
      kind_ = Kind::diagonal;
      return false;
    }
    return true;
  }
  // z = about H^{-1} r on the pairs of the support, off which both are zero.
  void solve(const ClassMatrix& r, const ClassMatrix& inverse, ClassMatrix& z);
  // Of the run that has ended.
  void note_iterations(int iterations);

 private:
  enum class Kind { diagonal, fresh, stale };  // with new factors, or those of a support before

  [[nodiscard]] Kind choose(std::span<const Index> rows, const ClassMatrix& inverse, double product_cost) const;
  void take_pairs(std::span<const Index> rows, const ClassMatrix& inverse);

  std::vector<std::vector<Index>> rows_of_;  // J: of the factors; empty where there are none
  std::vector<Cholesky> factors_;            // J
  std::vector<double> part_;
  Kind kind_ = Kind::diagonal;  // of the run
  double last_ = 0.0;           // iterations of the last run with blocks
  double with_fresh_ = 10.0;    // iterations that are expected
  double with_diagonal_ = 0.0;
};

}  // namespace hsvm
