// Bounds and statuses at the ends of what numbers can hold (tests/support/extreme.hpp): how often each solver converges, and
// everything that was false. Ends with 1 where something was.
//
//   bounds_bench [CASES [FIRST]]      20,000 cases from number 1

#include <fmt/format.h>

#include <array>
#include <cstdint>
#include <cstdlib>
#include <mutex>
#include <string>
#include <vector>

#include "hsvm/core/parallel.hpp"
#include "hsvm/core/stopwatch.hpp"
#include "tests/support/extreme.hpp"

namespace {

constexpr double kTolerance = 1e-6;
constexpr int kMaxIterations = 500;

using Counts = std::array<std::array<int, hsvm::kStatusNames.size()>, hsvm::test::kRuns>;

void print_rates(const char* what, const Counts& counts) {
  fmt::print("{}\n", what);
  for (std::size_t run = 0; run < counts.size(); ++run) {
    int total = 0;
    for (const int count : counts[run]) total += count;
    fmt::print("  {:<24}", hsvm::test::kRunNames[run]);
    for (std::size_t status = 0; status < counts[run].size(); ++status) {
      if (counts[run][status] > 0)
        fmt::print("  {} {:.2f} %", hsvm::kStatusNames[status], 100.0 * counts[run][status] / total);
    }
    fmt::print("\n");
  }
}

}  // namespace

int main(int argc, char** argv) {
  const int n_cases = argc > 1 ? std::atoi(argv[1]) : 20'000;
  const std::uint64_t first = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 1;
  const hsvm::Stopwatch watch;
  std::mutex mutex;
  Counts as_they_are = {};
  Counts standardised = {};
  std::size_t n_violations = 0;
  hsvm::parallel_for(n_cases, [&](hsvm::Index k) {
    const auto extreme = hsvm::test::extreme_case(first + static_cast<std::uint64_t>(k));
    const auto outcome = hsvm::test::solve_extreme(extreme, kTolerance, kMaxIterations);
    const std::lock_guard lock(mutex);
    for (std::size_t run = 0; run < hsvm::test::kRuns; ++run)
      ++(extreme.standardize ? standardised
                             : as_they_are)[run][static_cast<std::size_t>(outcome.statuses[run])];
    for (const std::string& violation : outcome.violations) fmt::print("VIOLATION {}\n", violation);
    n_violations += outcome.violations.size();
  });
  fmt::print("{} cases, {} solves, {:.0f} s: {} violations\n", n_cases,
             n_cases * static_cast<int>(hsvm::test::kRuns), watch.seconds(), n_violations);
  print_rates("features as they are", as_they_are);
  print_rates("features standardised", standardised);
  return n_violations == 0 ? 0 : 1;
}
