#include "hsvm/core/parallel.hpp"

#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/task_arena.h>

namespace hsvm::detail {

void parallel_for(Index count, void (*body)(const void*, Index), const void* context) {
  tbb::parallel_for(
      Index{0}, count, [=](Index i) { body(context, i); }, tbb::simple_partitioner());
}

void with_threads(int threads, void (*body)(const void*), const void* context) {
  tbb::task_arena arena(threads > 0 ? threads : tbb::task_arena::automatic);
  arena.execute([=] { body(context); });
}

}  // namespace hsvm::detail
