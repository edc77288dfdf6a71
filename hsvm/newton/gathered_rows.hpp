// Some rows of the working columns of a sparse design, copied out of its columns: what products by rows need.
#pragma once

#include <span>
#include <vector>

#include "hsvm/core/aligned_buffer.hpp"
#include "hsvm/core/types.hpp"

namespace hsvm {

class WorkingColumns;

class GatheredRows {
 public:
  // Copies out all rows; their numbers are those of the samples.
  void gather_all(const WorkingColumns& columns);
  // Copies out those of the rows that have an entry at position `first` or after it; with first = 0 all of them. They are numbered
  // in their order.
  void gather(const WorkingColumns& columns, std::span<const Index> rows, Index first);

  [[nodiscard]] std::span<const Index> rows() const { return rows_; }  // of gather
  // Of the row with this number: where its entries are, and their values; positions ascending.
  [[nodiscard]] std::span<const Index> positions(std::size_t r) const {
    return {position_.data() + start_[r], start_[r + 1] - start_[r]};
  }
  [[nodiscard]] const double* values(std::size_t r) const { return value_.data() + start_[r]; }

 private:
  struct Entry {
    Index number;  // of the row
    Index position;
    double value;
  };
  struct Part {
    AlignedBuffer<Entry> entries;  // of some columns, by columns; left uninitialised on resize
    std::size_t count = 0;
  };
  [[nodiscard]] static std::vector<Index> cut(const WorkingColumns& columns);
  void gather_part(const WorkingColumns& columns, Index begin, Index end, Part& part) const;
  void number_rows(const WorkingColumns& columns, std::span<const Index> rows, Index first);

  std::vector<Index> rows_;
  std::vector<std::size_t> start_;
  AlignedBuffer<Index> position_;
  AlignedBuffer<double> value_;
  std::vector<Part> parts_;
  std::vector<Index> number_;  // n times -1, but for a moment
};

}  // namespace hsvm
