// A design whose samples are divided over ranks (core/collective.hpp): `local` holds the rows of this one. Products X w stay local; what
// sums over samples (X'r, norms, products with a column) is summed over the ranks, in one call each. Single columns are looked at
// locally. stored() and n_samples() count those of all ranks, so that what is decided by them is the same everywhere.
//
// A view: the local design and the collective must outlive it. It goes outside of all other views: they see what is local.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "hsvm/core/collective.hpp"
#include "hsvm/data/design.hpp"

namespace hsvm {

class RankedView final : public Design {
 public:
  // All ranks must make it together, of designs with the same columns.
  RankedView(const Design& local, const Collective& collective);

  [[nodiscard]] Index rows() const override { return local_->rows(); }
  [[nodiscard]] Index cols() const override { return local_->cols(); }
  [[nodiscard]] Count n_samples() const override { return n_samples_; }
  [[nodiscard]] const Collective& collective() const override { return *collective_; }
  [[nodiscard]] Count stored() const override { return stored_; }
  [[nodiscard]] Count stored(Index j) const override { return stored_of_[static_cast<std::size_t>(j)]; }
  [[nodiscard]] bool is_sparse() const override { return local_->is_sparse(); }

  void multiply(Columns columns, std::span<const double> w, std::span<double> out) const override;
  void multiply_transposed(Columns columns, std::span<const double> r, std::span<double> out) const override;
  void multiply(std::span<const double> w, std::span<double> out) const override;
  void multiply_transposed(std::span<const double> r, std::span<double> out) const override;
  void multiply(Columns columns, const ClassMatrix& w, ClassMatrix& out) const override;
  void multiply_transposed(Columns columns, const ClassMatrix& r, ClassMatrix& out) const override;
  using Design::multiply_transposed;
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
    local_->for_each_piece(columns, body);
  }
  [[nodiscard]] std::shared_ptr<const void> keep_in_memory(Columns columns) const override {
    return local_->keep_in_memory(columns);
  }
  // Both have the rows of this rank alone.
  [[nodiscard]] const Design& source() const override;
  [[nodiscard]] Affine affine(Index j) const override { return local_->affine(j); }

 private:
  const Design* local_;
  const Collective* collective_;
  Count n_samples_ = 0;
  Count stored_ = 0;
  std::vector<Count> stored_of_;  // p
};

}  // namespace hsvm
