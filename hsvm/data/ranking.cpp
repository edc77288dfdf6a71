// A column is copied class by class into a few kilobytes, and what is there goes through two sweeps: means,
// then squares about them. Each class is first shifted by one of its own values, so that a feature constant
// within a class has squares of exactly zero, and a large common offset costs no digits. Of a sparse column
// only the entries are copied; the zeros of a class count by their weight together.

#include "hsvm/data/ranking.hpp"

#include <algorithm>
#include <cassert>
#include <limits>
#include <numeric>

#include "hsvm/core/parallel.hpp"
#include "hsvm/core/vector_sums.hpp"

namespace hsvm {
namespace {

constexpr Count kBlockEntries = 1 << 18;  // entries of X in one task

// The samples of positive weight, class by class: those of class k from begin[k] to begin[k + 1].
struct SamplesByClass {
  std::span<const Index> classes;  // of all samples
  std::span<const double> all_weights;
  std::vector<std::size_t> begin;
  std::vector<Index> samples;
  std::vector<double> weights;        // of these
  std::vector<double> class_weights;  // their sums

  [[nodiscard]] std::size_t n_classes() const { return class_weights.size(); }
  [[nodiscard]] std::size_t class_size(std::size_t k) const { return begin[k + 1] - begin[k]; }
};

SamplesByClass sort_by_class(std::span<const Index> classes, Index n_classes, std::span<const double> weights) {
  SamplesByClass by_class{classes, weights, {0}, {}, {}, {}};
  std::vector<std::vector<Index>> lists(static_cast<std::size_t>(n_classes));
  for (std::size_t i = 0; i < classes.size(); ++i) {
    if (weights[i] > 0.0) lists[static_cast<std::size_t>(classes[i])].push_back(static_cast<Index>(i));
  }
  for (const std::vector<Index>& list : lists) {
    double sum = 0.0;
    for (const Index i : list) {
      by_class.samples.push_back(i);
      by_class.weights.push_back(weights[static_cast<std::size_t>(i)]);
      sum += by_class.weights.back();
    }
    by_class.begin.push_back(by_class.samples.size());
    by_class.class_weights.push_back(sum);
  }
  return by_class;
}

// A column's entries, class by class, and the weight of each class's samples that are not among them.
struct ColumnByClass {
  std::vector<std::size_t> begin;
  std::vector<double> values;
  std::vector<double> weights;
  std::vector<double> zero_weights;
  std::vector<double> weighted;   // room for weights times values
  std::vector<std::size_t> next;  // where the next entry of a class goes
};

void read_dense(const SamplesByClass& by_class, std::span<const double> values, ColumnByClass& out) {
  if (out.values.empty()) {  // only the values differ from column to column
    out.begin = by_class.begin;
    out.weights = by_class.weights;
    out.zero_weights.assign(by_class.n_classes(), 0.0);
    out.values.resize(by_class.samples.size());
  }
  for (std::size_t t = 0; t < out.values.size(); ++t) {
    out.values[t] = values[static_cast<std::size_t>(by_class.samples[t])];
  }
}

void read_sparse(const SamplesByClass& by_class, const ColumnView& column, ColumnByClass& out) {
  const std::size_t n_classes = by_class.n_classes();
  const auto row = [&](std::size_t e) { return static_cast<std::size_t>(column.rows[e]); };
  out.begin.assign(n_classes + 1, 0);
  for (std::size_t e = 0; e < column.rows.size(); ++e) {
    if (by_class.all_weights[row(e)] > 0.0) ++out.begin[static_cast<std::size_t>(by_class.classes[row(e)]) + 1];
  }
  std::partial_sum(out.begin.begin(), out.begin.end(), out.begin.begin());
  out.next.assign(out.begin.begin(), out.begin.end());
  out.values.resize(out.begin.back());
  out.weights.resize(out.begin.back());
  out.zero_weights = by_class.class_weights;
  for (std::size_t e = 0; e < column.rows.size(); ++e) {
    const double weight = by_class.all_weights[row(e)];
    if (!(weight > 0.0)) continue;
    const auto k = static_cast<std::size_t>(by_class.classes[row(e)]);
    const std::size_t entry = out.next[k]++;
    out.values[entry] = column.values[e];
    out.weights[entry] = weight;
    out.zero_weights[k] -= weight;
  }
  for (std::size_t k = 0; k < n_classes; ++k) {  // by counting, since differences of weights are rounded
    const bool full = out.begin[k + 1] - out.begin[k] == by_class.class_size(k);
    out.zero_weights[k] = full ? 0.0 : std::max(out.zero_weights[k], 0.0);
  }
}

// Where a class is: at reference + mean.
struct ClassCentre {
  double weight = 0.0;
  double reference = 0.0;
  double mean = 0.0;
};

// Centres the entries of class k, and adds the squares about its mean to `within`.
ClassCentre centre_class(ColumnByClass& column, std::size_t k, double class_weight, double& within) {
  const std::size_t begin = column.begin[k];
  const std::size_t size = column.begin[k + 1] - begin;
  const std::span<double> values(column.values.data() + begin, size);
  const std::span<const double> weights(column.weights.data() + begin, size);
  const std::span<double> weighted(column.weighted.data() + begin, size);
  const double zero_weight = column.zero_weights[k];

  ClassCentre result{class_weight};
  if (size > 0 && zero_weight == 0.0) result.reference = values[0];
  for (double& value : values) value -= result.reference;
  result.mean = dot_of(weights, values) / class_weight;
  for (std::size_t t = 0; t < size; ++t) {
    values[t] -= result.mean;
    weighted[t] = weights[t] * values[t];
  }
  within += dot_of(weighted, values) + zero_weight * result.mean * result.mean;
  return result;
}

double ratio(ColumnByClass& column, std::span<const double> class_weights, std::vector<ClassCentre>& centres) {
  column.weighted.resize(column.values.size());
  centres.clear();
  double within = 0.0;
  double total = 0.0;
  double mean = 0.0;  // of the classes' distances from the first one
  const auto distance = [&](const ClassCentre& centre) {
    return (centre.reference - centres[0].reference) + (centre.mean - centres[0].mean);
  };
  for (std::size_t k = 0; k < class_weights.size(); ++k) {
    if (class_weights[k] == 0.0) continue;
    centres.push_back(centre_class(column, k, class_weights[k], within));
    total += class_weights[k];
    mean += class_weights[k] * distance(centres.back());
  }
  mean /= total;
  double between = 0.0;
  for (const ClassCentre& centre : centres) {
    const double d = distance(centre) - mean;
    between += centre.weight * d * d;
  }
  // Written so that squares beyond the range of doubles never end in NaN.
  if (!(between > 0.0)) return 0.0;
  return within < std::numeric_limits<double>::infinity() ? between / within : 0.0;
}

// Adds up, for every column j and class k, what term(value, weight, j, k) is for the entries of samples with a weight, and
// `weights`: theirs. Zeros that a column leaves out are no entries.
template <class Term>
std::vector<double> sum_entries_by_class(const Design& design, std::span<const Index> classes, Index n_classes,
                                         std::span<const double> weights, const Collective& ranks,
                                         const Term& term) {
  constexpr Index kColumns = 64;
  const auto n_sums = static_cast<std::size_t>(n_classes);
  std::vector<double> sums(static_cast<std::size_t>(design.cols()) * n_sums, 0.0);
  design.for_each_piece(all_indices(design.cols()), [&](std::size_t first, std::size_t last) {
    parallel_blocks(static_cast<Index>(last - first), kColumns, [&](Index begin, Index end) {
      ColumnBuffer buffer;
      for (Index j = static_cast<Index>(first) + begin; j < static_cast<Index>(first) + end; ++j) {
        double* const to = sums.data() + static_cast<std::size_t>(j) * n_sums;
        for_each_entry(design.column(j, buffer), [&](std::size_t i, double value) {
          const Index k = classes[i];
          if (weights[i] > 0.0) to[k] += term(value, weights[i], j, k);
        });
      }
    });
  });
  ranks.sum(sums);
  return sums;
}

// Two readings: the classes' sums, then squares about their means. A class's zeros weigh what its entries do not.
std::vector<double> ratios_over_ranks(const Design& design, std::span<const Index> classes, Index n_classes,
                                      std::span<const double> weights, const Collective& ranks) {
  const auto size = static_cast<std::size_t>(n_classes);
  std::vector<double> class_weights = sort_by_class(classes, n_classes, weights).class_weights;
  ranks.sum(class_weights);
  const auto sum = [&](const auto& term) {
    return sum_entries_by_class(design, classes, n_classes, weights, ranks, term);
  };
  const auto at = [&](Index j, Index k) {
    return static_cast<std::size_t>(j) * size + static_cast<std::size_t>(k);
  };
  const std::vector<double> stored = sum([](double, double weight, Index, Index) { return weight; });
  std::vector<double> means = sum([](double value, double weight, Index, Index) { return weight * value; });
  for (std::size_t e = 0; e < means.size(); ++e)
    means[e] = class_weights[e % size] > 0.0 ? means[e] / class_weights[e % size] : 0.0;
  const std::vector<double> squares = sum([&](double value, double weight, Index j, Index k) {
    const double d = value - means[at(j, k)];
    return weight * d * d;
  });
  const double total = sum_of(class_weights);
  std::vector<double> ratios;
  for (Index j = 0; j < design.cols(); ++j) {
    double mean = 0.0;
    for (Index k = 0; k < n_classes; ++k)
      mean += class_weights[static_cast<std::size_t>(k)] / total * means[at(j, k)];
    double between = 0.0;
    double within = 0.0;
    for (Index k = 0; k < n_classes; ++k) {
      const double weight = class_weights[static_cast<std::size_t>(k)];
      const double of_class = means[at(j, k)];
      between += weight * (of_class - mean) * (of_class - mean);
      within += squares[at(j, k)] + std::max(0.0, weight - stored[at(j, k)]) * of_class * of_class;
    }
    const bool is_ratio = between > 0.0 && within < std::numeric_limits<double>::infinity();
    ratios.push_back(is_ratio ? between / within : 0.0);
  }
  return ratios;
}

}  // namespace

std::vector<double> between_within_ratios(const Design& design, std::span<const Index> classes, Index n_classes,
                                          std::span<const double> weights, const Collective& ranks) {
  if (!ranks.is_alone()) return ratios_over_ranks(design, classes, n_classes, weights, ranks);
  assert(std::ssize(classes) == design.rows() && weights.size() == classes.size());
  const SamplesByClass by_class = sort_by_class(classes, n_classes, weights);
  std::vector<double> ratios(static_cast<std::size_t>(design.cols()));
  const Count in_column = design.stored() / std::max(design.cols(), Index{1});
  const auto block = static_cast<Index>(
      std::clamp<Count>(kBlockEntries / (in_column + n_classes), 1, std::max(design.cols(), 1)));
  design.for_each_piece(all_indices(design.cols()), [&](std::size_t first, std::size_t last) {
    parallel_blocks(static_cast<Index>(last - first), block, [&](Index begin, Index end) {
      ColumnByClass column;
      ColumnBuffer buffer;
      std::vector<ClassCentre> centres;
      for (auto j = first + static_cast<std::size_t>(begin); j < first + static_cast<std::size_t>(end); ++j) {
        const ColumnView view = design.column(static_cast<Index>(j), buffer);
        if (view.sparse) {
          read_sparse(by_class, view, column);
        } else {
          read_dense(by_class, view.values, column);
        }
        ratios[j] = ratio(column, by_class.class_weights, centres);
      }
    });
  });
  return ratios;
}

std::vector<Index> top_features(std::span<const double> ratios, Index count) {
  std::vector<Index> features(ratios.size());
  std::iota(features.begin(), features.end(), 0);
  if (count >= std::ssize(ratios)) return features;
  const auto better = [&](Index a, Index b) {
    const double of_a = ratios[static_cast<std::size_t>(a)];
    const double of_b = ratios[static_cast<std::size_t>(b)];
    return of_a != of_b ? of_a > of_b : a < b;
  };
  const auto end = features.begin() + std::max(count, Index{0});
  std::nth_element(features.begin(), end, features.end(), better);
  features.erase(end, features.end());
  std::sort(features.begin(), features.end());
  return features;
}

}  // namespace hsvm
