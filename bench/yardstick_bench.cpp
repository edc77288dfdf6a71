// The yardsticks: how fast memory can be read, how fast one pass over X is, and what an iteration of pg costs in
// passes. bench/run calls it and sets its figures beside NumPy's and SciPy's on the same matrices.
//
//   yardstick_bench --write FOLDER      the matrices as raw arrays, for the rivals
//   yardstick_bench [--benchmark_...]   the measurements

#include <benchmark/benchmark.h>

#include <cstdio>
#include <filesystem>
#include <string>
#include <string_view>

#include "bench/support/raw_arrays.hpp"
#include "datasets/text_like.hpp"
#include "hsvm/api.hpp"
#include "hsvm/core/clones.hpp"
#include "hsvm/io/formats/format_table.hpp"

namespace hsvm::bench {
namespace {

const Dataset& dense_data() {
  static const Dataset data =
      hsvm::generate(GaussianDesign{.n = 2000, .p = 20000, .s = 200, .rho = 0.0, .seed = 1});
  return data;
}
const Dataset& tall_data() {
  static const Dataset data =
      hsvm::generate(GaussianDesign{.n = 100000, .p = 200, .s = 20, .rho = 0.0, .seed = 1});
  return data;
}
const Dataset& sparse_data() {
  static const Dataset data = generate(datasets::TextLike{});
  return data;
}

HSVM_CLONES double sum_of(const double* values, std::size_t size) {
  double sum[32] = {};
  for (std::size_t k = 0; k + 32 <= size; k += 32) {
    for (std::size_t lane = 0; lane < 32; ++lane) sum[lane] += values[k + lane];
  }
  double total = 0.0;
  for (const double s : sum) total += s;
  return total;
}

// Each thread reads the whole dense matrix once, front to back.
void read_bandwidth(benchmark::State& state, const Dataset& (*make)(), int threads) {
  const auto& x = *make().design.get_if<DenseMatrix<double>>();
  const auto size = static_cast<std::size_t>(x.rows()) * static_cast<std::size_t>(x.cols());
  with_threads(threads, [&] {
    for (auto _ : state) {
      parallel_for(threads, [&](Index) { benchmark::DoNotOptimize(sum_of(x.column(0).data(), size)); });
    }
  });
  state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations() * size * sizeof(double)));
}

// X w with a dense w, then X' r.
void pass(benchmark::State& state, const Dataset& (*make)(), int threads) {
  const Design& x = make().design;
  std::vector<double> w(static_cast<std::size_t>(x.cols()), 0.5);
  std::vector<double> scores(static_cast<std::size_t>(x.rows()));
  std::vector<double> gradient(w.size());
  with_threads(threads, [&] {
    for (auto _ : state) {
      x.multiply(w, scores);
      x.multiply_transposed(scores, gradient);
      benchmark::ClobberMemory();
    }
  });
}

// A whole solve by pg to a relative gap of 1e-6; the time is that of one iteration.
void pg_iteration(benchmark::State& state, const Dataset& (*make)(), int threads, double ratio,
                  double lambda2) {
  FitOptions options;
  options.lambda1_ratio = ratio;
  options.lambda2 = lambda2;
  options.lambda3 = lambda2;
  options.standardize = false;
  options.solver = Solver::pg;
  options.threads = threads;
  FitReport report;
  for (auto _ : state) {
    report = *fit({make()}, options).report;
    state.SetIterationTime(report.seconds / report.iterations);
  }
  state.counters["iterations"] = report.iterations;
  state.counters["passes"] = report.passes;
  state.counters["relative_gap"] = report.relative_gap;
}

BENCHMARK_CAPTURE(read_bandwidth, dense, dense_data, 1)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(read_bandwidth, dense_2, dense_data, 2)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK_CAPTURE(pass, dense_1, dense_data, 1)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(pass, dense_2, dense_data, 2)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK_CAPTURE(pg_iteration, dense_1, dense_data, 1, 0.1, 0.01)
    ->Unit(benchmark::kMillisecond)
    ->UseManualTime()
    ->Iterations(1);
BENCHMARK_CAPTURE(pg_iteration, dense_2, dense_data, 2, 0.1, 0.01)
    ->Unit(benchmark::kMillisecond)
    ->UseManualTime()
    ->Iterations(1);
BENCHMARK_CAPTURE(read_bandwidth, tall, tall_data, 1)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(pass, tall_1, tall_data, 1)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(pass, sparse_1, sparse_data, 1)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(pass, sparse_2, sparse_data, 2)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK_CAPTURE(pg_iteration, sparse_1, sparse_data, 1, 0.02, 0.0001)
    ->Unit(benchmark::kMillisecond)
    ->UseManualTime()
    ->Iterations(1);

// dense.f64: column-major 2000 x 20000; sparse_{start,rows,values}.*: CSC; sparse.libsvm: the same as text.
void write_matrices(const std::filesystem::path& folder) {
  std::filesystem::create_directories(folder);
  write_design(folder / "dense", dense_data());
  write_design(folder / "sparse", sparse_data());
  write_dataset(sparse_data(), (folder / "sparse.libsvm").string(), &format_named("libsvm"));
}

}  // namespace
}  // namespace hsvm::bench

int main(int argc, char** argv) {
  if (argc == 3 && std::string_view(argv[1]) == "--write") {
    hsvm::bench::write_matrices(argv[2]);
    return 0;
  }
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
