// The Gram matrix of the working columns over the samples that have curvature, kept up to date as samples cross
// the elbow's ends and columns come and go: what changed is added or taken away, the rest stays. Where most
// samples have curvature, and a matrix over all of them is at hand, what lacks is taken away from that.
#pragma once

#include <span>
#include <vector>

#include "hsvm/linalg/symmetric_matrix.hpp"
#include "hsvm/newton/working_columns.hpp"

namespace hsvm {

class ElbowGram {
 public:
  // Over the samples of all ranks.
  [[nodiscard]] const SymmetricMatrix& matrix() const { return is_summed_ ? summed_ : matrix_; }

  // After columns.change(): `from` is what it returned. weights: of all samples.
  void remap(WorkingColumns& columns, std::span<const Index> from, std::span<const double> weights);
  // Over the samples with curved[i] != 0. whole: over all samples, up to date, or null.
  void refresh(WorkingColumns& columns, std::span<const char> curved, std::span<const double> weights,
               const SymmetricMatrix* whole = nullptr);
  // Whether no more samples than this share of those with curvature are not what they were at the last refresh. False over ranks.
  [[nodiscard]] bool is_near(const WorkingColumns& columns, std::span<const char> curved, double share) const;
  // Nothing is kept: the next refresh starts afresh.
  void forget();

 private:
  void refresh_here(WorkingColumns& columns, std::span<const char> curved, std::span<const double> weights,
                    const SymmetricMatrix* whole);
  void hold(std::span<const char> curved, std::size_t n_curved);

  SymmetricMatrix matrix_;  // over the samples of this rank
  SymmetricMatrix other_;   // what the next remap writes to
  std::vector<char> held_;  // n, or empty: the samples in the matrix
  std::size_t n_held_ = 0;  // how many these are
  SymmetricMatrix summed_;  // over the samples of all ranks, where there are several
  bool is_summed_ = false;
};

}  // namespace hsvm
