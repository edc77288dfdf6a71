#include "hsvm/newton/working_columns.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "tests/newton/newton_support.hpp"

namespace hsvm {
namespace {

TEST(WorkingColumns, KeepTheirOrderAndTellWhereTheyWere) {
  Random random(1);
  const DenseMatrix<double> x = test::coarse_matrix(random, 5, 40);
  for (const bool ones : {false, true}) {
    WorkingColumns columns(x, ones);
    const Index first = ones ? 1 : 0;
    EXPECT_EQ(columns.size(), first);
    for (int round = 0; round < 50; ++round) {
      const std::vector<Index> before(columns.columns().begin(), columns.columns().end());
      std::vector<Index> wanted = test::random_subset(random, 40, round % 5 == 0 ? 0.05 : 0.6);
      std::ranges::reverse(wanted);  // whatever the order
      const std::vector<Index> from = columns.change(wanted);
      std::vector<Index> now(columns.columns().begin(), columns.columns().end());
      ASSERT_EQ(columns.size(), first + static_cast<Index>(wanted.size()));
      if (ones) {
        ASSERT_EQ(from.at(0), 0);
      }
      ASSERT_TRUE(std::ranges::is_sorted(from));
      for (std::size_t a = ones ? 1 : 0; a < from.size(); ++a) {
        ASSERT_EQ(before[static_cast<std::size_t>(from[a] - first)], now[a - static_cast<std::size_t>(first)]);
      }
      for (std::size_t c = from.size() - static_cast<std::size_t>(first); c < now.size(); ++c)
        ASSERT_EQ(std::ranges::count(before, now[c]), 0);
      std::ranges::sort(now);
      std::ranges::sort(wanted);
      ASSERT_EQ(now, wanted);
    }
  }
}

TEST(WorkingColumns, MultiplyAsTheDesignDoes) {
  Random random(2);
  const DenseMatrix<double> x = test::coarse_matrix(random, 30, 20, 0.4);
  test::for_each_storage(x, [&]<class X>(const X& design) {
    for (const bool ones : {false, true}) {
      WorkingColumns columns(design, ones);
      columns.change(std::vector<Index>{3, 4, 11, 19});
      columns.change(std::vector<Index>{0, 4, 11, 12});  // 4 and 11 first
      const Index first = ones ? 1 : 0;
      const std::vector<double> v = test::random_vector(1, static_cast<std::size_t>(columns.size()));
      const std::vector<double> r = test::random_vector(2, 30);
      std::vector<double> product(30);
      std::vector<double> transposed(v.size());
      double sum = 0.0;
      for (const double value : r) sum += value;
      columns.multiply(v, product);
      columns.multiply_transposed(r, sum, transposed);
      for (Index i = 0; i < 30; ++i) {
        double expected = 0.0;
        for (Index c = 0; c < columns.size(); ++c)
          expected += v[static_cast<std::size_t>(c)] * test::working_entry(x, columns.columns(), first, i, c);
        EXPECT_NEAR(product[static_cast<std::size_t>(i)], expected, 1e-13);
      }
      for (Index c = 0; c < columns.size(); ++c) {
        double expected = 0.0;
        for (Index i = 0; i < 30; ++i)
          expected += r[static_cast<std::size_t>(i)] * test::working_entry(x, columns.columns(), first, i, c);
        EXPECT_NEAR(transposed[static_cast<std::size_t>(c)], expected, 1e-12);
      }
    }
  });
}

// With and without an intercept; sparse rows all at once, some at a time, one by one.
constexpr std::pair<bool, double> kRowsAtATime[] = {
    {false, 1e6}, {true, 1e6}, {false, 25.0}, {true, 25.0}, {true, 0.0}};

TEST(WorkingColumns, AddTheNaiveGram) {
  Random random(3);
  const DenseMatrix<double> x = test::coarse_matrix(random, 150, 60, 0.5);
  const std::vector<double> weights = test::random_weights(random, 150);
  test::for_each_storage(x, [&]<class X>(const X& design) {
    for (const auto& [ones, most_gathered] : kRowsAtATime) {
      WorkingColumns columns(design, ones, most_gathered);
      for (const double share : {0.05, 0.2, 0.4, 1.0}) {
        columns.change(test::random_subset(random, 60, share));
        for (const double row_share : {0.0, 0.1, 1.0}) {  // of which the last fills more than one panel
          const std::vector<Index> rows = test::random_subset(random, 150, row_share);
          const auto expected = test::naive_gram(x, columns.columns(), columns.first_feature(), rows, weights);
          SymmetricMatrix gram(columns.size());
          columns.add_gram(rows, weights, 1.0, 0, gram);
          EXPECT_LE(test::relative_difference(gram, expected, true), 1e-13);

          // From row 12 on: the rest stays as it is.
          for (const Index first : {12, 24}) {
            if (first > columns.size()) continue;
            SymmetricMatrix part(columns.size());
            columns.add_gram(rows, weights, 1.0, first, part);
            auto lower = expected;
            for (Index i = 0; i < std::min(first, columns.size()); ++i)
              std::ranges::fill(lower[static_cast<std::size_t>(i)], 0.0);
            EXPECT_LE(test::relative_difference(part, lower, true), 1e-13) << first;
          }

          // Taken away again, nothing is left.
          columns.add_gram(rows, weights, -1.0, 0, gram);
          for (Index i = 0; i < gram.size(); ++i) {
            for (Index j = 0; j <= i; ++j) EXPECT_NEAR(gram(i, j), 0.0, 1e-12);
          }
        }
      }
    }
  });
}

// Rows enough for several blocks and chunks; a Gram matrix that columns join is the one that is made of all of them.
TEST(WorkingColumns, ExtendAGramByColumnsThatJoin) {
  constexpr Index n = 70'000;
  Random random(8);
  const DenseMatrix<double> x = test::coarse_matrix(random, n, 30, 0.2);
  Standardization standardization;
  for (Index j = 0; j < 30; ++j) {
    standardization.centers.push_back(j % 4 == 0 ? 0.0 : 0.5);
    standardization.scales.push_back(1.0 + 0.1 * j);
  }
  const std::vector<double> weights = test::random_weights(random, n);
  const auto check = [&](const Design& design) {
    for (const auto& [ones, most_gathered] : {std::pair{false, 1e9}, {true, 1e9}, {false, 0.0}, {true, 0.0}}) {
      for (const double share : {0.002, 0.6}) {
        WorkingColumns columns(design, ones, most_gathered);
        const std::vector<Index> rows = test::random_subset(random, n, share);
        columns.change(std::vector<Index>{2, 5, 6, 11, 17, 20, 21, 23, 24, 25, 26, 28, 29});
        SymmetricMatrix gram(columns.size());
        columns.add_gram(rows, weights, 1.0, 0, gram);
        const auto kept = static_cast<Index>(
            columns.change(std::vector<Index>{2, 4, 5, 6, 7, 11, 17, 20, 21, 23, 24, 25, 26, 28, 29}).size());
        const Index first = columns.first_anew(kept);
        gram.resize(columns.size(), first);
        columns.extend_gram(rows, weights, first, gram);
        SymmetricMatrix afresh(columns.size());
        columns.add_gram(rows, weights, 1.0, 0, afresh);
        for (Index i = 0; i < gram.size(); ++i) {
          for (Index j = 0; j <= i; ++j) ASSERT_NEAR(gram(i, j), afresh(i, j), 1e-10 * static_cast<double>(n));
        }
      }
    }
  };
  test::for_each_storage(x, [&]<class X>(const X& design) {
    check(design);
    check(StandardizedView(design, standardization));
  });
}

TEST(WorkingColumns, AddTheNaiveRowGram) {
  Random random(4);
  const DenseMatrix<double> x = test::coarse_matrix(random, 40, 200, 0.5);
  const std::vector<double> weights = test::random_weights(random, 40);
  test::for_each_storage(x, [&]<class X>(const X& design) {
    const WorkingColumns columns(design, true);
    for (const double share : {0.1, 0.5, 1.0}) {
      const std::vector<Index> features = test::random_subset(random, 200, share);
      const std::vector<Index> rows = test::random_subset(random, 40, 0.7);
      std::vector<Index> place(40, -1);
      for (std::size_t e = 0; e < rows.size(); ++e)
        place[static_cast<std::size_t>(rows[e])] = static_cast<Index>(e);
      std::vector<double> ridge(features.size());
      for (double& value : ridge) value = 0.1 + random.uniform();

      test::Square expected(rows.size(), std::vector<double>(rows.size()));
      SymmetricMatrix k(static_cast<Index>(rows.size()));
      for (std::size_t e = 0; e < rows.size(); ++e) {
        k.row(static_cast<Index>(e))[e] = expected[e][e] = 1.0;
        for (std::size_t d = 0; d < rows.size(); ++d) {
          const double root = std::sqrt(weights[static_cast<std::size_t>(rows[e])] *
                                        weights[static_cast<std::size_t>(rows[d])]);
          for (std::size_t a = 0; a < features.size(); ++a)
            expected[e][d] += root * x(rows[e], features[a]) * x(rows[d], features[a]) / ridge[a];
        }
      }
      PackedPanel panel;
      columns.add_row_gram(features, ridge, rows, place, weights, panel, k);
      EXPECT_LE(test::relative_difference(k, expected, true), 1e-13);
    }
  });
}

// Stored with one entry in eight, and far from zero where it is not stored: the products of the entries are a
// small part of those of the columns as they are seen.
TEST(WorkingColumns, CentreTheGramsOfAMatrixThatStaysSparse) {
  constexpr Index n = 60;
  constexpr Index p = 30;
  Random random(5);
  DenseMatrix<double> entries = test::coarse_matrix(random, n, p, 0.125);
  Standardization standardization;
  DenseMatrix<double> x(n, p);
  for (Index j = 0; j < p; ++j) {
    standardization.centers.push_back(j % 5 == 0 ? 0.0 : 0.25 * random.normal());
    standardization.scales.push_back(j % 7 == 3 ? 0.0 : 0.5 + random.uniform());
    for (Index i = 0; i < n; ++i) {
      if (j % 7 == 3) {
        entries(i, j) = i % 2 == 0 ? std::nan("") : HUGE_VAL;  // left out: never read
      } else {
        x(i, j) = standardization.scales.back() * (entries(i, j) - standardization.centers.back());
      }
    }
  }
  const std::vector<double> weights = test::random_weights(random, n);
  const auto check = [&]<class X>(const X& stored) {
    const StandardizedView design(stored, standardization);
    for (const auto& [ones, most_gathered] : kRowsAtATime) {
      WorkingColumns columns(design, ones, most_gathered);
      columns.change(test::random_subset(random, p, 0.7));
      const std::vector<Index> rows = test::random_subset(random, n, 0.5);
      const auto expected = test::naive_gram(x, columns.columns(), columns.first_feature(), rows, weights);
      SymmetricMatrix gram(columns.size());
      columns.add_gram(rows, weights, 1.0, 0, gram);
      EXPECT_LE(test::relative_difference(gram, expected, true), 1e-14);
      std::vector<double> squares(static_cast<std::size_t>(columns.size()));
      columns.squared_norms(weights, squares);
      const auto all = test::naive_gram(x, columns.columns(), columns.first_feature(), all_indices(n), weights);
      for (std::size_t c = 0; c < squares.size(); ++c) EXPECT_NEAR(squares[c], all[c][c], 1e-13 * all[c][c]);

      std::vector<Index> place(n, -1);
      for (std::size_t e = 0; e < rows.size(); ++e)
        place[static_cast<std::size_t>(rows[e])] = static_cast<Index>(e);
      const std::vector<Index> features = test::random_subset(random, p, 0.6);
      const std::vector<double> ridge(features.size(), 0.5);
      SymmetricMatrix k(static_cast<Index>(rows.size()));
      PackedPanel panel;
      columns.add_row_gram(features, ridge, rows, place, weights, panel, k);
      test::Square by_rows(rows.size(), std::vector<double>(rows.size()));
      for (std::size_t e = 0; e < rows.size(); ++e) {
        for (std::size_t d = 0; d < rows.size(); ++d) {
          const double root = std::sqrt(weights[static_cast<std::size_t>(rows[e])] *
                                        weights[static_cast<std::size_t>(rows[d])]);
          for (const Index j : features) by_rows[e][d] += root * x(rows[e], j) * x(rows[d], j) / 0.5;
        }
      }
      EXPECT_LE(test::relative_difference(k, by_rows, true), 1e-14);
    }
  };
  check(entries);
  check(test::to_dense<float>(entries));
  check(test::to_csc<double>(entries));
  check(test::to_csc<float>(entries));
}

// The products of the entries are 10^16 times those of what is seen: their differences would be noise.
TEST(WorkingColumns, LoseNoDigitsToFeaturesFarFromZero) {
  constexpr Index n = 40;
  constexpr Index p = 9;
  constexpr double kFar = 134217728.0;  // a power of two, so that sums are exact
  Random random(6);
  const DenseMatrix<double> x = test::coarse_matrix(random, n, p);
  DenseMatrix<double> stored = x;
  Standardization standardization{std::vector<double>(p, 0.0), std::vector<double>(p, 1.0)};
  for (Index j = 0; j < p; ++j) {
    if (j % 3 == 0) continue;  // those near zero stay what they are
    standardization.centers[static_cast<std::size_t>(j)] = kFar;
    for (Index i = 0; i < n; ++i) stored(i, j) += kFar;
  }
  const std::vector<double> weights = test::random_weights(random, n);
  const CscMatrix<double> sparse = test::to_csc<double>(stored);
  const StandardizedView design(sparse, standardization);
  WorkingColumns columns(design, true);
  columns.change(all_indices(p));
  const std::vector<Index> rows = all_indices(n);
  SymmetricMatrix gram(columns.size());
  columns.add_gram(rows, weights, 1.0, 0, gram);
  EXPECT_LE(test::relative_difference(gram, test::naive_gram(x, columns.columns(), 1, rows, weights), true),
            1e-14);

  SymmetricMatrix k(n);
  PackedPanel panel;
  columns.add_row_gram(all_indices(p), std::vector<double>(p, 1.0), rows, rows, weights, panel, k);
  test::Square expected(n, std::vector<double>(n));
  for (Index e = 0; e < n; ++e) {
    for (Index d = 0; d < n; ++d) {
      const double root =
          std::sqrt(weights[static_cast<std::size_t>(e)] * weights[static_cast<std::size_t>(d)]);
      for (Index j = 0; j < p; ++j)
        expected[static_cast<std::size_t>(e)][static_cast<std::size_t>(d)] += root * x(e, j) * x(d, j);
    }
  }
  EXPECT_LE(test::relative_difference(k, expected, true), 1e-14);
}

}  // namespace
}  // namespace hsvm
