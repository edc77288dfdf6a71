#include "hsvm/penalty/half_ranges.hpp"

#include <algorithm>

#include "hsvm/core/clones.hpp"
#include "hsvm/core/lanes.hpp"
#include "hsvm/penalty/row_problem.hpp"

namespace hsvm {

HSVM_CLONES void half_ranges(const ClassMatrix& z, Index first, std::span<double> out) {
  static_assert(ClassMatrix::kPadding == kLanes);
  by_lanes(
      out.size(),
      [&](std::size_t k) {
        const double* const row = z.data(first + static_cast<Index>(k));
        const auto stride = static_cast<std::size_t>(z.stride());
        const auto n_classes = static_cast<std::size_t>(z.n_classes());
        Lanes low{row[0], row[stride], row[2 * stride], row[3 * stride]};
        Lanes high = low;
        for (std::size_t c = 0; c < n_classes; c += kLanes) {
          // Four classes of four rows, then four rows of each class.
          const Lanes rows[] = {load(row + c), load(row + stride + c), load(row + 2 * stride + c),
                                load(row + 3 * stride + c)};
          const Lanes even01 = __builtin_shufflevector(rows[0], rows[1], 0, 4, 2, 6);
          const Lanes odd01 = __builtin_shufflevector(rows[0], rows[1], 1, 5, 3, 7);
          const Lanes even23 = __builtin_shufflevector(rows[2], rows[3], 0, 4, 2, 6);
          const Lanes odd23 = __builtin_shufflevector(rows[2], rows[3], 1, 5, 3, 7);
          const Lanes classes[] = {__builtin_shufflevector(even01, even23, 0, 1, 4, 5),
                                   __builtin_shufflevector(odd01, odd23, 0, 1, 4, 5),
                                   __builtin_shufflevector(even01, even23, 2, 3, 6, 7),
                                   __builtin_shufflevector(odd01, odd23, 2, 3, 6, 7)};
          const std::size_t here = std::min<std::size_t>(kLanes, n_classes - c);
          for (std::size_t j = 0; j < here; ++j) {
            low = classes[j] < low ? classes[j] : low;
            high = classes[j] > high ? classes[j] : high;
          }
        }
        store(out.data() + k, 0.5 * (high - low));
      },
      [&](std::size_t k) { out[k] = half_range(z.row(first + static_cast<Index>(k))); });
}

}  // namespace hsvm
