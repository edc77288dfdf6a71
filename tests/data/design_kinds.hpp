// What the batteries over every kind of design share: matrices, and holders that make a design of one kind from
// the numbers of a dense one.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <ostream>
#include <string>
#include <vector>

#include "hsvm/core/random.hpp"
#include "hsvm/data/column_subset.hpp"
#include "hsvm/data/imputed_view.hpp"
#include "tests/support/standardized.hpp"

namespace hsvm::test {

struct Shape {
  Index rows, cols;
  double density = 1.0;
};

// Multiples of 2^-12, which every kind of design holds exactly: one reference serves them all.
[[nodiscard]] inline DenseMatrix<double> random_matrix(const Shape& shape) {
  Random random(static_cast<std::uint64_t>(shape.rows), static_cast<std::uint64_t>(shape.cols));
  DenseMatrix<double> x(shape.rows, shape.cols);
  for (Index j = 0; j < shape.cols; ++j) {
    for (Index i = 0; i < shape.rows; ++i) {
      const double value = std::round(4096.0 * (random.uniform() - 0.3)) / 4096.0;
      x(i, j) = random.uniform() < shape.density ? value : 0.0;
    }
  }
  return x;
}

// Some columns, neither all nor in order.
[[nodiscard]] inline std::vector<Index> some_columns(Index cols) {
  std::vector<Index> result;
  for (Index j = cols - 1; j >= 0; j -= 1 + j % 3) result.push_back(j);
  return result;
}

template <class X>
struct Plain {
  static constexpr double kLargestShift = 0.0;

  explicit Plain(const DenseMatrix<double>& x) : design(to_layout<X>(x)) {}
  X design;
};

// Sees the columns through a wider design, in another order.
template <class X>
struct Subset {
  static constexpr double kLargestShift = 0.0;

  explicit Subset(const DenseMatrix<double>& x)
      : wide(to_layout<X>(widen(x))), design(wide, places(x.cols())) {}
  // Column j of x stands at 2 (cols - 1 - j) + 1, other numbers between.
  static std::vector<Index> places(Index cols) {
    std::vector<Index> result;
    for (Index j = 0; j < cols; ++j) result.push_back(2 * (cols - 1 - j) + 1);
    return result;
  }
  static DenseMatrix<double> widen(const DenseMatrix<double>& x) {
    DenseMatrix<double> result(x.rows(), 2 * x.cols() + 1);
    for (Index j = 0; j < result.cols(); ++j) {
      for (Index i = 0; i < x.rows(); ++i) result(i, j) = 1000.0 + i;
    }
    const std::vector<Index> place = places(x.cols());
    for (Index j = 0; j < x.cols(); ++j) {
      for (Index i = 0; i < x.rows(); ++i) result(i, place[static_cast<std::size_t>(j)]) = x(i, j);
    }
    return result;
  }
  X wide;
  ColumnSubset design;
};

// Each column without one or two of its values, which its fill gives back.
template <class X>
struct Imputed {
  static constexpr double kLargestShift = 0.0;

  explicit Imputed(const DenseMatrix<double>& x)
      : gaps(find_gaps(x)), holed(to_layout<X>(punch(x, gaps))), design(holed, gaps, values(x, gaps)) {}
  static MissingEntries find_gaps(const DenseMatrix<double>& x) {
    MissingEntries result;
    for (Index j = 0; j < x.cols() && x.rows() > 0; j += 1 + j % 2) {
      MissingEntries::Column column{j, {j % x.rows()}};
      // Others with the same value, mostly zeros of a sparse matrix.
      for (Index i = column.rows.front() + 1; i < x.rows() && column.rows.size() < 3; ++i) {
        if (x(i, j) == x(column.rows.front(), j)) column.rows.push_back(i);
      }
      result.columns.push_back(column);
    }
    return result;
  }
  static DenseMatrix<double> punch(DenseMatrix<double> x, const MissingEntries& gaps) {
    for (const auto& column : gaps.columns) {
      for (const Index i : column.rows) x(i, column.feature) = 0.0;
    }
    return x;
  }
  static std::vector<double> values(const DenseMatrix<double>& x, const MissingEntries& gaps) {
    std::vector<double> result;
    for (const auto& column : gaps.columns) result.push_back(x(column.rows.front(), column.feature));
    return result;
  }
  MissingEntries gaps;
  X holed;
  ImputedView design;
};

// A design of one kind, with what it refers to.
struct HeldDesign {
  std::shared_ptr<const void> holder;
  const Design& design;
  double largest_shift = 0.0;
};

template <class Holder>
[[nodiscard]] HeldDesign hold(const DenseMatrix<double>& x) {
  const auto holder = std::make_shared<const Holder>(x);
  return {holder, holder->design, Holder::kLargestShift};
}

struct KindOfDesign {
  const char* name;
  HeldDesign (*make)(const DenseMatrix<double>& x);
};
// Those with verbs for single columns.
inline const std::vector<KindOfDesign> kColumnKinds = {
    {"DenseDouble", hold<Plain<DenseMatrix<double>>>},
    {"DenseFloat", hold<Plain<DenseMatrix<float>>>},
    {"CscDouble", hold<Plain<CscMatrix<double>>>},
    {"CscFloat", hold<Plain<CscMatrix<float>>>},
    {"StandardizedDenseDouble", hold<Standardized<DenseMatrix<double>>>},
    {"StandardizedDenseFloat", hold<Standardized<DenseMatrix<float>>>},
    {"StandardizedCscDouble", hold<Standardized<CscMatrix<double>>>},
    {"StandardizedCscFloat", hold<Standardized<CscMatrix<float>>>},
    {"ImputedDenseDouble", hold<Imputed<DenseMatrix<double>>>},
    {"ImputedCscFloat", hold<Imputed<CscMatrix<float>>>}};
inline const std::vector<KindOfDesign> kAllKinds = [] {
  std::vector<KindOfDesign> kinds = kColumnKinds;
  kinds.push_back({"SubsetDenseDouble", hold<Subset<DenseMatrix<double>>>});
  kinds.push_back({"SubsetDenseFloat", hold<Subset<DenseMatrix<float>>>});
  kinds.push_back({"SubsetCscDouble", hold<Subset<CscMatrix<double>>>});
  kinds.push_back({"SubsetCscFloat", hold<Subset<CscMatrix<float>>>});
  return kinds;
}();
inline std::string name_of_kind(const testing::TestParamInfo<KindOfDesign>& kind) {
  return kind.param.name;
}
inline void PrintTo(const KindOfDesign& kind, std::ostream* stream) {
  *stream << kind.name;
}

// What a product should be, and what rounding may make of it.
struct Expected {
  std::vector<double> value;
  std::vector<double> error;
  std::vector<double> shift_error;  // for each unit by which the design shifts its columns

  // The sum of a b over terms: calls terms(add) with add(a, b), a from the matrix.
  template <class Terms>
  void push(double n_terms, const Terms& terms) {
    long double sum = 0.0;
    long double size = 0.0;
    long double shifts = 0.0;
    terms([&](double a, double b) {
      const long double term = static_cast<long double>(a) * b;
      sum += term;
      size += std::abs(term);
      shifts += std::abs(static_cast<long double>(b));
    });
    const double rounding = 1e-15 * (4.0 + std::sqrt(n_terms));
    value.push_back(static_cast<double>(sum));
    error.push_back(rounding * static_cast<double>(size));
    shift_error.push_back(rounding * static_cast<double>(shifts));
  }
  [[nodiscard]] double allowed(std::size_t entry, double largest_shift) const {
    return error[entry] + largest_shift * shift_error[entry];
  }
};

}  // namespace hsvm::test
