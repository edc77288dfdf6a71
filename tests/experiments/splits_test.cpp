// Random training and test samples: each once, every class there, class numbers that agree.

#include "experiments/sets/splits.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "hsvm/api.hpp"
#include "hsvm/core/error.hpp"

namespace hsvm::lab {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::ThrowsMessage;

// So many samples of the classes a, b, ..., in this order; the only feature is the sample's number.
Dataset counted(const std::vector<Index>& sizes) {
  std::vector<std::string> labels;
  for (std::size_t k = 0; k < sizes.size(); ++k)
    labels.insert(labels.end(), static_cast<std::size_t>(sizes[k]), std::string(1, static_cast<char>('a' + k)));
  DenseMatrix<double> x(static_cast<Index>(labels.size()), 1);
  for (Index i = 0; i < x.rows(); ++i) x(i, 0) = i;
  return {.source = "counted", .design = std::move(x), .labels = make_labels(labels), .feature_names = {}};
}

std::set<double> samples_of(const Dataset& data) {
  const auto& x = *data.design.get_if<DenseMatrix<double>>();
  return {x.column(0).begin(), x.column(0).end()};
}

TEST(RandomRows, AreEachThereOnceAndDifferBySeed) {
  const std::vector<Index> rows = random_rows(50, 20, 1);
  EXPECT_EQ(rows.size(), 20U);
  EXPECT_EQ(std::set<Index>(rows.begin(), rows.end()).size(), 20U);
  EXPECT_GE(*std::ranges::min_element(rows), 0);
  EXPECT_LT(*std::ranges::max_element(rows), 50);
  EXPECT_EQ(rows, random_rows(50, 20, 1));
  EXPECT_NE(rows, random_rows(50, 20, 2));
  EXPECT_EQ(random_rows(3, 20, 1).size(), 3U);
}

TEST(RandomRows, AreEquallyLikely) {
  std::vector<int> counts(5, 0);
  constexpr int kDraws = 2000;
  for (int seed = 0; seed < kDraws; ++seed) {
    for (const Index i : random_rows(5, 2, static_cast<std::uint64_t>(seed)))
      ++counts[static_cast<std::size_t>(i)];
  }
  for (const int count : counts) EXPECT_NEAR(count, kDraws * 2 / 5, 120);  // more than five standard deviations
}

TEST(RandomRows, OfEachClassAreSoManyOrAll) {
  const Dataset data = counted({10, 2, 7});
  const Dataset taken = take_rows(data, random_rows_of_each_class(*data.labels, 5, 3));
  std::vector<int> sizes(3, 0);
  for (const Index k : taken.labels->of_sample) ++sizes[static_cast<std::size_t>(k)];
  EXPECT_THAT(sizes, ElementsAre(5, 2, 5));
  EXPECT_EQ(samples_of(taken).size(), 12U);
}

TEST(RandomRows, LeaveTheOthers) {
  EXPECT_THAT(other_rows(6, {4, 0, 5}), ElementsAre(1, 2, 3));
  EXPECT_THAT(other_rows(2, {1, 0}), ElementsAre());
}

TEST(RandomSplit, SharesNoSampleAndHasEveryClassInTraining) {
  const Dataset data = counted({30, 1, 9});
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    const Split split = random_split(data, 15, 10, seed);
    EXPECT_EQ(split.training.n_samples(), 15);
    EXPECT_EQ(split.test.n_samples(), 10);
    std::set<double> all = samples_of(split.training);
    all.merge(samples_of(split.test));
    EXPECT_EQ(all.size(), 25U);
    const std::vector<Index>& classes = split.training.labels->of_sample;
    EXPECT_EQ(std::set<Index>(classes.begin(), classes.end()).size(), 3U);
  }
  EXPECT_EQ(random_split(data, 15, 1000, 1).test.n_samples(), 25);
}

TEST(RandomSplit, SaysWhereTooFewSamplesCannotHaveEveryClass) {
  EXPECT_THAT(
      [] {
        (void)random_split(counted({3, 3, 3}), 2, 2, 1);
      },
      ThrowsMessage<InputError>(HasSubstr("counted: no random 2 samples have every class")));
}

TEST(Classes, AreThoseOfOtherData) {
  const Labels labels = make_labels(std::vector<std::string>{"a", "b", "c"});
  Dataset test = take_rows(counted({0, 2, 1}), std::vector<Index>{0, 1, 2});
  test.labels = make_labels(std::vector<std::string>{"c", "b", "c"});
  const Dataset matched = with_classes_of(test, labels);
  EXPECT_EQ(matched.labels->classes, labels.classes);
  EXPECT_THAT(matched.labels->of_sample, ElementsAre(2, 1, 2));
  EXPECT_THAT(
      [&] {
        (void)with_classes_of(test, make_labels(std::vector<std::string>{"a", "b"}));
      },
      ThrowsMessage<InputError>(HasSubstr("counted: class c is not in the training data")));
}

TEST(Classes, CanBeLeftOut) {
  const Dataset data = counted({2, 3, 1});
  const Dataset part = only_classes(data, [](Index k) { return k != 1; });
  EXPECT_EQ(part.n_samples(), 3);
  EXPECT_THAT(part.labels->classes.names,
              ElementsAre(data.labels->classes.names[0], data.labels->classes.names[2]));
  EXPECT_THAT(part.labels->of_sample, ElementsAre(0, 0, 1));
}

TEST(Classes, HaveAMostFrequentOne) {
  EXPECT_DOUBLE_EQ(majority_share(*counted({1, 5, 2}).labels), 62.5);
}

}  // namespace
}  // namespace hsvm::lab
