// Designs one below the other: the same features, the samples of the first, then those of the second, and so on.
//
//   X w = (X_1 w; X_2 w; ...)        X'r = X_1'r_1 + X_2'r_2 + ...     added in this order
//
// What a matrix in blocks of rows is read as (io/formats/folder.hpp).
#pragma once

#include <span>
#include <vector>

#include "hsvm/data/design.hpp"

namespace hsvm {

class StackedDesign final : public Design {
 public:
  // One at least; all of them sparse, or none.
  explicit StackedDesign(std::vector<SharedDesign> blocks);

  [[nodiscard]] Index rows() const override { return first_rows_.back(); }
  [[nodiscard]] Index cols() const override { return blocks_.front()->cols(); }
  [[nodiscard]] Count stored() const override;
  [[nodiscard]] Count stored(Index j) const override;
  [[nodiscard]] bool is_sparse() const override { return blocks_.front()->is_sparse(); }
  using Design::multiply;
  using Design::multiply_transposed;
  void multiply(Columns columns, std::span<const double> w, std::span<double> out) const override;
  void multiply_transposed(Columns columns, std::span<const double> r, std::span<double> out) const override;
  void multiply(Columns columns, const ClassMatrix& w, ClassMatrix& out) const override;
  void multiply_transposed(Columns columns, const ClassMatrix& r, ClassMatrix& out) const override;
  [[nodiscard]] double column_dot(Index j, std::span<const double> r) const override;
  using Design::add_column;
  using Design::column_dot;
  void add_column(Index j, double factor, std::span<const double> s, std::span<double> out) const override;
  [[nodiscard]] ColumnView column(Index j, ColumnBuffer& buffer) const override;
  [[nodiscard]] ColumnPart column_between(Index j, Index begin, Index end, ColumnBuffer& buffer) const override;
  [[nodiscard]] std::shared_ptr<const void> keep_in_memory(Columns columns) const override;

 private:
  // The part of a vector over samples that belongs to a block.
  template <class Number>
  [[nodiscard]] std::span<Number> part(std::span<Number> of_samples, std::size_t block) const {
    const auto begin = static_cast<std::size_t>(first_rows_[block]);
    return of_samples.subspan(begin, static_cast<std::size_t>(first_rows_[block + 1]) - begin);
  }

  std::vector<SharedDesign> blocks_;
  std::vector<Index> first_rows_;  // of each block, and the number of all
};

}  // namespace hsvm
