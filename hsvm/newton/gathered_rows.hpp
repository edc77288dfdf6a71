// Rows of the working columns of a sparse design, copied out of its columns: what products by rows need.
#pragma once

#include <span>
#include <vector>

#include "hsvm/core/aligned_buffer.hpp"
#include "hsvm/core/types.hpp"
#include "hsvm/data/design.hpp"

namespace hsvm {

class WorkingColumns;

// Where the entries of a row are among the working columns, positions ascending, and their values.
struct SparseRow {
  std::span<const Index> positions;
  const double* values;
};

// The rows of all samples.
class GatheredRows {
 public:
  void gather(const WorkingColumns& columns);
  [[nodiscard]] SparseRow operator[](std::size_t i) const {
    return {{position_.data() + start_[i], start_[i + 1] - start_[i]}, value_.data() + start_[i]};
  }

 private:
  std::vector<std::size_t> start_;
  AlignedBuffer<Index> position_;
  AlignedBuffer<double> value_;
};

// The rows of a few samples, for as long as their products take; they stay in the cache. A thread has its own.
class GatheredBlock {
 public:
  // How many of these samples, ascending, the next block takes.
  [[nodiscard]] static std::size_t size_of(std::span<const Index> samples);

  // Copies out the rows that have an entry at position `first` or after it, with first = 0 all. Adds weight_i x_i of all the samples to
  // the sums (m). weights: of all samples of the design.
  void gather(const WorkingColumns& columns, std::span<const Index> samples, std::span<const double> weights,
              Index first, std::span<double> sums);

  // body(row, its weight) for each row.
  template <class Body>
  void for_each(const Body& body) const {
    for (std::size_t r = 0; r < weight_.size(); ++r) {
      const std::size_t size = start_[r + 1] - start_[r];
      if (size > 0)
        body(SparseRow{{position_.data() + start_[r], size}, value_.data() + start_[r]}, weight_[r]);
    }
  }

 private:
  struct Entry {
    Index row;  // of the block
    Index position;
    double value;
  };
  void collect(const WorkingColumns& columns, Index begin, Index end, std::span<double> sums);
  void append(const ColumnView& column, Index begin, Index position, double scale);
  void sort_by_rows(Index first);

  std::vector<Index> row_of_;     // of the samples from the first to the last of the block; -1: not asked for
  std::vector<double> weight_;    // of the rows
  AlignedBuffer<Entry> entries_;  // by columns; left uninitialised on resize
  std::size_t n_entries_ = 0;
  std::vector<std::size_t> start_, next_;
  AlignedBuffer<Index> position_;
  AlignedBuffer<double> value_;
  ColumnBuffer buffer_;
};

}  // namespace hsvm
