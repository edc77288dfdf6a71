// The three weights of the penalty: lambda1 |w|_1 + lambda2/2 |w|^2 + lambda3/2 b^2.
#pragma once

namespace hsvm {

struct Lambdas {
  double lambda1 = 0.0;
  double lambda2 = 0.0;
  double lambda3 = 0.0;

  friend bool operator==(const Lambdas&, const Lambdas&) = default;
};

}  // namespace hsvm
