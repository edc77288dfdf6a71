#include "tests/support/thread_ranks.hpp"

#include <algorithm>
#include <condition_variable>
#include <cstring>
#include <deque>
#include <exception>
#include <mutex>
#include <numeric>
#include <stdexcept>
#include <thread>

#include "hsvm/data/take_rows.hpp"

namespace hsvm::test {
namespace {

// The letters between all pairs of ranks.
class Post {
 public:
  explicit Post(Index size) : size_(size), boxes_(static_cast<std::size_t>(size * size)) {}

  void send(Index from, Index to, std::span<const std::byte> letter) {
    const std::lock_guard lock(mutex_);
    boxes_[box(from, to)].emplace_back(letter.begin(), letter.end());
    changed_.notify_all();
  }
  void receive(Index from, Index to, std::span<std::byte> letter) {
    std::unique_lock lock(mutex_);
    auto& letters = boxes_[box(from, to)];
    changed_.wait(lock, [&] { return closed_ || !letters.empty(); });
    if (letters.empty()) throw std::runtime_error("another rank has given up");
    if (letters.front().size() != letter.size()) throw std::runtime_error("the ranks have gone different ways");
    std::memcpy(letter.data(), letters.front().data(), letter.size());
    letters.pop_front();
  }
  void close() {
    const std::lock_guard lock(mutex_);
    closed_ = true;
    changed_.notify_all();
  }

 private:
  [[nodiscard]] std::size_t box(Index from, Index to) const {
    return static_cast<std::size_t>(from * size_ + to);
  }

  Index size_;
  std::mutex mutex_;
  std::condition_variable changed_;
  bool closed_ = false;
  std::vector<std::deque<std::vector<std::byte>>> boxes_;
};

class ThreadRank final : public Collective {
 public:
  ThreadRank(Post& post, Index rank, Index size) : Collective(rank, size), post_(post) {}

 private:
  void exchange(Index partner, std::span<const std::byte> out, std::span<std::byte> in) const override {
    if (!out.empty()) post_.send(rank(), partner, out);
    if (!in.empty()) post_.receive(partner, rank(), in);
  }

  Post& post_;
};

}  // namespace

void run_ranks(Index size, const std::function<void(const Collective& ranks)>& body) {
  Post post(size);
  std::mutex mutex;
  std::exception_ptr first;
  std::vector<std::thread> threads;
  for (Index rank = 0; rank < size; ++rank) {
    threads.emplace_back([&, rank] {
      try {
        body(ThreadRank(post, rank, size));
      } catch (...) {
        const std::lock_guard lock(mutex);
        if (!first) first = std::current_exception();
        post.close();
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  if (first) std::rethrow_exception(first);
}

RowRange rows_of_rank(Index n, Index rank, Index size) {
  return {static_cast<Index>(Count{n} * rank / size), static_cast<Index>(Count{n} * (rank + 1) / size)};
}

Dataset part_of(const Dataset& data, RowRange range) {
  std::vector<Index> rows(static_cast<std::size_t>(range.last - range.first));
  std::iota(rows.begin(), rows.end(), range.first);
  return take_rows(data, rows);
}

Dataset part_of(const Dataset& data, const Collective& ranks) {
  return part_of(data, rows_of_rank(data.n_samples(), ranks.rank(), ranks.size()));
}

}  // namespace hsvm::test
