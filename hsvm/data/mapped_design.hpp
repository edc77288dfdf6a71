// A dense or sparse matrix whose numbers lie in mapped files: the same products, read from the disk in the order of the columns.
//
// A pass over columns is cut into pieces of some 32 MB. While one is multiplied, a few threads read the next ones, so that the disk
// never waits. Columns that are read again and again, a working set, are kept in memory; nothing else is: a pass takes no memory but
// the kernel's cache. A file that is not large (MappedFile::is_large) stays in that cache as a whole, and none of it is copied.
//
// The bits of all products are those of the matrix itself. One exception: of X w with columns of more than 1 GB, the sums of such
// pieces are added in their order.
#pragma once

#include <array>
#include <memory>
#include <span>
#include <string_view>

#include "hsvm/core/mapped_file.hpp"
#include "hsvm/data/csc_matrix.hpp"
#include "hsvm/data/dense_matrix.hpp"

namespace hsvm {

class MappedDesign final : public Design {
 public:
  using File = std::shared_ptr<const MappedFile>;

  // The values lie in the file.
  template <class T>
  MappedDesign(DenseMatrix<T> matrix, File values);
  // The values lie in one file, their rows in the other; the starts of columns are anywhere.
  template <class T>
  MappedDesign(CscMatrix<T> matrix, File values, File rows);

  [[nodiscard]] Index rows() const override { return matrix_->rows(); }
  [[nodiscard]] Index cols() const override { return matrix_->cols(); }
  [[nodiscard]] Count stored() const override { return matrix_->stored(); }
  [[nodiscard]] Count stored(Index j) const override { return matrix_->stored(j); }
  [[nodiscard]] bool is_sparse() const override { return matrix_->is_sparse(); }
  using Design::multiply;
  using Design::multiply_transposed;
  void multiply(Columns columns, std::span<const double> w, std::span<double> out) const override;
  void multiply_transposed(Columns columns, std::span<const double> r, std::span<double> out) const override;
  void multiply(Columns columns, const ClassMatrix& w, ClassMatrix& out) const override;
  void multiply_transposed(Columns columns, const ClassMatrix& r, ClassMatrix& out) const override;
  [[nodiscard]] double column_dot(Index j, std::span<const double> r) const override {
    return matrix_->column_dot(j, r);
  }
  void add_column(Index j, double factor, std::span<const double> s, std::span<double> out) const override {
    matrix_->add_column(j, factor, s, out);
  }
  void column_dot(Index j, const ClassMatrix& r, std::span<double> out) const override {
    matrix_->column_dot(j, r, out);
  }
  void add_column(Index j, std::span<const double> factors, const ClassMatrix& s,
                  ClassMatrix& out) const override {
    matrix_->add_column(j, factors, s, out);
  }
  [[nodiscard]] ColumnView column(Index j, ColumnBuffer& buffer) const override {
    return matrix_->column(j, buffer);
  }
  [[nodiscard]] ColumnPart column_between(Index j, Index begin, Index end,
                                          ColumnBuffer& buffer) const override {
    return matrix_->column_between(j, begin, end, buffer);
  }
  void gather(Index j, std::span<const Index> samples, double* out, Index stride) const override {
    matrix_->gather(j, samples, out, stride);
  }
  void for_each_piece(Columns columns,
                      const std::function<void(std::size_t begin, std::size_t end)>& body) const override;
  [[nodiscard]] std::shared_ptr<const void> keep_in_memory(Columns columns) const override;
  [[nodiscard]] const Design& matrix() const override { return *matrix_; }
  [[nodiscard]] std::shared_ptr<const Design> take_rows(std::span<const Index> rows) const override {
    return matrix_->take_rows(rows);
  }

 private:
  static constexpr std::size_t kMostFiles = 2;
  using Parts = std::array<std::string_view, kMostFiles>;  // of a column, one in each file

  // How many keep each column in memory.
  class Keepers;

  void set_up();
  // The bytes of some columns in one file; those that are no further apart than the gap are joined, with what is between them.
  [[nodiscard]] std::vector<std::string_view> parts_of(Columns columns, std::size_t file,
                                                       std::size_t gap) const;
  [[nodiscard]] std::vector<Index> not_kept(Columns columns) const;
  void done_with(Columns columns) const;
  [[nodiscard]] std::vector<std::size_t> cut(Columns columns, std::size_t piece_bytes) const;
  void for_each_sum(Columns columns, const std::function<void(std::size_t begin, std::size_t end)>& body) const;
  class ReadAhead;

  std::shared_ptr<const Design> matrix_;
  std::function<Parts(Index j)> parts_;
  std::vector<File> files_;
  std::shared_ptr<Keepers> keepers_;
};

}  // namespace hsvm
