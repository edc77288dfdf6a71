// A dense matrix takes each block as it comes. A CSC matrix needs the entries by columns: they are sorted by counting.

#include <algorithm>
#include <array>
#include <iterator>
#include <limits>
#include <memory>
#include <new>
#include <span>
#include <utility>

#include "hsvm/core/error.hpp"
#include "hsvm/core/parallel.hpp"
#include "hsvm/io/formats/label_table.hpp"
#include "hsvm/io/formats/row_block.hpp"

namespace hsvm {
namespace {

constexpr Count kMaxBlockChunks = 16;       // of blocks, sorted into compressed columns at the same time
constexpr Count kNonzerosPerCounter = 16;   // at least: each chunk has a counter for each column
constexpr std::size_t kPrefetch = 24;       // entries ahead: the columns they go to are all over memory
constexpr Index kWildFeatures = 4'000'000;  // without their number being given: about 100 MB of empty columns
constexpr Index kWildRatio = 1000;          // of them for each value
constexpr std::size_t kTileColumns = 16;    // columns of a panel transposed at a time

// Calls visit(row in the block, column, value) for the nonzeros of a block, row after row.
template <class T, class Visit>
void for_each_nonzero(const RowBlock<T>& block, const Visit& visit) {
  std::size_t k = 0;
  for (Index i = 0; i < block.n_rows; ++i) {
    if (block.is_panel) {
      for (Index j = 0; j < block.width; ++j, ++k) {
        if (block.values[k] != T{0}) visit(i, j, block.values[k]);
      }
    } else {
      const auto end = static_cast<std::size_t>(block.row_end[static_cast<std::size_t>(i)]);
      for (; k < end; ++k) visit(i, block.columns[k], block.values[k]);
    }
  }
}

template <class T>
void free_entries(RowBlock<T>& block) {
  block.row_end = {};
  block.columns = {};
  block.values = {};
}

template <class T>
std::vector<Index> first_rows(const std::deque<RowBlock<T>>& blocks) {
  std::vector<Index> first_row;
  Index n_rows = 0;
  for (const RowBlock<T>& block : blocks) {
    first_row.push_back(n_rows);
    n_rows += block.n_rows;
  }
  return first_row;
}

// A panel's rows into a matrix of `rows` rows, from `first_row` on; a few columns at a time, so that what is written at the
// same time stays in the cache.
template <class T>
void transpose_panel(const RowBlock<T>& block, Index first_row, Index rows, T* matrix) {
  const auto width = static_cast<std::size_t>(block.width);
  const auto stride = static_cast<std::size_t>(rows);
  for (std::size_t tile = 0; tile < width; tile += kTileColumns) {
    const std::size_t n_columns = std::min(width - tile, kTileColumns);
    T* to = matrix + tile * stride + static_cast<std::size_t>(first_row);
    const T* from = block.values.data() + tile;
    for (Index i = 0; i < block.n_rows; ++i, ++to, from += width) {
      for (std::size_t j = 0; j < n_columns; ++j) to[j * stride] = from[j];
    }
  }
}

template <class T>
DenseMatrix<T> join_dense(std::deque<RowBlock<T>>& blocks, Index rows, Index cols) {
  const std::size_t n_entries = static_cast<std::size_t>(rows) * static_cast<std::size_t>(cols);
  const auto matrix = std::make_shared<AlignedBuffer<T>>();
  if (std::ranges::all_of(blocks, [&](const auto& block) { return block.is_panel && block.width == cols; })) {
    matrix->resize(n_entries);  // every entry will be written
  } else {
    matrix->assign(n_entries, T{0});
  }
  T* const values = matrix->data();
  const std::vector<Index> first_row = first_rows(blocks);
  parallel_for(static_cast<Index>(blocks.size()), [&](Index b) {
    RowBlock<T>& block = blocks[static_cast<std::size_t>(b)];
    const Index row = first_row[static_cast<std::size_t>(b)];
    if (block.is_panel) {
      transpose_panel(block, row, rows, values);
    } else {
      for_each_nonzero(block, [&](Index i, Index j, T value) {
        values[static_cast<std::size_t>(j) * static_cast<std::size_t>(rows) +
               static_cast<std::size_t>(row + i)] = value;
      });
    }
    free_entries(block);
  });
  return DenseMatrix<T>(rows, cols, {values, n_entries}, matrix);
}

// Writes the entries of a block into their columns; next[j] is where the next entry of column j goes.
template <class T>
void scatter(const RowBlock<T>& block, Index first_row, Count* next, Index* row_indices, T* values) {
  if (block.is_panel) {
    for_each_nonzero(block, [&](Index i, Index j, T value) {
      row_indices[next[j]] = first_row + i;
      values[next[j]++] = value;
    });
    return;
  }
  const std::size_t n_entries = block.columns.size();
  std::size_t k = 0;
  for (Index i = 0; i < block.n_rows; ++i) {
    for (const auto end = static_cast<std::size_t>(block.row_end[static_cast<std::size_t>(i)]); k < end; ++k) {
      const Count soon = next[block.columns[std::min(k + kPrefetch, n_entries - 1)]];
      __builtin_prefetch(row_indices + soon, 1);
      __builtin_prefetch(values + soon, 1);
      const Count at = next[block.columns[k]]++;
      row_indices[at] = first_row + i;
      values[at] = block.values[k];
    }
  }
}

// Counting sort by columns, in chunks of consecutive blocks. next[chunk][j] counts the nonzeros of a chunk in column j
// and then becomes where the next of them goes.
template <class T>
CscMatrix<T> join_sparse(std::deque<RowBlock<T>>& blocks, Index rows, Index cols, Count n_nonzeros) {
  const auto n_blocks = static_cast<Count>(blocks.size());
  const auto n_chunks = static_cast<Index>(std::clamp<Count>(
      n_nonzeros / (kNonzerosPerCounter * std::max<Count>(cols, 1)), 1, std::min(kMaxBlockChunks, n_blocks)));
  const auto first_block = [&](Index chunk) { return static_cast<std::size_t>(chunk * n_blocks / n_chunks); };
  const std::vector<Index> first_row = first_rows(blocks);

  std::vector<AlignedBuffer<Count>> next(static_cast<std::size_t>(n_chunks));
  parallel_for(n_chunks, [&](Index chunk) {
    AlignedBuffer<Count>& count = next[static_cast<std::size_t>(chunk)];
    count.assign(static_cast<std::size_t>(cols), 0);
    for (std::size_t b = first_block(chunk); b < first_block(chunk + 1); ++b) {
      for_each_nonzero(blocks[b], [&](Index, Index j, T) { ++count[static_cast<std::size_t>(j)]; });
    }
  });
  AlignedBuffer<Count> start(static_cast<std::size_t>(cols) + 1);
  Count total = 0;
  for (std::size_t j = 0; j < static_cast<std::size_t>(cols); ++j) {
    start[j] = total;
    for (AlignedBuffer<Count>& chunk : next) total += std::exchange(chunk[j], total);
  }
  start.back() = total;

  AlignedBuffer<Index> row_indices(static_cast<std::size_t>(n_nonzeros));
  AlignedBuffer<T> values(static_cast<std::size_t>(n_nonzeros));
  parallel_for(n_chunks, [&](Index chunk) {
    for (std::size_t b = first_block(chunk); b < first_block(chunk + 1); ++b) {
      scatter(blocks[b], first_row[b], next[static_cast<std::size_t>(chunk)].data(), row_indices.data(),
              values.data());
      free_entries(blocks[b]);
    }
  });
  return CscMatrix<T>(rows, std::move(start), std::move(row_indices), std::move(values));
}

template <class T>
std::optional<Labels> join_labels(std::deque<RowBlock<T>>& blocks, Index n_rows, const Collective& ranks) {
  if (!ranks.any(!blocks.empty() && !blocks.front().label_of_row.empty())) return std::nullopt;
  LabelTable table;
  if (!ranks.is_alone()) {  // the labels of all ranks have the same numbers everywhere
    LabelTable here;
    for (const RowBlock<T>& block : blocks) {
      for (const std::string& label : block.labels) (void)here.number_of(label);
    }
    for (const std::string& label : ranks.gather_words(here.distinct())) (void)table.number_of(label);
  }
  std::vector<Index> of_sample;
  of_sample.reserve(static_cast<std::size_t>(n_rows));
  for (RowBlock<T>& block : blocks) {
    std::vector<Index> number;
    for (const std::string& label : block.labels) number.push_back(table.number_of(label));
    for (const Index label : block.label_of_row) of_sample.push_back(number[static_cast<std::size_t>(label)]);
    block.labels = {};
    block.label_of_row = {};
  }
  return make_labels(table.distinct(), of_sample);
}

// The first row of a block that has a label where the file's first row has none, or the other way round.
template <class T>
std::optional<TextError> mixed_labels(const RowBlock<T>& block, bool labels_expected) {
  const std::optional<TextPosition> position = labels_expected ? block.first_unlabelled : block.first_labelled;
  if (!position) return std::nullopt;
  return TextError{*position, labels_expected
                                  ? "no label, though lines before it have one; expected a label"
                                  : "a label, though lines before it have none; expected INDEX:VALUE"};
}

// Whether the first row of the text has a label; nothing where there is no row.
template <class T>
std::optional<bool> has_first_label(const std::deque<RowBlock<T>>& blocks, const Collective& ranks) {
  constexpr char kNoRow = 0;
  constexpr char kLabel = 1;
  constexpr char kNoLabel = 2;
  char here = kNoRow;
  for (const RowBlock<T>& block : blocks) {
    if (here != kNoRow || (!block.first_labelled && !block.first_unlabelled)) continue;
    const bool is_labelled =
        block.first_labelled && (!block.first_unlabelled || *block.first_labelled < *block.first_unlabelled);
    here = is_labelled ? kLabel : kNoLabel;
  }
  for (const char first : ranks.gather(std::span<const char>(&here, 1))) {
    if (first != kNoRow) return first == kLabel;
  }
  return std::nullopt;
}

// Of blocks, or of the blocks of all ranks; in floating point, where whole numbers below 2^53 are exact.
struct BlockTotals {
  double rows = 0.0;
  double nonzeros = 0.0;
  double width = 0.0;
};

template <class T>
BlockTotals totals_of(const std::deque<RowBlock<T>>& blocks) {
  BlockTotals totals;
  for (const RowBlock<T>& block : blocks) {
    totals.rows += static_cast<double>(block.n_rows);
    totals.nonzeros += static_cast<double>(block.n_nonzeros);
    totals.width = std::max(totals.width, static_cast<double>(block.width));
  }
  return totals;
}

BlockTotals totals_over_ranks(const BlockTotals& here, const Collective& ranks) {
  std::array<double, 2> sums = {here.rows, here.nonzeros};
  ranks.sum(sums);
  return {sums[0], sums[1], ranks.maximum(here.width)};
}

// The matrix in one of the two storages.
template <class T>
SharedDesign join_entries(std::deque<RowBlock<T>>& blocks, Index rows, Index cols, Count n_nonzeros,
                          Storage storage) {
  if (storage == Storage::sparse) return join_sparse(blocks, rows, cols, n_nonzeros);
  constexpr auto kAddressable = static_cast<double>(std::numeric_limits<std::ptrdiff_t>::max());
  if (static_cast<double>(rows) * static_cast<double>(cols) * sizeof(T) > 0.5 * kAddressable)
    throw std::bad_alloc();
  return join_dense(blocks, rows, cols);
}

}  // namespace

template <class T>
void RowErrors<T>::look_at(const RowBlock<T>& block) {
  if (!labels_expected_ && (block.first_labelled || block.first_unlabelled)) {
    labels_expected_ =
        block.first_labelled && (!block.first_unlabelled || *block.first_labelled < *block.first_unlabelled);
  }
  std::optional<TextError> error = block.error;
  if (labels_expected_) {
    const std::optional<TextError> mixed = mixed_labels(block, *labels_expected_);
    if (mixed && (!error || mixed->position < error->position)) error = mixed;
  }
  if (error) {
    error->position.line += first_line_;
    throw InputError(locate(source_, error->position, error->message));
  }
  first_line_ += block.n_lines;
}

template class RowErrors<double>;
template class RowErrors<float>;

Index checked_width(const std::string& source, Count n_rows, Index width, std::optional<Index> n_features,
                    Count n_nonzeros) {
  if (n_rows == 0) throw InputError(source + ": no samples; expected one on each line");
  if (n_rows > std::numeric_limits<Index>::max()) {
    throw InputError(source + ": " + std::to_string(n_rows) + " samples; expected at most 2147483647");
  }
  const Index cols = n_features.value_or(width);
  if (cols == 0)
    throw InputError(source + ": samples without any features; expected INDEX:VALUE after the labels");
  // A highest index that hardly any entries stand behind is a stray digit: what it would take is for columns without a number.
  if (!n_features && width > kWildFeatures && width / kWildRatio > n_nonzeros)
    throw InputError(
        source + ": " + std::to_string(n_nonzeros) + " values, and an index as high as " +
        std::to_string(width) +
        ": nearly all features would be empty; expected a lower index, or the number of features to be given");
  return cols;
}

template <class T>
Storage storage_for(Count rows, Index cols, Count n_nonzeros, Storage wanted) {
  if (wanted != Storage::automatic) return wanted;
  constexpr double kDenser = 1.5;
  // In floating point: these numbers are only compared, and may be beyond any integer type.
  const double dense_bytes = static_cast<double>(rows) * static_cast<double>(cols) * sizeof(T);
  const double sparse_bytes = static_cast<double>(n_nonzeros) * static_cast<double>(kSparseEntryBytes<T>) +
                              static_cast<double>(cols) * sizeof(Count);
  return dense_bytes < kDenser * sparse_bytes ? Storage::dense : Storage::sparse;
}

template Storage storage_for<double>(Count rows, Index cols, Count n_nonzeros, Storage wanted);
template Storage storage_for<float>(Count rows, Index cols, Count n_nonzeros, Storage wanted);

template <class T>
Dataset join_blocks(std::deque<RowBlock<T>> blocks, DatasetShape shape) {
  const Collective& ranks = *shape.ranks;
  const std::optional<bool> labels_expected = has_first_label(blocks, ranks);
  Count n_lines = 0;
  for (const RowBlock<T>& block : blocks) n_lines += block.n_lines;
  if (!ranks.is_alone()) shape.first_line += ranks.before(n_lines);
  // The first error in the text, whichever blocks were parsed first.
  agree_on_errors(ranks, [&] {
    RowErrors<T> errors(shape.source, shape.first_line, labels_expected);
    for (const RowBlock<T>& block : blocks) errors.look_at(block);
  });
  std::erase_if(blocks, [](const RowBlock<T>& block) { return block.n_rows == 0; });
  const BlockTotals here = totals_of(blocks);
  const BlockTotals all = totals_over_ranks(here, ranks);
  const Index cols =
      checked_width(shape.source, static_cast<Count>(ranks.maximum(here.rows)), static_cast<Index>(all.width),
                    shape.n_features, static_cast<Count>(all.nonzeros));
  const auto rows = static_cast<Index>(here.rows);
  const Storage storage =
      storage_for<T>(static_cast<Count>(all.rows), cols, static_cast<Count>(all.nonzeros), shape.storage);

  Dataset dataset;
  dataset.labels = join_labels(blocks, rows, ranks);
  const auto n_nonzeros = static_cast<Count>(here.nonzeros);
  agree_on_errors(ranks, [&] {
    try {
      dataset.design = join_entries(blocks, rows, cols, n_nonzeros, storage);
    } catch (const std::bad_alloc&) {
      throw InputError(shape.source + ": not enough memory for " + std::to_string(rows) + " samples of " +
                       std::to_string(cols) + " features");
    }
  });
  dataset.source = std::move(shape.source);
  dataset.feature_names = std::move(shape.feature_names);
  return dataset;
}

template Dataset join_blocks(std::deque<RowBlock<double>> blocks, DatasetShape shape);
template Dataset join_blocks(std::deque<RowBlock<float>> blocks, DatasetShape shape);

}  // namespace hsvm
