// The alternating direction method of multipliers for the elastic-net SVM with the plain hinge [YCX11]:
//
//   minimise (1/n) sum_i max(0, a_i) + lambda1 |z|_1 + lambda2/2 |w|^2
//   subject to a = 1 - y o (X w + b),  z = w
//
// (baselines/hinge.hpp) with multipliers u (n), v (p) and penalties mu1, mu2 on the two constraints:
//
//   (w, b)  from  (lambda2 + mu2) w + mu1 X'(X w + b) = X'q - v + mu2 z,  mu1 sum(X w + b) = sum(q),
//                 q = y o (u + mu1 (1 - a))
//   a  <-  the prox of the hinge at t = 1 + u/mu1 - y o (X w + b):
//                 t - k for t > k = 1/(n mu1),  0 for 0 <= t <= k,  t for t < 0
//   z  <-  S_{lambda1/mu2}(w + v/mu2)
//   u  <-  u + mu1 (1 - y o (X w + b) - a)
//   v  <-  v + mu2 (w - z)
//
// The linear system's matrix never changes, so it is factored once: p x p where p <= n, else n x n by the Woodbury
// identity. In both forms an iteration has one product with X and one with X'. Either matrix is dense even for a
// sparse X; max_order limits it.
//
// Stops by the paper's rule [XAC15, eq. 20] on P and (b, w), tolerance 1e-5, as its experiments do. mu1 = 100/n and
// mu2 = 50 are theirs, too. The answer is z, which has zeros, with b; the multipliers n u lie in [0, 1] and give its
// duality gap.
#pragma once

#include <optional>
#include <vector>

#include "baselines/hinge.hpp"
#include "baselines/run_limits.hpp"

namespace hsvm::baselines {

struct AdmmOptions {
  double tolerance = 1e-5;         // > 0
  std::optional<double> mu1 = {};  // > 0; 100/n where not given
  double mu2 = 50.0;               // > 0
  int max_iterations = 100'000;
  Index max_order = 20'000;  // of the matrix that is factored: 3.2 GB
  RunLimits limits = {};
};

struct AdmmResult {
  double b = 0.0;
  std::vector<double> w;  // p: the z of the last iteration
  Status status = Status::iteration_limit;
  int iterations = 0;
  double seconds = 0.0;  // with the factorisation
  double factor_seconds = 0.0;
  double objective = 0.0;
  double gap = 0.0;       // P - D, measured after the clock has stopped
  double residual = 0.0;  // |w - z|, the violation of the second constraint
};

// From zero. Throws OptionError where an option is out of its range and InputError where the smaller of n and p
// exceeds max_order. One thread.
[[nodiscard]] AdmmResult admm(const HingeProblem& problem, const AdmmOptions& options = {});

}  // namespace hsvm::baselines
