// How long one of Newton's models may be worked on: rounds over all coordinates, each with at most so many sweeps over the
// support, and iterations of conjugate gradients; and how much smaller its violations have to become, at most. A model that
// changes with the step is not worth much work; where many steps are needed it may be what lacks.
#pragma once

#include <algorithm>

namespace hsvm {

struct ModelEffort {
  int rounds = 16;
  int sweeps = 60;
  int iterations = 200;
  double reduction = 0.0;

  [[nodiscard]] ModelEffort at(int steps) const {
    constexpr int kMany = 24;
    const int factor = 1 << std::clamp((steps - kMany) / 8, 0, 4);
    return {factor * rounds, factor * sweeps, factor * iterations, reduction / factor};
  }
};

}  // namespace hsvm
