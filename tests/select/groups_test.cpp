#include "hsvm/select/groups.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "hsvm/core/error.hpp"
#include "hsvm/core/random.hpp"

namespace hsvm {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

struct GroupedLabels {
  Labels labels;
  std::vector<Index> groups;
};

// Groups of 1 to `largest` samples of random classes, their samples scattered over the data.
GroupedLabels random_groups(std::uint64_t seed, Index n_groups, Index largest, Index n_classes) {
  Random random(seed, 0);
  GroupedLabels result;
  for (Index k = 0; k < n_classes; ++k) result.labels.classes.names.push_back("c" + std::to_string(k));
  std::vector<Index> order;
  for (Index g = 0; g < n_groups; ++g) {
    const std::uint64_t size = 1 + random.below(static_cast<std::uint64_t>(largest));
    for (std::uint64_t t = 0; t < size; ++t) order.push_back(g);
  }
  for (std::size_t end = order.size(); end > 1; --end) std::swap(order[end - 1], order[random.below(end)]);
  for (const Index g : order) {
    result.groups.push_back(7 * g - 20);  // any numbers
    result.labels.of_sample.push_back(static_cast<Index>(random.below(static_cast<std::uint64_t>(n_classes))));
  }
  return result;
}

void expect_together(const std::vector<Index>& part, const std::vector<Index>& groups) {
  std::map<Index, std::set<Index>> parts_of_group;
  for (std::size_t i = 0; i < part.size(); ++i) parts_of_group[groups[i]].insert(part[i]);
  for (const auto& [group, parts] : parts_of_group) EXPECT_EQ(parts.size(), 1U) << "group " << group;
}

TEST(GroupedFolds, KeepGroupsTogetherAndFillEveryFold) {
  for (const std::uint64_t seed : {1U, 2U, 3U, 4U}) {
    const GroupedLabels data = random_groups(seed, 23, 6, 3);
    for (const Index n_folds : {2, 3, 7, 23}) {
      const Folds folds = grouped_folds(data.labels, data.groups, n_folds, 3, seed);
      ASSERT_EQ(folds.of_sample.size(), 3U);
      EXPECT_EQ(folds.n_folds, n_folds);
      for (const std::vector<Index>& fold : folds.of_sample) {
        expect_together(fold, data.groups);
        EXPECT_EQ(std::set<Index>(fold.begin(), fold.end()).size(), static_cast<std::size_t>(n_folds));
      }
      EXPECT_NE(folds.of_sample[0], folds.of_sample[1]);
      EXPECT_EQ(folds.of_sample[0], grouped_folds(data.labels, data.groups, n_folds, 1, seed).of_sample[0]);
    }
  }
}

// Many small groups: the folds of every class are nearly equal.
TEST(GroupedFolds, AreStratifiedAsFarAsGroupsAllow) {
  const GroupedLabels data = random_groups(5, 200, 4, 3);
  const Folds folds = grouped_folds(data.labels, data.groups, 5, 2, 1);
  for (const std::vector<Index>& fold : folds.of_sample) {
    std::vector<std::vector<Index>> counts(3, std::vector<Index>(5, 0));
    for (std::size_t i = 0; i < fold.size(); ++i)
      ++counts[static_cast<std::size_t>(data.labels.of_sample[i])][static_cast<std::size_t>(fold[i])];
    for (const std::vector<Index>& of_class : counts) {
      const auto [least, most] = std::minmax_element(of_class.begin(), of_class.end());
      EXPECT_LE(*most - *least, 2);
    }
  }
}

// Groups of one sample are no groups: classes are as even as without them, but for one sample.
TEST(GroupedFolds, OfSingleSamplesAreStratified) {
  GroupedLabels data;
  data.labels.classes.names = {"a", "b"};
  for (Index i = 0; i < 30; ++i) {
    data.labels.of_sample.push_back(i % 3 == 0 ? 0 : 1);
    data.groups.push_back(i);
  }
  const Folds folds = grouped_folds(data.labels, data.groups, 5, 1, 3);
  std::vector<Index> of_a(5, 0);
  std::vector<Index> of_b(5, 0);
  for (std::size_t i = 0; i < 30; ++i)
    ++(data.labels.of_sample[i] == 0 ? of_a : of_b)[static_cast<std::size_t>(folds.of_sample[0][i])];
  EXPECT_THAT(of_a, testing::Each(2));
  EXPECT_THAT(of_b, testing::Each(4));
}

TEST(GroupedFolds, NeverHoldOutAClassThatIsInOneGroup) {
  GroupedLabels data;
  data.labels.classes.names = {"a", "b", "c"};
  data.labels.of_sample = {0, 0, 1, 1, 0, 1, 2, 2, 0, 1};
  data.groups = {1, 1, 1, 2, 2, 3, 4, 4, 4, 3};  // c is in group 4 only
  EXPECT_EQ(count_groups_to_hold_out(data.labels, data.groups), 3);
  const Folds folds = grouped_folds(data.labels, data.groups, 3, 1, 1);
  for (std::size_t i = 0; i < data.groups.size(); ++i)
    EXPECT_EQ(folds.of_sample[0][i] == kNeverHeldOut, data.groups[i] == 4) << i;
  EXPECT_NO_THROW(require_classes_in_training(folds, data.labels));
  EXPECT_THAT(leave_one_group_out(data.labels, data.groups).of_sample[0],
              ElementsAre(0, 0, 0, 1, 1, 2, -1, -1, -1, 2));
  EXPECT_THAT([&] { static_cast<void>(grouped_folds(data.labels, data.groups, 4, 1, 1)); },
              testing::ThrowsMessage<OptionError>(HasSubstr("at most 3, the number of groups")));
}

// Two folds of three groups leave one way only: the group with both classes alone.
TEST(GroupedFolds, FindTheOneWayThatLeavesEveryClassInTraining) {
  GroupedLabels data;
  data.labels.classes.names = {"a", "b"};
  data.labels.of_sample = {0, 0, 1, 1, 0, 1};
  data.groups = {1, 1, 2, 2, 3, 3};
  for (const std::uint64_t seed : {1U, 2U, 3U, 4U, 5U}) {
    const Folds folds = grouped_folds(data.labels, data.groups, 2, 1, seed);
    EXPECT_NO_THROW(require_classes_in_training(folds, data.labels)) << seed;
  }
}

TEST(LeaveOneGroupOut, NeedsTwoGroups) {
  const Labels labels{{.numeric = false, .names = {"a", "b"}}, {0, 1, 0}};
  EXPECT_THAT(
      [&] {
        static_cast<void>(leave_one_group_out(labels, std::vector<Index>{5, 5, 5}));
      },
      testing::ThrowsMessage<InputError>(HasSubstr("none can be held out")));
}

TEST(GroupedHalves, KeepGroupsTogetherAndHaveEveryClass) {
  const GroupedLabels data = random_groups(9, 40, 5, 4);
  const auto halves = grouped_halves(data.labels, data.groups, 10, 2);
  ASSERT_EQ(halves.size(), 10U);
  for (const std::vector<char>& half : halves) {
    expect_together({half.begin(), half.end()}, data.groups);
    std::vector<double> share(4, 0.0);
    std::vector<double> total(4, 0.0);
    for (std::size_t i = 0; i < half.size(); ++i) {
      share[static_cast<std::size_t>(data.labels.of_sample[i])] += half[i];
      total[static_cast<std::size_t>(data.labels.of_sample[i])] += 1.0;
    }
    for (std::size_t k = 0; k < 4; ++k) EXPECT_NEAR(share[k] / total[k], 0.5, 0.12);
  }
  EXPECT_NE(halves[0], halves[1]);
}

TEST(GroupedSplit, KeepsGroupsTogetherAndTheShare) {
  const GroupedLabels data = random_groups(4, 60, 5, 2);
  for (const double share : {0.2, 0.5, 0.7}) {
    const std::vector<char> part = grouped_split(data.labels, data.groups, share, 3);
    expect_together({part.begin(), part.end()}, data.groups);
    for (const Index k : {0, 1}) {
      double inside = 0.0;
      double total = 0.0;
      for (std::size_t i = 0; i < part.size(); ++i) {
        if (data.labels.of_sample[i] != k) continue;
        inside += part[i];
        total += 1.0;
      }
      EXPECT_NEAR(inside / total, share, 0.06);
    }
  }
  EXPECT_THROW(static_cast<void>(grouped_split(data.labels, data.groups, 1.0, 3)), OptionError);
  const std::vector<Index> one_group(data.groups.size(), 1);
  EXPECT_THROW(static_cast<void>(grouped_split(data.labels, one_group, 0.5, 3)), InputError);
}

TEST(NumbersOfWords, AreInOrderOfNumbersOrBytes) {
  EXPECT_THAT(numbers_of_words(std::vector<std::string>{"10", "9", "10", "-1"}), ElementsAre(2, 1, 2, 0));
  EXPECT_THAT(numbers_of_words(std::vector<std::string>{"1", "1.0", "2"}), ElementsAre(0, 0, 1));
  EXPECT_THAT(numbers_of_words(std::vector<std::string>{"10", "9", "x"}), ElementsAre(0, 1, 2));
  EXPECT_THAT(numbers_of_words(std::vector<std::string>{"nan", "1"}), ElementsAre(1, 0));
}

}  // namespace
}  // namespace hsvm
