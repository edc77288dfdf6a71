// X w is computed by tiles of kTileRows rows, so that the part of the output being summed stays in the L1 cache
// while X streams by. Where there are few row tiles, the columns are cut into chunks as well, each summed into
// a partial vector of its own, and the partials are added in order. X' r cuts the columns into blocks and walks
// down the rows in tiles. All cuts depend on shapes alone, never on the number of threads.

#include "hsvm/data/dense_matrix.hpp"

#include <algorithm>
#include <cassert>
#include <functional>
#include <type_traits>
#include <utility>

#include "hsvm/core/clones.hpp"
#include "hsvm/core/lanes.hpp"
#include "hsvm/core/parallel.hpp"
#include "hsvm/data/column_kernels.hpp"

namespace hsvm {
namespace {

constexpr Index kTileRows = 8192;       // rows of the output of X w, or of r in X' r, kept in cache: 64 KiB
constexpr Index kTasks = 16;            // pieces of work a product X w is cut into, where it is large enough
constexpr Index kMinChunkColumns = 64;  // fewer columns are not worth a partial sum of their own
constexpr Count kMinChunkEntries = 1 << 15;  // nor are fewer entries worth a task
constexpr Count kDotBlockEntries = 1 << 18;  // entries of X in one task of X' r
constexpr Index kEnoughTasks = 64;           // to keep all threads busy
constexpr Index kPrefetchRows = 64;          // how much of the next columns is fetched ahead

// Columns taken at a time. Several streams of memory keep the prefetchers busier than one: measured on (2000,
// 20000), 12 columns run at 0.84 of the plain read bandwidth, 8 at 0.79, 4 and 1 at 0.71, 16 (out of registers)
// at 0.70.
constexpr Index kGroup = 12;
constexpr Index kSmallGroup = 4;

// Starts to fetch the head of the columns that come next: at the end of a column the hardware cannot know them.
template <Index group, class T>
[[gnu::always_inline]] inline void prefetch(const T* const* next, Index i) {
  for (Index g = 0; g < group; ++g) __builtin_prefetch(next[g] + i, 0, 2);
}

// out[i] += sum over g of w[g] column[g][i]; for each i the terms are added in the order of g, whatever the
// group.
template <Index group, class T>
[[gnu::always_inline]] inline void add_group(const T* const* column, const T* const* next, const double* w,
                                             Index rows, double* out) {
  Lanes weight[group];
  for (Index g = 0; g < group; ++g) weight[g] = Lanes{} + w[g];
  const auto add = [&](Index i) {  // two registers of rows at a time, to keep both adders busy
    Lanes first = load(out + i);
    Lanes second = load(out + i + kLanes);
    for (Index g = 0; g < group; ++g) {
      first += weight[g] * load(column[g] + i);
      second += weight[g] * load(column[g] + i + kLanes);
    }
    store(out + i, first);
    store(out + i + kLanes, second);
  };
  Index i = 0;
  for (; i + 2 * kLanes <= rows - kPrefetchRows; i += 2 * kLanes) add(i);
  for (const Index tail = i; i + 2 * kLanes <= rows; i += 2 * kLanes) {
    prefetch<group>(next, i - tail);
    add(i);
  }
  for (; i < rows; ++i) {
    for (Index g = 0; g < group; ++g) out[i] += w[g] * static_cast<double>(column[g][i]);
  }
}

// out[g] += sum over i of column[g][i] r[i], in an order that is the same for every group.
template <Index group, class T>
[[gnu::always_inline]] inline void dot_group(const T* const* column, const T* const* next, const double* r,
                                             Index rows, double* out) {
  Lanes total[group];
  for (Lanes& lanes : total) lanes = Lanes{};
  const auto add = [&](Index i) {
    const Lanes r_lanes = load(r + i);
    for (Index g = 0; g < group; ++g) total[g] += load(column[g] + i) * r_lanes;
  };
  constexpr Index kLine = 64 / sizeof(T);  // what one prefetch fetches
  Index i = 0;
  for (; i + kLanes <= rows - kPrefetchRows; i += kLanes) add(i);
  for (const Index tail = i; i + kLanes <= rows; i += kLanes) {
    if ((i - tail) % kLine == 0) prefetch<group>(next, i - tail);
    add(i);
  }
  double sums[group];
  if constexpr (group % kLanes == 0) {
    for (Index g = 0; g < group; g += kLanes) store(sums + g, sum_each(total + g));
  } else {
    for (Index g = 0; g < group; ++g) sums[g] = sum(total[g]);
  }
  for (; i < rows; ++i) {
    for (Index g = 0; g < group; ++g) sums[g] += static_cast<double>(column[g][i]) * r[i];
  }
  for (Index g = 0; g < group; ++g) out[g] += sums[g];
}

// Walks over `count` columns by groups: run.operator()<group>(first column of the group, of the next group).
template <class Run>
[[gnu::always_inline]] inline void by_groups(Index count, const Run& run) {
  Index g = 0;
  for (; g + kGroup <= count; g += kGroup) {
    run.template operator()<kGroup>(g, g + 2 * kGroup <= count ? g + kGroup : g);
  }
  for (; g + kSmallGroup <= count; g += kSmallGroup) run.template operator()<kSmallGroup>(g, g);
  for (; g < count; ++g) run.template operator()<1>(g, g);
}

template <class T>
[[gnu::always_inline]] inline void add_columns_body(std::span<const T* const> columns, const double* w,
                                                    Index rows, double* out) {
  by_groups(static_cast<Index>(columns.size()), [&]<Index group>(Index g, Index next) {
    add_group<group>(columns.data() + g, columns.data() + next, w + g, rows, out);
  });
}

template <class T>
[[gnu::always_inline]] inline void dot_columns_body(std::span<const T* const> columns, const double* r,
                                                    Index rows, double* out) {
  by_groups(static_cast<Index>(columns.size()), [&]<Index group>(Index g, Index next) {
    dot_group<group>(columns.data() + g, columns.data() + next, r, rows, out + g);
  });
}

// out[i] += sum over columns c of w[c] columns[c][i], i < rows.
HSVM_CLONES void add_columns(std::span<const double* const> columns, const double* w, Index rows, double* out) {
  add_columns_body(columns, w, rows, out);
}
HSVM_CLONES void add_columns(std::span<const float* const> columns, const double* w, Index rows, double* out) {
  add_columns_body(columns, w, rows, out);
}

// out[c] += sum over i < rows of columns[c][i] r[i].
HSVM_CLONES void dot_columns(std::span<const double* const> columns, const double* r, Index rows, double* out) {
  dot_columns_body(columns, r, rows, out);
}
HSVM_CLONES void dot_columns(std::span<const float* const> columns, const double* r, Index rows, double* out) {
  dot_columns_body(columns, r, rows, out);
}

template <class T>
[[gnu::always_inline]] inline double dot_body(const T* x, const double* r, std::size_t size) {
  Lanes first = {};
  Lanes second = {};
  std::size_t i = 0;
  for (; i + 2 * kLanes <= size; i += 2 * kLanes) {
    first += load(x + i) * load(r + i);
    second += load(x + i + kLanes) * load(r + i + kLanes);
  }
  double rest = 0.0;
  for (; i < size; ++i) rest += static_cast<double>(x[i]) * r[i];
  return sum(first + second) + rest;
}

template <class T>
[[gnu::always_inline]] inline void add_body(const T* x, const double* s, double factor, std::size_t size,
                                            double* out) {
  by_lanes(
      size, [&](std::size_t i) { store(out + i, load(out + i) + factor * (load(s + i) * load(x + i))); },
      [&](std::size_t i) { out[i] += factor * (s[i] * static_cast<double>(x[i])); });
}

#define HSVM_KERNELS(T)                                                                                        \
  HSVM_CLONES double dot(const T* x, const double* r, std::size_t size) {                                      \
    return dot_body(x, r, size);                                                                               \
  }                                                                                                            \
  HSVM_CLONES void add(const T* x, const double* s, double factor, std::size_t size, double* out) {            \
    add_body(x, s, factor, size, out);                                                                         \
  }                                                                                                            \
  HSVM_CLONES void class_dot(const T* x, std::size_t size, const double* r, std::size_t stride, double* out) { \
    detail::class_dot(size, x, std::identity{}, r, stride, out);                                               \
  }                                                                                                            \
  HSVM_CLONES void class_add(const T* x, std::size_t size, const double* s, const double* factors,             \
                             std::size_t stride, double* out) {                                                \
    detail::class_add(size, x, std::identity{}, s, factors, stride, out);                                      \
  }
HSVM_KERNELS(double)
HSVM_KERNELS(float)
#undef HSVM_KERNELS

Index ceil_divide(Index a, Index b) {
  return (a + b - 1) / b;
}

}  // namespace

template <class T>
DenseMatrix<T>::DenseMatrix(Index rows, Index cols)
    : rows_(rows),
      cols_(cols),
      stride_(rows),
      own_(std::make_shared<AlignedBuffer<T>>(static_cast<std::size_t>(rows) * static_cast<std::size_t>(cols),
                                              T{0})) {
  assert(rows >= 0 && cols >= 0);
  values_ = own_->data();
}

template <class T>
DenseMatrix<T>::DenseMatrix(Index rows, Index cols, std::span<const T> values,
                            std::shared_ptr<const void> owner)
    : DenseMatrix(rows, cols, rows, values, std::move(owner)) {}

template <class T>
DenseMatrix<T>::DenseMatrix(Index rows, Index cols, Index stride, std::span<const T> values,
                            std::shared_ptr<const void> owner)
    : rows_(rows), cols_(cols), stride_(stride), values_(values.data()), owner_(std::move(owner)) {
  assert(rows >= 0 && cols >= 0 && stride >= rows && is_aligned_for<T>(values_));
  assert(values.size() == (cols == 0 ? 0 : offset(cols - 1) + static_cast<std::size_t>(rows)));
}

template <class T>
void DenseMatrix<T>::copy_to_own() {
  auto own = std::make_shared<AlignedBuffer<T>>();
  own->reserve(static_cast<std::size_t>(rows_) * static_cast<std::size_t>(cols_));
  for (Index j = 0; j < cols_; ++j) own->insert(own->end(), column(j).begin(), column(j).end());
  own_ = std::move(own);
  owner_.reset();
  stride_ = rows_;
  values_ = own_->data();
}

// By strips of columns, and down each by tiles of rows: what a tile reads and writes stays in the L2 cache, so that whole
// cache lines are used on both sides [bench/row_major_bench.cpp].
template <class T>
DenseMatrix<T> DenseMatrix<T>::from_row_major(Index rows, Index cols, std::span<const T> values) {
  constexpr Index kStripColumns = 16;
  constexpr Index kTileRowsOfStrip = 512;
  const auto stride = static_cast<std::size_t>(cols);
  assert(values.size() == static_cast<std::size_t>(rows) * stride && is_aligned_for<T>(values.data()));
  auto buffer =
      std::make_shared<AlignedBuffer<T>>(values.size());  // not initialised: all of it is written below
  T* const out = buffer->data();
  parallel_blocks(cols, kStripColumns, [&](Index begin, Index end) {
    for (Index tile = 0; tile < rows; tile += kTileRowsOfStrip) {
      const Index tile_end = tile + std::min(kTileRowsOfStrip, rows - tile);
      for (Index j = begin; j < end; ++j) {
        T* const to = out + static_cast<std::size_t>(j) * static_cast<std::size_t>(rows);
        const T* const from = values.data() + j;
        for (Index i = tile; i < tile_end; ++i) to[i] = from[static_cast<std::size_t>(i) * stride];
      }
    }
  });
  DenseMatrix result(rows, cols, *buffer, nullptr);
  result.own_ = std::move(buffer);
  return result;
}

template <class T>
std::vector<const T*> DenseMatrix<T>::column_pointers(std::span<const Index> columns, Index first_row) const {
  std::vector<const T*> pointers(columns.size());
  for (std::size_t c = 0; c < columns.size(); ++c) pointers[c] = values_ + offset(columns[c]) + first_row;
  return pointers;
}

template <class T>
void DenseMatrix<T>::multiply(std::span<const Index> columns, std::span<const double> w,
                              std::span<double> out) const {
  assert(columns.size() == w.size() && std::ssize(out) == rows_);
  const Index n_columns = static_cast<Index>(columns.size());
  if (n_columns == 0 || rows_ == 0) {
    std::ranges::fill(out, 0.0);
    return;
  }

  const Index n_tiles = ceil_divide(rows_, kTileRows);
  const auto worth = static_cast<Index>(std::min<Count>(kTasks, Count{n_columns} * rows_ / kMinChunkEntries));
  const Index n_chunks =
      std::max(Index{1}, std::min({ceil_divide(kTasks, n_tiles), n_columns / kMinChunkColumns, worth}));
  const std::size_t n_rows = out.size();
  std::vector<double> partials(n_rows * static_cast<std::size_t>(n_chunks - 1));  // chunk 0 sums into out

  parallel_for(n_tiles * n_chunks, [&](Index task) {
    const Index first_row = task / n_chunks * kTileRows;
    const Index tile_rows = std::min(kTileRows, rows_ - first_row);
    const Count chunk = task % n_chunks;
    const std::size_t begin = static_cast<std::size_t>(chunk * n_columns / n_chunks);
    const std::size_t end = static_cast<std::size_t>((chunk + 1) * n_columns / n_chunks);
    double* const sums =
        chunk == 0 ? out.data() : partials.data() + static_cast<std::size_t>(chunk - 1) * n_rows;
    std::fill_n(sums + first_row, tile_rows, 0.0);
    const std::vector<const T*> pointers = column_pointers(columns.subspan(begin, end - begin), first_row);
    add_columns(std::span<const T* const>(pointers), w.data() + begin, tile_rows, sums + first_row);
  });
  for (std::size_t begin = 0; begin < partials.size(); begin += n_rows) {
    for (std::size_t i = 0; i < n_rows; ++i) out[i] += partials[begin + i];
  }
}

template <class T>
void DenseMatrix<T>::multiply_transposed(std::span<const Index> columns, std::span<const double> r,
                                         std::span<double> out) const {
  assert(std::ssize(r) == rows_ && out.size() == columns.size());
  std::fill(out.begin(), out.end(), 0.0);
  if (columns.empty() || rows_ == 0) return;

  const Count groups_per_block = std::max<Count>(1, kDotBlockEntries / (Count{kGroup} * rows_));
  const Index block_columns = static_cast<Index>(groups_per_block) * kGroup;
  const auto n_columns = static_cast<Index>(columns.size());
  const Index n_blocks = ceil_divide(n_columns, block_columns);
  const Index n_tiles = ceil_divide(rows_, kTileRows);
  // The products of a tile of rows with a block of columns, added to `sums`.
  const auto add_tile = [&](Index tile, Index block, double* sums) {
    const auto begin = static_cast<std::size_t>(block * block_columns);
    const auto count = static_cast<std::size_t>(std::min(block_columns, n_columns - block * block_columns));
    const Index first_row = tile * kTileRows;
    const std::vector<const T*> pointers = column_pointers(columns.subspan(begin, count), first_row);
    dot_columns(std::span<const T* const>(pointers), r.data() + first_row,
                std::min(kTileRows, rows_ - first_row), sums + begin);
  };
  if (n_tiles == 1 || n_blocks >= kEnoughTasks) {
    parallel_for(n_blocks, [&](Index block) {
      for (Index tile = 0; tile < n_tiles; ++tile) add_tile(tile, block, out.data());
    });
    return;
  }
  // Few columns, but long ones: tiles are tasks, too. Their sums are added in the same order as above.
  std::vector<double> partials(static_cast<std::size_t>(n_tiles) * columns.size(), 0.0);
  parallel_for(n_tiles * n_blocks, [&](Index task) {
    const Index tile = task / n_blocks;
    add_tile(tile, task % n_blocks, partials.data() + static_cast<std::size_t>(tile) * columns.size());
  });
  for (std::size_t begin = 0; begin < partials.size(); begin += columns.size()) {
    for (std::size_t c = 0; c < columns.size(); ++c) out[c] += partials[begin + c];
  }
}

template <class T>
double DenseMatrix<T>::column_dot(Index j, std::span<const double> r) const {
  assert(std::ssize(r) == rows_);
  return dot(column(j).data(), r.data(), r.size());
}

template <class T>
void DenseMatrix<T>::add_column(Index j, double factor, std::span<const double> s,
                                std::span<double> out) const {
  assert(std::ssize(s) == rows_ && std::ssize(out) == rows_);
  add(column(j).data(), s.data(), factor, out.size(), out.data());
}

template <class T>
void DenseMatrix<T>::column_dot(Index j, const ClassMatrix& r, std::span<double> out) const {
  assert(r.rows() == rows_ && std::ssize(out) == r.stride());
  class_dot(column(j).data(), column(j).size(), r.values().data(), out.size(), out.data());
}

template <class T>
void DenseMatrix<T>::add_column(Index j, std::span<const double> factors, const ClassMatrix& s,
                                ClassMatrix& out) const {
  assert(s.rows() == rows_ && out.rows() == rows_ && std::ssize(factors) == out.stride());
  class_add(column(j).data(), column(j).size(), s.values().data(), factors.data(), factors.size(),
            out.values().data());
}

template <class T>
ColumnView DenseMatrix<T>::column(Index j, ColumnBuffer& buffer) const {
  const std::span<const T> values = column(j);
  if constexpr (std::is_same_v<T, double>) {
    return {.sparse = false, .rows = {}, .values = values};
  } else {
    buffer.values.assign(values.begin(), values.end());
    return {.sparse = false, .rows = {}, .values = buffer.values};
  }
}

template <class T>
void DenseMatrix<T>::gather(Index j, std::span<const Index> samples, double* out, Index stride) const {
  const std::span<const T> values = column(j);
  for (std::size_t k = 0; k < samples.size(); ++k)
    out[k * static_cast<std::size_t>(stride)] =
        static_cast<double>(values[static_cast<std::size_t>(samples[k])]);
}

template <class T>
std::shared_ptr<const Design> DenseMatrix<T>::take_rows(std::span<const Index> rows) const {
  auto result = std::make_shared<DenseMatrix>(static_cast<Index>(rows.size()), cols_);
  parallel_for(cols_, [&](Index j) {
    const std::span<const T> values = column(j);
    for (std::size_t k = 0; k < rows.size(); ++k)
      (*result)(static_cast<Index>(k), j) = values[static_cast<std::size_t>(rows[k])];
  });
  return result;
}

template class DenseMatrix<double>;
template class DenseMatrix<float>;

}  // namespace hsvm
