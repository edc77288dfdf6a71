#include "hsvm/io/formats/numpy.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "hsvm/core/error.hpp"
#include "hsvm/data/visit_matrix.hpp"
#include "hsvm/io/formats/array_design.hpp"
#include "hsvm/io/formats/numpy_array.hpp"
#include "hsvm/io/streams/file_bytes.hpp"
#include "hsvm/io/streams/text.hpp"
#include "hsvm/io/streams/zip_archive.hpp"

namespace hsvm {
namespace {

// The arrays of an .npz file by their names.
class NumpyArchive {
 public:
  NumpyArchive(const FileBytes& file, const std::string& name) : name_(name) {
    for (const ZipEntry& entry : read_zip(file.bytes, name)) {
      std::string key = entry.name;
      if (key.ends_with(".npy")) key.resize(key.size() - 4);
      arrays_.push_back(
          parse_npy(entry.bytes, entry.owner ? entry.owner : file.owner, name + ": " + in_quotes(key)));
      keys_.push_back(std::move(key));
    }
  }

  [[nodiscard]] const NumpyArray* find(std::string_view key) const {
    const auto found = std::ranges::find(keys_, key);
    return found == keys_.end() ? nullptr : &arrays_[static_cast<std::size_t>(found - keys_.begin())];
  }
  [[nodiscard]] const NumpyArray& at(const char* key) const {
    if (const NumpyArray* const array = find(key)) return *array;
    throw InputError(fmt::format("{}: no array '{}'; it has {}", name_, key, list_keys()));
  }
  // X, or the only matrix of numbers.
  [[nodiscard]] const NumpyArray& matrix() const {
    for (const char* key : {"X", "x", "data"}) {
      const NumpyArray* const array = find(key);
      if (array && array->shape.size() == 2) return *array;
    }
    const NumpyArray* only = nullptr;
    for (const NumpyArray& array : arrays_) {
      if (array.shape.size() != 2 || !array.is_number()) continue;
      if (only) throw InputError(name_ + ": several matrices, and none is called X; it has " + list_keys());
      only = &array;
    }
    if (!only) throw InputError(name_ + ": no matrix, samples by features; it has " + list_keys());
    return *only;
  }

 private:
  [[nodiscard]] std::string list_keys() const {
    std::string list;
    for (const std::string& key : keys_) list += (list.empty() ? "" : ", ") + in_quotes(key);
    return list.empty() ? "nothing" : list;
  }

  std::string name_;
  std::vector<std::string> keys_;
  std::vector<NumpyArray> arrays_;
};

// Indices into rows or columns, all below `end`.
std::vector<Index> indices_in(const NumpyArray& array, Index end) {
  std::vector<Index> indices;
  for (const std::int64_t index : numbers_in<std::int64_t>(array)) {
    if (index < 0 || index >= end)
      throw InputError(fmt::format("{}: index {}; expected 0 to {}", array.where, index, end - 1));
    indices.push_back(static_cast<Index>(index));
  }
  return indices;
}

template <class T>
SharedDesign sparse_design(const NumpyArchive& archive, const std::string& format, const std::string& name) {
  const std::vector<std::int64_t> shape = numbers_in<std::int64_t>(archive.at("shape"));
  if (shape.size() != 2 || shape[0] < 0 || shape[1] < 0)
    throw InputError(name + ": 'shape' must be two numbers");
  SparseEntries<T> entries;
  entries.rows = checked_index(static_cast<std::uint64_t>(shape[0]), "samples", name);
  entries.cols = checked_index(static_cast<std::uint64_t>(shape[1]), "features", name);
  if (entries.rows == 0 || entries.cols == 0)
    throw InputError(name + ": no samples or no features; expected some of each");
  if (entries.cols > kMaxFeatures)
    throw InputError(fmt::format("{}: {} features; expected at most {}", name, entries.cols, kMaxFeatures));
  entries.value = numbers_in<T>(archive.at("data"));
  if (format == "coo") {
    entries.row = indices_in(archive.at("row"), entries.rows);
    entries.column = indices_in(archive.at("col"), entries.cols);
  } else {
    const bool by_rows = format == "csr";
    const std::vector<std::int64_t> starts = numbers_in<std::int64_t>(archive.at("indptr"));
    if (std::ssize(starts) != std::ptrdiff_t{1} + (by_rows ? entries.rows : entries.cols))
      throw InputError(fmt::format("{}: 'indptr' must have one number more than there are {}", name,
                                   by_rows ? "rows" : "columns"));
    (by_rows ? entries.row : entries.column) = expand_starts(starts, entries.value.size(), name);
    (by_rows ? entries.column : entries.row) =
        indices_in(archive.at("indices"), by_rows ? entries.cols : entries.rows);
  }
  if (entries.row.size() != entries.value.size() || entries.column.size() != entries.value.size())
    throw InputError(name + ": there must be a row and a column for each number in 'data'");
  return make_csc(entries);
}

SharedDesign read_scipy_matrix(const NumpyArchive& archive, const ReadOptions& options,
                               const std::string& name) {
  const std::vector<std::string> words = words_in(archive.at("format"));
  const std::string format = words.empty() ? "" : words[0];
  if (format != "csr" && format != "csc" && format != "coo")
    throw InputError(name + ": a sparse matrix of the format " + in_quotes(format) +
                     "; expected csr, csc or coo");
  const NumpyArray& data = archive.at("data");
  const bool single =
      options.precision == Precision::single_precision || (data.kind == 'f' && data.item_bytes == 4);
  SharedDesign design =
      single ? sparse_design<float>(archive, format, name) : sparse_design<double>(archive, format, name);
  require_finite(design, name);
  return as_storage(design, options.storage);
}

Labels read_label_array(const NumpyArray& array, Index n_samples) {
  const std::vector<std::string> words = words_in(array);
  if (std::ssize(words) != n_samples)
    throw InputError(fmt::format("{}: {} labels for {} samples; expected one for each", array.where,
                                 words.size(), n_samples));
  return make_labels(words);
}

template <class T>
void add_sparse(const CscMatrix<T>& x, ZipWriter& zip) {
  std::vector<std::int32_t> rows;
  std::vector<std::int64_t> starts(1, 0);
  std::vector<T> values;
  for (Index j = 0; j < x.cols(); ++j) {
    const auto column = x.column(j);
    rows.insert(rows.end(), column.rows.begin(), column.rows.end());
    values.insert(values.end(), column.values.begin(), column.values.end());
    starts.push_back(std::ssize(rows));
  }
  const std::vector<std::int64_t> shape = {x.rows(), x.cols()};
  zip.add("indices.npy", npy_of_numbers(std::span<const std::int32_t>(rows)));
  zip.add("indptr.npy", npy_of_numbers(std::span<const std::int64_t>(starts)));
  zip.add("format.npy", npy_header("|S3", false, {}) + "csc");
  zip.add("shape.npy", npy_of_numbers(std::span<const std::int64_t>(shape)));
  zip.add("data.npy", npy_of_numbers(std::span<const T>(values)));
}
template <class T>
void add_sparse(const DenseMatrix<T>& x, ZipWriter& zip) {
  std::string bytes;
  write_npy_matrix(x, [&](std::string_view more) { bytes += more; });
  zip.add("X.npy", bytes);
}

}  // namespace

bool recognises_npy(std::string_view head) {
  return is_npy(head);
}

Dataset read_npy(InputFile& file, const ReadOptions& options) {
  const FileBytes bytes = read_all_bytes(file);
  Dataset dataset;
  dataset.source = file.name();
  NumpyArray array = parse_npy(bytes.bytes, bytes.owner, file.name());
  array.mapped = bytes.mapped;
  dataset.design = dense_design(array, options);
  match_features(options, dataset);
  return dataset;
}

void write_npy(const Dataset& dataset, OutputFile& file) {
  write_npy_matrix(dataset.design, [&](std::string_view bytes) { file.write(bytes); });
}

bool recognises_npz(std::string_view head) {
  return is_zip(head);
}

Dataset read_npz(InputFile& file, const ReadOptions& options) {
  const FileBytes bytes = read_all_bytes(file);
  const NumpyArchive archive(bytes, file.name());
  Dataset dataset;
  dataset.source = file.name();
  const bool sparse = archive.find("format") != nullptr && archive.find("shape") != nullptr;
  dataset.design =
      sparse ? read_scipy_matrix(archive, options, file.name()) : dense_design(archive.matrix(), options);
  for (const char* key : {"labels", "y"}) {
    if (const NumpyArray* const labels = archive.find(key))
      dataset.labels = read_label_array(*labels, dataset.n_samples());
  }
  if (const NumpyArray* const names = archive.find("feature_names")) {
    dataset.feature_names = words_in(*names);
    if (std::ssize(dataset.feature_names) != dataset.n_features())
      throw InputError(fmt::format("{}: {} names for {} features; expected one for each", names->where,
                                   dataset.feature_names.size(), dataset.n_features()));
  }
  match_features(options, dataset);
  return dataset;
}

void write_npz(const Dataset& dataset, OutputFile& file) {
  ZipWriter zip(file.name());
  visit_matrix(dataset.design, [&](const auto& x) { add_sparse(x, zip); });
  if (dataset.labels) {
    const Classes& classes = dataset.labels->classes;
    std::vector<double> numbers;
    std::vector<std::string> words;
    for (const Index k : dataset.labels->of_sample) {
      words.push_back(classes.names[static_cast<std::size_t>(k)]);
      numbers.push_back(std::strtod(words.back().c_str(), nullptr));
    }
    zip.add("y.npy", classes.numeric ? npy_of_numbers(std::span<const double>(numbers)) : npy_of_words(words));
  }
  if (!dataset.feature_names.empty()) zip.add("feature_names.npy", npy_of_words(dataset.feature_names));
  file.write(zip.finish());
}

}  // namespace hsvm
