// Long columns, those with some entries in every block of rows, go block by block: that part of the long vector stays
// in the cache while all of them pass over it, and blocks run on several threads. X w scatters there, a row's terms in
// the order of the columns; X' r has a sum for each block, added in order. What is long depends on the column alone,
// and so does its sum.
//
// Of short columns X' r gathers one after the other. X w cuts them into chunks of about equal numbers of nonzeros, each
// scattered into a partial vector of its own, and the partials are added in order; there are only so many chunks that
// the partials cost a small part of the product.

#include "hsvm/data/csc_matrix.hpp"

#include <algorithm>
#include <cassert>
#include <limits>
#include <numeric>
#include <type_traits>
#include <utility>

#include "hsvm/core/clones.hpp"
#include "hsvm/core/parallel.hpp"
#include "hsvm/data/column_kernels.hpp"
#include "hsvm/data/row_search.hpp"

namespace hsvm {
namespace {

constexpr Count kMaxChunks = 16;            // of a product X w
constexpr Count kNonzerosPerPartial = 32;   // nonzeros of a chunk per row of its partial sums, at least
constexpr Count kDotTaskEntries = 1 << 15;  // in one task of X' r, and a column more
constexpr Index kFarRows = 1 << 19;         // 4 MB of a long vector: no longer near

// Rows in a block, and entries of a long column there, on average. To find them costs something; it is worth more
// where numbers are far.
constexpr Index kRowsOfBlock = 1 << 15;
constexpr Index kFarRowsOfBlock = 1 << 17;
constexpr Count kLongInBlock = 512;
constexpr Count kFarLongInBlock = 256;

// Cuts columns of `rows` rows into chunks of about equal numbers of nonzeros: the first column of each chunk, and the
// number of columns. `before` is the number of nonzeros before each column, the total at its end.
std::vector<std::size_t> cut_chunks(std::span<const Count> before, Index rows) {
  const Count total = before.back();
  const Count n_chunks =
      std::clamp<Count>(total / std::max<Count>(1, kNonzerosPerPartial * rows), 1, kMaxChunks);
  std::vector<std::size_t> begins = {0};
  for (Count chunk = 1; chunk < n_chunks; ++chunk) {
    begins.push_back(
        static_cast<std::size_t>(std::ranges::lower_bound(before, total * chunk / n_chunks) - before.begin()));
  }
  begins.push_back(before.size() - 1);
  return begins;
}

template <class Column>
[[gnu::always_inline]] inline double dot_entries(const Column& x, std::span<const double> r) {
  return detail::sum_entries<double>(x.rows.size(), [&](std::size_t e) {
    return static_cast<double>(x.values[e]) * r[static_cast<std::size_t>(x.rows[e])];
  });
}

void prefetch(std::span<const Index> rows, std::span<const double> r) {
  constexpr std::size_t kMost = 32;
  for (const Index i : rows.first(std::min(rows.size(), kMost))) __builtin_prefetch(r.data() + i);
}

#define HSVM_KERNELS(T)                                                                                       \
  HSVM_CLONES void class_dot(std::span<const Index> rows, const T* x, const double* r, std::size_t stride,    \
                             double* out) {                                                                   \
    const auto row_of = [&](std::size_t e) { return static_cast<std::size_t>(rows[e]); };                     \
    detail::class_dot(rows.size(), x, row_of, r, stride, out);                                                \
  }                                                                                                           \
  HSVM_CLONES void class_add(std::span<const Index> rows, const T* x, const double* s, const double* factors, \
                             std::size_t stride, double* out) {                                               \
    const auto row_of = [&](std::size_t e) { return static_cast<std::size_t>(rows[e]); };                     \
    detail::class_add(rows.size(), x, row_of, s, factors, stride, out);                                       \
  }
HSVM_KERNELS(double)
HSVM_KERNELS(float)
#undef HSVM_KERNELS

// Where each old row goes: to next[begin[i]] .. next[begin[i+1] - 1], ascending.
struct NewRows {
  std::vector<std::size_t> begin;
  std::vector<Index> next;

  NewRows(Index n_rows, std::span<const Index> rows)
      : begin(static_cast<std::size_t>(n_rows) + 1, 0), next(rows.size()) {
    for (const Index i : rows) ++begin[static_cast<std::size_t>(i) + 1];
    std::partial_sum(begin.begin(), begin.end(), begin.begin());
    std::vector<std::size_t> free(begin.begin(), begin.end() - 1);
    for (std::size_t k = 0; k < rows.size(); ++k)
      next[free[static_cast<std::size_t>(rows[k])]++] = static_cast<Index>(k);
  }
  [[nodiscard]] std::span<const Index> of(Index i) const {
    const auto row = static_cast<std::size_t>(i);
    return std::span<const Index>(next).subspan(begin[row], begin[row + 1] - begin[row]);
  }
};

}  // namespace

template <class T>
CscMatrix<T>::CscMatrix(Index rows, ColumnStarts starts, std::span<const Index> row_indices,
                        std::span<const T> values, std::shared_ptr<const void> owner)
    : rows_(rows), starts_(starts), row_indices_(row_indices), values_(values), owner_(std::move(owner)) {
  assert(starts_.size() > 0 && starts_[0] == 0);
  assert(std::ssize(row_indices_) == stored() && std::ssize(values_) == stored());
  assert(starts_.is_aligned() && is_aligned_for<Index>(row_indices_.data()) &&
         is_aligned_for<T>(values_.data()));
}

template <class T>
CscMatrix<T>::CscMatrix(Index rows, AlignedBuffer<Count> starts, AlignedBuffer<Index> row_indices,
                        AlignedBuffer<T> values) {
  struct Arrays {
    AlignedBuffer<Count> starts;
    AlignedBuffer<Index> row_indices;
    AlignedBuffer<T> values;
  };
  auto own =
      std::make_shared<const Arrays>(Arrays{std::move(starts), std::move(row_indices), std::move(values)});
  const std::span<const Count> in_place(own->starts);
  const std::span<const Index> indices(own->row_indices);
  const std::span<const T> entries(own->values);
  *this = CscMatrix(rows, in_place, indices, entries, std::move(own));
}

template <class T>
Index CscMatrix<T>::rows_of_block() const {
  return rows_ > kFarRows ? kFarRowsOfBlock : kRowsOfBlock;
}

template <class T>
Index CscMatrix<T>::n_row_blocks() const {
  return (rows_ - 1) / rows_of_block() + 1;
}

// A column with as many entries is long.
template <class T>
Count CscMatrix<T>::long_from() const {
  if (rows_ <= rows_of_block()) return std::numeric_limits<Count>::max();
  return (rows_ > kFarRows ? kFarLongInBlock : kLongInBlock) * n_row_blocks();
}

// Its entries in the rows from begin to end - 1.
template <class T>
typename CscMatrix<T>::Column CscMatrix<T>::between(const Column& x, Index begin, Index end) const {
  const std::size_t first = detail::first_at(x.rows, begin, rows_);
  return x.part(first, detail::first_from(x.rows, first, end));
}

// The places in the list of those that are long.
template <class T>
std::vector<std::size_t> CscMatrix<T>::long_among(Columns columns) const {
  std::vector<std::size_t> places;
  if (n_row_blocks() <= 1) return places;
  const Count least = long_from();
  for (std::size_t c = 0; c < columns.size(); ++c) {
    if (stored(columns[c]) >= least) places.push_back(c);
  }
  return places;
}

template <class T>
void CscMatrix<T>::multiply(std::span<const double> w, std::span<double> out) const {
  assert(std::ssize(w) == cols());
  const SparseCoefficients active = nonzeros(w);
  if (2 * active.columns.size() > w.size()) return multiply(all_indices(cols()), w, out);  // as they stand
  multiply(active.columns, active.values, out);
}

// body(k, block, its entries there) for the columns at these places, the k-th of them, block by block; a few blocks
// after the other on each thread.
template <class T>
template <class Body>
void CscMatrix<T>::for_each_block(Columns columns, std::span<const std::size_t> places,
                                  const Body& body) const {
  constexpr Index kTasks = 32;
  const Index n_blocks = n_row_blocks();
  parallel_blocks(n_blocks, std::max(Index{1}, n_blocks / kTasks), [&](Index first, Index last) {
    std::vector<std::size_t> at;  // where the next block begins
    for (const std::size_t c : places)
      at.push_back(detail::first_at(column(columns[c]).rows, first * rows_of_block(), rows_));
    for (Index block = first; block < last; ++block) {
      const Index begin = block * rows_of_block();
      const Index end = begin + std::min(rows_of_block(), rows_ - begin);
      for (std::size_t k = 0; k < places.size(); ++k) {
        const Column x = column(columns[places[k]]);
        const std::size_t from = std::exchange(at[k], detail::first_from(x.rows, at[k], end));
        body(k, block, x.part(from, at[k]));
      }
    }
  });
}

template <class T>
void CscMatrix<T>::multiply(Columns columns, std::span<const double> w, std::span<double> out) const {
  assert(columns.size() == w.size() && std::ssize(out) == rows_);
  const std::vector<std::size_t> places = long_among(columns);
  parallel_blocks(rows_, rows_of_block(),
                  [&](Index begin, Index end) { std::fill(out.begin() + begin, out.begin() + end, 0.0); });
  if (!places.empty()) {
    for_each_block(columns, places, [&](std::size_t k, Index /*block*/, const Column& x) {
      const double weight = w[places[k]];
      for (std::size_t e = 0; e < x.rows.size(); ++e)
        out[static_cast<std::size_t>(x.rows[e])] += weight * static_cast<double>(x.values[e]);
    });
  }
  if (places.size() < columns.size()) add_short_columns(columns, w, out);
}

// out += the sum over the short ones of w_c times column columns[c].
template <class T>
void CscMatrix<T>::add_short_columns(Columns columns, std::span<const double> w, std::span<double> out) const {
  const std::vector<std::size_t> begins = cut_columns(columns, true);
  const std::size_t n_rows = out.size();
  const Count least = long_from();
  std::vector<double> partials(n_rows * (begins.size() - 2), 0.0);  // chunk 0 sums into out
  parallel_for(static_cast<Index>(begins.size()) - 1, [&](Index task) {
    const auto chunk = static_cast<std::size_t>(task);
    double* const sums = chunk == 0 ? out.data() : partials.data() + (chunk - 1) * n_rows;
    for (std::size_t c = begins[chunk]; c < begins[chunk + 1]; ++c) {
      const Column x = column(columns[c]);
      if (std::ssize(x.rows) >= least) continue;
      const double weight = w[c];
      for (std::size_t e = 0; e < x.rows.size(); ++e)
        sums[x.rows[e]] += weight * static_cast<double>(x.values[e]);
    }
  });
  if (partials.empty()) return;
  parallel_blocks(rows_, rows_of_block(), [&](Index begin, Index end) {
    for (std::size_t first = 0; first < partials.size(); first += n_rows) {
      for (auto i = static_cast<std::size_t>(begin); i < static_cast<std::size_t>(end); ++i)
        out[i] += partials[first + i];
    }
  });
}

template <class T>
std::vector<std::size_t> CscMatrix<T>::cut_columns(Columns columns, bool only_short) const {
  const Count least = only_short ? long_from() : std::numeric_limits<Count>::max();
  std::vector<Count> nonzeros_before(columns.size() + 1, 0);
  for (std::size_t c = 0; c < columns.size(); ++c) {
    const Count entries = stored(columns[c]);
    nonzeros_before[c + 1] = nonzeros_before[c] + (entries < least ? entries : 0);
  }
  return cut_chunks(nonzeros_before, rows_);
}

template <class T>
void CscMatrix<T>::multiply_transposed(std::span<const double> r, std::span<double> out) const {
  multiply_transposed(all_indices(cols()), r, out);
}

template <class T>
void CscMatrix<T>::multiply_transposed(Columns columns, std::span<const double> r,
                                       std::span<double> out) const {
  assert(std::ssize(r) == rows_ && out.size() == columns.size());
  dot_long_columns(columns, r, out);
  std::vector<std::size_t> begins = {0};  // of tasks
  Count entries = 0;
  for (std::size_t c = 0; c < columns.size(); ++c) {
    entries += stored(columns[c]);
    if (entries < kDotTaskEntries) continue;
    begins.push_back(c + 1);
    entries = 0;
  }
  if (begins.back() < columns.size()) begins.push_back(columns.size());
  const Count least = long_from();
  parallel_for(static_cast<Index>(begins.size()) - 1, [&](Index task) {
    const auto t = static_cast<std::size_t>(task);
    for (std::size_t c = begins[t]; c < begins[t + 1]; ++c) {
      // A short sum is over before the numbers of r for the next are asked for: these are scattered, and far away.
      if (rows_ > kFarRows && c + 1 < begins[t + 1]) prefetch(column(columns[c + 1]).rows, r);
      const Column x = column(columns[c]);
      if (std::ssize(x.rows) < least) out[c] = dot_entries(x, r);
    }
  });
}

template <class T>
void CscMatrix<T>::dot_long_columns(Columns columns, std::span<const double> r, std::span<double> out) const {
  const std::vector<std::size_t> places = long_among(columns);
  if (places.empty()) return;
  std::vector<double> sums(places.size() * static_cast<std::size_t>(n_row_blocks()));
  for_each_block(columns, places, [&](std::size_t k, Index block, const Column& x) {
    sums[places.size() * static_cast<std::size_t>(block) + k] = dot_entries(x, r);
  });
  for (std::size_t k = 0; k < places.size(); ++k) {
    double total = 0.0;
    for (std::size_t at = k; at < sums.size(); at += places.size()) total += sums[at];
    out[places[k]] = total;
  }
}

template <class T>
double CscMatrix<T>::column_dot(Index j, std::span<const double> r) const {
  const Column x = column(j);
  if (std::ssize(x.rows) < long_from()) return dot_entries(x, r);
  double total = 0.0;
  std::size_t at = 0;
  for (Index block = 0; block < n_row_blocks(); ++block) {
    const Index begin = block * rows_of_block();
    const std::size_t from =
        std::exchange(at, detail::first_from(x.rows, at, begin + std::min(rows_of_block(), rows_ - begin)));
    total += dot_entries(x.part(from, at), r);
  }
  return total;
}

template <class T>
void CscMatrix<T>::add_column(Index j, double factor, std::span<const double> s, std::span<double> out) const {
  const Column x = column(j);
  for (std::size_t e = 0; e < x.rows.size(); ++e) {
    const auto i = static_cast<std::size_t>(x.rows[e]);
    out[i] += factor * (s[i] * static_cast<double>(x.values[e]));
  }
}

template <class T>
void CscMatrix<T>::column_dot(Index j, const ClassMatrix& r, std::span<double> out) const {
  assert(r.rows() == rows_ && std::ssize(out) == r.stride());
  class_dot(column(j).rows, column(j).values.data(), r.values().data(), out.size(), out.data());
}

template <class T>
void CscMatrix<T>::add_column(Index j, std::span<const double> factors, const ClassMatrix& s,
                              ClassMatrix& out) const {
  assert(s.rows() == rows_ && out.rows() == rows_ && std::ssize(factors) == out.stride());
  class_add(column(j).rows, column(j).values.data(), s.values().data(), factors.data(), factors.size(),
            out.values().data());
}

template <class T>
ColumnView CscMatrix<T>::column(Index j, ColumnBuffer& buffer) const {
  const Column x = column(j);
  if constexpr (std::is_same_v<T, double>) {
    return {.sparse = true, .rows = x.rows, .values = x.values};
  } else {
    buffer.values.assign(x.values.begin(), x.values.end());
    return {.sparse = true, .rows = x.rows, .values = buffer.values};
  }
}

template <class T>
ColumnPart CscMatrix<T>::column_between(Index j, Index begin, Index end, ColumnBuffer& /*buffer*/) const {
  const Column x = between(column(j), begin, end);
  ColumnPart part{.sparse = true, .rows = x.rows, .size = x.rows.size()};
  if constexpr (std::is_same_v<T, double>) {
    part.values = x.values.data();
  } else {
    part.narrow = x.values.data();
  }
  return part;
}

template <class T>
std::shared_ptr<const Design> CscMatrix<T>::take_rows(std::span<const Index> rows) const {
  const NewRows new_rows(rows_, rows);
  const bool sorted = std::is_sorted(rows.begin(), rows.end());
  AlignedBuffer<Count> starts(1, 0);
  AlignedBuffer<Index> row_indices;
  AlignedBuffer<T> values;
  std::vector<std::pair<Index, T>> entries;  // of one column
  for (Index j = 0; j < cols(); ++j) {
    const Column x = column(j);
    entries.clear();
    for (std::size_t k = 0; k < x.rows.size(); ++k) {
      for (const Index row : new_rows.of(x.rows[k])) entries.emplace_back(row, x.values[k]);
    }
    if (!sorted) std::sort(entries.begin(), entries.end());
    for (const auto& [row, value] : entries) {
      row_indices.push_back(row);
      values.push_back(value);
    }
    starts.push_back(static_cast<Count>(row_indices.size()));
  }
  return std::make_shared<const CscMatrix>(static_cast<Index>(rows.size()), std::move(starts),
                                           std::move(row_indices), std::move(values));
}

template class CscMatrix<double>;
template class CscMatrix<float>;

}  // namespace hsvm
