#include "hsvm/select/folds.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <limits>
#include <set>
#include <string>

#include "hsvm/core/error.hpp"

namespace hsvm {
namespace {

using Numbers = std::vector<Index>;

// Classes 'a', 'b', ... with so many samples each, the classes taking turns in the data.
Labels labels_of(Numbers sizes) {
  Labels labels;
  for (std::size_t k = 0; k < sizes.size(); ++k) {
    labels.classes.names.emplace_back(1, static_cast<char>('a' + static_cast<char>(k)));
  }
  for (bool more = true; more;) {
    more = false;
    for (std::size_t k = 0; k < sizes.size(); ++k) {
      if (sizes[k] == 0) continue;
      --sizes[k];
      labels.of_sample.push_back(static_cast<Index>(k));
      more = true;
    }
  }
  return labels;
}

const std::vector<Numbers> kClassSizes = {{10, 10},      {7, 13}, {1, 5},   {2, 3, 4, 5},
                                          {1, 1, 1, 30}, {8},     {3, 0, 4}};

std::string message_of(const std::function<void()>& call) {
  try {
    call();
  } catch (const OptionError& error) {
    return std::string("option: ") + error.what();
  } catch (const InputError& error) {
    return std::string("input: ") + error.what();
  }
  return "";
}

Index range_of(const Numbers& counts) {
  const auto [low, high] = std::minmax_element(counts.begin(), counts.end());
  return *high - *low;
}

TEST(StratifiedFolds, DealClassesAndSamplesEvenly) {
  for (const Numbers& sizes : kClassSizes) {
    const Labels labels = labels_of(sizes);
    const std::size_t n = labels.of_sample.size();
    for (Index n_folds = 2; n_folds <= static_cast<Index>(n); ++n_folds) {
      const Folds folds = stratified_folds(labels, n_folds, 3, 5);
      EXPECT_EQ(folds.n_folds, n_folds);
      ASSERT_EQ(folds.of_sample.size(), 3U);
      for (const Numbers& fold : folds.of_sample) {
        ASSERT_EQ(fold.size(), n);  // every sample once
        Numbers all(static_cast<std::size_t>(n_folds), 0);
        std::vector<Numbers> by_class(sizes.size(), all);
        for (std::size_t i = 0; i < n; ++i) {
          ASSERT_GE(fold[i], 0);
          ASSERT_LT(fold[i], n_folds);
          ++all[static_cast<std::size_t>(fold[i])];
          ++by_class[static_cast<std::size_t>(labels.of_sample[i])][static_cast<std::size_t>(fold[i])];
        }
        EXPECT_LE(range_of(all), 1);
        EXPECT_GE(*std::min_element(all.begin(), all.end()), 1);
        for (const Numbers& counts : by_class) EXPECT_LE(range_of(counts), 1);
      }
    }
  }
}

TEST(StratifiedFolds, RepeatsDifferAndSeedsRepeat) {
  const Labels labels = labels_of({20, 15});
  const Folds folds = stratified_folds(labels, 5, 20, 7);
  EXPECT_EQ(folds.of_sample, stratified_folds(labels, 5, 20, 7).of_sample);
  const std::set<Numbers> distinct(folds.of_sample.begin(), folds.of_sample.end());
  EXPECT_EQ(distinct.size(), 20U);
  EXPECT_NE(folds.of_sample[0], stratified_folds(labels, 5, 1, 8).of_sample[0]);
}

TEST(StratifiedFolds, MoreRepeatsDoNotChangeTheFirst) {
  const Labels labels = labels_of({9, 6, 4});
  const Folds many = stratified_folds(labels, 3, 6, 2);
  const Folds few = stratified_folds(labels, 3, 2, 2);
  EXPECT_EQ(few.of_sample[0], many.of_sample[0]);
  EXPECT_EQ(few.of_sample[1], many.of_sample[1]);
}

TEST(StratifiedFolds, EverySampleVisitsEveryFoldAndMeetsEveryOther) {
  constexpr Index kRepeats = 400;
  const Labels labels = labels_of({8, 12});
  const Folds folds = stratified_folds(labels, 4, kRepeats, 1);
  for (std::size_t i = 0; i < 20; ++i) {
    Numbers visits(4, 0);
    for (const Numbers& fold : folds.of_sample) ++visits[static_cast<std::size_t>(fold[i])];
    for (const Index count : visits) EXPECT_NEAR(count, 100, 45);  // binomial, five standard deviations
    for (std::size_t other = 0; other < i; ++other) {
      Index together = 0;
      for (const Numbers& fold : folds.of_sample) together += fold[i] == fold[other];
      EXPECT_GT(together, 20) << i << " and " << other;  // 57, 73 or 100 expected
      EXPECT_LT(together, 150) << i << " and " << other;
    }
  }
}

TEST(StratifiedFolds, NameTheOptionThatIsOutOfRange) {
  const Labels labels = labels_of({3, 5});
  EXPECT_EQ(message_of([&] { (void)stratified_folds(labels, 12, 1, 1); }),
            "option: folds 12: must be at most 8, the number of samples");
  EXPECT_EQ(message_of([&] { (void)stratified_folds(labels, 1, 1, 1); }),
            "option: folds 1: must be at least 2");
  EXPECT_EQ(stratified_folds(labels, 8, 1, 1).n_folds, 8);
}

TEST(LeaveOneOut, HoldsOutOneSampleAtATime) {
  const Folds folds = leave_one_out(labels_of({2, 2}));
  EXPECT_EQ(folds.n_folds, 4);
  EXPECT_EQ(folds.of_sample, (std::vector<Numbers>{{0, 1, 2, 3}}));
}

TEST(SingleSamples, AreKeptInEveryTrainingPart) {
  const Labels labels{{false, {"a", "b", "c"}}, {0, 0, 1, 2, 0, 2, 0}};  // one b
  EXPECT_EQ(count_to_hold_out(labels), 6);
  const Folds each = leave_one_out(labels);
  EXPECT_EQ(each.n_folds, 6);
  EXPECT_EQ(each.of_sample, (std::vector<Numbers>{{0, 1, kNeverHeldOut, 2, 3, 4, 5}}));
  for (const Index n_folds : {2, 3, 6}) {
    const Folds folds = stratified_folds(labels, n_folds, 3, 1, SingleSamples::kept);
    EXPECT_NO_THROW(require_classes_in_training(folds, labels));
    for (const Numbers& of_sample : folds.of_sample) {
      EXPECT_EQ(of_sample[2], kNeverHeldOut);
      for (Index fold = 0; fold < n_folds; ++fold)
        EXPECT_EQ(std::count(of_sample.begin(), of_sample.end(), fold), 6 / n_folds);
      EXPECT_NE(of_sample[3], of_sample[5]);  // two of a class are in two folds
    }
  }
  EXPECT_EQ(message_of([&] { (void)stratified_folds(labels, 7, 1, 1, SingleSamples::kept); }),
            "option: folds 7: must be at most 6, the number of samples whose class has another one");
  EXPECT_EQ(message_of([] {
              (void)leave_one_out(labels_of({1, 1, 1}));
            }),
            "input: no class has two samples: none can be held out");
}

TEST(FoldsOf, NumbersFoldsByTheirOrder) {
  const Folds folds = folds_of(Numbers{7, -2, 7, 100, -2}, 5);
  EXPECT_EQ(folds.n_folds, 3);
  EXPECT_EQ(folds.of_sample, (std::vector<Numbers>{{1, 0, 1, 2, 0}}));
}

TEST(FoldsOf, SaysWhatIsMissing) {
  EXPECT_EQ(message_of([] {
              (void)folds_of(Numbers{1, 2, 1}, 4);
            }),
            "input: 3 fold numbers for 4 samples: there must be one for each");
  EXPECT_EQ(message_of([] {
              (void)folds_of(Numbers{3, 3}, 2);
            }),
            "input: all samples are in fold 3: there must be two folds at least");
  EXPECT_EQ(message_of([] { (void)folds_of(Numbers{}, 0); }),
            "input: no fold numbers: there must be two folds at least");
}

TEST(ClassesInTraining, AreMissedByName) {
  const Labels labels{{false, {"ham", "spam"}}, {0, 1, 0, 1, 0, 0}};
  EXPECT_NO_THROW(require_classes_in_training(folds_of(Numbers{1, 1, 1, 2, 2, 2}, 6), labels));
  const std::string rule =
      ": each class must have samples in two folds, so that none is missing when a fold is held out";
  EXPECT_EQ(message_of([&] {
              require_classes_in_training(folds_of(Numbers{1, 2, 3, 2, 1, 3}, 6), labels);
            }),
            "input: all 2 samples of class 'spam' are in one fold" + rule);
  const Labels rare{{false, {"ham", "spam"}}, {0, 0, 0, 1}};
  EXPECT_EQ(message_of([&] {
              require_classes_in_training(folds_of(Numbers{1, 2, 3, 4}, 4), rare);
            }),
            "input: class 'spam' has one sample only" + rule);
}

TEST(ClassesInTraining, LooksAtEveryRepeat) {
  const Labels labels{{false, {"a", "b"}}, {0, 0, 1, 1}};
  const Folds folds{2, {{0, 1, 0, 1}, {0, 0, 1, 1}}};
  EXPECT_THAT(message_of([&] { require_classes_in_training(folds, labels); }), testing::HasSubstr("class 'a'"));
}

TEST(RandomHalves, HaveHalfOfEachClass) {
  for (const Numbers& sizes : kClassSizes) {
    const Labels labels = labels_of(sizes);
    std::vector<std::set<Index>> seen(sizes.size());
    for (const std::vector<char>& half : random_halves(labels, 60, 3)) {
      Numbers counts(sizes.size(), 0);
      for (std::size_t i = 0; i < half.size(); ++i) {
        counts[static_cast<std::size_t>(labels.of_sample[i])] += half[i];
      }
      for (std::size_t k = 0; k < sizes.size(); ++k) seen[k].insert(counts[k]);
    }
    for (std::size_t k = 0; k < sizes.size(); ++k) {
      const Index half = sizes[k] / 2;
      const bool odd = sizes[k] % 2 == 1;
      std::set<Index> expected = {half};
      if (odd) expected.insert(half + 1);
      if (sizes[k] == 1) expected = {1};
      EXPECT_EQ(seen[k], expected) << sizes[k] << " samples";
    }
  }
}

TEST(RandomHalves, TakeEverySampleAboutHalfTheTime) {
  const Labels labels = labels_of({9, 14});
  const std::vector<std::vector<char>> halves = random_halves(labels, 400, 1);
  for (std::size_t i = 0; i < labels.of_sample.size(); ++i) {
    Index count = 0;
    for (const std::vector<char>& half : halves) count += half[i];
    EXPECT_NEAR(count, 200, 50) << i;
  }
}

TEST(RandomHalves, AreEachTheirOwn) {
  const Labels labels = labels_of({15, 15});
  const std::vector<std::vector<char>> halves = random_halves(labels, 10, 4);
  EXPECT_EQ(std::set(halves.begin(), halves.end()).size(), 10U);
  EXPECT_EQ(random_halves(labels, 3, 4)[2], halves[2]);
  EXPECT_NE(random_halves(labels, 1, 5)[0], halves[0]);
  EXPECT_NE(stratified_split(labels, 0.5, 4), halves[0]);  // the same seed, other random numbers
}

TEST(StratifiedSplit, HasItsShareOfEachClass) {
  for (const Numbers& sizes : kClassSizes) {
    const Labels labels = labels_of(sizes);
    for (const double share : {0.01, 0.3, 0.5, 0.75, 0.99}) {
      const std::vector<char> first = stratified_split(labels, share, 6);
      Numbers counts(sizes.size(), 0);
      for (std::size_t i = 0; i < first.size(); ++i) {
        counts[static_cast<std::size_t>(labels.of_sample[i])] += first[i];
      }
      for (std::size_t k = 0; k < sizes.size(); ++k) {
        EXPECT_LE(std::abs(counts[k] - share * sizes[k]), 0.5) << sizes[k] << " samples, share " << share;
      }
    }
  }
}

TEST(StratifiedSplit, IsRandomAndRepeats) {
  const Labels labels = labels_of({30, 20});
  std::set<std::vector<char>> splits;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    splits.insert(stratified_split(labels, 0.7, seed));
    EXPECT_EQ(stratified_split(labels, 0.7, seed), stratified_split(labels, 0.7, seed));
  }
  EXPECT_EQ(splits.size(), 20U);
}

TEST(StratifiedSplit, NamesAShareOutOfRange) {
  const Labels labels = labels_of({3, 5});
  EXPECT_EQ(message_of([&] { (void)stratified_split(labels, 1.0, 1); }),
            "option: a share of 1: must be greater than 0 and less than 1");
  EXPECT_THROW((void)stratified_split(labels, 0.0, 1), OptionError);
  EXPECT_THROW((void)stratified_split(labels, std::numeric_limits<double>::quiet_NaN(), 1), OptionError);
}

}  // namespace
}  // namespace hsvm
