// The paper's binary synthetic data [XAC15, sec. 3.1.1]: n samples of p features, half of them in class +1 from
// N(mu, Sigma), half in class -1 from N(-mu, Sigma), where mu = (1, ..., 1, 0, ..., 0) with s ones, and the
// first s features have correlation rho with each other. The first s features matter, the others are noise.
#pragma once

#include <cstdint>
#include <functional>

#include "hsvm/core/types.hpp"
#include "hsvm/data/dataset.hpp"

namespace hsvm {

struct GaussianDesign {
  Index n = 200;
  Index p = 1000;
  Index s = 20;      // 1 .. p
  double rho = 0.0;  // 0 <= rho < 1
  std::uint64_t seed = 1;
  void check() const;  // throws OptionError
};

// Rows alternate +1, -1, +1, ... ; row i is the same whatever n is. Dense, double precision.
[[nodiscard]] Dataset generate(const GaussianDesign& design);

// A row of standard Gaussians in which `count` features from `first` on have another mean and are correlated
// with each other.
struct CorrelatedRow {
  Index first = 0;
  Index count = 0;
  double mean = 0.0;
};
// Fills row i as describe(i) says, from the stream (seed, i).
void fill_gaussian_rows(DenseMatrix<double>& x, double rho, std::uint64_t seed,
                        const std::function<CorrelatedRow(Index)>& describe);

}  // namespace hsvm
