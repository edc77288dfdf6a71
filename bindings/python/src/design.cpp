#include "design.hpp"

#include <fmt/format.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <limits>
#include <optional>

#include "arrays.hpp"
#include "hsvm/api.hpp"

namespace hsvm::python {
namespace {

template <class T, class Order>
using Matrix = nb::ndarray<const T, nb::ndim<2>, Order, nb::device::cpu>;

Index to_index(std::size_t size, const char* what) {
  if (size > static_cast<std::size_t>(std::numeric_limits<Index>::max()))
    throw InputError(
        fmt::format("X has {} {}: must be at most {}", size, what, std::numeric_limits<Index>::max()));
  return static_cast<Index>(size);
}

template <class Array>
std::pair<Index, Index> shape_of(const Array& x) {
  return {to_index(x.shape(0), "samples"), to_index(x.shape(1), "features")};
}

template <class T>
SharedDesign in_place(const Matrix<T, nb::f_contig>& x, nb::object keep) {
  const auto [rows, cols] = shape_of(x);
  return DenseMatrix<T>(rows, cols, {x.data(), x.size()}, hold(std::move(keep)));
}

template <class T>
SharedDesign transposed(const Matrix<T, nb::c_contig>& x) {
  const auto [rows, cols] = shape_of(x);
  const std::span<const T> values{x.data(), x.size()};
  const nb::gil_scoped_release unlocked;
  return DenseMatrix<T>::from_row_major(rows, cols, values);
}

// Whether the rows of every column are strictly increasing. Throws where an index points outside of the matrix.
bool is_sorted_csc(Index rows, const ColumnStarts& starts, std::span<const Index> row_indices) {
  bool sorted = true;
  if (starts[0] != 0) throw InputError("indptr must begin with 0");
  for (std::size_t j = 0; j + 1 < starts.size(); ++j) {
    if (starts[j + 1] < starts[j] || starts[j + 1] > std::ssize(row_indices))
      throw InputError(fmt::format("indptr number {} is {}: must not fall, nor exceed the {} entries", j + 1,
                                   starts[j + 1], row_indices.size()));
    Index previous = -1;
    for (Count e = starts[j]; e < starts[j + 1]; ++e) {
      const Index i = row_indices[static_cast<std::size_t>(e)];
      if (i < 0 || i >= rows)
        throw InputError(fmt::format("column {} has an entry in row {}: there are {} rows", j, i, rows));
      sorted = sorted && i > previous;
      previous = i;
    }
  }
  return sorted;
}

// None where the columns are unsorted or have an entry twice: the caller mends that in a copy.
template <class T, class Start>
std::optional<SharedDesign> csc(std::size_t n_rows, const Vector<Start>& indptr, const Vector<Index>& indices,
                                const Vector<T>& data, nb::object keep) {
  const Index rows = to_index(n_rows, "samples");
  if (indptr.shape(0) == 0) throw InputError("indptr is empty: must have a number more than there are columns");
  (void)to_index(indptr.shape(0) - 1, "features");
  const ColumnStarts starts(as_span(indptr));
  const std::size_t stored = std::min(indices.shape(0), data.shape(0));
  const std::span<const Index> row_indices = as_span(indices).first(stored);
  {
    const nb::gil_scoped_release unlocked;
    if (!is_sorted_csc(rows, starts, row_indices)) return std::nullopt;
  }
  const auto used = static_cast<std::size_t>(starts[starts.size() - 1]);
  return SharedDesign(
      CscMatrix<T>(rows, starts, row_indices.first(used), as_span(data).first(used), hold(std::move(keep))));
}

// The arrays of a matrix that the library has made: (values, shape) of a dense one, column-major, and (data, indices,
// indptr, shape) of a sparse one. They refer to the design, which is their owner.
template <class T, class Owner>
nb::object view_of(std::span<const T> numbers, const Owner& owner) {
  const std::size_t shape[1] = {numbers.size()};
  return nb::cast(nb::ndarray<nb::numpy, const T>(numbers.data(), 1, shape, owner));
}

struct ArraysOf {
  nb::object owner;

  template <class T>
  nb::tuple operator()(const DenseMatrix<T>& x) const {
    const T* const begin = x.cols() > 0 ? x.column(0).data() : nullptr;
    const auto size = static_cast<std::size_t>(x.rows()) * static_cast<std::size_t>(x.cols());
    return nb::make_tuple(view_of(std::span<const T>(begin, size), owner));
  }
  template <class T>
  nb::tuple operator()(const CscMatrix<T>& x) const {
    std::vector<Count> starts = {0};
    for (Index j = 0; j < x.cols(); ++j) starts.push_back(starts.back() + x.stored(j));
    const auto size = static_cast<std::size_t>(x.stored());
    const Index* const rows = x.cols() > 0 ? x.column(0).rows.data() : nullptr;
    const T* const values = x.cols() > 0 ? x.column(0).values.data() : nullptr;
    return nb::make_tuple(view_of(std::span<const T>(values, size), owner),
                          view_of(std::span<const Index>(rows, size), owner), to_numpy(std::move(starts)));
  }
};

nb::tuple arrays_of(nb::object self) {
  const SharedDesign& design = nb::cast<const SharedDesign&>(self);
  const ArraysOf arrays{self};
  if (const auto* const x = design.get_if<DenseMatrix<double>>()) return arrays(*x);
  if (const auto* const x = design.get_if<DenseMatrix<float>>()) return arrays(*x);
  if (const auto* const x = design.get_if<CscMatrix<double>>()) return arrays(*x);
  if (const auto* const x = design.get_if<CscMatrix<float>>()) return arrays(*x);
  throw InputError("only a dense or sparse matrix in memory has arrays");
}

template <class T>
void bind_dense(nb::module_& module) {
  module.def("in_place", &in_place<T>, nb::arg("x").noconvert(), nb::arg("keep").none(),
             "A column-major array, used in place; keep stays alive with it.");
  module.def("transposed", &transposed<T>, nb::arg("x").noconvert(), "A row-major array, copied by columns.");
}

template <class T, class Start>
void bind_csc(nb::module_& module) {
  module.def("csc", &csc<T, Start>, nb::arg("rows"), nb::arg("indptr").noconvert(),
             nb::arg("indices").noconvert(), nb::arg("data").noconvert(), nb::arg("keep").none(),
             "Compressed columns, used in place; None where they are not sorted, or have an entry twice.");
}

}  // namespace

void bind_designs(nb::module_& module) {
  nb::class_<SharedDesign>(module, "Design", "A matrix as the solvers see it.")
      .def_prop_ro("shape", [](const SharedDesign& x) { return nb::make_tuple(x->rows(), x->cols()); })
      .def_prop_ro("is_sparse", [](const SharedDesign& x) { return x->is_sparse(); })
      .def("arrays", &arrays_of, "(values,) of a dense matrix, (data, indices, indptr) of a sparse one.");
  bind_dense<double>(module);
  bind_dense<float>(module);
  bind_csc<double, std::int32_t>(module);
  bind_csc<double, Count>(module);
  bind_csc<float, std::int32_t>(module);
  bind_csc<float, Count>(module);
}

}  // namespace hsvm::python
