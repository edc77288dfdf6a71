// When to stop. Measuring is the solver's business, deciding is done here.
#pragma once

#include <cmath>

#include "hsvm/core/status.hpp"

namespace hsvm {

// (F_{k-1} - F_k)/(1 + F_{k-1}) <= tolerance and |u_{k-1} - u_k|/(1 + |u_{k-1}|) <= tolerance, three times in a
// row.
class PaperRule {
 public:
  explicit PaperRule(double tolerance) : tolerance_(tolerance) {}

  // `step` = |u_{k-1} - u_k|, `size` = |u_{k-1}|; true when it is time to stop.
  bool operator()(double previous_objective, double objective, double step, double size) {
    const bool small = (previous_objective - objective) / (1.0 + previous_objective) <= tolerance_ &&
                       step / (1.0 + size) <= tolerance_;
    in_a_row_ = small ? in_a_row_ + 1 : 0;
    return in_a_row_ >= 3;
  }

 private:
  double tolerance_;
  int in_a_row_ = 0;
};

}  // namespace hsvm
