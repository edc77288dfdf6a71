// Against LIBLINEAR's l1-regularised squared hinge (-s 5, no bias):
//
//   G(w) = |w|_1 + C sum_i max(0, 1 - t_i)^2,   t_i = y_i x_i'w
//
// With C = 1/(2 delta n lambda1) our objective without intercept and with a negligible lambda2 is lambda1 G(w)
// wherever all margins exceed 1 - delta. delta is chosen twice as wide as LIBLINEAR's solution needs, and the
// smallest margin is printed with every solution so that this can be checked. A ratio r = lambda1/lambda1_max means
// C = 1/(2 r max_j |x_j'y|), whatever delta is.
#pragma once

#include <string>

#include "hsvm/api.hpp"

namespace hsvm::bench {

inline constexpr double kLiblinearRatios[] = {0.1, 0.02};

// C for the ratio lambda1/lambda1_max.
[[nodiscard]] double liblinear_cost(const Dataset& data, double ratio);

// Prints a line for LIBLINEAR at its default tolerance and a line for `solver` at each tolerance from 1e-2 down, each
// with G. LIBLINEAR is left out, with a word, where the build has none.
void compare_with_liblinear(const std::string& name, const Dataset& data, Solver solver, double time_limit);

}  // namespace hsvm::bench
