// What the tests of readers and writers share.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
#include <variant>
#include <vector>

#include "hsvm/core/random.hpp"
#include "hsvm/data/dataset.hpp"
#include "hsvm/data/visit_matrix.hpp"
#include "hsvm/io/formats/dataset_file.hpp"
#include "hsvm/io/formats/format_table.hpp"
#include "hsvm/io/streams/compression.hpp"

namespace hsvm::test {

inline std::string compress(std::string_view text, Compression compression) {
  std::string result;
  Compressor compressor(compression, [&](std::string_view bytes) { result += bytes; });
  compressor.write(text);
  compressor.finish();
  return result;
}

// Lines of random numbers.
inline std::string sample_text(int n_lines) {
  Random random(5);
  std::string text;
  for (int i = 0; i < n_lines; ++i)
    text += std::to_string(random.below(1000)) + ":" + std::to_string(random.uniform()) + "\n";
  return text;
}

// Decompresses bytes handed over a few at a time.
inline std::string decompress(std::string_view bytes, Compression compression, std::size_t step) {
  Decompressor decompressor(compression, "FILE", [&](char* to, std::size_t size) {
    const std::size_t n = bytes.copy(to, std::min(size, step));
    bytes.remove_prefix(n);
    return n;
  });
  std::string text;
  char buffer[1000];
  for (std::size_t n; (n = decompressor.read(buffer, sizeof(buffer))) > 0;) text.append(buffer, n);
  return text;
}

// Reads a file in the format of this name, whatever the file is called.
inline Dataset read_as(const std::string& format, const std::string& path, ReadOptions options = {}) {
  options.format = &format_named(format);
  return read_dataset(path, options);
}

inline constexpr Compression kCodecs[] = {Compression::gzip, Compression::bzip2, Compression::xz,
                                          Compression::zstd};

template <class T>
T entry(const DenseMatrix<T>& x, Index i, Index j) {
  return x(i, j);
}
template <class T>
T entry(const CscMatrix<T>& x, Index i, Index j) {
  const auto column = x.column(j);
  for (std::size_t k = 0; k < column.rows.size(); ++k) {
    if (column.rows[k] == i) return column.values[k];
  }
  return T{0};
}

// The entries of a design, row after row.
inline std::vector<double> entries(const Dataset& data) {
  std::vector<double> result;
  visit_matrix(data.design, [&](const auto& x) {
    for (Index i = 0; i < x.rows(); ++i) {
      for (Index j = 0; j < x.cols(); ++j) result.push_back(static_cast<double>(entry(x, i, j)));
    }
  });
  return result;
}

// The label of each sample.
inline std::vector<std::string> labels(const Dataset& data) {
  std::vector<std::string> result;
  for (const Index k : data.labels.value().of_sample) {
    result.push_back(data.labels->classes.names[static_cast<std::size_t>(k)]);
  }
  return result;
}

// A design of random numbers of all sizes, about the share `density` of them not zero.
template <class T>
DenseMatrix<T> random_design(Index rows, Index cols, double density, Random& random) {
  DenseMatrix<T> x(rows, cols);
  for (Index i = 0; i < rows; ++i) {
    for (Index j = 0; j < cols; ++j) {
      if (random.uniform() >= density) continue;
      T value = 0;
      do {
        using Bits = std::conditional_t<std::is_same_v<T, float>, std::uint32_t, std::uint64_t>;
        value = random.below(2) == 0 ? std::bit_cast<T>(static_cast<Bits>(random.bits()))
                                     : static_cast<T>(random.normal());
      } while (!std::isfinite(value) || value == T{0});
      x(i, j) = value;
    }
  }
  return x;
}

template <class T>
CscMatrix<T> as_sparse(const DenseMatrix<T>& x) {
  AlignedBuffer<Count> start(1, 0);
  AlignedBuffer<Index> rows;
  AlignedBuffer<T> values;
  for (Index j = 0; j < x.cols(); ++j) {
    for (Index i = 0; i < x.rows(); ++i) {
      if (x(i, j) == T{0}) continue;
      rows.push_back(i);
      values.push_back(x(i, j));
    }
    start.push_back(std::ssize(rows));
  }
  return CscMatrix<T>(x.rows(), std::move(start), std::move(rows), std::move(values));
}

// Two samples of three features, the last of them empty.
inline Dataset tiny_dataset(const std::vector<std::string>& labels) {
  Dataset data;
  DenseMatrix<double> x(2, 3);
  x(0, 0) = 0.1;
  x(1, 1) = -1e-7;
  data.design = x;
  if (!labels.empty()) data.labels = make_labels(labels);
  return data;
}

inline bool is_dense(const Dataset& data) {
  return !data.design->is_sparse();
}
inline bool is_single(const Dataset& data) {
  return data.design.get_if<DenseMatrix<float>>() != nullptr ||
         data.design.get_if<CscMatrix<float>>() != nullptr;
}

// A number for every bit of the dataset, storage and all.
inline std::vector<std::uint64_t> fingerprint(const Dataset& data) {
  std::vector<std::uint64_t> bits = {is_dense(data) ? 1U : 0U, is_single(data) ? 1U : 0U,
                                     static_cast<std::uint64_t>(data.n_samples()),
                                     static_cast<std::uint64_t>(data.n_features())};
  const auto add = [&](double value) { bits.push_back(std::bit_cast<std::uint64_t>(value)); };
  const auto add_text = [&](const std::vector<std::string>& words) {
    bits.push_back(words.size());
    for (const std::string& word : words) bits.push_back(std::hash<std::string>()(word));
  };
  ColumnBuffer buffer;
  for (Index j = 0; j < data.n_features(); ++j) {
    const ColumnView column = data.design->column(j, buffer);
    for (const Index i : column.rows) bits.push_back(static_cast<std::uint64_t>(i));
    for (const double value : column.values) add(value);
  }
  bits.push_back(data.labels.has_value() ? 1 : 0);
  if (data.labels) {
    add_text(data.labels->classes.names);
    for (const Index k : data.labels->of_sample) bits.push_back(static_cast<std::uint64_t>(k));
  }
  add_text(data.feature_names);
  return bits;
}

}  // namespace hsvm::test
