// How fits and paths of large problems gain from threads: (200000, 400) and four classes (4000, 5000), each once for every number
// of threads. A row a problem; the seconds, and how many times as fast as the first. Ends with 1 where the models differ in a bit.
//
//   threads_bench [--threads 1,2,4,8,16] [tall|four] [fit|path] ...

#include <fmt/format.h>

#include <cstdlib>
#include <exception>
#include <string>
#include <string_view>
#include <vector>

#include "hsvm/api.hpp"
#include "hsvm/core/stopwatch.hpp"

namespace hsvm::bench {
namespace {

struct Timed {
  double seconds = 0.0;
  std::vector<double> numbers;  // all coefficients and objectives, to be the same for any number of threads
};

void keep(const Fitted& fitted, const FitReport& report, std::vector<double>& numbers) {
  numbers.insert(numbers.end(), fitted.intercept.begin(), fitted.intercept.end());
  numbers.insert(numbers.end(), fitted.coefficients.begin(), fitted.coefficients.end());
  numbers.insert(numbers.end(), {report.objective, report.dual_objective});
}

Timed run_fit(const Dataset& data, int threads) {
  FitOptions options;
  options.lambda1_ratio = 0.05;
  options.threads = threads;
  const Stopwatch watch;
  const LinearModel model = fit({data}, options);
  Timed timed{watch.seconds(), {}};
  keep(model, *model.report, timed.numbers);
  return timed;
}

Timed run_path(const Dataset& data, int threads) {
  FitOptions options;
  options.threads = threads;
  const PathOptions all_points{.nlambda = 100, .lambda_min_ratio = 0.01, .full_path = true};
  const Stopwatch watch;
  const PathModel path = fit_path({data}, options, all_points);
  Timed timed{watch.seconds(), {}};
  for (const PathPoint& point : path.points) keep(point, *point.report, timed.numbers);
  return timed;
}

// Whether all threads agree.
template <class Run>
bool measure(const char* name, const Dataset& data, const std::vector<int>& threads, const Run& run) {
  fmt::print("| {} |", name);
  Timed first;
  bool agree = true;
  for (const int count : threads) {
    const Timed timed = run(data, count);
    if (first.numbers.empty()) first = timed;
    agree = agree && timed.numbers == first.numbers;
    fmt::print(" {:.3f} ({:.2f}) |", timed.seconds, first.seconds / timed.seconds);
    std::fflush(stdout);
  }
  fmt::print(" {} |\n", agree ? "same" : "DIFFERENT");
  return agree;
}

std::vector<int> parse_counts(std::string_view list) {
  std::vector<int> counts;
  while (!list.empty()) {
    const std::size_t comma = std::min(list.find(','), list.size());
    counts.push_back(std::atoi(std::string(list.substr(0, comma)).c_str()));
    list.remove_prefix(std::min(comma + 1, list.size()));
  }
  return counts;
}

int main_of(const std::vector<std::string_view>& arguments) {
  std::vector<int> threads = {1, 2, 4, 8, 16};
  std::vector<std::string_view> words;
  for (std::size_t k = 0; k < arguments.size(); ++k) {
    if (arguments[k] == "--threads" && k + 1 < arguments.size()) {
      threads = parse_counts(arguments[++k]);
    } else {
      words.push_back(arguments[k]);
    }
  }
  // A word of a kind leaves out the other one of that kind.
  const auto wanted = [&](std::string_view word, std::string_view other) {
    return std::ranges::find(words, word) != words.end() || std::ranges::find(words, other) == words.end();
  };
  fmt::print("| seconds (times as fast) |");
  for (const int count : threads) fmt::print(" {} threads |", count);
  fmt::print(" bits |\n|---|");
  for (std::size_t k = 0; k < threads.size(); ++k) fmt::print("---|");
  fmt::print("---|\n");
  bool agree = true;
  const auto measure_both = [&](const std::string& name, const Dataset& data) {
    if (wanted("fit", "path")) agree = measure(("fit " + name).c_str(), data, threads, run_fit) && agree;
    if (wanted("path", "fit")) agree = measure(("path " + name).c_str(), data, threads, run_path) && agree;
  };
  if (wanted("tall", "four"))
    measure_both("(200000, 400)", generate(GaussianDesign{.n = 200'000, .p = 400, .s = 20}));
  if (wanted("four", "tall"))
    measure_both("four classes (4000, 5000)", generate(FourClassDesign{.n = 4000, .p = 5000}));
  return agree ? 0 : 1;
}

}  // namespace
}  // namespace hsvm::bench

int main(int argc, char** argv) {
  try {
    return hsvm::bench::main_of({argv + 1, argv + argc});
  } catch (const std::exception& error) {
    fmt::print(stderr, "threads_bench: {}\n", error.what());
    return 1;
  }
}
