// A design with a value in place of each missing entry: column j has fill_j there, and what the design has elsewhere. The
// design has zeros at the missing entries, so
//
//   Z w = X w + sum_j fill_j w_j 1_{M_j}        (Z'r)_j = (X'r)_j + fill_j sum_{i in M_j} r_i        M_j: the rows missing in j
//
// and a product costs what it costs with X and a look at the missing entries. A view: design and entries must outlive it.
#pragma once

#include <span>
#include <vector>

#include "hsvm/data/design.hpp"
#include "hsvm/data/missing_entries.hpp"

namespace hsvm {

class ImputedView final : public Design {
 public:
  // One value for each of missing.columns.
  ImputedView(const Design& design, const MissingEntries& missing, std::vector<double> fill);

  [[nodiscard]] Index rows() const override { return design_->rows(); }
  [[nodiscard]] Index cols() const override { return design_->cols(); }
  [[nodiscard]] Count stored() const override { return design_->stored() + missing_->size(); }
  [[nodiscard]] Count stored(Index j) const override {
    return design_->stored(j) + std::ssize(missing_->rows_of(j));
  }
  [[nodiscard]] bool is_sparse() const override { return design_->is_sparse(); }

  void multiply(Columns columns, std::span<const double> w, std::span<double> out) const override;
  void multiply_transposed(Columns columns, std::span<const double> r, std::span<double> out) const override;
  void multiply(std::span<const double> w, std::span<double> out) const override;
  void multiply_transposed(std::span<const double> r, std::span<double> out) const override;
  void multiply(Columns columns, const ClassMatrix& w, ClassMatrix& out) const override;
  void multiply_transposed(Columns columns, const ClassMatrix& r, ClassMatrix& out) const override;
  using Design::multiply_transposed;
  [[nodiscard]] double column_dot(Index j, std::span<const double> r) const override;
  void add_column(Index j, double factor, std::span<const double> s, std::span<double> out) const override;
  void column_dot(Index j, const ClassMatrix& r, std::span<double> out) const override;
  void add_column(Index j, std::span<const double> factors, const ClassMatrix& s,
                  ClassMatrix& out) const override;
  // A column with missing entries is a dense copy; any other is the design's own.
  [[nodiscard]] ColumnView column(Index j, ColumnBuffer& buffer) const override;
  [[nodiscard]] ColumnPart column_between(Index j, Index begin, Index end, ColumnBuffer& buffer) const override;
  void gather(Index j, std::span<const Index> samples, double* out, Index stride) const override;
  void for_each_piece(Columns columns,
                      const std::function<void(std::size_t begin, std::size_t end)>& body) const override {
    design_->for_each_piece(columns, body);
  }
  [[nodiscard]] std::shared_ptr<const void> keep_in_memory(Columns columns) const override {
    return design_->keep_in_memory(columns);
  }

 private:
  // The missing entries of a feature and their value; null where there are none or the value is zero.
  struct Patch {
    const std::vector<Index>* rows = nullptr;
    double value = 0.0;
  };
  [[nodiscard]] Patch patch_of(Index j) const;

  const Design* design_;
  const MissingEntries* missing_;
  std::vector<double> fill_;
};

}  // namespace hsvm
