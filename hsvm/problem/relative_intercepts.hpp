// best_intercepts for relative margins: the minimiser over b (J, sum zero) of
//
//   q(b) = (1/n) sum_i s_i sum_{k != y_i} phi((Z_iy + b_y) - (Z_ik + b_k)) + lambda3/2 |b|^2
//
// Its Hessian is that of a graph whose nodes are the classes: N_yk (e_k - e_y)(e_k - e_y)'/(n delta) for the weight
// N_yk of the samples of class y whose margin against k is in the elbow. Pairs without any get a share of the
// curvature they would have were all samples there, in proportion to how far b is from the best, so that steps
// stay bounded and the last ones are Newton's own. A narrow elbow is approached from wider ones.
#pragma once

#include <vector>

#include "hsvm/core/class_matrix.hpp"
#include "hsvm/loss/class_sums.hpp"
#include "hsvm/loss/margin_loss.hpp"

namespace hsvm {

[[nodiscard]] std::vector<double> relative_intercepts(const MarginLoss& loss, ClassSamples samples,
                                                      const ClassMatrix& z, double lambda3,
                                                      std::vector<double> start);

}  // namespace hsvm
