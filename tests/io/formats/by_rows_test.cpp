#include "hsvm/io/formats/by_rows.hpp"

#include <gtest/gtest.h>

#include "tests/io/io_support.hpp"

namespace hsvm::test {
namespace {

// The entries of a design as for_each_row visits them.
std::vector<double> visited(const Dataset& data) {
  std::vector<double> result(static_cast<std::size_t>(data.n_samples()) *
                             static_cast<std::size_t>(data.n_features()));
  Index next = 0;
  for_each_row(data.design, [&](Index i, std::span<const Index> columns, const auto values) {
    EXPECT_EQ(i, next++);
    EXPECT_TRUE(std::is_sorted(columns.begin(), columns.end()));
    for (std::size_t k = 0; k < columns.size(); ++k) {
      EXPECT_NE(values[k], 0);
      result[static_cast<std::size_t>(i) * static_cast<std::size_t>(data.n_features()) +
             static_cast<std::size_t>(columns[k])] = static_cast<double>(values[k]);
    }
  });
  EXPECT_EQ(next, data.n_samples());
  return result;
}

TEST(ForEachRow, VisitsEveryNonzeroInOrder) {
  Random random(6);
  for (const double density : {0.0, 0.1, 0.9}) {
    for (const auto& [rows, cols] : std::vector<std::pair<Index, Index>>{{1, 1}, {150, 7}, {70, 9000}}) {
      const DenseMatrix<float> x = random_design<float>(rows, cols, density, random);
      Dataset data;
      data.design = x;
      const std::vector<double> expected = entries(data);
      EXPECT_EQ(visited(data), expected);
      data.design = as_sparse(x);
      EXPECT_EQ(visited(data), expected);
    }
  }
}

}  // namespace
}  // namespace hsvm::test
