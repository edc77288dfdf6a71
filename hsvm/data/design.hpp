// A design matrix X (n_samples x n_features) as everything above data/ sees it: products with vectors and with J classes
// at once, of all columns or of chosen ones, and a look at single columns. Dense and sparse matrices, the standardised
// view, a subset of columns, samples divided over ranks and matrices of a user's own are bodies of this class [docs/add_a_matrix.md].
//
//   multiply(columns, w, out)                out = X_C w      C = columns, one coefficient for each; out: rows
//   multiply_transposed(columns, r, out)     out = X_C' r     one number for each of C; r: rows
//
// are all that a body must define besides its shape. The rest has a default made from these two, which a body replaces
// where it knows a faster way:
//
//   multiply(w, out)                         out = X w        w: cols; zero w_j cost nothing
//   multiply_transposed(r, out)              out = X' r       out: cols
//   multiply(columns, W, out)                out = X_C W      W: one row of J for each of C; out: rows x J
//   multiply_transposed(columns, R, out)     out = X_C' R     R: rows x J; also for all columns
//   column_squared_norms(columns, s, out)    out_j = sum_i s_i x_ij^2         s: rows, empty means all 1; one number for each of C
//   column_dot(j, r)                         x_j' r
//   add_column(j, factor, s, out)            out += factor s o x_j            s, out: rows
//   column_dot(j, R, out)                    out = x_j' R                     one number a class, padded as R is
//   add_column(j, factors, S, out)           out_ik += factors_k S_ik x_ij    S, out: rows x J; factors padded
//   column(j, buffer)                        the entries of column j
//   column_between(j, begin, end, buffer)    those of samples begin .. end - 1; where dense, one value for each of these
//   gather(j, samples, out, stride)          out[k stride] = x_ij for i = samples[k]
//
// A call is for a vector or a block of columns, never for a number, so that being virtual costs nothing. Vectors and sums
// are double whatever the storage. Every product has the same bits for any number of threads, and the product with a
// column does not depend on which other columns are asked for beside it.
#pragma once

#include <concepts>
#include <functional>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "hsvm/core/class_matrix.hpp"
#include "hsvm/core/collective.hpp"
#include "hsvm/core/types.hpp"

namespace hsvm {

// A column in double precision: one value for each sample, or where it is sparse its entries alone.
struct ColumnView {
  bool sparse = false;
  std::span<const Index> rows;     // of the entries of a sparse column, strictly increasing
  std::span<const double> values;  // as many as rows, or one for each sample
};

// Calls visit(sample, value) for the entries of a column. Inlined, so that it is compiled as the kernel that calls it is.
template <class Visit>
[[gnu::always_inline]] inline void for_each_entry(const ColumnView& column, const Visit& visit) {
  if (column.sparse) {
    for (std::size_t e = 0; e < column.rows.size(); ++e)
      visit(static_cast<std::size_t>(column.rows[e]), column.values[e]);
  } else {
    for (std::size_t i = 0; i < column.values.size(); ++i) visit(i, column.values[i]);
  }
}

// A part of a column, in the type it is stored in: the entries of some samples, or one value for each of these.
struct ColumnPart {
  bool sparse = false;
  std::span<const Index> rows = {};  // of the entries of a sparse one: samples, strictly increasing
  std::size_t size = 0;
  const double* values = nullptr;  // or
  const float* narrow = nullptr;

  [[nodiscard]] double operator[](std::size_t e) const {
    return narrow != nullptr ? static_cast<double>(narrow[e]) : values[e];
  }
};

// Where a column is written that is not in memory as a ColumnView has it.
struct ColumnBuffer {
  std::vector<double> values;
  std::vector<Index> rows = {};  // of a sparse column whose entries lie in several places
};

// How a column is seen: x_ij = scale (stored_ij - center).
struct Affine {
  double center = 0.0;
  double scale = 1.0;

  [[nodiscard]] double operator()(double stored) const {
    return scale == 0.0 ? 0.0 : scale * (stored - center);  // a column left out is zero whatever is stored
  }
};

class Design {
 public:
  using Columns = std::span<const Index>;

  virtual ~Design() = default;

  [[nodiscard]] virtual Index rows() const = 0;
  [[nodiscard]] virtual Index cols() const = 0;
  // Where the samples are divided over ranks, rows() are those of this one; products that sum over samples are of all.
  [[nodiscard]] virtual const Collective& collective() const { return single_process(); }
  [[nodiscard]] virtual Count n_samples() const { return rows(); }  // of all ranks
  // Entries in memory, of all columns and of one: what reading them costs.
  [[nodiscard]] virtual Count stored() const { return Count{rows()} * cols(); }
  [[nodiscard]] virtual Count stored(Index /*j*/) const { return rows(); }
  [[nodiscard]] virtual bool is_sparse() const { return false; }  // whether zeros are left out

  virtual void multiply(Columns columns, std::span<const double> w, std::span<double> out) const = 0;
  virtual void multiply_transposed(Columns columns, std::span<const double> r, std::span<double> out) const = 0;

  virtual void multiply(std::span<const double> w, std::span<double> out) const;
  virtual void multiply_transposed(std::span<const double> r, std::span<double> out) const;
  virtual void multiply(Columns columns, const ClassMatrix& w, ClassMatrix& out) const;
  virtual void multiply_transposed(Columns columns, const ClassMatrix& r, ClassMatrix& out) const;
  void multiply_transposed(const ClassMatrix& r, ClassMatrix& out) const;  // all columns
  virtual void column_squared_norms(Columns columns, std::span<const double> s, std::span<double> out) const;

  [[nodiscard]] virtual double column_dot(Index j, std::span<const double> r) const;
  virtual void add_column(Index j, double factor, std::span<const double> s, std::span<double> out) const;
  virtual void column_dot(Index j, const ClassMatrix& r, std::span<double> out) const;
  virtual void add_column(Index j, std::span<const double> factors, const ClassMatrix& s,
                          ClassMatrix& out) const;

  // The view is of the matrix's own memory or of the buffer: it lives as long as both.
  [[nodiscard]] virtual ColumnView column(Index j, ColumnBuffer& buffer) const;
  [[nodiscard]] virtual ColumnPart column_between(Index j, Index begin, Index end, ColumnBuffer& buffer) const;
  virtual void gather(Index j, std::span<const Index> samples, double* out, Index stride) const;

  // The design whose entries are in memory, and how column j of it is seen: column j here is affine(j) of column j there.
  [[nodiscard]] virtual const Design& source() const { return *this; }
  [[nodiscard]] virtual Affine affine(Index /*j*/) const { return {}; }

  // For who goes over columns in their order: calls body(begin, end) for one piece of the list after the other. Where X lies on a
  // disk the next pieces are read meanwhile; what is in memory is one piece.
  virtual void for_each_piece(Columns columns,
                              const std::function<void(std::size_t begin, std::size_t end)>& body) const {
    body(0, columns.size());
  }
  // Has these columns in memory for as long as the result lives, where X lies on a disk: they are read many times.
  [[nodiscard]] virtual std::shared_ptr<const void> keep_in_memory(Columns /*columns*/) const {
    return nullptr;
  }
  // The matrix that holds the numbers: itself, but for a design that only reads ahead in it.
  [[nodiscard]] virtual const Design& matrix() const { return *this; }

  // Sample k of the result is sample rows[k] of this one.
  [[nodiscard]] virtual std::shared_ptr<const Design> take_rows(std::span<const Index> rows) const;
};

// A design that several owners share; a copy refers to the same matrix.
class SharedDesign {
 public:
  SharedDesign();  // 0 x 0
  SharedDesign(std::shared_ptr<const Design> design) : design_(std::move(design)) {}
  template <std::derived_from<Design> X>
  SharedDesign(X matrix) : design_(std::make_shared<const X>(std::move(matrix))) {}

  [[nodiscard]] const Design& operator*() const { return *design_; }
  [[nodiscard]] const Design* operator->() const { return design_.get(); }
  operator const Design&() const { return *design_; }
  // The matrix, where it is one of that kind; else null.
  template <std::derived_from<Design> X>
  [[nodiscard]] const X* get_if() const {
    return dynamic_cast<const X*>(&design_->matrix());
  }

 private:
  std::shared_ptr<const Design> design_;
};

// sum_i s_i (scale (x_i - center))^2 over the samples of a column, `total` being the sum of s. Scaled before it is
// squared: features of any size have squares then.
[[nodiscard]] double squared_norm(const ColumnView& column, const Affine& seen, std::span<const double> s,
                                  double total);

// 0 .. n - 1: all columns.
[[nodiscard]] std::vector<Index> all_indices(Index n);

// The nonzero entries of a coefficient vector, so that products touch their columns only.
struct SparseCoefficients {
  std::vector<Index> columns;  // ascending
  std::vector<double> values;

  [[nodiscard]] double operator[](Index j) const;  // 0 where it is not held
  void clear() {
    columns.clear();
    values.clear();
  }
  void add(Index j, double value) {
    columns.push_back(j);
    values.push_back(value);
  }
  [[nodiscard]] bool operator==(const SparseCoefficients&) const = default;
};
[[nodiscard]] SparseCoefficients nonzeros(std::span<const double> w);

}  // namespace hsvm
