// Loops over fixed blocks of work. What a block computes never depends on the number of threads, so neither
// does any result: the same bits for 1 thread and for 64.
//
//   with_threads(2, [&] { ... parallel_for(n_blocks, [&](Index block) { ... }); ... });
#pragma once

#include <algorithm>
#include <functional>

#include "hsvm/core/types.hpp"

namespace hsvm {

namespace detail {
void run_parallel(Index count, const std::function<void(Index)>& body);
}  // namespace detail

// Calls body(0), ..., body(count - 1) in any order, on the threads of the enclosing with_threads (all cores
// outside one).
template <class Body>
void parallel_for(Index count, const Body& body) {
  if (count == 1) {
    body(Index{0});
  } else {
    detail::run_parallel(count, std::cref(body));
  }
}

// The same for 0 .. count - 1 cut into blocks: body(begin, end) for each.
template <class Body>
void parallel_blocks(Index count, Index block, const Body& body) {
  parallel_for((count + block - 1) / block, [&](Index k) {
    const Index begin = k * block;
    body(begin, begin + std::min(block, count - begin));
  });
}

// Runs body() with parallel_for limited to `threads` threads; 0 means all cores.
void with_threads(int threads, const std::function<void()>& body);

}  // namespace hsvm
