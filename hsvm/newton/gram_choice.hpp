// Whether a model of several classes is minimised with Gram matrices of its own (class_gram_hessian.hpp) or through the scores,
// by what each of them costs:
//
//   matrices      to build them once, then for every model the samples that have crossed and some products with all of them
//   scores        nothing at first, then for every model some products with the working columns
//
// How many products a model takes depends on the data and its penalties and is learned on the way, from models of either kind:
// with matrices, which know less to begin with, about kRatio times as many. Matrices that are not there are built once models
// through the scores have cost as much more than models with matrices would have, or where they pay at the next model already:
// whatever is to come, no more than about twice the least possible is spent. Costs are counted, never timed, so that the choice
// is the same in every run; the rates are nanoseconds on the machine of docs/benchmarks.md.
#pragma once

#include <algorithm>

namespace hsvm {

// Of a working set: numbers of its rows and entries, and what all sets share.
struct ClassModelSizes {
  double rows = 0.0;
  double nonzeros = 0.0;
  double samples = 0.0;
  double n_classes = 0.0;  // padded
  double n_matrices = 0.0;
  bool is_sparse = false;
  bool is_relative = false;

  [[nodiscard]] double matrix_numbers() const { return n_matrices * rows * rows; }
};

class GramChoice {
 public:
  // For the next models on such a working set; at_hand: whether matrices are. What columns that enter cost is not counted then: the
  // other way has a matrix of its own that they enter.
  [[nodiscard]] bool pays(const ClassModelSizes& sizes, bool at_hand) const {
    const double with = gram_model(sizes);
    const double without = products_ * score_product(sizes);
    if (at_hand || with > without) return with <= without;
    const double build = crossing_cost(sizes) * sizes.samples;
    return build + with <= without || saved_ >= build;
  }

  // A model was minimised with matrices: so many products with all of them and so many samples that crossed.
  void note_gram(double products, double crossings) {
    learn(products / kRatio, products_);
    learn(crossings, crossings_);
    saved_ = 0.0;
  }
  // A model was minimised through the scores.
  void note_scores(const ClassModelSizes& sizes, double nanoseconds) {
    learn(nanoseconds / std::max(1.0, score_product(sizes)), products_);
    saved_ = std::max(0.0, saved_ + products_ * score_product(sizes) - gram_model(sizes));
  }

  // Of a sum over entries of columns for all classes, a product there and back being two for each.
  [[nodiscard]] static double entries_cost(const ClassModelSizes& sizes, double entries) {
    return (sizes.is_sparse ? 0.2 : 0.045) * sizes.n_classes * entries;
  }
  // Of a sum over numbers of one matrix that all classes share.
  [[nodiscard]] static double numbers_cost(const ClassModelSizes& sizes, double numbers) {
    return 0.1 * sizes.n_classes * numbers;
  }

 private:
  static constexpr double kRatio = 1.5;

  static void learn(double seen, double& average) {
    constexpr double kRate = 0.3;
    average += kRate * (seen - average);
  }
  [[nodiscard]] static double score_product(const ClassModelSizes& sizes) {
    return entries_cost(sizes, 2.0 * sizes.nonzeros);
  }
  // A product with all matrices: a vector for each row of each, or two of pairs of classes. What is not in a cache takes longer.
  [[nodiscard]] static double gram_product(const ClassModelSizes& sizes) {
    constexpr double kNear = 1 << 17;  // numbers in a core's own cache,
    constexpr double kFar = 1 << 20;   // and in one that cores share
    constexpr double kEachVector = 4.0;
    const double numbers = sizes.matrix_numbers();
    const double each = numbers > kFar ? 0.5 : numbers > kNear ? 0.2 : 0.1;
    return (sizes.is_relative ? 2.0 : 1.0) * sizes.n_matrices * sizes.rows * (kEachVector + each * sizes.rows);
  }
  // To add a sample to a matrix.
  [[nodiscard]] static double crossing_cost(const ClassModelSizes& sizes) {
    if (!sizes.is_sparse) return 4.0 * sizes.rows + 0.03 * sizes.rows * sizes.rows;
    const double in_row = sizes.nonzeros / std::max(1.0, sizes.samples);
    return in_row * (2.0 + 0.5 * in_row);
  }
  [[nodiscard]] double gram_model(const ClassModelSizes& sizes) const {
    return kRatio * products_ * gram_product(sizes) + crossings_ * crossing_cost(sizes);
  }

  double products_ = 6.0;   // a model through the scores; what is expected before anything was seen
  double crossings_ = 0.0;  // a model with matrices
  double saved_ = 0.0;      // by matrices, had they been there
};

}  // namespace hsvm
