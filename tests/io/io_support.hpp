// What the tests of readers and writers share.
#pragma once

#include <gtest/gtest.h>

#include <bit>
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "hsvm/data/dataset.hpp"
#include "hsvm/io/streams/compression.hpp"

namespace hsvm::test {

inline std::string compress(std::string_view text, Compression compression) {
  std::string result;
  Compressor compressor(compression, [&](std::string_view bytes) { result += bytes; });
  compressor.write(text);
  compressor.finish();
  return result;
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
  std::visit(
      [&](const auto& x) {
        for (Index i = 0; i < x.rows(); ++i) {
          for (Index j = 0; j < x.cols(); ++j) result.push_back(static_cast<double>(entry(x, i, j)));
        }
      },
      data.design);
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

inline bool is_dense(const Dataset& data) {
  return data.design.index() < 2;
}
inline bool is_single(const Dataset& data) {
  return data.design.index() % 2 == 1;
}

// A number for every bit of the dataset, storage and all.
inline std::vector<std::uint64_t> fingerprint(const Dataset& data) {
  std::vector<std::uint64_t> bits = {data.design.index(), static_cast<std::uint64_t>(data.n_samples()),
                                     static_cast<std::uint64_t>(data.n_features())};
  const auto add = [&](double value) { bits.push_back(std::bit_cast<std::uint64_t>(value)); };
  const auto add_text = [&](const std::vector<std::string>& words) {
    bits.push_back(words.size());
    for (const std::string& word : words) bits.push_back(std::hash<std::string>()(word));
  };
  std::visit(
      [&](const auto& x) {
        for (Index j = 0; j < x.cols(); ++j) {
          if constexpr (requires { x.stored(); }) {
            for (const Index i : x.column(j).rows) bits.push_back(static_cast<std::uint64_t>(i));
            for (const auto value : x.column(j).values) add(static_cast<double>(value));
          } else {
            for (const auto value : x.column(j)) add(static_cast<double>(value));
          }
        }
      },
      data.design);
  bits.push_back(data.labels.has_value() ? 1 : 0);
  if (data.labels) {
    add_text(data.labels->classes.names);
    for (const Index k : data.labels->of_sample) bits.push_back(static_cast<std::uint64_t>(k));
  }
  add_text(data.feature_names);
  return bits;
}

}  // namespace hsvm::test
