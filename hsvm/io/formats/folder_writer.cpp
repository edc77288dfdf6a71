#include "hsvm/io/formats/folder_writer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

#include "hsvm/core/error.hpp"
#include "hsvm/io/formats/numpy_array.hpp"

namespace hsvm {
namespace {

constexpr std::size_t kSortPrefetch = 24;  // entries ahead: the columns they go to are all over memory

template <class Numbers>
std::string_view bytes_of_numbers(const Numbers& numbers) {
  return {reinterpret_cast<const char*>(numbers.data()), numbers.size() * sizeof(*numbers.data())};
}

template <class T>
AlignedBuffer<T> read_numbers_at(const ScratchFile& file, std::size_t offset, std::size_t begin,
                                 std::size_t end) {
  AlignedBuffer<T> numbers(end - begin);
  file.read(offset + begin * sizeof(T), reinterpret_cast<char*>(numbers.data()), numbers.size() * sizeof(T));
  return numbers;
}

}  // namespace

void FolderOptions::check() const {
  if (memory < kLeastMemory) throw value_error("memory", std::to_string(memory), "must be at least 1 MB");
  if (row_blocks < 1) throw value_error("row_blocks", std::to_string(row_blocks), "must be at least 1");
}

// The entries of columns begin .. end - 1 in some rows: as csc, the starts counted from the first of them.
template <class T>
struct FolderWriter<T>::Batch {
  Index begin = 0;
  Index end = 0;
  std::vector<std::size_t>
      next;  // where the next entry of each column goes; once all are there: where the column ends
  std::vector<std::size_t> places;  // where it begins
  AlignedBuffer<Index> rows;
  AlignedBuffer<T> values;

  [[nodiscard]] std::size_t size(Index j) const {
    const auto c = static_cast<std::size_t>(j - begin);
    return next[c] - places[c];
  }
  [[nodiscard]] std::span<const Index> rows_of(Index j) const {
    return std::span<const Index>(rows).subspan(places[static_cast<std::size_t>(j - begin)], size(j));
  }
  [[nodiscard]] std::span<const T> values_of(Index j) const {
    return std::span<const T>(values).subspan(places[static_cast<std::size_t>(j - begin)], size(j));
  }
};

template <class T>
FolderWriter<T>::FolderWriter(const std::string& source, const std::string& folder, FolderOptions options)
    : source_(source), options_(std::move(options)), output_(folder), errors_(source) {
  options_.check();
  // Three times a run is there: what is gathered, what is being sorted, and the sorted. Twice a batch.
  constexpr double kShare = 0.7;  // the rest is for blocks of text, buffers and counters
  const double bytes = kShare * static_cast<double>(options_.memory);
  run_entries_ = static_cast<std::size_t>(bytes / (3.0 * static_cast<double>(kSparseEntryBytes<T>)));
  batch_entries_ = static_cast<std::size_t>(bytes / (2.0 * static_cast<double>(kSparseEntryBytes<T>)));
  begin_rows();
}

template <class T>
void FolderWriter<T>::gather_labels(const RowBlock<T>& block) {
  std::vector<Index> number;
  for (const std::string& label : block.labels) number.push_back(label_table_.number_of(label));
  for (const Index label : block.label_of_row) label_of_row_.push_back(number[static_cast<std::size_t>(label)]);
}

template <class T>
void FolderWriter<T>::add(const RowBlock<T>& block) {
  errors_.look_at(block);
  if (block.n_rows > std::numeric_limits<Index>::max() - n_rows_)
    throw InputError(source_ + ": more than 2147483647 samples");
  if (std::ssize(rows_.values) + block.n_nonzeros > static_cast<Count>(run_entries_)) put_away();
  gather_labels(block);
  width_ = std::max(width_, block.width);
  in_column_.resize(static_cast<std::size_t>(width_), 0);
  for_each_row(block, [&](std::span<const Index> columns, std::span<const T> values) {
    rows_.columns.insert(rows_.columns.end(), columns.begin(), columns.end());
    rows_.values.insert(rows_.values.end(), values.begin(), values.end());
    rows_.ends.push_back(std::ssize(rows_.values));
    for (const Index j : columns) ++in_column_[static_cast<std::size_t>(j)];
  });
  n_rows_ += block.n_rows;
}

template <class T>
void FolderWriter<T>::put_away() {
  take_back();
  if (rows_.ends.empty()) return;
  sorting_ = std::async(std::launch::async,
                        [this, rows = std::move(rows_)]() mutable { return sort(std::move(rows)); });
  begin_rows();
}

// Room for all that will be gathered, so that it never moves; memory is taken as it is filled.
template <class T>
void FolderWriter<T>::begin_rows() {
  rows_ = Rows{.first = n_rows_, .ends = {}, .columns = {}, .values = {}};
  rows_.columns.reserve(run_entries_);
  rows_.values.reserve(run_entries_);
}

template <class T>
void FolderWriter<T>::take_back() {
  if (sorting_.valid()) runs_.push_back(sorting_.get());
}

// By counting; the rows of a column stay in their order.
template <class T>
typename FolderWriter<T>::Run FolderWriter<T>::sort(Rows rows) const {
  const std::size_t n_entries = rows.values.size();
  const Index width = n_entries == 0 ? 0 : *std::ranges::max_element(rows.columns) + 1;
  std::vector<Count> starts(static_cast<std::size_t>(width) + 1, 0);
  for (const Index j : rows.columns) ++starts[static_cast<std::size_t>(j) + 1];
  std::partial_sum(starts.begin(), starts.end(), starts.begin());
  std::vector<Count> next(starts.begin(), starts.end() - 1);
  AlignedBuffer<Index> sorted_rows(n_entries);
  AlignedBuffer<T> sorted_values(n_entries);
  std::size_t k = 0;
  for (std::size_t i = 0; i < rows.ends.size(); ++i) {
    for (; k < static_cast<std::size_t>(rows.ends[i]); ++k) {
      const Index soon_column = rows.columns[std::min(k + kSortPrefetch, n_entries - 1)];
      const Count soon = next[static_cast<std::size_t>(soon_column)];
      __builtin_prefetch(sorted_rows.data() + soon, 1);
      __builtin_prefetch(sorted_values.data() + soon, 1);
      const auto at = static_cast<std::size_t>(next[static_cast<std::size_t>(rows.columns[k])]++);
      sorted_rows[at] = rows.first + static_cast<Index>(i);
      sorted_values[at] = rows.values[k];
    }
  }
  Run run{.file = ScratchFile(output_.name()),
          .first = rows.first,
          .end = rows.first + static_cast<Index>(rows.ends.size()),
          .width = width,
          .n_entries = n_entries};
  run.file.append(bytes_of_numbers(sorted_values));
  run.file.append(bytes_of_numbers(sorted_rows));
  run.file.append(bytes_of_numbers(starts));
  return run;
}

// Adds the entries of a run in these rows to a batch; the last rows of a run take its disk with them.
template <class T>
void FolderWriter<T>::read_run(const Run& run, RowRange rows, Index begin, Index end, Batch& batch) {
  const Index last = std::min(end, run.width);
  if (begin >= last || run.end <= rows.begin || run.first >= rows.end) return;
  const std::size_t rows_at = run.n_entries * sizeof(T);
  const std::size_t starts_at = rows_at + run.n_entries * sizeof(Index);
  const auto starts = read_numbers_at<Count>(run.file, starts_at, static_cast<std::size_t>(begin),
                                             static_cast<std::size_t>(last) + 1);
  const auto first = static_cast<std::size_t>(starts.front());
  const auto past = static_cast<std::size_t>(starts.back());
  const auto row_numbers = read_numbers_at<Index>(run.file, rows_at, first, past);
  const auto values = read_numbers_at<T>(run.file, 0, first, past);
  const bool whole = run.first >= rows.begin && run.end <= rows.end;
  for (std::size_t c = 0; c + 1 < starts.size(); ++c) {
    auto from = row_numbers.begin() + (starts[c] - starts.front());
    auto to = row_numbers.begin() + (starts[c + 1] - starts.front());
    if (!whole) {
      from = std::lower_bound(from, to, rows.begin);
      to = std::lower_bound(from, to, rows.end);
    }
    std::size_t& next = batch.next[c];
    std::transform(from, to, batch.rows.begin() + static_cast<std::ptrdiff_t>(next),
                   [&](Index i) { return i - rows.begin; });
    std::copy(values.begin() + (from - row_numbers.begin()), values.begin() + (to - row_numbers.begin()),
              batch.values.begin() + static_cast<std::ptrdiff_t>(next));
    next += static_cast<std::size_t>(to - from);
  }
  if (run.end <= rows.end) {
    run.file.forget(first * sizeof(T), (past - first) * sizeof(T));
    run.file.forget(rows_at + first * sizeof(Index), (past - first) * sizeof(Index));
  }
}

template <class T>
template <class Write>
void FolderWriter<T>::for_each_batch(RowRange rows, Index n_features, const Write& write) {
  Batch batch;
  for (Index begin = 0; begin < n_features; begin = batch.end) {
    batch.begin = batch.end = begin;
    batch.places.clear();
    std::size_t size = 0;
    while (batch.end < n_features) {
      const auto in_column = static_cast<std::size_t>(in_column_[static_cast<std::size_t>(batch.end)]);
      if (batch.end > begin && size + in_column > batch_entries_) break;
      batch.places.push_back(size);
      size += in_column;
      ++batch.end;
    }
    batch.next = batch.places;
    batch.rows.resize(size);
    batch.values.resize(size);
    for (const Run& run : runs_) read_run(run, rows, begin, batch.end, batch);
    write(std::as_const(batch));
  }
}

template <class T>
void FolderWriter<T>::write_sparse(const FolderHeader& header) {
  const auto n_entries = static_cast<std::size_t>(header.n_entries);
  OutputFile& values = output_.add("data.npy");
  OutputFile& rows = output_.add("indices.npy");
  OutputFile& starts = output_.add("indptr.npy");
  values.write(npy_header(npy_type<T>(), false, {n_entries}));
  rows.write(npy_header(npy_type<std::int32_t>(), false, {n_entries}));
  const std::size_t n_blocks = header.row_blocks.size() - 1;
  const std::size_t width = static_cast<std::size_t>(header.n_features) + 1;
  starts.write(
      npy_header(npy_type<std::int64_t>(), false,
                 n_blocks == 1 ? std::vector<std::size_t>{width} : std::vector<std::size_t>{n_blocks, width}));
  std::int64_t start = 0;
  const auto write_start = [&] { starts.write({reinterpret_cast<const char*>(&start), sizeof(start)}); };
  for (std::size_t b = 0; b < n_blocks; ++b) {
    write_start();
    for_each_batch({header.row_blocks[b], header.row_blocks[b + 1]}, header.n_features,
                   [&](const Batch& batch) {
                     for (Index j = batch.begin; j < batch.end; ++j) {
                       values.write(bytes_of_numbers(batch.values_of(j)));
                       rows.write(bytes_of_numbers(batch.rows_of(j)));
                       start += static_cast<std::int64_t>(batch.size(j));
                       write_start();
                     }
                   });
  }
}

template <class T>
void FolderWriter<T>::write_dense(const FolderHeader& header) {
  const auto n = static_cast<std::size_t>(header.n_samples);
  OutputFile& file = output_.add("X.npy");
  file.write(npy_header(npy_type<T>(), true, {n, static_cast<std::size_t>(header.n_features)}));
  std::vector<T> column(n);
  for_each_batch({0, header.n_samples}, header.n_features, [&](const Batch& batch) {
    for (Index j = batch.begin; j < batch.end; ++j) {
      std::ranges::fill(column, T{0});
      const std::span<const Index> rows = batch.rows_of(j);
      for (std::size_t k = 0; k < rows.size(); ++k)
        column[static_cast<std::size_t>(rows[k])] = batch.values_of(j)[k];
      file.write(bytes_of_numbers(column));
    }
  });
}

template <class T>
FolderHeader FolderWriter<T>::finish(std::optional<Index> n_features, Storage storage,
                                     std::optional<Labels> labels) {
  put_away();
  take_back();
  rows_ = {};
  FolderHeader header;
  header.precision = std::is_same_v<T, float> ? Precision::single_precision : Precision::double_precision;
  header.n_samples = n_rows_;
  const Count n_nonzeros = std::accumulate(in_column_.begin(), in_column_.end(), Count{0});
  header.n_features = checked_width(source_, n_rows_, width_, n_features, n_nonzeros);
  in_column_.resize(static_cast<std::size_t>(header.n_features), 0);
  header.storage = storage_for<T>(header.n_samples, header.n_features, n_nonzeros, storage);
  const bool dense = header.storage == Storage::dense;
  header.n_entries = dense ? Count{header.n_samples} * header.n_features : n_nonzeros;
  const Count n_blocks = dense ? 1 : std::min<Count>(options_.row_blocks, header.n_samples);
  for (Count b = 0; b <= n_blocks; ++b)
    header.row_blocks.push_back(static_cast<Index>(b * header.n_samples / n_blocks));
  if (!labels && !label_of_row_.empty()) labels = make_labels(label_table_.distinct(), label_of_row_);
  if (labels && std::ssize(labels->of_sample) != header.n_samples)
    throw InputError(fmt::format("{} labels for the {} samples of {}; expected one for each",
                                 labels->of_sample.size(), header.n_samples, source_));
  const std::vector<std::string>& names = options_.feature_names;
  if (!names.empty() && std::ssize(names) != header.n_features)
    throw InputError(fmt::format("{} names for the {} features of {}; expected one for each", names.size(),
                                 header.n_features, source_));
  if (dense) {
    write_dense(header);
  } else {
    write_sparse(header);
  }
  if (labels) {
    header.classes = labels->classes;
    output_.add_labels(labels->of_sample);
  }
  output_.add_words("feature_names.json", names);
  output_.commit(header);
  return header;
}

template class FolderWriter<double>;
template class FolderWriter<float>;

}  // namespace hsvm
