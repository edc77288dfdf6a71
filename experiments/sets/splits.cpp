#include "experiments/sets/splits.hpp"

#include <algorithm>
#include <numeric>

#include "hsvm/core/error.hpp"
#include "hsvm/core/random.hpp"
#include "hsvm/data/take_rows.hpp"

namespace hsvm::lab {
namespace {

bool has_every_class(const Labels& labels, const std::vector<Index>& rows) {
  std::vector<char> seen(labels.classes.names.size(), 0);
  for (const Index i : rows) seen[static_cast<std::size_t>(labels.of_sample[static_cast<std::size_t>(i)])] = 1;
  return std::ranges::all_of(seen, [](char there) { return there != 0; });
}

}  // namespace

std::vector<Index> random_rows(Index n_rows, Index count, std::uint64_t seed) {
  std::vector<Index> rows(static_cast<std::size_t>(n_rows));
  std::iota(rows.begin(), rows.end(), Index{0});
  Random random(seed);
  const auto taken = static_cast<std::size_t>(std::min(count, n_rows));
  for (std::size_t k = 0; k < taken; ++k) std::swap(rows[k], rows[k + random.below(rows.size() - k)]);
  rows.resize(taken);
  return rows;
}

std::vector<Index> random_rows_of_each_class(const Labels& labels, Index count, std::uint64_t seed) {
  const auto n_rows = static_cast<Index>(labels.of_sample.size());
  std::vector<Index> left(labels.classes.names.size(), count);
  std::vector<Index> rows;
  for (const Index i : random_rows(n_rows, n_rows, seed)) {
    if (left[static_cast<std::size_t>(labels.of_sample[static_cast<std::size_t>(i)])]-- > 0) rows.push_back(i);
  }
  return rows;
}

std::vector<Index> other_rows(Index n_rows, const std::vector<Index>& rows) {
  std::vector<char> taken(static_cast<std::size_t>(n_rows), 0);
  for (const Index i : rows) taken[static_cast<std::size_t>(i)] = 1;
  std::vector<Index> others;
  for (Index i = 0; i < n_rows; ++i) {
    if (!taken[static_cast<std::size_t>(i)]) others.push_back(i);
  }
  return others;
}

Split random_split(const Dataset& data, Index n_training, Index n_test, std::uint64_t seed) {
  constexpr std::uint64_t kAttempts = 100;
  constexpr std::uint64_t kNextAttempt = 1'000'000'007;  // far from the seeds of other trials
  for (std::uint64_t attempt = 0; attempt < kAttempts; ++attempt) {
    std::vector<Index> rows = random_rows(data.n_samples(), n_training + n_test, seed + attempt * kNextAttempt);
    const auto middle = rows.begin() + std::min<std::ptrdiff_t>(n_training, std::ssize(rows));
    const std::vector<Index> test(middle, rows.end());
    rows.erase(middle, rows.end());
    if (has_every_class(*data.labels, rows)) return {take_rows(data, rows), take_rows(data, test)};
  }
  throw InputError(data.source + ": no random " + std::to_string(n_training) + " samples have every class");
}

Dataset only_classes(const Dataset& data, const std::function<bool(Index k)>& kept) {
  std::vector<Index> rows;
  std::vector<std::string> names;
  for (Index i = 0; i < data.n_samples(); ++i) {
    const Index k = data.labels->of_sample[static_cast<std::size_t>(i)];
    if (!kept(k)) continue;
    rows.push_back(i);
    names.push_back(data.labels->classes.names[static_cast<std::size_t>(k)]);
  }
  Dataset part = take_rows(data, rows);
  part.labels = make_labels(names);
  return part;
}

Dataset with_classes_of(Dataset data, const Labels& labels) {
  std::vector<Index> number;
  for (const std::string& name : data.labels->classes.names) {
    number.push_back(labels.classes.find(name));
    if (number.back() == kUnknownClass)
      throw InputError(data.source + ": class " + name + " is not in the training data");
  }
  for (Index& k : data.labels->of_sample) k = number[static_cast<std::size_t>(k)];
  data.labels->classes = labels.classes;
  return data;
}

double majority_share(const Labels& labels) {
  std::vector<double> counts(labels.classes.names.size(), 0.0);
  for (const Index k : labels.of_sample) counts[static_cast<std::size_t>(k)] += 1.0;
  return 100.0 * std::ranges::max(counts) / static_cast<double>(labels.of_sample.size());
}

}  // namespace hsvm::lab
