#include "hsvm/core/parallel.hpp"

#include <oneapi/tbb/info.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/task_arena.h>

#include <algorithm>
#include <atomic>

namespace hsvm {
namespace {

// Tells the thread sanitizer what it cannot see inside TBB: tasks begin after their loop was entered and end
// before it is left.
struct TaskOrder {
#if defined(__SANITIZE_THREAD__)
  std::atomic<int> order = 0;
  void pass() {
    order.fetch_add(1, std::memory_order_acq_rel);
  }
#else
  void pass() {}
#endif
};

}  // namespace

void detail::run_parallel(Index count, const std::function<void(Index)>& body) {
  if (tbb::this_task_arena::max_concurrency() == 1) {  // tasks would cost more than most bodies
    for (Index i = 0; i < count; ++i) body(i);
    return;
  }
  TaskOrder order;
  order.pass();
  tbb::parallel_for(
      Index{0}, count,
      [&](Index i) {
        order.pass();
        body(i);
        order.pass();
      },
      tbb::simple_partitioner());
  order.pass();
}

void with_threads(int threads, const std::function<void()>& body) {
  // More threads than cores would only wait for each other, and TBB would say so on standard error.
  const int cores = tbb::info::default_concurrency();
  tbb::task_arena arena(threads > 0 ? std::min(threads, cores) : cores);
  arena.execute(body);
}

}  // namespace hsvm
