#include "hsvm/io/formats/row_block.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "hsvm/core/error.hpp"
#include "tests/io/io_support.hpp"

namespace hsvm::test {
namespace {

using testing::ThrowsMessage;

// One row with the label "u" or without; ten lines of text.
RowBlock<double> block_of(const std::vector<double>& row, bool has_label = true) {
  RowBlock<double> block;
  block.n_rows = 1;
  block.width = static_cast<Index>(row.size());
  block.n_lines = 10;
  block.store_panel(row.data());
  if (has_label) {
    block.labels = {"u"};
    block.label_of_row.push_back(0);
    block.first_labelled = TextPosition{2, 0};
  } else {
    block.first_unlabelled = TextPosition{3, 4};
  }
  return block;
}

DatasetShape shape_of(Storage storage) {
  DatasetShape shape;
  shape.source = "FILE";
  shape.storage = storage;
  return shape;
}

TEST(JoinBlocks, JoinsBothFormsInEitherStorage) {
  for (const Storage storage : {Storage::dense, Storage::sparse}) {
    std::deque<RowBlock<double>> blocks;
    blocks.push_back(block_of({1, 2}));        // a panel
    blocks.push_back(block_of({0, 0, 0, 9}));  // sparse, and wider
    blocks.emplace_back();                     // comments only
    blocks.push_back(block_of({0, 3, 4}));
    const Dataset data = join_blocks(std::move(blocks), shape_of(storage));
    EXPECT_EQ(is_dense(data), storage == Storage::dense);
    EXPECT_THAT(entries(data), testing::ElementsAre(1, 2, 0, 0, 0, 0, 0, 9, 0, 3, 4, 0));
    EXPECT_THAT(labels(data), testing::ElementsAre("u", "u", "u"));
  }
}

TEST(JoinBlocks, ReportsTheFirstErrorOfTheFile) {
  DatasetShape shape = shape_of(Storage::dense);
  shape.first_line = 100;
  const auto join = [&](const RowBlock<double>& second, const RowBlock<double>& third) {
    (void)join_blocks(std::deque<RowBlock<double>>{block_of({1}), second, third}, shape);
  };
  RowBlock<double> broken = block_of({1});
  broken.error = TextError{{5, 6}, "first"};
  RowBlock<double> later = broken;
  later.error->message = "later";
  EXPECT_THAT([&] { join(broken, later); }, ThrowsMessage<InputError>("FILE:116:7: first"));

  const std::string mixed = ":114:5: no label, though lines before it have one; expected a label";
  EXPECT_THAT([&] { join(block_of({1}, false), later); }, ThrowsMessage<InputError>("FILE" + mixed));
  broken.first_unlabelled = TextPosition{3, 4};  // before its error
  EXPECT_THAT([&] { join(broken, later); }, ThrowsMessage<InputError>("FILE" + mixed));
}

TEST(JoinBlocks, RefusesAFileWithoutRows) {
  EXPECT_THAT([] { (void)join_blocks(std::deque<RowBlock<float>>(2), shape_of(Storage::automatic)); },
              ThrowsMessage<InputError>("FILE: no samples; expected one on each line"));
}

}  // namespace
}  // namespace hsvm::test
