#include "hsvm/newton/class_column_model.hpp"

#include <algorithm>

#include "hsvm/core/clones.hpp"
#include "hsvm/core/lanes.hpp"

namespace hsvm {
namespace {

// One register of classes at a time: J is small, and a column stays in the L1 cache between them.

// out[k] = sum over entries e of x[e] z[row(e)][k]
template <class T, class Row>
[[gnu::always_inline]] inline void dot_body(const T* x, const Row& row, std::size_t size, const double* z,
                                            std::size_t stride, double* out) {
  for (std::size_t k = 0; k < stride; k += kLanes) {
    Lanes sum[4] = {};
    std::size_t e = 0;
    for (; e + 4 <= size; e += 4) {
      for (std::size_t lane = 0; lane < 4; ++lane) {
        sum[lane] += static_cast<double>(x[e + lane]) * load(z + row(e + lane) * stride + k);
      }
    }
    for (; e < size; ++e) sum[0] += static_cast<double>(x[e]) * load(z + row(e) * stride + k);
    store(out + k, (sum[0] + sum[1]) + (sum[2] + sum[3]));
  }
}

// z[row(e)][k] += weights[row(e)][k] x[e] change[k]
template <class T, class Row>
[[gnu::always_inline]] inline void add_body(const T* x, const Row& row, std::size_t size, const double* weights,
                                            const double* change, std::size_t stride, double* z) {
  for (std::size_t k = 0; k < stride; k += kLanes) {
    const Lanes by = load(change + k);
    for (std::size_t e = 0; e < size; ++e) {
      const std::size_t place = row(e) * stride + k;
      store(z + place, load(z + place) + load(weights + place) * (static_cast<double>(x[e]) * by));
    }
  }
}

struct DenseRow {
  std::size_t operator()(std::size_t e) const { return e; }
};
struct SparseRow {
  const Index* rows;
  std::size_t operator()(std::size_t e) const { return static_cast<std::size_t>(rows[e]); }
};

#define HSVM_KERNELS(T, Row)                                                                               \
  HSVM_CLONES void dot(const T* x, Row row, std::size_t size, const double* z, std::size_t stride,         \
                       double* out) {                                                                      \
    dot_body(x, row, size, z, stride, out);                                                                \
  }                                                                                                        \
  HSVM_CLONES void add(const T* x, Row row, std::size_t size, const double* weights, const double* change, \
                       std::size_t stride, double* z) {                                                    \
    add_body(x, row, size, weights, change, stride, z);                                                    \
  }
HSVM_KERNELS(double, DenseRow)
HSVM_KERNELS(float, DenseRow)
HSVM_KERNELS(double, SparseRow)
HSVM_KERNELS(float, SparseRow)
#undef HSVM_KERNELS

// Calls run(values, row, size) with the entries of a column.
template <class Column, class Run>
void with_entries(const Column& column, const Run& run) {
  if constexpr (requires { column.rows; }) {
    run(column.values.data(), SparseRow{column.rows.data()}, column.values.size());
  } else {
    run(column.data(), DenseRow{}, column.size());
  }
}

}  // namespace

template <Design X>
void ClassColumnModel<X>::begin(const WorkingColumns<X>& columns, const ClassMatrix& curvatures,
                                std::span<const double> bounds, std::span<const double> ridge,
                                const ClassMatrix& g) {
  columns_ = &columns;
  curvatures_ = &curvatures;
  bounds_ = bounds;
  ridge_ = ridge;
  g_ = g;
  z_.reset(curvatures.rows(), curvatures.n_classes());
  room_.assign(static_cast<std::size_t>(curvatures.stride()), 0.0);
}

template <Design X>
void ClassColumnModel<X>::gradient(Index j, std::span<double> q) const {
  const auto stride = static_cast<std::size_t>(z_.stride());
  if (j < columns_->ones()) {
    std::fill(room_.begin(), room_.end(), 0.0);
    for (Index i = 0; i < z_.rows(); ++i) {
      for (std::size_t k = 0; k < stride; ++k) room_[k] += z_.data(i)[k];
    }
  } else {
    const Index feature = columns_->columns()[static_cast<std::size_t>(j - columns_->ones())];
    with_entries(columns_->design().column(feature), [&](const auto* x, auto row, std::size_t size) {
      dot(x, row, size, z_.values().data(), stride, room_.data());
    });
  }
  for (std::size_t k = 0; k < q.size(); ++k) q[k] = g_.row(j)[k] + room_[k];
}

template <Design X>
void ClassColumnModel<X>::curvature(Index j, std::span<double> h) const {
  const auto row = static_cast<std::size_t>(j);
  std::fill(h.begin(), h.end(), bounds_[row] + ridge_[row]);
}

template <Design X>
void ClassColumnModel<X>::move(Index j, std::span<const double> change) {
  for (std::size_t k = 0; k < change.size(); ++k) {
    g_.row(j)[k] += ridge_[static_cast<std::size_t>(j)] * change[k];
    room_[k] = change[k];
  }
  std::fill(room_.begin() + static_cast<std::ptrdiff_t>(change.size()), room_.end(), 0.0);
  const auto stride = static_cast<std::size_t>(z_.stride());
  const double* const weights = curvatures_->values().data();
  if (j < columns_->ones()) {
    double* const z = z_.values().data();
    for (std::size_t row = 0; row < z_.values().size(); row += stride) {
      for (std::size_t k = 0; k < stride; ++k) z[row + k] += weights[row + k] * room_[k];
    }
    return;
  }
  const Index feature = columns_->columns()[static_cast<std::size_t>(j - columns_->ones())];
  with_entries(columns_->design().column(feature), [&](const auto* x, auto row, std::size_t size) {
    add(x, row, size, weights, room_.data(), stride, z_.values().data());
  });
}

template <Design X>
void ClassColumnModel<X>::apply(std::span<const Index> rows, const ClassMatrix& d, ClassMatrix& out) {
  const bool intercept = columns_->ones() == 1 && !rows.empty() && rows[0] == 0;
  const std::span<const Index> others = rows.subspan(intercept ? 1 : 0);
  columns_->multiply(rows, d, product_);
  std::fill(room_.begin(), room_.end(), 0.0);
  const auto stride = static_cast<std::size_t>(z_.stride());
  for (Index i = 0; i < product_.rows(); ++i) {
    double* const to = product_.data(i);
    const double* const weights = curvatures_->data(i);
    for (std::size_t k = 0; k < stride; ++k) {
      to[k] *= weights[k];
      room_[k] += to[k];
    }
  }
  ClassMatrix part;
  columns_->design().multiply_transposed(columns_->features_at(others), product_, part);
  if (intercept) std::copy_n(room_.begin(), out.row(0).size(), out.row(0).begin());
  for (std::size_t a = 0; a < others.size(); ++a) {
    std::ranges::copy(part.row(static_cast<Index>(a)), out.row(others[a]).begin());
  }
  for (const Index j : rows) {
    for (std::size_t k = 0; k < out.row(j).size(); ++k)
      out.row(j)[k] += ridge_[static_cast<std::size_t>(j)] * d.row(j)[k];
  }
}

template class ClassColumnModel<DenseMatrix<double>>;
template class ClassColumnModel<DenseMatrix<float>>;
template class ClassColumnModel<CscMatrix<double>>;
template class ClassColumnModel<CscMatrix<float>>;

}  // namespace hsvm
