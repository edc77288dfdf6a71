#include "hsvm/core/parallel.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <mutex>
#include <numeric>
#include <set>
#include <stdexcept>
#include <thread>
#include <vector>

namespace hsvm {
namespace {

TEST(Parallel, CallsEveryIndexOnce) {
  for (const Index count : {0, 1, 2, 3, 17, 1000}) {
    for (const int threads : {0, 1, 2, 4}) {
      std::vector<std::atomic<int>> calls(static_cast<std::size_t>(count));
      with_threads(threads,
                   [&] { parallel_for(count, [&](Index i) { ++calls[static_cast<std::size_t>(i)]; }); });
      for (const auto& called : calls) EXPECT_EQ(called, 1) << count << " indices, " << threads << " threads";
    }
  }
}

TEST(Parallel, WorksOutsideWithThreads) {
  std::vector<int> squares(100);
  parallel_for(100, [&](Index i) { squares[static_cast<std::size_t>(i)] = i * i; });
  EXPECT_EQ(std::accumulate(squares.begin(), squares.end(), 0), 328350);
}

TEST(Parallel, OneThreadIsTheCallersOwn) {
  const std::thread::id caller = std::this_thread::get_id();
  with_threads(1, [&] { parallel_for(200, [&](Index) { EXPECT_EQ(std::this_thread::get_id(), caller); }); });
}

TEST(Parallel, UsesNoMoreThreadsThanAsked) {
  std::mutex mutex;
  std::set<std::thread::id> seen;
  std::atomic<int> running = 0;
  std::atomic<int> most = 0;
  with_threads(2, [&] {
    parallel_for(64, [&](Index) {
      const int now = ++running;
      int before = most;
      while (now > before && !most.compare_exchange_weak(before, now)) {
      }
      std::this_thread::yield();
      {
        const std::lock_guard lock(mutex);
        seen.insert(std::this_thread::get_id());
      }
      --running;
    });
  });
  EXPECT_LE(most, 2);
  EXPECT_GE(seen.size(), 1U);
}

TEST(Parallel, LimitsNestToo) {
  const std::thread::id caller = std::this_thread::get_id();
  int calls = 0;
  with_threads(4, [&] {
    // Another thread may run this body; within it everything stays on that one.
    with_threads(1, [&] {
      const std::thread::id inner = std::this_thread::get_id();
      parallel_for(50, [&](Index) {
        EXPECT_EQ(std::this_thread::get_id(), inner);
        ++calls;
      });
    });
  });
  EXPECT_EQ(calls, 50);
  EXPECT_EQ(std::this_thread::get_id(), caller);
}

TEST(Parallel, HandsExceptionsOfTheBodyOn) {
  EXPECT_THROW(with_threads(2, [] { throw std::invalid_argument("bad"); }), std::invalid_argument);
}

}  // namespace
}  // namespace hsvm
