// A design seen through a standardisation: z_ij = scales_j (x_ij - centers_j), of which nothing is stored but the two
// numbers of each feature.
//
//   Z w  = X v - (centers'v) 1,  v = scales o w         Z'r = scales o (X'r - (1'r) centers)
//
// so a product costs what it costs with X, sparse or not. Columns that are left out (scale 0) are not read, whatever
// stands in them. A view: the matrix and the standardisation must outlive it.
#pragma once

#include <span>

#include "hsvm/data/design.hpp"
#include "hsvm/data/standardization.hpp"

namespace hsvm {

class StandardizedView final : public Design {
 public:
  StandardizedView(const Design& matrix, const Standardization& standardization);

  [[nodiscard]] Index rows() const override { return matrix_->rows(); }
  [[nodiscard]] Index cols() const override { return matrix_->cols(); }
  [[nodiscard]] Count stored() const override { return matrix_->stored(); }
  [[nodiscard]] Count stored(Index j) const override { return matrix_->stored(j); }
  [[nodiscard]] bool is_sparse() const override { return matrix_->is_sparse(); }
  using Design::multiply;
  using Design::multiply_transposed;
  void multiply_transposed(std::span<const double> r, std::span<double> out) const override;
  void multiply(Columns columns, std::span<const double> w, std::span<double> out) const override;
  void multiply_transposed(Columns columns, std::span<const double> r, std::span<double> out) const override;
  void multiply(Columns columns, const ClassMatrix& w, ClassMatrix& out) const override;
  void multiply_transposed(Columns columns, const ClassMatrix& r, ClassMatrix& out) const override;
  // Where s is 1 throughout and the standardisation knows them, X is not read.
  void column_squared_norms(Columns columns, std::span<const double> s, std::span<double> out) const override;
  [[nodiscard]] double column_dot(Index j, std::span<const double> r) const override;
  void add_column(Index j, double factor, std::span<const double> s, std::span<double> out) const override;
  void column_dot(Index j, const ClassMatrix& r, std::span<double> out) const override;
  void add_column(Index j, std::span<const double> factors, const ClassMatrix& s,
                  ClassMatrix& out) const override;
  [[nodiscard]] ColumnView column(Index j, ColumnBuffer& buffer) const override;
  [[nodiscard]] ColumnPart column_between(Index j, Index begin, Index end, ColumnBuffer& buffer) const override;
  void gather(Index j, std::span<const Index> samples, double* out, Index stride) const override;
  void for_each_piece(Columns columns,
                      const std::function<void(std::size_t begin, std::size_t end)>& body) const override {
    matrix_->for_each_piece(columns, body);
  }
  [[nodiscard]] std::shared_ptr<const void> keep_in_memory(Columns columns) const override {
    return matrix_->keep_in_memory(columns);
  }
  [[nodiscard]] const Design& source() const override { return *matrix_; }
  [[nodiscard]] Affine affine(Index j) const override { return {center(j), scale(j)}; }

 private:
  [[nodiscard]] double center(Index j) const { return standardization_->centers[static_cast<std::size_t>(j)]; }
  [[nodiscard]] double scale(Index j) const { return standardization_->scales[static_cast<std::size_t>(j)]; }
  struct KeptColumns;
  [[nodiscard]] KeptColumns kept_of(Columns columns) const;

  const Design* matrix_;
  const Standardization* standardization_;
  bool all_kept_ = true;
};

}  // namespace hsvm
