#include "hsvm/io/formats/row_block.hpp"

#include <algorithm>

namespace hsvm {

template <class T>
void RowBlock<T>::store_sparse(const Index* row_ends, const Index* entry_columns, const T* entry_values) {
  const auto n_entries = static_cast<std::size_t>(n_rows == 0 ? 0 : row_ends[n_rows - 1]);
  const std::size_t panel_entries = static_cast<std::size_t>(n_rows) * static_cast<std::size_t>(width);
  n_nonzeros = static_cast<Count>(n_entries);
  is_panel = panel_entries * sizeof(T) < n_entries * kSparseEntryBytes<T>;
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
void RowBlock<T>::store_panel(const T* entries) {
  const std::size_t n_entries = static_cast<std::size_t>(n_rows) * static_cast<std::size_t>(width);
  n_nonzeros =
      static_cast<Count>(std::count_if(entries, entries + n_entries, [](T value) { return value != T{0}; }));
  is_panel = n_entries * sizeof(T) <= static_cast<std::size_t>(n_nonzeros) * kSparseEntryBytes<T>;
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

template struct RowBlock<double>;
template struct RowBlock<float>;

}  // namespace hsvm
