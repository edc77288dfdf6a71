// Files that each rank reads its part of: together they are the file.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "hsvm/core/error.hpp"
#include "hsvm/io/formats/dataset_file.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tests/support/thread_ranks.hpp"

namespace hsvm {
namespace {

using ::testing::HasSubstr;

ReadOptions reading_over(const Collective& ranks) {
  ReadOptions options;
  options.ranks = &ranks;
  return options;
}

// The samples of all ranks, one after the other, must be those of the whole file.
void expect_divided(const std::string& file, Index size) {
  const Dataset whole = read_dataset(file, ReadOptions{});
  std::vector<double> sums(static_cast<std::size_t>(whole.n_features()), 0.0);
  test::run_ranks(size, [&](const Collective& ranks) {
    const Dataset part = read_dataset(file, reading_over(ranks));
    EXPECT_EQ(part.n_features(), whole.n_features());
    EXPECT_EQ(part.design->is_sparse(), whole.design->is_sparse());
    ASSERT_TRUE(part.labels.has_value());
    EXPECT_EQ(part.labels->classes, whole.labels->classes);
    EXPECT_EQ(ranks.gather(std::span<const Index>(part.labels->of_sample)), whole.labels->of_sample);
    const Count first = ranks.before(part.n_samples());
    for (Index j = 0; j < whole.n_features(); ++j) {
      std::vector<double> all(static_cast<std::size_t>(whole.n_samples()));
      std::vector<double> own(static_cast<std::size_t>(part.n_samples()));
      whole.design->gather(j, all_indices(whole.n_samples()), all.data(), 1);
      part.design->gather(j, all_indices(part.n_samples()), own.data(), 1);
      for (std::size_t i = 0; i < own.size(); ++i) EXPECT_EQ(own[i], all[static_cast<std::size_t>(first) + i]);
    }
  });
}

TEST(ReadOverRanks, DividesLinesWhereverTheyAreCut) {
  const test::TemporaryFolder folder;
  // Lines of all lengths, a class that stands at the end alone, a feature in one line alone, no line break at the end.
  std::string text = "# a comment\n\n";
  for (int i = 0; i < 23; ++i) {
    text += i % 2 == 0 ? "1" : "-1";
    for (int j = 1; j <= i % 7; ++j) text += " " + std::to_string(j) + ":" + std::to_string(i + 0.5 * j);
    text += i % 5 == 0 ? "   # remark\r\n" : "\n";
  }
  text += "7 9:1";
  const std::string file = folder.write("data.libsvm", text);
  for (Index size = 2; size <= 9; ++size) expect_divided(file, size);
}

TEST(ReadOverRanks, TakesOneLongLine) {
  const test::TemporaryFolder folder;
  std::string text = "1";
  for (int j = 1; j <= 400; ++j) text += " " + std::to_string(j) + ":1";
  const std::string file = folder.write("data.libsvm", text + "\n2 1:1\n1 2:1\n2 3:1\n1 1:1\n");
  expect_divided(file, 4);  // some ranks have no sample
}

TEST(ReadOverRanks, KeepsTheRowsOfOtherFormats) {
  const test::TemporaryFolder folder;
  std::string text = "y,a,b\n";
  for (int i = 0; i < 17; ++i)
    text += std::string(i % 3 == 0 ? "yes" : "no") + "," + std::to_string(i) + "," +
            (i % 2 == 0 ? "red" : "blue") + "\n";
  const std::string file = folder.write("data.csv", text);
  for (const Index size : {2, 3, 5}) expect_divided(file, size);
}

TEST(ReadOverRanks, DividesTablesOfNumbers) {
  const test::TemporaryFolder folder;
  std::string text = "# a comment\n\nclass;a;b;c\n";
  for (int i = 0; i < 31; ++i)
    text += std::string(i == 30      ? "rare"
                        : i % 3 == 0 ? "yes"
                                     : "no") +
            ";" + std::to_string(i) + ";" + std::to_string(0.25 * i) + ";" + std::to_string(i % 4) +
            (i % 7 == 0 ? "\r\n" : "\n");
  for (const char* ending : {".csv", ".txt"}) {
    const std::string file = folder.write(std::string("data") + ending, text);
    for (const Index size : {2, 3, 8}) expect_divided(file, size);
  }
  // Quotes may hide line breaks: all ranks read all of it.
  const std::string numbers = "y,a,b\n1,1,2\n2,3,4\n1,5,6\n2,7,8\n1,9,10\n";
  expect_divided(folder.write("quotes.csv", numbers + "2,\"11\",12\n"), 3);
}

TEST(ReadOverRanks, SaysWhereTheFirstErrorIs) {
  const test::TemporaryFolder folder;
  std::string text;
  for (int i = 0; i < 40; ++i) text += i == 33 ? "1 2:x\n" : i == 37 ? "1 2:z\n" : "1 1:2 2:3\n";
  const std::string file = folder.write("data.libsvm", text);
  std::vector<std::string> messages(4);
  test::run_ranks(4, [&](const Collective& ranks) {
    try {
      static_cast<void>(read_dataset(file, reading_over(ranks)));
    } catch (const InputError& error) {
      messages[static_cast<std::size_t>(ranks.rank())] = error.what();
    }
  });
  EXPECT_THAT(messages, ::testing::Each(HasSubstr("data.libsvm:34:5")));
}

TEST(ReadOverRanks, RefusesWhatCannotBeDivided) {
  const test::TemporaryFolder folder;
  const std::string few = folder.write("few.libsvm", "1 1:1\n2 1:2\n");
  const auto refusal = [&](const std::string& file) {
    std::string message;
    test::run_ranks(3, [&](const Collective& ranks) {
      try {
        static_cast<void>(read_dataset(file, reading_over(ranks)));
      } catch (const InputError& error) {
        if (ranks.rank() == 0) message = error.what();
      }
    });
    return message;
  };
  EXPECT_THAT(refusal(few), HasSubstr("2 samples for 3 ranks"));
  EXPECT_THAT(refusal("-"), HasSubstr("standard input cannot be divided"));
  EXPECT_THAT(refusal(folder.write("empty.libsvm", "\n\n")), HasSubstr("no samples"));
}

}  // namespace
}  // namespace hsvm
