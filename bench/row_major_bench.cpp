// What it costs to take in a row-major array, 4000 x 20000 doubles unless told otherwise: DenseMatrix::from_row_major
// against a plain copy of the same bytes and a plain loop, and the transposition alone by tiles of several sizes.
//
//   row_major_bench [ROWS COLS]      a line of JSON each: what, memory, threads, seconds (best of rounds), of_copy
//
// "new": into memory of the library's own kind that is asked for on the way, as from_row_major has to; "zeros" is what
// filling it costs. "warm": into memory that has been written to before, which leaves the copying itself. of_copy: the
// speed in parts of memcpy's, with as many threads, into memory of the same kind.

#include <fmt/core.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <limits>
#include <map>
#include <string>
#include <vector>

#include "hsvm/core/aligned_buffer.hpp"
#include "hsvm/core/parallel.hpp"
#include "hsvm/core/stopwatch.hpp"
#include "hsvm/data/dense_matrix.hpp"

namespace hsvm::bench {
namespace {

constexpr int kRounds = 3;
constexpr Index kBlockRows = 64;  // of the input, that a thread copies at a time

struct RowMajor {
  Index rows;
  Index cols;
  std::vector<double> values;

  [[nodiscard]] std::size_t at(Index i, Index j) const {
    return static_cast<std::size_t>(i) * static_cast<std::size_t>(cols) + static_cast<std::size_t>(j);
  }
};

void copy(const RowMajor& x, double* to) {
  parallel_blocks(x.rows, kBlockRows, [&](Index begin, Index end) {
    std::memcpy(to + x.at(begin, 0), x.values.data() + x.at(begin, 0),
                (x.at(end, 0) - x.at(begin, 0)) * sizeof(double));
  });
}

// Row after row, each entry to its column.
void transpose_plainly(const RowMajor& x, double* to) {
  parallel_blocks(x.rows, kBlockRows, [&](Index begin, Index end) {
    for (Index i = begin; i < end; ++i) {
      for (Index j = 0; j < x.cols; ++j)
        to[static_cast<std::size_t>(j) * static_cast<std::size_t>(x.rows) + static_cast<std::size_t>(i)] =
            x.values[x.at(i, j)];
    }
  });
}

// As from_row_major does it.
void transpose_by_tiles(const RowMajor& x, Index tile_rows, Index tile_columns, double* to) {
  parallel_blocks(x.rows, tile_rows, [&](Index begin, Index end) {
    for (Index column = 0; column < x.cols; column += tile_columns) {
      for (Index j = column; j < std::min(x.cols, column + tile_columns); ++j) {
        double* const out = to + static_cast<std::size_t>(j) * static_cast<std::size_t>(x.rows);
        const double* const from = x.values.data() + j;
        for (Index i = begin; i < end; ++i)
          out[i] = from[static_cast<std::size_t>(i) * static_cast<std::size_t>(x.cols)];
      }
    }
  });
}

struct Entry {
  std::string what;
  bool is_warm;
  std::function<void()> run;
};

std::vector<Entry> entries(const RowMajor& x, AlignedBuffer<double>& warm) {
  const auto into_new = [&x](auto write) {
    return [&x, write] {
      AlignedBuffer<double> memory(x.values.size());  // not initialised
      write(memory.data());
    };
  };
  std::vector<Entry> list = {
      {"memcpy", false, into_new([&x](double* to) { copy(x, to); })},
      {"from_row_major", false,
       [&x] { static_cast<void>(DenseMatrix<double>::from_row_major(x.rows, x.cols, x.values)); }},
      {"plain loop", false, into_new([&x](double* to) { transpose_plainly(x, to); })},
      {"tiles of 64 x 8", false, into_new([&x](double* to) { transpose_by_tiles(x, 64, 8, to); })},
      {"zeros", false, [&x] { static_cast<void>(AlignedBuffer<double>(x.values.size(), 0.0)); }},
      {"memcpy", true, [&] { copy(x, warm.data()); }},
      {"plain loop", true, [&] { transpose_plainly(x, warm.data()); }},
  };
  for (const Index tile_rows : {8, 16, 32, 64, 128, 256, 512}) {
    for (const Index tile_columns : {8, 16, 32, 64}) {
      list.push_back({fmt::format("tiles of {} x {}", tile_rows, tile_columns), true,
                      [&x, &warm, tile_rows, tile_columns] {
                        transpose_by_tiles(x, tile_rows, tile_columns, warm.data());
                      }});
    }
  }
  return list;
}

// Round after round, since a machine's speed drifts; the best counts.
void measure(const RowMajor& x, int threads) {
  AlignedBuffer<double> warm(x.values.size(), 0.0);
  const std::vector<Entry> list = entries(x, warm);
  std::vector<double> seconds(list.size(), std::numeric_limits<double>::infinity());
  with_threads(threads, [&] {
    for (int round = 0; round < kRounds; ++round) {
      for (std::size_t k = 0; k < list.size(); ++k) {
        const Stopwatch watch;
        list[k].run();
        seconds[k] = std::min(seconds[k], watch.seconds());
      }
    }
  });
  std::map<bool, double> of_copy;
  for (std::size_t k = 0; k < list.size(); ++k) {
    if (list[k].what == "memcpy") of_copy[list[k].is_warm] = seconds[k];
    fmt::print(
        "{{\"what\": \"{}\", \"memory\": \"{}\", \"threads\": {}, \"seconds\": {:.4f}, \"of_copy\": {:.3f}}}\n",
        list[k].what, list[k].is_warm ? "warm" : "new", threads, seconds[k],
        of_copy[list[k].is_warm] / seconds[k]);
  }
}

}  // namespace
}  // namespace hsvm::bench

int main(int argc, char** argv) {
  const hsvm::Index rows = argc == 3 ? std::atoi(argv[1]) : 4000;
  const hsvm::Index cols = argc == 3 ? std::atoi(argv[2]) : 20'000;
  const hsvm::bench::RowMajor x{
      rows, cols, std::vector<double>(static_cast<std::size_t>(rows) * static_cast<std::size_t>(cols), 1.0)};
  for (const int threads : {1, 2}) hsvm::bench::measure(x, threads);
}
