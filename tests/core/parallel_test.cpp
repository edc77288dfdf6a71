#include "hsvm/core/parallel.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <numeric>
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

TEST(Parallel, RunsOnAsManyThreadsAsAskedAndNoMore) {
  using Clock = std::chrono::steady_clock;
  const int cores = std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
  for (int threads = 1; threads <= std::min(cores, 4); ++threads) {
    std::atomic<int> running = 0;
    std::atomic<int> most = 0;
    const Clock::time_point deadline = Clock::now() + std::chrono::seconds(20);
    with_threads(threads, [&] {
      parallel_for(16, [&](Index) {
        const int now = ++running;
        int before = most;
        while (now > before && !most.compare_exchange_weak(before, now)) {
        }
        // Nobody leaves before all threads have come; then there is time for one too many.
        while (most < threads && Clock::now() < deadline) std::this_thread::yield();
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
        --running;
      });
    });
    EXPECT_EQ(most, threads);
  }
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
