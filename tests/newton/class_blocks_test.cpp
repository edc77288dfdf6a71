#include "hsvm/newton/class_blocks.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <vector>

#include "hsvm/core/random.hpp"

namespace hsvm {
namespace {

constexpr Index kBlockRows = 12;
constexpr Index kBlockClasses = 3;
constexpr double kDear = 1e9;  // nanoseconds a product: anything that saves one pays

// Blocks A_k'A_k + I/10, and pairs of which some are missing.
struct Blocks {
  std::vector<std::vector<double>> a;  // of each class: kBlockRows x kBlockRows
  std::vector<Index> rows = std::vector<Index>(kBlockRows);
  ClassMatrix inverse = ClassMatrix(kBlockRows, kBlockClasses);
  int n_entries = 0;  // asked for so far

  Blocks() {
    Random random(11);
    for (Index k = 0; k < kBlockClasses; ++k) {
      a.emplace_back();
      for (Index e = 0; e < kBlockRows * kBlockRows; ++e) a.back().push_back(random.normal());
    }
    std::iota(rows.begin(), rows.end(), Index{0});
    for (const Index j : rows) {
      for (Index k = 0; k < kBlockClasses; ++k) set_pair(j, k, (j + k) % 4 != 0);
    }
  }
  void set_pair(Index j, Index k, bool there) {
    inverse.row(j)[static_cast<std::size_t>(k)] = there ? 1.0 / entry(k, j, j) : 0.0;
  }
  [[nodiscard]] bool has(Index j, Index k) const { return inverse.row(j)[static_cast<std::size_t>(k)] != 0.0; }
  [[nodiscard]] double entry(Index k, Index i, Index j) const {
    const std::vector<double>& of_class = a[static_cast<std::size_t>(k)];
    double sum = i == j ? 0.1 : 0.0;
    for (Index l = 0; l < kBlockRows; ++l)
      sum += of_class[static_cast<std::size_t>(l * kBlockRows + i)] *
             of_class[static_cast<std::size_t>(l * kBlockRows + j)];
    return sum;
  }
  [[nodiscard]] bool prepare(ClassBlocks& blocks, double product_cost = kDear) {
    return blocks.prepare(rows, inverse, product_cost, [&](std::size_t k, Index i, Index j) {
      ++n_entries;
      return entry(static_cast<Index>(k), i, j);
    });
  }
  [[nodiscard]] ClassMatrix random_on_pairs(std::uint64_t seed) const {
    Random random(seed);
    ClassMatrix result(kBlockRows, kBlockClasses);
    for (const Index j : rows) {
      for (Index k = 0; k < kBlockClasses; ++k)
        result.row(j)[static_cast<std::size_t>(k)] = has(j, k) ? random.normal() : 0.0;
    }
    return result;
  }
  // <r, P s>, P leaving out what is off the pairs.
  [[nodiscard]] double product(ClassBlocks& blocks, const ClassMatrix& r, const ClassMatrix& s) const {
    ClassMatrix z(kBlockRows, kBlockClasses);
    blocks.solve(s, inverse, z);
    double sum = 0.0;
    for (const Index j : rows) {
      for (std::size_t k = 0; k < kBlockClasses; ++k) sum += r.row(j)[k] * z.row(j)[k];
    }
    return sum;
  }
};

// After runs with the diagonal that took so many iterations.
ClassBlocks after_diagonal_runs(Blocks& model, int iterations) {
  ClassBlocks blocks;
  EXPECT_FALSE(model.prepare(blocks)) << "nothing is known of the diagonal yet";
  for (int run = 0; run < 10; ++run) blocks.note_iterations(iterations);
  return blocks;
}

TEST(ClassBlocks, NewFactorsSolveTheBlocks) {
  Blocks model;
  ClassBlocks blocks = after_diagonal_runs(model, 200);
  ASSERT_TRUE(model.prepare(blocks));
  const ClassMatrix r = model.random_on_pairs(3);
  ClassMatrix z(kBlockRows, kBlockClasses);
  blocks.solve(r, model.inverse, z);
  for (Index k = 0; k < kBlockClasses; ++k) {
    for (const Index i : model.rows) {
      if (!model.has(i, k)) continue;
      double sum = 0.0;
      for (const Index j : model.rows) {
        if (model.has(j, k)) sum += model.entry(k, i, j) * z.row(j)[static_cast<std::size_t>(k)];
      }
      EXPECT_NEAR(sum, r.row(i)[static_cast<std::size_t>(k)], 1e-9);
    }
  }
}

TEST(ClassBlocks, FactorsOfAnotherSupportArePositiveAndSymmetric) {
  Blocks model;
  ClassBlocks blocks = after_diagonal_runs(model, 200);
  ASSERT_TRUE(model.prepare(blocks));
  blocks.note_iterations(5);
  const int before = model.n_entries;
  for (const Index j : {2, 5, 7}) {
    for (Index k = 0; k < kBlockClasses; ++k) model.set_pair(j, k, !model.has(j, k));
  }
  ASSERT_TRUE(model.prepare(blocks));
  EXPECT_EQ(model.n_entries, before) << "factors that are good enough are kept";
  for (std::uint64_t seed = 1; seed < 20; ++seed) {
    const ClassMatrix r = model.random_on_pairs(seed);
    const ClassMatrix s = model.random_on_pairs(100 + seed);
    EXPECT_GT(model.product(blocks, r, r), 0.0);
    EXPECT_NEAR(model.product(blocks, r, s), model.product(blocks, s, r), 1e-10);
  }
}

TEST(ClassBlocks, FactorsAreMadeAnewOnceTheyCostMoreIterationsThanThatTakes) {
  Blocks model;
  ClassBlocks blocks = after_diagonal_runs(model, 200);
  ASSERT_TRUE(model.prepare(blocks));
  blocks.note_iterations(5);
  ASSERT_TRUE(model.prepare(blocks));
  blocks.note_iterations(50);
  const int before = model.n_entries;
  ASSERT_TRUE(model.prepare(blocks));
  EXPECT_GT(model.n_entries, before);
  blocks.forget();
  const int again = model.n_entries;
  ASSERT_TRUE(model.prepare(blocks));
  EXPECT_GT(model.n_entries, again) << "rows may have other places";
}

TEST(ClassBlocks, TheDiagonalStaysWhereItTakesFewIterationsOrProductsCostNothing) {
  Blocks model;
  ClassBlocks few = after_diagonal_runs(model, 5);
  EXPECT_FALSE(model.prepare(few));
  ClassBlocks many = after_diagonal_runs(model, 200);
  EXPECT_FALSE(model.prepare(many, 0.0));
}

TEST(ClassBlocks, BlocksThatAreNotPositiveDefiniteLeaveTheDiagonal) {
  Blocks model;
  ClassBlocks blocks = after_diagonal_runs(model, 200);
  EXPECT_FALSE(blocks.prepare(model.rows, model.inverse, kDear,
                              [](std::size_t /*k*/, Index i, Index j) { return i == j ? -1.0 : 0.0; }));
}

}  // namespace
}  // namespace hsvm
