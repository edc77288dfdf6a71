// The three shapes of Newton's multi-class model, with both kinds of margins.

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "hsvm/loss/class_sums.hpp"
#include "hsvm/newton/class_column_hessian.hpp"
#include "hsvm/newton/class_gram_hessian.hpp"
#include "hsvm/newton/class_mean_hessian.hpp"
#include "tests/newton/newton_support.hpp"
#include "tests/support/multiclass.hpp"

namespace hsvm {
namespace {

class ClassHessians : public testing::TestWithParam<Margins> {};
INSTANTIATE_TEST_SUITE_P(Margins, ClassHessians, testing::Values(Margins::absolute, Margins::relative));

// Rows moved one after the other change the gradient by what apply says, and apply is the sum over samples.
TEST_P(ClassHessians, MoveAsTheyMultiply) {
  Random random(9);
  const Index n = 20;
  const Index n_classes = 5;
  const DenseMatrix<double> x = test::coarse_matrix(random, n, 6, 0.5);
  std::vector<Index> y;
  std::vector<double> s;
  ClassMatrix z(n, n_classes);
  for (Index i = 0; i < n; ++i) {
    y.push_back(static_cast<Index>(random.below(5)));
    s.push_back(random.uniform());
    for (double& value : z.row(i)) value = random.normal();
  }
  const ClassSamples samples{y, s, GetParam()};
  ClassMatrix curvatures;
  find_curvatures(huberized_hinge(2.0), samples, z, 1.0, false, curvatures);
  const double factor = GetParam() == Margins::relative ? 2.0 : 1.0;
  for (const bool intercept : {false, true}) {
    test::for_each_storage(x, [&](const Design& design) {
      WorkingColumns columns(design, intercept);
      columns.change(std::vector<Index>{0, 2, 3, 5});
      const Index m = columns.size();
      const std::vector<double> ridge(static_cast<std::size_t>(m), 0.3);
      const ClassMatrix g = test::random_steps(1, m, n_classes);
      const ClassMatrix d = test::random_steps(2, m, n_classes);
      ClassColumnHessian hessian;
      hessian.begin(columns, samples, curvatures, ridge, g);
      hessian.prepare_sweeps();
      ClassMatrix whole(m, n_classes);
      ClassMatrix product(m, n_classes);
      const std::vector<Index> rows = all_indices(m);
      hessian.apply(rows, d, whole);
      for (Index j = 0; j < m; ++j) hessian.move(j, d.row(j));
      std::vector<double> q(static_cast<std::size_t>(n_classes));
      std::vector<double> h(q.size());
      for (Index j = 0; j < m; ++j) {
        hessian.gradient(j, q);
        for (std::size_t k = 0; k < q.size(); ++k) EXPECT_NEAR(q[k], g.row(j)[k] + whole.row(j)[k], 1e-11);
        // The block of the row is at most the curvature, and for unit steps a known part of it.
        hessian.curvature(j, h);
        ClassMatrix one(m, n_classes);
        std::ranges::copy(d.row(j), one.row(j).begin());
        hessian.apply(rows, one, product);
        double along = 0.0;
        double bound = 0.0;
        for (std::size_t k = 0; k < q.size(); ++k) {
          along += d.row(j)[k] * product.row(j)[k];
          bound += h[k] * d.row(j)[k] * d.row(j)[k];
        }
        EXPECT_LE(along, bound + 1e-10);
        for (std::size_t k = 0; k < q.size(); ++k) {
          one.reset(m, n_classes);
          one.row(j)[k] = 1.0;
          hessian.apply(rows, one, product);
          EXPECT_NEAR(factor * (product.row(j)[k] - 0.3) + 0.3, h[k], 1e-10);
        }
      }
    });
  }
}

// The same model with Gram matrices, made anew and brought up to date.
TEST_P(ClassHessians, OfGramMatricesAreTheModelOfTheColumns) {
  Random random(11);
  const Index n = 40;
  const Index n_classes = 4;
  const DenseMatrix<double> x = test::coarse_matrix(random, n, 16, 0.6);
  std::vector<Index> y;
  std::vector<double> s;
  ClassMatrix z(n, n_classes);
  for (Index i = 0; i < n; ++i) {
    y.push_back(static_cast<Index>(random.below(4)));
    s.push_back(random.below(6) == 0 ? 0.0 : random.uniform());
    for (double& value : z.row(i)) value = random.normal();
  }
  const ClassSamples samples{y, s, GetParam()};
  const MarginLoss loss = huberized_hinge(2.0);
  test::for_each_storage(x, [&](const Design& design) {
    WorkingColumns columns(design, true);
    ClassGramHessian grams;
    ClassColumnHessian own;
    const std::vector<std::vector<Index>> columns_of{{0, 2, 3, 5},    {0, 2, 3, 5},    {0, 2, 3, 5}, {0, 3, 5},
                                                     all_indices(16), all_indices(16), {1, 2}};
    for (int round = 0; round < 7; ++round) {
      // Few samples cross, many do, and the columns change; at last all samples have curvature, then all but a few.
      grams.remap(columns, columns.change(columns_of[static_cast<std::size_t>(round)]), samples);
      ClassMatrix moved = z;
      for (double& value : moved.row(round)) value += round == 2 ? 9.0 : 0.5;
      if (round == 2) std::ranges::reverse(moved.values());
      ClassMatrix curvatures;
      find_curvatures(loss, samples, moved, 0.5, false, curvatures);
      for (Index i = 0; round >= 5 && i < n; ++i) {
        for (Index k = 0; k < n_classes; ++k) {
          const auto sample = static_cast<std::size_t>(i);
          const bool curved = k != y[sample] && (round == 5 || random.below(9) != 0);
          curvatures.row(i)[static_cast<std::size_t>(k)] = curved ? 0.5 * s[sample] : 0.0;
        }
      }
      const Index m = columns.size();
      const std::vector<double> ridge(static_cast<std::size_t>(m), 0.3);
      const ClassMatrix g = test::random_steps(1, m, n_classes);
      const ClassMatrix d = test::random_steps(2, m, n_classes);
      own.begin(columns, samples, curvatures, ridge, g);
      own.prepare_sweeps();
      grams.refresh(columns, samples, curvatures);
      grams.begin(0.5, ridge, g);
      const std::vector<Index> rows = all_indices(m);
      ClassMatrix expected(m, n_classes);
      ClassMatrix product(m, n_classes);
      own.apply(rows, d, expected);
      grams.apply(rows, d, product);
      for (Index j = 0; j < m; ++j) grams.move(j, d.row(j));
      std::vector<double> q(static_cast<std::size_t>(n_classes));
      std::vector<double> h(q.size());
      std::vector<double> expected_h(q.size());
      for (Index j = 0; j < m; ++j) {
        grams.gradient(j, q);
        grams.curvature(j, h);
        own.curvature(j, expected_h);
        for (std::size_t k = 0; k < q.size(); ++k) {
          EXPECT_NEAR(product.row(j)[k], expected.row(j)[k], 1e-10);
          EXPECT_NEAR(q[k], g.row(j)[k] + expected.row(j)[k], 1e-10);
          EXPECT_NEAR(h[k], expected_h[k], 1e-10);
        }
      }
    }
  });
}

// A sample goes to the matrix of its class once, not to those of all pairs.
TEST_P(ClassHessians, OfGramMatricesBeginWithWholeClasses) {
  Random random(12);
  const Index n = 30;
  const Index n_classes = 5;
  const DenseMatrix<double> x = test::coarse_matrix(random, n, 4);
  std::vector<Index> y;
  for (Index i = 0; i < n; ++i) y.push_back(i % n_classes);
  const std::vector<double> s(y.size(), 1.0);
  const ClassSamples samples{y, s, GetParam()};
  ClassMatrix curvatures(n, n_classes);
  for (Index i = 0; i < n; ++i) {
    for (Index k = 0; k < n_classes; ++k)
      curvatures.row(i)[static_cast<std::size_t>(k)] = k == y[static_cast<std::size_t>(i)] ? 0.0 : 1.0;
  }
  WorkingColumns columns(x, true);
  columns.change(all_indices(4));
  ClassGramHessian grams;
  grams.refresh(columns, samples, curvatures);
  EXPECT_EQ(grams.n_crossings(), n);
  curvatures.row(0)[3] = 0.0;
  curvatures.row(7)[4] = 0.0;
  grams.refresh(columns, samples, curvatures);
  EXPECT_EQ(grams.n_crossings(), 2.0);
}

// Where all samples have the same curvature the mean model is the model.
TEST_P(ClassHessians, OfTheMeanAreTheModelWhereCurvaturesAreAlike) {
  Random random(10);
  const Index n = 15;
  const Index n_classes = 3;
  const DenseMatrix<double> x = test::coarse_matrix(random, n, 4);
  const std::vector<Index> y(static_cast<std::size_t>(n), 1);
  const std::vector<double> s(y.size(), 1.0);
  const ClassSamples samples{y, s, GetParam()};
  ClassMatrix curvatures(n, n_classes);
  for (Index i = 0; i < n; ++i) {
    curvatures.row(i)[0] = 0.5;
    curvatures.row(i)[2] = 0.25;
  }
  WorkingColumns columns(x, true);
  columns.change(std::vector<Index>{0, 1, 3});
  SymmetricMatrix gram(columns.size());
  columns.add_gram(all_indices(n), s, 1.0, 0, gram);
  gram.mirror();
  const std::vector<double> ridge(static_cast<std::size_t>(columns.size()), 0.1);
  const ClassMatrix g = test::random_steps(1, columns.size(), n_classes);
  const ClassMatrix d = test::random_steps(2, columns.size(), n_classes);
  ClassColumnHessian own;
  own.begin(columns, samples, curvatures, ridge, g);
  ClassMeanHessian mean;
  mean.begin(gram, samples, curvatures, ridge, g);
  ClassMatrix expected(columns.size(), n_classes);
  ClassMatrix product(columns.size(), n_classes);
  const std::vector<Index> rows = all_indices(columns.size());
  own.apply(rows, d, expected);
  mean.apply(rows, d, product);
  for (Index j = 0; j < columns.size(); ++j) mean.move(j, d.row(j));
  std::vector<double> q(static_cast<std::size_t>(n_classes));
  for (Index j = 0; j < columns.size(); ++j) {
    mean.gradient(j, q);
    for (std::size_t k = 0; k < q.size(); ++k) {
      EXPECT_NEAR(product.row(j)[k], expected.row(j)[k], 1e-11);
      EXPECT_NEAR(q[k], g.row(j)[k] + expected.row(j)[k], 1e-11);
    }
  }
}

}  // namespace
}  // namespace hsvm
