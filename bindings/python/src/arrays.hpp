// NumPy arrays in and out.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace hsvm::python {

namespace nb = nanobind;

template <class T>
using Vector = nb::ndarray<const T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

template <class T>
[[nodiscard]] std::span<const T> as_span(const Vector<T>& array) {
  return {array.data(), array.shape(0)};
}

// Keeps a Python object alive; the last copy may be dropped by a thread without the interpreter lock.
[[nodiscard]] inline std::shared_ptr<const void> hold(nb::object object) {
  return {new nb::object(std::move(object)), [](const void* held) {
            const nb::gil_scoped_acquire locked;
            delete static_cast<const nb::object*>(held);
          }};
}

// A NumPy array that owns the numbers; row-major.
template <class T>
[[nodiscard]] nb::ndarray<nb::numpy, T> to_numpy(std::vector<T> numbers, std::vector<std::size_t> shape) {
  auto* const kept = new std::vector<T>(std::move(numbers));
  const nb::capsule owner(kept, [](void* memory) noexcept { delete static_cast<std::vector<T>*>(memory); });
  return nb::ndarray<nb::numpy, T>(kept->data(), shape.size(), shape.data(), owner);
}
template <class T>
[[nodiscard]] nb::ndarray<nb::numpy, T> to_numpy(std::vector<T> numbers) {
  const std::size_t size = numbers.size();
  return to_numpy(std::move(numbers), {size});
}

}  // namespace hsvm::python
