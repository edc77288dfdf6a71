// How fast, and in how much memory, a data file is read on one thread, or on so many (0: all cores).
//
//   read_bench FILE [REPEATS [THREADS [single]]]      one line of JSON:
//
//   seconds                                 best of all repeats
//   ns_per_nonzero, megabytes_per_second    from it
//   matrix_bytes                            of the finished design
//   peak_bytes                              what the first read added to the peak of memory (VmHWM), less the
//                                           mapped pages of the file (RssFile at most)
#include <fmt/core.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "hsvm/core/parallel.hpp"
#include "hsvm/core/stopwatch.hpp"
#include "hsvm/data/visit_matrix.hpp"
#include "hsvm/io/formats/dataset_file.hpp"
#include "hsvm/io/formats/format_table.hpp"

namespace {

using namespace hsvm;

// A line of /proc/self/status, in bytes.
double status_bytes(const std::string& key) {
  std::ifstream status("/proc/self/status");
  for (std::string word; status >> word;) {
    if (word == key + ":") {
      double kibibytes = 0.0;
      status >> kibibytes;
      return kibibytes * 1024.0;
    }
  }
  return 0.0;
}

struct Size {
  Count nonzeros = 0;
  double bytes = 0.0;
};

template <class T>
Size size_of(const CscMatrix<T>& x) {
  return {x.stored(),
          static_cast<double>(x.stored()) * (sizeof(T) + sizeof(Index)) + (x.cols() + 1.0) * sizeof(Count)};
}

template <class T>
Size size_of(const DenseMatrix<T>& x) {
  return {x.stored(), static_cast<double>(x.stored()) * sizeof(T)};
}

}  // namespace

int main(int n_arguments, char** arguments) {
  if (n_arguments < 2) {
    fmt::print(stderr, "usage: read_bench FILE [REPEATS [THREADS [single]]]\n");
    return 2;
  }
  const std::string file = arguments[1];
  const int repeats = n_arguments > 2 ? std::atoi(arguments[2]) : 7;
  const auto file_bytes = static_cast<double>(std::filesystem::file_size(file));

  const int threads = n_arguments > 3 ? std::atoi(arguments[3]) : 1;

  ReadOptions options;
  if (n_arguments > 4 && std::string(arguments[4]) == "single") options.precision = Precision::single_precision;
  double best = 0.0;
  double peak = 0.0;
  Size size;
  with_threads(threads, [&] {
    const double before = status_bytes("VmRSS");
    for (int repeat = 0; repeat < repeats; ++repeat) {
      const Stopwatch stopwatch;
      const Dataset dataset = read_dataset(file, options);
      const double seconds = stopwatch.seconds();
      best = repeat == 0 ? seconds : std::min(best, seconds);
      if (repeat == 0) {
        peak = status_bytes("VmHWM") - before - file_bytes;
        size = visit_matrix(dataset.design, [](const auto& x) { return size_of(x); });
      }
    }
  });
  const auto nonzeros = static_cast<double>(size.nonzeros);
  fmt::print(
      "{{\"reader\": \"hsvm\", \"seconds\": {:.6f}, \"ns_per_nonzero\": {:.2f}, \"megabytes_per_second\": "
      "{:.1f}, \"nonzeros\": {}, \"matrix_bytes\": {:.0f}, \"peak_bytes\": {:.0f}, \"peak_over_matrix\": {:.3f}}}\n",
      best, best / nonzeros * 1e9, file_bytes / best / 1e6, size.nonzeros, size.bytes, peak, peak / size.bytes);
}
