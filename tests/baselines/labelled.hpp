// Labels and small data sets for the tests of the baselines.
#pragma once

#include <cmath>
#include <string>
#include <vector>

#include "hsvm/core/random.hpp"
#include "hsvm/data/dense_matrix.hpp"
#include "hsvm/data/labels.hpp"

namespace hsvm::test {

// Classes named 1, 2, ..., n_classes.
[[nodiscard]] inline Labels labels_of(std::vector<Index> of_sample, Index n_classes) {
  Labels labels;
  labels.classes.numeric = true;
  for (Index k = 1; k <= n_classes; ++k) labels.classes.names.push_back(std::to_string(k));
  labels.of_sample = std::move(of_sample);
  return labels;
}

struct Labelled {
  DenseMatrix<double> x;
  Labels labels;
};

// Clouds around the corners of a regular polygon of radius 2, in the first two of p features; the others are
// noise. Samples take the classes in turn.
[[nodiscard]] inline Labelled clouds(Index n, Index p, Index n_classes, double spread, std::uint64_t seed) {
  Random random(seed);
  Labelled data{DenseMatrix<double>(n, p), {}};
  std::vector<Index> of_sample;
  for (Index i = 0; i < n; ++i) {
    const Index k = i % n_classes;
    of_sample.push_back(k);
    for (Index j = 0; j < p; ++j) data.x(i, j) = spread * random.normal();
    const double angle = 6.283185307179586 * k / n_classes;
    data.x(i, 0) += 2.0 * std::cos(angle);
    data.x(i, 1) += 2.0 * std::sin(angle);
  }
  data.labels = labels_of(std::move(of_sample), n_classes);
  return data;
}

// What an exception of the kind says; "" where there is none.
template <class Failure, class Call>
[[nodiscard]] std::string message_of(const Call& call) {
  try {
    call();
  } catch (const Failure& error) {
    return error.what();
  }
  return "";
}

}  // namespace hsvm::test
