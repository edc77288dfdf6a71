#include "hsvm/io/streams/row_block.hpp"

#include <algorithm>
#include <limits>
#include <new>
#include <utility>

#include "hsvm/core/error.hpp"
#include "hsvm/core/parallel.hpp"

namespace hsvm {
namespace {

constexpr Count kMaxChunks = 16;  // of blocks, scattered into compressed columns side by side
constexpr Count kNonzerosPerPlace =
    16;  // nonzeros of a chunk for each column, at least: each chunk has a place for each
constexpr std::size_t kPrefetch = 24;  // entries ahead: the columns they go to are all over memory
constexpr Index kTileColumns = 16;     // columns of a panel transposed at a time

template <class T>
std::size_t sparse_entry_bytes() {
  return sizeof(T) + sizeof(Index);
}

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

template <class T>
DenseMatrix<T> join_dense(std::deque<RowBlock<T>>& blocks, Index rows, Index cols) {
  DenseMatrix<T> design(rows, cols);
  const std::vector<Index> first_row = first_rows(blocks);
  parallel_for(static_cast<Index>(blocks.size()), [&](Index b) {
    RowBlock<T>& block = blocks[static_cast<std::size_t>(b)];
    const Index row = first_row[static_cast<std::size_t>(b)];
    if (block.is_panel) {
      for (Index tile = 0; tile < block.width; tile += kTileColumns) {
        const Index tile_end = std::min(block.width, tile + kTileColumns);
        for (Index i = 0; i < block.n_rows; ++i) {
          const T* const entries =
              block.values.data() + static_cast<std::size_t>(i) * static_cast<std::size_t>(block.width);
          for (Index j = tile; j < tile_end; ++j) design(row + i, j) = entries[j];
        }
      }
    } else {
      for_each_nonzero(block, [&](Index i, Index j, T value) { design(row + i, j) = value; });
    }
    free_entries(block);
  });
  return design;
}

// Writes the entries of a block to their places, next[j] being that of the next one in column j.
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

// Counting sort by columns. The blocks are cut into chunks of consecutive ones; place[chunk][j] counts the
// nonzeros of a chunk in column j and then becomes the place of the next one.
template <class T>
CscMatrix<T> join_sparse(std::deque<RowBlock<T>>& blocks, Index rows, Index cols, Count n_nonzeros) {
  const auto n_blocks = static_cast<Count>(blocks.size());
  const auto n_chunks = static_cast<Index>(std::clamp<Count>(
      n_nonzeros / (kNonzerosPerPlace * std::max<Count>(cols, 1)), 1, std::min(kMaxChunks, n_blocks)));
  const auto first_block = [&](Index chunk) { return static_cast<std::size_t>(chunk * n_blocks / n_chunks); };
  const std::vector<Index> first_row = first_rows(blocks);

  std::vector<AlignedBuffer<Count>> place(static_cast<std::size_t>(n_chunks));
  parallel_for(n_chunks, [&](Index chunk) {
    AlignedBuffer<Count>& count = place[static_cast<std::size_t>(chunk)];
    count.assign(static_cast<std::size_t>(cols), 0);
    for (std::size_t b = first_block(chunk); b < first_block(chunk + 1); ++b) {
      for_each_nonzero(blocks[b], [&](Index, Index j, T) { ++count[static_cast<std::size_t>(j)]; });
    }
  });
  AlignedBuffer<Count> start(static_cast<std::size_t>(cols) + 1);
  Count total = 0;
  for (std::size_t j = 0; j < static_cast<std::size_t>(cols); ++j) {
    start[j] = total;
    for (AlignedBuffer<Count>& chunk : place) total += std::exchange(chunk[j], total);
  }
  start.back() = total;

  AlignedBuffer<Index> row_indices(static_cast<std::size_t>(n_nonzeros));
  AlignedBuffer<T> values(static_cast<std::size_t>(n_nonzeros));
  parallel_for(n_chunks, [&](Index chunk) {
    Count* const next = place[static_cast<std::size_t>(chunk)].data();
    for (std::size_t b = first_block(chunk); b < first_block(chunk + 1); ++b) {
      scatter(blocks[b], first_row[b], next, row_indices.data(), values.data());
      free_entries(blocks[b]);
    }
  });
  return CscMatrix<T>(rows, std::move(start), std::move(row_indices), std::move(values));
}

template <class T>
std::optional<Labels> join_labels(std::deque<RowBlock<T>>& blocks, Index n_rows) {
  if (blocks.front().label_of_row.empty()) return std::nullopt;
  LabelTable table;
  std::vector<Index> of_sample;
  of_sample.reserve(static_cast<std::size_t>(n_rows));
  for (RowBlock<T>& block : blocks) {
    std::vector<Index> number(block.labels.size());
    std::transform(block.labels.begin(), block.labels.end(), number.begin(),
                   [&](const std::string& label) { return table.number_of(label); });
    for (const Index label : block.label_of_row) of_sample.push_back(number[static_cast<std::size_t>(label)]);
    block.labels = {};
    block.label_of_row = {};
  }
  return make_labels(table.distinct(), of_sample);
}

// Throws for the first error in the text, whichever blocks were parsed first.
template <class T>
void refuse_errors(const std::deque<RowBlock<T>>& blocks, const DatasetShape& shape) {
  std::optional<bool> labelled;  // whether the first row is
  Count first_line = shape.first_line;
  for (const RowBlock<T>& block : blocks) {
    if (!labelled && (block.labelled || block.unlabelled)) {
      labelled = block.labelled && (!block.unlabelled || *block.labelled < *block.unlabelled);
    }
    std::optional<TextError> error = block.error;
    const std::optional<TextPlace> odd = !labelled   ? std::nullopt
                                         : *labelled ? block.unlabelled
                                                     : block.labelled;
    if (odd && (!error || *odd < error->place)) {
      error = TextError{*odd, *labelled ? "no label, though lines before it have one; expected a label"
                                        : "a label, though lines before it have none; expected INDEX:VALUE"};
    }
    if (error) {
      error->place.line += first_line;
      throw InputError(locate(shape.source, error->place, error->message));
    }
    first_line += block.n_lines;
  }
}

}  // namespace

Index LabelTable::number_of(std::string_view label) {
  if (static_cast<std::size_t>(last_) < distinct_.size() && distinct_[static_cast<std::size_t>(last_)] == label)
    return last_;
  auto place = numbers_.find(label);
  if (place == numbers_.end()) {
    place = numbers_.emplace(std::string(label), static_cast<Index>(distinct_.size())).first;
    distinct_.emplace_back(label);
  }
  return last_ = place->second;
}

template <class T>
void RowBlock<T>::take_sparse(const Index* row_ends, const Index* entry_columns, const T* entry_values) {
  const auto n_entries = static_cast<std::size_t>(n_rows == 0 ? 0 : row_ends[n_rows - 1]);
  const std::size_t panel_entries = static_cast<std::size_t>(n_rows) * static_cast<std::size_t>(width);
  n_nonzeros = static_cast<Count>(n_entries);
  is_panel = panel_entries * sizeof(T) < n_entries * sparse_entry_bytes<T>();
  if (!is_panel) {
    row_end.assign(row_ends, row_ends + n_rows);
    columns.assign(entry_columns, entry_columns + n_entries);
    values.assign(entry_values, entry_values + n_entries);
    return;
  }
  values.assign(panel_entries, T{0});
  std::size_t k = 0;
  for (Index i = 0; i < n_rows; ++i) {
    T* const row = values.data() + static_cast<std::size_t>(i) * static_cast<std::size_t>(width);
    for (; k < static_cast<std::size_t>(row_ends[i]); ++k) row[entry_columns[k]] = entry_values[k];
  }
}

template <class T>
void RowBlock<T>::take_panel(const T* entries) {
  const std::size_t n_entries = static_cast<std::size_t>(n_rows) * static_cast<std::size_t>(width);
  n_nonzeros =
      static_cast<Count>(std::count_if(entries, entries + n_entries, [](T value) { return value != T{0}; }));
  is_panel = n_entries * sizeof(T) <= static_cast<std::size_t>(n_nonzeros) * sparse_entry_bytes<T>();
  if (is_panel) {
    values.assign(entries, entries + n_entries);
    return;
  }
  row_end.resize(static_cast<std::size_t>(n_rows));
  columns.resize(static_cast<std::size_t>(n_nonzeros));
  values.resize(static_cast<std::size_t>(n_nonzeros));
  std::size_t k = 0;
  for (Index i = 0; i < n_rows; ++i) {
    for (Index j = 0; j < width; ++j) {
      const T value = *entries++;
      if (value == T{0}) continue;
      columns[k] = j;
      values[k++] = value;
    }
    row_end[static_cast<std::size_t>(i)] = static_cast<Index>(k);
  }
}

template <class T>
Dataset join_blocks(std::deque<RowBlock<T>> blocks, DatasetShape shape) {
  refuse_errors(blocks, shape);
  std::erase_if(blocks, [](const RowBlock<T>& block) { return block.n_rows == 0; });
  Count n_rows = 0;
  Count n_nonzeros = 0;
  Index width = 0;
  for (const RowBlock<T>& block : blocks) {
    n_rows += block.n_rows;
    n_nonzeros += block.n_nonzeros;
    width = std::max(width, block.width);
  }
  if (n_rows == 0) throw InputError(shape.source + ": no samples; expected one on each line");
  if (n_rows > std::numeric_limits<Index>::max()) {
    throw InputError(shape.source + ": " + std::to_string(n_rows) + " samples; expected at most 2147483647");
  }
  const auto rows = static_cast<Index>(n_rows);
  const Index cols = shape.n_features.value_or(width);

  Dataset dataset;
  try {
    dataset.labels = join_labels(blocks, rows);
    // In floating point: the numbers of bytes may be beyond any integer type, and are compared only.
    const double dense_bytes = static_cast<double>(rows) * static_cast<double>(cols) * sizeof(T);
    const double sparse_bytes = static_cast<double>(n_nonzeros) * static_cast<double>(sparse_entry_bytes<T>()) +
                                static_cast<double>(cols) * sizeof(Count);
    const bool dense =
        shape.storage == Storage::dense || (shape.storage == Storage::automatic && dense_bytes < sparse_bytes);
    if (dense && dense_bytes > 0.5 * static_cast<double>(std::numeric_limits<std::ptrdiff_t>::max()))
      throw std::bad_alloc();
    if (dense) {
      dataset.design = join_dense(blocks, rows, cols);
    } else {
      dataset.design = join_sparse(blocks, rows, cols, n_nonzeros);
    }
  } catch (const std::bad_alloc&) {
    throw InputError(shape.source + ": not enough memory for " + std::to_string(rows) + " samples of " +
                     std::to_string(cols) + " features");
  }
  dataset.source = std::move(shape.source);
  dataset.feature_names = std::move(shape.feature_names);
  return dataset;
}

template struct RowBlock<double>;
template struct RowBlock<float>;
template Dataset join_blocks(std::deque<RowBlock<double>> blocks, DatasetShape shape);
template Dataset join_blocks(std::deque<RowBlock<float>> blocks, DatasetShape shape);

std::string locate(const std::string& file, TextPlace place, const std::string& message) {
  return file + ":" + std::to_string(place.line + 1) + ":" + std::to_string(place.column + 1) + ": " + message;
}

std::string quoted(std::string_view text) {
  constexpr std::size_t kLongest = 40;
  constexpr char kHexadecimal[] = "0123456789abcdef";
  std::size_t size = std::min(text.size(), kLongest);
  while (size > 0 && size < text.size() && (static_cast<unsigned char>(text[size]) & 0xc0U) == 0x80)
    --size;  // UTF-8
  std::string result = "'";
  for (const char c : text.substr(0, size)) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte == 0x7f) {
      result += {'\\', 'x', kHexadecimal[byte >> 4], kHexadecimal[byte & 15U]};
    } else {
      result += c;
    }
  }
  return result + (size < text.size() ? "...'" : "'");
}

}  // namespace hsvm
