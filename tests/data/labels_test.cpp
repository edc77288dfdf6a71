#include "hsvm/data/labels.hpp"

#include <gtest/gtest.h>

namespace hsvm {
namespace {

using Names = std::vector<std::string>;
using Numbers = std::vector<Index>;

TEST(Labels, NumbersAreOneClassHoweverWritten) {
  const Labels labels = make_labels(Names{"+1", "-1", "1", "1.000000", "-1.0", "1e0", "10e-1"});
  EXPECT_TRUE(labels.classes.numeric);
  EXPECT_EQ(labels.classes.names, (Names{"-1", "1"}));
  EXPECT_EQ(labels.of_sample, (Numbers{1, 0, 1, 1, 0, 1, 1}));
}

TEST(Labels, ZeroHasNoSign) {
  const Labels labels = make_labels(Names{"-0", "1", "0", "+0.0", "-0.0"});
  EXPECT_EQ(labels.classes.names, (Names{"0", "1"}));
  EXPECT_EQ(labels.of_sample, (Numbers{0, 1, 0, 0, 0}));
}

TEST(Labels, NumbersAreOrderedByValue) {
  const Labels labels = make_labels(Names{"10", "9", "-2", "0.5", "1e2"});
  EXPECT_EQ(labels.classes.names, (Names{"-2", "0.5", "9", "10", "100"}));
  EXPECT_EQ(labels.of_sample, (Numbers{3, 2, 0, 1, 4}));
}

TEST(Labels, WordsAreOrderedByTheirBytes) {
  const Labels labels = make_labels(Names{"spam", "ham", "Spam", "\xC3\xA9gal", "ham"});
  EXPECT_FALSE(labels.classes.numeric);
  EXPECT_EQ(labels.classes.names, (Names{"Spam", "ham", "spam", "\xC3\xA9gal"}));
  EXPECT_EQ(labels.of_sample, (Numbers{2, 1, 0, 3, 1}));
}

TEST(Labels, OneWordMakesAllOfThemWords) {
  const Labels labels = make_labels(Names{"1", "+1", "b", "10", "9"});
  EXPECT_FALSE(labels.classes.numeric);
  EXPECT_EQ(labels.classes.names, (Names{"+1", "1", "10", "9", "b"}));
}

TEST(Labels, WhatOnlyLooksLikeANumberIsAWord) {
  for (const char* label :
       {"", "+", "-", "+-1", "++1", "1x", "0x10", "inf", "-inf", "nan", "NaN", "1e999", " 1", "1 ", "1,5"}) {
    EXPECT_FALSE(make_labels(Names{"1", label}).classes.numeric) << label;
    EXPECT_EQ(make_labels(Names{"1", label}).classes.size(), 2) << label;
  }
}

TEST(Labels, LongNumbersKeepTheirValue) {
  const Labels labels =
      make_labels(Names{"0.1000000000000000055511151231257827", "0.1", "1e300", "0.30000000000000004"});
  EXPECT_EQ(labels.classes.names, (Names{"0.1", "0.30000000000000004", "1e+300"}));
  EXPECT_EQ(labels.of_sample, (Numbers{0, 0, 2, 1}));
}

TEST(Labels, FindsTheClassOfALabel) {
  const Classes numbers = make_labels(Names{"-1", "+1", "2.5"}).classes;
  EXPECT_EQ(numbers.find("-1.000"), 0);
  EXPECT_EQ(numbers.find("1"), 1);
  EXPECT_EQ(numbers.find("+1"), 1);
  EXPECT_EQ(numbers.find("25e-1"), 2);
  EXPECT_EQ(numbers.find("0"), kUnknownClass);
  EXPECT_EQ(numbers.find("spam"), kUnknownClass);
  EXPECT_EQ(numbers.find(""), kUnknownClass);
  const Classes words = make_labels(Names{"1", "spam"}).classes;
  EXPECT_EQ(words.find("spam"), 1);
  EXPECT_EQ(words.find("1"), 0);
  EXPECT_EQ(words.find("+1"), kUnknownClass);
  EXPECT_EQ(words.find("Spam"), kUnknownClass);
}

TEST(Labels, FromDistinctLabelsAreTheSame) {
  const Names distinct = {"2", "1", "1.0"};
  const Numbers of_sample = {0, 0, 1, 2, 0};
  const Labels labels = make_labels(distinct, of_sample);
  EXPECT_EQ(labels.classes.names, (Names{"1", "2"}));
  EXPECT_EQ(labels.of_sample, (Numbers{1, 1, 0, 0, 1}));
  EXPECT_EQ(make_labels(Names{"2", "2", "1", "1.0", "2"}).of_sample, labels.of_sample);
}

TEST(Labels, OfNothingAreNone) {
  const Labels labels = make_labels(Names{});
  EXPECT_EQ(labels.classes.size(), 0);
  EXPECT_TRUE(labels.of_sample.empty());
}

}  // namespace
}  // namespace hsvm
