// The choice between Gram matrices and the scores for models of several classes.

#include "hsvm/newton/gram_choice.hpp"

#include <gtest/gtest.h>

namespace hsvm {
namespace {

// Three classes, pairs of which have a matrix each; of sparse columns a third of the entries is there.
ClassModelSizes sizes_of(double rows, double samples, bool is_sparse = true) {
  return {.rows = rows,
          .nonzeros = (is_sparse ? 0.33 : 1.0) * rows * samples,
          .samples = samples,
          .n_classes = 4.0,
          .n_matrices = 3.0,
          .is_sparse = is_sparse,
          .is_relative = true};
}

// How many models of so many products through the scores are minimised before matrices are built; at most `most`.
int models_before(const ClassModelSizes& sizes, double products, int most) {
  GramChoice choice;
  int models = 0;
  for (; models < most && !choice.pays(sizes, false); ++models)
    choice.note_scores(sizes, products * GramChoice::entries_cost(sizes, 2.0 * sizes.nonzeros));
  return models;
}

TEST(GramChoice, TakesMatricesOfFewRowsAtOnce) {
  EXPECT_TRUE(GramChoice().pays(sizes_of(10.0, 10'000.0), false));
  EXPECT_FALSE(GramChoice().pays(sizes_of(1000.0, 100.0), false));
}

TEST(GramChoice, BuildsMatricesTheSoonerTheDearerModelsAre) {
  const ClassModelSizes sizes = sizes_of(300.0, 4000.0);
  const int dear = models_before(sizes, 200.0, 1000);
  const int cheap = models_before(sizes, 4.0, 1000);
  EXPECT_GT(dear, 0);
  EXPECT_LT(dear, cheap);
  EXPECT_LT(cheap, 1000);
  // A product with these columns costs less than one with their matrices, however many there are.
  EXPECT_EQ(models_before(sizes_of(300.0, 1000.0, false), 200.0, 1000), 1000);
}

TEST(GramChoice, LeavesMatricesThatCostMoreThanTheScores) {
  const ClassModelSizes sizes = sizes_of(40.0, 10'000.0);
  GramChoice choice;
  for (int model = 0; model < 10; ++model) choice.note_gram(20.0, 10.0);
  EXPECT_TRUE(choice.pays(sizes, true));
  for (int model = 0; model < 10; ++model) choice.note_gram(20.0, 100'000.0);  // many cross at every step
  EXPECT_FALSE(choice.pays(sizes, true));
}

// Matrices that are there are used where they would not be built.
TEST(GramChoice, BuildsForMoreThanOneModel) {
  const ClassModelSizes sizes = sizes_of(300.0, 4000.0);
  EXPECT_TRUE(GramChoice().pays(sizes, true));
  EXPECT_FALSE(GramChoice().pays(sizes, false));
}

}  // namespace
}  // namespace hsvm
