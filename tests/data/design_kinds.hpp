// What the batteries over every kind of design share: matrices, and holders that make a design of one kind from
// the numbers of a dense one.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "hsvm/core/random.hpp"
#include "hsvm/data/column_subset.hpp"
#include "hsvm/data/imputed_view.hpp"
#include "hsvm/data/mapped_design.hpp"
#include "hsvm/data/stacked_design.hpp"
#include "hsvm/io/streams/input_file.hpp"
#include "tests/support/standardized.hpp"
#include "tests/support/temporary_folder.hpp"

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

// Its numbers in files that are mapped.
template <class X>
struct Mapped {
  static constexpr double kLargestShift = 0.0;

  explicit Mapped(const DenseMatrix<double>& x) : design(map(to_layout<X>(x))) {}

  template <class T>
  MappedDesign map(const DenseMatrix<T>& x) {
    std::vector<T> values;
    for (Index j = 0; j < x.cols(); ++j) values.insert(values.end(), x.column(j).begin(), x.column(j).end());
    const auto file = map_file(values);
    return MappedDesign(DenseMatrix<T>(x.rows(), x.cols(), numbers_in_file<T>(*file, values.size()), file),
                        file);
  }
  template <class T>
  MappedDesign map(const CscMatrix<T>& x) {
    auto starts = std::make_shared<std::vector<Count>>(1, 0);
    std::vector<T> values;
    std::vector<Index> rows;
    for (Index j = 0; j < x.cols(); ++j) {
      const auto column = x.column(j);
      values.insert(values.end(), column.values.begin(), column.values.end());
      rows.insert(rows.end(), column.rows.begin(), column.rows.end());
      starts->push_back(std::ssize(rows));
    }
    const auto of_values = map_file(values);
    const auto of_rows = map_file(rows);
    return MappedDesign(
        CscMatrix<T>(x.rows(), std::span<const Count>(*starts), numbers_in_file<Index>(*of_rows, rows.size()),
                     numbers_in_file<T>(*of_values, values.size()), starts),
        of_values, of_rows);
  }

 private:
  template <class T>
  static std::shared_ptr<const MappedFile> map_file(const std::vector<T>& numbers) {
    const TemporaryFolder folder;
    const std::string bytes(reinterpret_cast<const char*>(numbers.data()), numbers.size() * sizeof(T));
    InputFile file(folder.write("numbers", bytes + '\0'));  // never empty
    EXPECT_TRUE(file.map().has_value());
    return file.keep_mapping();
  }
  template <class T>
  static std::span<const T> numbers_in_file(const MappedFile& file, std::size_t size) {
    return {reinterpret_cast<const T*>(file.bytes().data()), size};
  }

 public:
  MappedDesign design;
};

// Its rows in three designs, one below the other; of a single row only one.
template <class X>
struct Stacked {
  static constexpr double kLargestShift = 0.0;

  explicit Stacked(const DenseMatrix<double>& x) : design(cut(x)) {}
  static StackedDesign cut(const DenseMatrix<double>& x) {
    std::vector<SharedDesign> blocks;
    const Index third = std::max(Index{1}, x.rows() / 3);
    for (Index first = 0; first < x.rows(); first += third) {
      DenseMatrix<double> block(std::min(third, x.rows() - first), x.cols());
      for (Index j = 0; j < x.cols(); ++j) {
        for (Index i = 0; i < block.rows(); ++i) block(i, j) = x(first + i, j);
      }
      blocks.emplace_back(to_layout<X>(block));
    }
    return StackedDesign(std::move(blocks));
  }
  StackedDesign design;
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
    {"ImputedCscFloat", hold<Imputed<CscMatrix<float>>>},
    {"MappedDenseFloat", hold<Mapped<DenseMatrix<float>>>},
    {"MappedCscDouble", hold<Mapped<CscMatrix<double>>>},
    {"StackedDenseFloat", hold<Stacked<DenseMatrix<float>>>},
    {"StackedCscDouble", hold<Stacked<CscMatrix<double>>>}};
inline const std::vector<KindOfDesign> kAllKinds = [] {
  std::vector<KindOfDesign> kinds = kColumnKinds;
  kinds.push_back({"SubsetDenseDouble", hold<Subset<DenseMatrix<double>>>});
  kinds.push_back({"SubsetDenseFloat", hold<Subset<DenseMatrix<float>>>});
  kinds.push_back({"SubsetCscDouble", hold<Subset<CscMatrix<double>>>});
  kinds.push_back({"SubsetCscFloat", hold<Subset<CscMatrix<float>>>});
  kinds.push_back({"MappedDenseDouble", hold<Mapped<DenseMatrix<double>>>});
  kinds.push_back({"MappedCscFloat", hold<Mapped<CscMatrix<float>>>});
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
