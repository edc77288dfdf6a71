// A standardised view of given numbers, exact to the bit: scales and centres are such that
//
//   stored_ij = x_ij / scale_j + center_j      and back      x_ij = scale_j (stored_ij - center_j)
//
// are not rounded in float either, where x has no more than a dozen digits behind the binary point and is of
// moderate size.
#pragma once

#include <cstddef>

#include "hsvm/data/standardized_view.hpp"
#include "tests/support/problems.hpp"

namespace hsvm::test {

template <class X>
struct Standardized {
  static constexpr double kLargestShift = 2.0;  // of scale_j |center_j|, beside the size of x itself

  explicit Standardized(const DenseMatrix<double>& x)
      : standardization(choose(x)), stored(store(x, standardization)), design(stored, standardization) {}
  Standardized(const Standardized&) = delete;  // the view refers to the other two
  Standardized& operator=(const Standardized&) = delete;

  // By turns: only scaled, so that what is zero in x is not stored by a sparse matrix either; shifted by a
  // number of its own; shifted so that the first sample's zero is not stored.
  [[nodiscard]] static Standardization choose(const DenseMatrix<double>& x) {
    Standardization result;
    for (Index j = 0; j < x.cols(); ++j) {
      const double scale = j % 2 == 0 ? 2.0 : 0.5;
      const double first = x.rows() > 0 ? -x(0, j) / scale : 0.0;
      result.scales.push_back(scale);
      result.centers.push_back(j % 3 == 0 ? 0.0 : j % 3 == 1 ? 0.75 : first);
    }
    return result;
  }
  [[nodiscard]] static X store(const DenseMatrix<double>& x, const Standardization& standardization) {
    DenseMatrix<double> result(x.rows(), x.cols());
    for (Index j = 0; j < x.cols(); ++j) {
      const auto feature = static_cast<std::size_t>(j);
      for (Index i = 0; i < x.rows(); ++i)
        result(i, j) = x(i, j) / standardization.scales[feature] + standardization.centers[feature];
    }
    return to_layout<X>(result);
  }

  Standardization standardization;
  X stored;
  StandardizedView design;
};

}  // namespace hsvm::test
