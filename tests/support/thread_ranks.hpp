// Ranks that are threads of one process: what is divided over ranks can be tested without MPI.
//
//   run_ranks(3, [&](const Collective& ranks) { ... });     // the same body on three threads
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "hsvm/core/collective.hpp"
#include "hsvm/data/dataset.hpp"

namespace hsvm::test {

// Throws what the first rank threw; a rank that waits for one that has thrown is woken up and gives up, too.
void run_ranks(Index size, const std::function<void(const Collective& ranks)>& body);

// What rank `rank` of `size` has of n samples: whole numbers first .. last - 1, as even as can be.
struct RowRange {
  Index first = 0;
  Index last = 0;
};
[[nodiscard]] RowRange rows_of_rank(Index n, Index rank, Index size);
// The rows of a dataset that a rank has.
[[nodiscard]] Dataset part_of(const Dataset& data, const Collective& ranks);
[[nodiscard]] Dataset part_of(const Dataset& data, RowRange rows);

}  // namespace hsvm::test
