#include "hsvm/core/parallel.hpp"

#include <oneapi/tbb/info.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/task_arena.h>

#include <algorithm>

namespace hsvm::detail {

void parallel_for(Index count, void (*body)(const void*, Index), const void* context) {
  tbb::parallel_for(
      Index{0}, count, [=](Index i) { body(context, i); }, tbb::simple_partitioner());
}

void with_threads(int threads, void (*body)(const void*), const void* context) {
  // More threads than cores would only wait for each other, and TBB would say so on standard error.
  const int cores = tbb::info::default_concurrency();
  tbb::task_arena arena(threads > 0 ? std::min(threads, cores) : cores);
  arena.execute([=] { body(context); });
}

}  // namespace hsvm::detail
