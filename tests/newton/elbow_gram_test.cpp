#include "hsvm/newton/elbow_gram.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "tests/newton/newton_support.hpp"
#include "tests/support/effort.hpp"

namespace hsvm {
namespace {

std::vector<Index> rows_of(const std::vector<char>& curved) {
  std::vector<Index> rows;
  for (std::size_t i = 0; i < curved.size(); ++i) {
    if (curved[i] != 0) rows.push_back(static_cast<Index>(i));
  }
  return rows;
}

// A few samples cross, or many, or all are in or out.
void change_samples(Random& random, std::vector<char>& curved) {
  const std::uint64_t kind = random.below(6);
  for (char& flag : curved) {
    if (kind == 0) flag = random.uniform() < 0.5 ? 1 : 0;
    if (kind == 1) flag = random.uniform() < 0.95 ? 1 : 0;
    if (kind == 2 && random.uniform() < 0.5) flag = 0;
    if (kind >= 3 && random.uniform() < 0.05) flag = flag != 0 ? 0 : 1;
  }
}

TEST(ElbowGram, IsTheFreshOneAfterAnySequenceOfChanges) {
  constexpr Index n = 90;
  constexpr Index p = 60;
  Random random(1);
  const DenseMatrix<double> x = test::coarse_matrix(random, n, p, 0.4);
  const std::vector<double> weights = test::random_weights(random, n);
  test::for_each_storage(x, [&]<class X>(const X& design) {
    for (const bool ones : {false, true}) {
      for (const bool with_whole : {false, true}) {
        WorkingColumns columns(design, ones);
        ElbowGram gram;
        ElbowGram all;
        std::vector<char> curved(n, 0);
        for (int round = 0; round < test::unless_sanitized(40, 12); ++round) {
          if (round == 0 || random.below(2) == 0) {
            const double share = random.uniform();
            const std::vector<Index> from = columns.change(test::random_subset(random, p, share));
            gram.remap(columns, from, weights);
            all.remap(columns, from, weights);
          }
          if (random.below(12) == 0) gram.forget();
          change_samples(random, curved);
          if (with_whole) all.refresh(columns, std::vector<char>(n, 1), weights);
          gram.refresh(columns, curved, weights, with_whole ? &all.matrix() : nullptr);
          const auto fresh =
              test::naive_gram(x, columns.columns(), columns.first_feature(), rows_of(curved), weights);
          // What was added and taken away again leaves rounding of the size of the largest sums there were.
          const auto most = test::naive_gram(x, columns.columns(), columns.first_feature(),
                                             rows_of(std::vector<char>(n, 1)), weights);
          const double scale = test::largest_entry(most);
          ASSERT_EQ(gram.matrix().size(), columns.size());
          for (Index i = 0; i < columns.size(); ++i) {
            for (Index j = 0; j < columns.size(); ++j) {
              ASSERT_NEAR(gram.matrix()(i, j), fresh[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)],
                          1e-10 * scale)
                  << "round " << round;
            }
          }
        }
      }
    }
  });
}

TEST(ElbowGram, IsZeroWhereNoSampleHasCurvature) {
  Random random(2);
  const DenseMatrix<double> x = test::coarse_matrix(random, 20, 15);
  const std::vector<double> weights(20, 1.0);
  WorkingColumns columns(x, true);
  columns.change(std::vector<Index>{1, 5, 9});
  ElbowGram gram;
  gram.refresh(columns, std::vector<char>(20, 0), weights);
  for (Index i = 0; i < 4; ++i) {
    for (Index j = 0; j < 4; ++j) EXPECT_EQ(gram.matrix()(i, j), 0.0);
  }
}

}  // namespace
}  // namespace hsvm
