// How long one pass over the data takes: the yardstick of every report.

#include <algorithm>
#include <limits>
#include <vector>

#include "hsvm/api.hpp"
#include "hsvm/core/stopwatch.hpp"
#include "hsvm/data/column_subset.hpp"

namespace hsvm {

namespace {

// Of a large matrix some columns will do, one in so many.
std::vector<Index> columns_to_measure(const Design& design) {
  constexpr Count kEnoughEntries = Count{1} << 25;
  const auto step = static_cast<Index>(1 + design.stored() / kEnoughEntries);
  std::vector<Index> columns;
  for (Index j = 0; j < design.cols(); j += step) columns.push_back(j);
  return columns;
}

}  // namespace

double measure_pass_seconds(const Design& whole, Index n_outputs) {
  const ColumnSubset first(whole, columns_to_measure(whole));
  const Design& design = first.cols() < whole.cols() ? static_cast<const Design&>(first) : whole;
  const double share =
      design.stored() > 0 ? static_cast<double>(design.stored()) / static_cast<double>(whole.stored()) : 1.0;
  constexpr int kMinRounds = 3;
  constexpr double kEnoughSeconds = 0.05;
  double best = std::numeric_limits<double>::infinity();
  const auto measure = [&](const auto& pass) {
    const Stopwatch total;
    for (int round = 0; round < kMinRounds || total.seconds() < kEnoughSeconds; ++round) {
      const Stopwatch watch;
      pass();
      best = std::min(best, watch.seconds());
    }
  };
  with_threads(1, [&] {
    if (n_outputs == 1) {
      const std::vector<double> w(static_cast<std::size_t>(design.cols()), 1.0);
      std::vector<double> scores(static_cast<std::size_t>(design.rows()));
      std::vector<double> gradient(w.size());
      measure([&] {
        design.multiply(w, scores);
        design.multiply_transposed(scores, gradient);
      });
    } else {
      const std::vector<Index> columns = all_indices(design.cols());
      ClassMatrix w(design.cols(), n_outputs);
      std::fill(w.values().begin(), w.values().end(), 1.0);
      ClassMatrix scores;
      ClassMatrix gradient;
      measure([&] {
        design.multiply(columns, w, scores);
        design.multiply_transposed(scores, gradient);
      });
    }
  });
  return best / share;
}

}  // namespace hsvm
