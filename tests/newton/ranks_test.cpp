// The shapes of Newton's model whose samples are divided over ranks answer as those of one process do: also those that are left for large working sets.

#include <gtest/gtest.h>

#include <vector>

#include "hsvm/data/ranked_view.hpp"
#include "hsvm/data/standardized_view.hpp"
#include "hsvm/newton/class_column_hessian.hpp"
#include "hsvm/newton/class_gram_hessian.hpp"
#include "hsvm/newton/column_hessian.hpp"
#include "hsvm/newton/elbow_gram.hpp"
#include "tests/newton/newton_support.hpp"
#include "tests/support/thread_ranks.hpp"

namespace hsvm {
namespace {

// A design, seen standardised or not, and what is known of its samples.
struct RankedModel {
  DenseMatrix<double> x;
  Standardization seen;
  std::vector<double> weights;
  std::vector<Index> y;
  ClassMatrix scores;
  static constexpr Index kClasses = 4;

  explicit RankedModel(bool standardized) {
    Random random(21);
    x = test::coarse_matrix(random, 30, 8, 0.5);
    if (standardized) seen = standardize(x, std::vector<double>(30, 1.0));
    scores = ClassMatrix(30, kClasses);
    for (Index i = 0; i < 30; ++i) {
      weights.push_back(i % 4 == 0 ? 0.0 : random.uniform());
      y.push_back(static_cast<Index>(random.below(kClasses)));
      for (double& value : scores.row(i)) value = random.normal();
    }
  }

  // Calls visit(design, first row, last row, ranks) for the whole, and on each of `size` ranks for its part.
  template <class Visit>
  void on_ranks(Index size, bool sparse, const Visit& visit) const {
    test::run_ranks(size, [&](const Collective& ranks) {
      const test::RowRange rows = test::rows_of_rank(30, ranks.rank(), ranks.size());
      DenseMatrix<double> part(rows.last - rows.first, x.cols());
      for (Index j = 0; j < x.cols(); ++j) {
        for (Index i = rows.first; i < rows.last; ++i) part(i - rows.first, j) = x(i, j);
      }
      const SharedDesign stored = sparse ? SharedDesign(test::to_csc<double>(part)) : SharedDesign(part);
      const Standardization as_it_is{std::vector<double>(8, 0.0), std::vector<double>(8, 1.0)};
      const StandardizedView view(stored, seen.empty() ? as_it_is : seen);
      const Design& here = seen.empty() ? static_cast<const Design&>(stored) : view;
      if (ranks.is_alone()) return visit(here, rows, ranks);
      visit(RankedView(here, ranks), rows, ranks);
    });
  }
  template <class T>
  [[nodiscard]] static std::vector<T> part_of_rows(const std::vector<T>& all, test::RowRange rows) {
    return {all.begin() + rows.first, all.begin() + rows.last};
  }
};

void expect_near(const std::vector<double>& a, const std::vector<double>& b) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t k = 0; k < a.size(); ++k) EXPECT_NEAR(a[k], b[k], 1e-11 * (1.0 + std::abs(b[k])));
}

const std::vector<Index> kWorking = {0, 2, 3, 5, 7};

class RankedHessians : public ::testing::TestWithParam<std::tuple<bool, bool>> {};
INSTANTIATE_TEST_SUITE_P(Storage, RankedHessians, ::testing::Combine(::testing::Bool(), ::testing::Bool()));

// All numbers that the binary model's shapes answer with.
std::vector<double> binary_answers(const RankedModel& model, Index size, bool sparse) {
  std::vector<double> answers;
  model.on_ranks(size, sparse, [&](const Design& design, test::RowRange rows, const Collective& ranks) {
    const std::vector<double> weights = RankedModel::part_of_rows(model.weights, rows);
    WorkingColumns columns(design, true);
    columns.change(kWorking);
    const auto m = static_cast<std::size_t>(columns.size());
    const std::vector<double> ridge(m, 0.2);
    const std::vector<double> g = {0.3, -0.1, 0.5, 0.2, -0.4, 0.7};
    std::vector<double> found;
    ColumnHessian by_columns;
    const std::span<const double> diagonal = by_columns.copy(columns, weights);
    found.insert(found.end(), diagonal.begin(), diagonal.end());
    by_columns.begin(ridge, g, 200);
    for (Index j = 0; j < columns.size(); ++j) by_columns.move(j, 0.1 * (j + 1));
    for (Index j = 0; j < columns.size(); ++j) found.push_back(by_columns.gradient(j));
    found.push_back(by_columns.value());
    std::vector<double> right = g;
    EXPECT_TRUE(by_columns.solve(all_indices(columns.size()), right, 1e-14));
    found.insert(found.end(), right.begin(), right.end());
    ElbowGram gram;
    std::vector<char> curved(weights.size());
    for (std::size_t i = 0; i < curved.size(); ++i) curved[i] = weights[i] > 0.3 ? 1 : 0;
    gram.refresh(columns, curved, weights);
    for (Index i = 0; i < columns.size(); ++i)
      found.insert(found.end(), gram.matrix().row(i), gram.matrix().row(i) + columns.size());
    if (ranks.rank() == 0) answers = found;
  });
  return answers;
}

TEST_P(RankedHessians, OfTwoClassesAnswerAsOneProcessDoes) {
  const auto [standardized, sparse] = GetParam();
  const RankedModel model(standardized);
  const std::vector<double> alone = binary_answers(model, 1, sparse);
  for (const Index size : {2, 3}) expect_near(binary_answers(model, size, sparse), alone);
}

std::vector<double> class_answers(const RankedModel& model, Index size, bool sparse, Margins margins) {
  std::vector<double> answers;
  model.on_ranks(size, sparse, [&](const Design& design, test::RowRange rows, const Collective& ranks) {
    const std::vector<double> weights = RankedModel::part_of_rows(model.weights, rows);
    const std::vector<Index> y = RankedModel::part_of_rows(model.y, rows);
    const ClassSamples samples{y, weights, margins, &ranks, design.n_samples() - design.rows()};
    ClassMatrix scores(rows.last - rows.first, RankedModel::kClasses);
    for (Index i = 0; i < scores.rows(); ++i)
      std::ranges::copy(model.scores.row(rows.first + i), scores.row(i).begin());
    ClassMatrix curvatures;
    find_curvatures(huberized_hinge(2.0), samples, scores, 1.0, false, curvatures);
    WorkingColumns columns(design, true);
    columns.change(kWorking);
    const std::vector<double> ridge(static_cast<std::size_t>(columns.size()), 0.3);
    ClassMatrix g(columns.size(), RankedModel::kClasses);
    for (Index j = 0; j < g.rows(); ++j) g.row(j)[static_cast<std::size_t>(j % 4)] = 0.1 * (j + 1);
    std::vector<double> found;
    const auto ask = [&](auto& hessian) {
      std::vector<double> row(RankedModel::kClasses);
      for (Index j = 0; j < columns.size(); ++j)
        hessian.move(j, std::vector<double>{0.3, -0.1, -0.1 * (j + 1), 0.1 * (j - 1)});
      for (Index j = 0; j < columns.size(); ++j) {
        hessian.gradient(j, row);
        found.insert(found.end(), row.begin(), row.end());
        hessian.curvature(j, row);
        found.insert(found.end(), row.begin(), row.end());
      }
      ClassMatrix product(columns.size(), RankedModel::kClasses);
      hessian.apply(all_indices(columns.size()), g, product);
      for (Index j = 0; j < columns.size(); ++j)
        found.insert(found.end(), product.row(j).begin(), product.row(j).end());
    };
    ClassColumnHessian by_columns;
    by_columns.begin(columns, samples, curvatures, ridge, g);
    by_columns.prepare_sweeps();
    ask(by_columns);
    ClassGramHessian by_grams;
    by_grams.refresh(columns, samples, curvatures);
    by_grams.begin(1.0, ridge, g);
    ask(by_grams);
    if (ranks.rank() == 0) answers = found;
  });
  return answers;
}

TEST_P(RankedHessians, OfSeveralClassesAnswerAsOneProcessDoes) {
  const auto [standardized, sparse] = GetParam();
  const RankedModel model(standardized);
  for (const Margins margins : {Margins::absolute, Margins::relative}) {
    const std::vector<double> alone = class_answers(model, 1, sparse, margins);
    for (const Index size : {2, 3}) expect_near(class_answers(model, size, sparse, margins), alone);
  }
}

}  // namespace
}  // namespace hsvm
