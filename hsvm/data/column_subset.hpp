// Some columns of a design, seen as a design of their own. A view: the columns are not copied, the design must outlive it.
#pragma once

#include <span>
#include <vector>

#include "hsvm/data/design.hpp"

namespace hsvm {

class ColumnSubset final : public Design {
 public:
  ColumnSubset(const Design& design, std::vector<Index> columns);

  [[nodiscard]] std::span<const Index> columns() const { return columns_; }

  [[nodiscard]] Index rows() const override { return design_->rows(); }
  [[nodiscard]] Index cols() const override { return static_cast<Index>(columns_.size()); }
  [[nodiscard]] const Collective& collective() const override { return design_->collective(); }
  [[nodiscard]] Count n_samples() const override { return design_->n_samples(); }
  [[nodiscard]] Count stored() const override;
  [[nodiscard]] Count stored(Index j) const override { return design_->stored(in_design(j)); }
  [[nodiscard]] bool is_sparse() const override { return design_->is_sparse(); }
  using Design::multiply;
  using Design::multiply_transposed;
  void multiply_transposed(std::span<const double> r, std::span<double> out) const override;
  void multiply(Columns columns, std::span<const double> w, std::span<double> out) const override;
  void multiply_transposed(Columns columns, std::span<const double> r, std::span<double> out) const override;
  void multiply(Columns columns, const ClassMatrix& w, ClassMatrix& out) const override;
  void multiply_transposed(Columns columns, const ClassMatrix& r, ClassMatrix& out) const override;
  void column_squared_norms(Columns columns, std::span<const double> s, std::span<double> out) const override;
  [[nodiscard]] ColumnView column(Index j, ColumnBuffer& buffer) const override;
  [[nodiscard]] ColumnPart column_between(Index j, Index begin, Index end, ColumnBuffer& buffer) const override;
  void gather(Index j, std::span<const Index> samples, double* out, Index stride) const override;
  void for_each_piece(Columns columns,
                      const std::function<void(std::size_t begin, std::size_t end)>& body) const override {
    design_->for_each_piece(in_design(columns), body);
  }
  [[nodiscard]] std::shared_ptr<const void> keep_in_memory(Columns columns) const override {
    return design_->keep_in_memory(in_design(columns));
  }

 private:
  [[nodiscard]] Index in_design(Index j) const { return columns_[static_cast<std::size_t>(j)]; }
  [[nodiscard]] std::vector<Index> in_design(Columns columns) const;

  const Design* design_;
  std::vector<Index> columns_;
};

}  // namespace hsvm
