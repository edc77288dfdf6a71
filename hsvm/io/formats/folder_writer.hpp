// Writes a folder of arrays (folder.hpp) from rows as they are parsed, in bounded memory.
//
// Rows come in their order and are wanted by columns: an external sort. Rows are gathered until a share of the memory is full, sorted
// by columns, and put into a scratch file, a run, while the next are gathered. In the end a few columns at a time are read from all
// runs, one after the other, and written. What is held besides are vectors of n and p numbers. On the disk the runs take as much as
// the finished csc arrays, and are given back as they are read.
#pragma once

#include <future>
#include <optional>
#include <string>
#include <vector>

#include "hsvm/core/aligned_buffer.hpp"
#include "hsvm/io/formats/folder_output.hpp"
#include "hsvm/io/formats/label_table.hpp"
#include "hsvm/io/formats/row_block.hpp"
#include "hsvm/io/streams/scratch_file.hpp"

namespace hsvm {

struct FolderOptions {
  std::size_t memory =
      std::size_t{1} << 30;  // bytes, at least kLeastMemory; labels and vectors of n and p come on top
  Index row_blocks = 1;      // of csc: for so many processes that read some of the rows each
  std::vector<std::string> feature_names = {};

  static constexpr std::size_t kLeastMemory = std::size_t{1} << 20;
  void check() const;  // throws OptionError
};

template <class T>
class FolderWriter {
 public:
  FolderWriter(const std::string& source, const std::string& folder, FolderOptions options);

  // The next rows. Throws InputError for what is wrong in them.
  void add(const RowBlock<T>& block);
  // What is left to do, and the header. n_features: absent: the widest row says it. labels: instead of those in the rows.
  FolderHeader finish(std::optional<Index> n_features, Storage storage, std::optional<Labels> labels);

 private:
  struct Rows {  // gathered, not sorted
    Index first = 0;
    std::vector<Count> ends;  // of each row
    AlignedBuffer<Index> columns;
    AlignedBuffer<T> values;
  };
  struct Run {  // sorted by columns: values, rows, starts of columns, one after the other in the file
    ScratchFile file;
    Index first = 0;  // of its samples
    Index end = 0;
    Index width = 0;
    std::size_t n_entries = 0;
  };
  struct Batch;

  void gather_labels(const RowBlock<T>& block);
  void begin_rows();
  void put_away();   // what is gathered, in the background
  void take_back();  // waits for it
  [[nodiscard]] Run sort(Rows rows) const;
  void read_run(const Run& run, RowRange rows, Index begin, Index end, Batch& batch);
  void write_sparse(const FolderHeader& header);
  void write_dense(const FolderHeader& header);
  // Calls write(batch) for one batch of columns after the other, with their entries in these rows.
  template <class Write>
  void for_each_batch(RowRange rows, Index n_features, const Write& write);

  std::string source_;
  FolderOptions options_;
  FolderOutput output_;
  RowErrors<T> errors_;
  std::size_t run_entries_;    // in a run, about
  std::size_t batch_entries_;  // of columns that are written at a time
  Index n_rows_ = 0;
  Index width_ = 0;
  Rows rows_;
  std::vector<Count> in_column_;  // entries of each column
  std::vector<Run> runs_;
  std::future<Run> sorting_;
  LabelTable label_table_;
  std::vector<Index> label_of_row_;
};

extern template class FolderWriter<double>;
extern template class FolderWriter<float>;

}  // namespace hsvm
