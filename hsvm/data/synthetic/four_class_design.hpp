// The paper's four-class synthetic data [XAC15, sec. 3.2.1]: classes 1 and 2 from N(+-mu_1, Sigma_1), classes 3
// and 4 from N(+-mu_3, Sigma_3). mu_1 has ones in the first s features, mu_3 in the s features from s/2 + 1 on;
// those features have correlation rho with each other in their classes, all others are independent noise.
#pragma once

#include <cstdint>

#include "hsvm/core/types.hpp"
#include "hsvm/data/dataset.hpp"

namespace hsvm {

struct FourClassDesign {
  Index n = 100;
  Index p = 500;
  Index s = 30;      // even, 3 s/2 <= p
  double rho = 0.0;  // 0 <= rho < 1
  std::uint64_t seed = 1;
  void check() const;  // throws OptionError
};

// Rows take the classes 1, 2, 3, 4 in turn; row i is the same whatever n is. Dense, double precision.
[[nodiscard]] Dataset generate(const FourClassDesign& design);

}  // namespace hsvm
