// The only file that sees HDF5. Its functions give negative numbers for what went wrong; its own messages are kept quiet.
#include "hsvm/io/formats/h5ad.hpp"

#include "hsvm/core/error.hpp"

#ifdef HSVM_HAVE_HDF5

#include <fmt/format.h>
#include <hdf5.h>

#include <algorithm>
#include <cmath>
#include <mutex>
#include <utility>

#include "hsvm/io/formats/array_design.hpp"
#include "hsvm/io/streams/text.hpp"

#endif

namespace hsvm {

bool recognises_h5ad(std::string_view head) {
  return head.starts_with("\x89HDF\r\n\x1a\n");
}

#ifndef HSVM_HAVE_HDF5

Dataset read_h5ad(InputFile& file, const ReadOptions& /*options*/) {
  throw InputError(
      file.name() +
      ": .h5ad files are HDF5, which this program was built without: install libhdf5-dev and build again");
}

#else

namespace {

// Something of HDF5's that must be given back.
class Handle {
 public:
  Handle(hid_t id, herr_t (*close)(hid_t)) : id_(id), close_(close) {}
  ~Handle() {
    if (id_ >= 0) close_(id_);
  }
  Handle(Handle&& other) noexcept : id_(std::exchange(other.id_, -1)), close_(other.close_) {}
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;
  Handle& operator=(Handle&&) = delete;

  [[nodiscard]] hid_t id() const { return id_; }
  [[nodiscard]] bool is_open() const { return id_ >= 0; }

 private:
  hid_t id_;
  herr_t (*close_)(hid_t);
};

struct ArrayShape {
  std::vector<hsize_t> lengths;

  [[nodiscard]] std::size_t size() const {
    std::size_t total = 1;
    for (const hsize_t length : lengths) total *= static_cast<std::size_t>(length);
    return total;
  }
};

class CellFile {
 public:
  explicit CellFile(std::string name)
      : name_(std::move(name)), file_(H5Fopen(name_.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose) {
    if (!file_.is_open()) refuse("HDF5 cannot open it: the file is damaged, or something else");
  }

  [[noreturn]] void refuse(const std::string& what) const { throw InputError(name_ + ": " + what); }

  [[nodiscard]] bool has(const std::string& path) const {
    // Every part of the path must be there before the next is asked for.
    for (std::size_t end = path.find('/'); end != path.npos; end = path.find('/', end + 1)) {
      if (H5Lexists(file_.id(), path.substr(0, end).c_str(), H5P_DEFAULT) <= 0) return false;
    }
    return H5Lexists(file_.id(), path.c_str(), H5P_DEFAULT) > 0;
  }
  [[nodiscard]] bool is_group(const std::string& path) const {
    const Handle object(H5Oopen(file_.id(), path.c_str(), H5P_DEFAULT), H5Oclose);
    return object.is_open() && H5Iget_type(object.id()) == H5I_GROUP;
  }

  [[nodiscard]] ArrayShape shape(const std::string& path) const { return shape_of(open(path), path); }
  [[nodiscard]] bool is_single(const std::string& path) const {
    const Handle data = open(path);
    const Handle type(H5Dget_type(data.id()), H5Tclose);
    return H5Tget_class(type.id()) == H5T_FLOAT && H5Tget_size(type.id()) <= sizeof(float);
  }
  [[nodiscard]] bool holds_texts(const std::string& path) const {
    const Handle data = open(path);
    const Handle type(H5Dget_type(data.id()), H5Tclose);
    return H5Tget_class(type.id()) == H5T_STRING;
  }

  template <class T>
  [[nodiscard]] AlignedBuffer<T> numbers(const std::string& path) const;
  [[nodiscard]] std::vector<std::string> texts(const std::string& path) const;
  // A text in an attribute, empty where there is none.
  [[nodiscard]] std::string attribute(const std::string& path, const char* key) const;
  [[nodiscard]] std::vector<std::int64_t> number_attribute(const std::string& path, const char* key) const;
  // The names in a group.
  [[nodiscard]] std::vector<std::string> names_in(const std::string& path) const;

 private:
  [[nodiscard]] Handle open(const std::string& path) const {
    Handle data(H5Dopen2(file_.id(), path.c_str(), H5P_DEFAULT), H5Dclose);
    if (!data.is_open()) refuse("no array " + in_quotes(path) + " in it");
    return data;
  }
  [[nodiscard]] ArrayShape shape_of(const Handle& data, const std::string& path) const;
  [[nodiscard]] std::vector<std::string> read_texts(const Handle& type, std::size_t n, const std::string& path,
                                                    herr_t (*read)(hid_t, hid_t, void*), hid_t from) const;

  std::string name_;
  Handle file_;
};

ArrayShape CellFile::shape_of(const Handle& data, const std::string& path) const {
  const Handle space(H5Dget_space(data.id()), H5Sclose);
  const int rank = space.is_open() ? H5Sget_simple_extent_ndims(space.id()) : -1;
  if (rank < 0 || rank > 2) refuse(in_quotes(path) + " must have one dimension or two");
  ArrayShape shape;
  shape.lengths.resize(static_cast<std::size_t>(rank));
  if (rank > 0) H5Sget_simple_extent_dims(space.id(), shape.lengths.data(), nullptr);
  // What is not stored need not be read: chunks may be compressed, but hardly more than this.
  constexpr double kMostInflated = 1100.0;
  double claimed = 1.0;
  for (const hsize_t length : shape.lengths) claimed *= static_cast<double>(length);
  const auto stored = static_cast<double>(H5Dget_storage_size(data.id()));
  if (claimed > kMostInflated * stored + 1e6)
    refuse(
        fmt::format("{} claims {} numbers, which its {} bytes cannot hold", in_quotes(path), claimed, stored));
  return shape;
}

template <class T>
hid_t memory_type() {
  if constexpr (std::is_same_v<T, double>) return H5T_NATIVE_DOUBLE;
  if constexpr (std::is_same_v<T, float>) return H5T_NATIVE_FLOAT;
  return H5T_NATIVE_INT64;
}

template <class T>
AlignedBuffer<T> CellFile::numbers(const std::string& path) const {
  const Handle data = open(path);
  const Handle type(H5Dget_type(data.id()), H5Tclose);
  AlignedBuffer<T> values;
  values.resize(shape_of(data, path).size());
  const H5T_class_t kind = H5Tget_class(type.id());
  if (kind == H5T_ENUM) {  // truth values
    const Handle base(H5Tget_super(type.id()), H5Tclose);
    AlignedBuffer<std::int8_t> bits;
    bits.resize(values.size());
    if (H5Tget_size(type.id()) != 1 ||
        H5Dread(data.id(), type.id(), H5S_ALL, H5S_ALL, H5P_DEFAULT, bits.data()) < 0)
      refuse(in_quotes(path) + " cannot be read as numbers");
    std::ranges::transform(bits, values.begin(), [](std::int8_t bit) { return static_cast<T>(bit); });
    return values;
  }
  if ((kind != H5T_INTEGER && kind != H5T_FLOAT) ||
      H5Dread(data.id(), memory_type<T>(), H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()) < 0)
    refuse(in_quotes(path) + " cannot be read as numbers");
  return values;
}

// Texts of any length, or of one: `read` takes them from `from`.
std::vector<std::string> CellFile::read_texts(const Handle& type, std::size_t n, const std::string& path,
                                              herr_t (*read)(hid_t, hid_t, void*), hid_t from) const {
  if (H5Tget_class(type.id()) != H5T_STRING) refuse(in_quotes(path) + " must hold texts");
  std::vector<std::string> words;
  if (H5Tis_variable_str(type.id()) > 0) {
    std::vector<char*> pointers(n, nullptr);
    const Handle memory(H5Tcopy(H5T_C_S1), H5Tclose);
    H5Tset_size(memory.id(), H5T_VARIABLE);
    H5Tset_cset(memory.id(), H5Tget_cset(type.id()));
    if (read(from, memory.id(), pointers.data()) < 0) refuse(in_quotes(path) + " cannot be read as texts");
    for (char* const pointer : pointers) {
      words.emplace_back(pointer == nullptr ? "" : pointer);
      H5free_memory(pointer);
    }
    return words;
  }
  const std::size_t length = H5Tget_size(type.id());
  constexpr std::size_t kLongest = std::size_t{1} << 20U;
  if (length == 0 || length > kLongest) refuse(in_quotes(path) + " must hold texts of some length");
  std::string all(n * length, '\0');
  if (read(from, type.id(), all.data()) < 0) refuse(in_quotes(path) + " cannot be read as texts");
  for (std::size_t k = 0; k < n; ++k) {
    std::string word = all.substr(k * length, length);
    word.resize(std::min(word.size(), word.find('\0')));
    words.push_back(std::move(word));
  }
  return words;
}

std::vector<std::string> CellFile::texts(const std::string& path) const {
  const Handle data = open(path);
  const Handle type(H5Dget_type(data.id()), H5Tclose);
  const auto read = [](hid_t from, hid_t memory, void* to) {
    return H5Dread(from, memory, H5S_ALL, H5S_ALL, H5P_DEFAULT, to);
  };
  return read_texts(type, shape_of(data, path).size(), path, read, data.id());
}

std::string CellFile::attribute(const std::string& path, const char* key) const {
  if (H5Aexists_by_name(file_.id(), path.c_str(), key, H5P_DEFAULT) <= 0) return "";
  const Handle attribute(H5Aopen_by_name(file_.id(), path.c_str(), key, H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
  const Handle type(H5Aget_type(attribute.id()), H5Tclose);
  const Handle space(H5Aget_space(attribute.id()), H5Sclose);
  if (H5Sget_simple_extent_npoints(space.id()) != 1) return "";
  return read_texts(
      type, 1, path, [](hid_t from, hid_t memory, void* to) { return H5Aread(from, memory, to); },
      attribute.id())[0];
}

std::vector<std::int64_t> CellFile::number_attribute(const std::string& path, const char* key) const {
  if (H5Aexists_by_name(file_.id(), path.c_str(), key, H5P_DEFAULT) <= 0) return {};
  const Handle attribute(H5Aopen_by_name(file_.id(), path.c_str(), key, H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
  const Handle space(H5Aget_space(attribute.id()), H5Sclose);
  const hssize_t n = H5Sget_simple_extent_npoints(space.id());
  if (n != 2) return {};
  std::vector<std::int64_t> numbers(2);
  if (H5Aread(attribute.id(), H5T_NATIVE_INT64, numbers.data()) < 0) return {};
  return numbers;
}

std::vector<std::string> CellFile::names_in(const std::string& path) const {
  std::vector<std::string> names;
  const Handle group(H5Gopen2(file_.id(), path.c_str(), H5P_DEFAULT), H5Gclose);
  if (!group.is_open()) return names;
  H5G_info_t info{};
  if (H5Gget_info(group.id(), &info) < 0) return names;
  constexpr hsize_t kMost = 100000;
  for (hsize_t k = 0; k < std::min(info.nlinks, kMost); ++k) {
    char name[256] = {};
    if (H5Lget_name_by_idx(group.id(), ".", H5_INDEX_NAME, H5_ITER_INC, k, name, sizeof(name), H5P_DEFAULT) >=
        0)
      names.emplace_back(name);
  }
  return names;
}

// A column of obs or var as words: texts, numbers, or categories by their codes.
std::vector<std::string> words_of(const CellFile& file, const std::string& path) {
  if (file.is_group(path)) {
    const std::vector<std::string> categories = words_of(file, path + "/categories");
    std::vector<std::string> words;
    for (const std::int64_t code : file.numbers<std::int64_t>(path + "/codes")) {
      if (code < 0) {
        words.emplace_back();
        continue;
      }
      if (std::cmp_greater_equal(code, categories.size()))
        file.refuse(in_quotes(path) + ": a code that is none of the categories");
      words.push_back(categories[static_cast<std::size_t>(code)]);
    }
    return words;
  }
  if (file.holds_texts(path)) return file.texts(path);
  std::vector<std::string> words;
  for (const double number : file.numbers<double>(path)) append_number(words.emplace_back(), number);
  return words;
}

// The same, with the categories where AnnData had them before version 0.7.
std::vector<std::string> column_of(const CellFile& file, const std::string& table, const std::string& name,
                                   Index n, const char* for_what) {
  const std::string path = table + "/" + name;
  if (!file.has(path)) {
    std::string list;
    for (const std::string& known : file.names_in(table)) list += (list.empty() ? "" : ", ") + in_quotes(known);
    file.refuse(
        fmt::format("no column {} in {} for the {}; it has {}", in_quotes(name), table, for_what, list));
  }
  std::vector<std::string> words;
  const std::string legacy = table + "/__categories/" + name;
  if (!file.is_group(path) && file.has(legacy)) {
    const std::vector<std::string> categories = words_of(file, legacy);
    for (const std::int64_t code : file.numbers<std::int64_t>(path)) {
      if (std::cmp_greater_equal(code, categories.size()))
        file.refuse(in_quotes(path) + ": a code that is none of the categories");
      words.push_back(code < 0 ? "" : categories[static_cast<std::size_t>(code)]);
    }
  } else {
    words = words_of(file, path);
  }
  if (std::ssize(words) != n)
    file.refuse(
        fmt::format("{}: {} entries for {} in X; expected one for each", in_quotes(path), words.size(), n));
  const auto missing = std::ranges::find(words, "");
  if (missing != words.end())
    file.refuse(fmt::format("{}: entry {} is missing; expected a word for the {}", in_quotes(path),
                            missing - words.begin() + 1, for_what));
  return words;
}

// The names of cells or genes; none where the table has none.
std::vector<std::string> index_of(const CellFile& file, const std::string& table, Index n) {
  if (!file.has(table)) return {};
  std::string name = file.attribute(table, "_index");
  if (name.empty()) name = file.has(table + "/_index") ? "_index" : "index";
  return file.has(table + "/" + name) ? column_of(file, table, name, n, "names") : std::vector<std::string>{};
}

template <class T>
SharedDesign read_cells(const CellFile& file) {
  if (!file.is_group("X")) {
    const ArrayShape shape = file.shape("X");
    if (shape.lengths.size() != 2) file.refuse("X must have two dimensions, cells by genes");
    const Index rows = checked_index(shape.lengths[0], "cells", "X");
    const Index cols = checked_index(shape.lengths[1], "genes", "X");
    const AlignedBuffer<T> values = file.numbers<T>("X");
    return DenseMatrix<T>::from_row_major(rows, cols, std::span<const T>(values));
  }
  const std::string kind = file.attribute("X", "encoding-type");
  const std::string old_kind = file.attribute("X", "h5sparse_format");
  const bool by_rows = kind == "csr_matrix" || old_kind == "csr";
  if (!by_rows && kind != "csc_matrix" && old_kind != "csc")
    file.refuse("X is stored as " + in_quotes(kind) + "; expected csr_matrix, csc_matrix or an array");
  std::vector<std::int64_t> shape = file.number_attribute("X", "shape");
  if (shape.empty()) shape = file.number_attribute("X", "h5sparse_shape");
  if (shape.size() != 2 || shape[0] < 0 || shape[1] < 0)
    file.refuse("X has no attribute 'shape' of two numbers");
  SparseEntries<T> entries;
  entries.rows = checked_index(static_cast<std::uint64_t>(shape[0]), "cells", "X");
  entries.cols = checked_index(static_cast<std::uint64_t>(shape[1]), "genes", "X");
  if (entries.cols > kMaxFeatures)
    file.refuse(fmt::format("{} genes; expected at most {}", entries.cols, kMaxFeatures));
  const AlignedBuffer<T> values = file.numbers<T>("X/data");
  entries.value.assign(values.begin(), values.end());
  const AlignedBuffer<std::int64_t> starts = file.numbers<std::int64_t>("X/indptr");
  const AlignedBuffer<std::int64_t> indices = file.numbers<std::int64_t>("X/indices");
  const Index end = by_rows ? entries.cols : entries.rows;
  if (std::ssize(starts) != std::ptrdiff_t{1} + (by_rows ? entries.rows : entries.cols) ||
      indices.size() != values.size())
    file.refuse("X: 'indptr', 'indices' and 'data' do not fit its shape");
  (by_rows ? entries.row : entries.column) = expand_starts(std::span(starts), values.size(), "X");
  std::vector<Index>& others = by_rows ? entries.column : entries.row;
  for (const std::int64_t index : indices) {
    if (index < 0 || index >= end) file.refuse(fmt::format("X: index {}; expected 0 to {}", index, end - 1));
    others.push_back(static_cast<Index>(index));
  }
  return make_csc(entries);
}

Dataset read_cell_file(const std::string& name, const ReadOptions& options) {
  const CellFile file(name);
  if (!file.has("X")) file.refuse("no X in it: not a file of AnnData's");
  const bool is_group = file.is_group("X");
  if (is_group && !file.has("X/data")) file.refuse("X has no 'data'");
  const bool single =
      options.precision == Precision::single_precision || file.is_single(is_group ? "X/data" : "X");
  Dataset dataset;
  dataset.source = name;
  dataset.design = single ? read_cells<float>(file) : read_cells<double>(file);
  if (dataset.n_samples() == 0 || dataset.n_features() == 0)
    file.refuse("no cells or no genes; expected some of each");
  require_finite(dataset.design, name);
  dataset.design = as_storage(dataset.design, options.storage);
  dataset.sample_names = index_of(file, "obs", dataset.n_samples());
  dataset.feature_names = index_of(file, "var", dataset.n_features());
  if (options.label) {
    dataset.labels = make_labels(column_of(file, "obs", *options.label, dataset.n_samples(), "label"));
  } else if (options.labels_required) {
    std::string list;
    for (const std::string& known : file.names_in("obs")) list += (list.empty() ? "" : ", ") + in_quotes(known);
    file.refuse("expected the option label to say which column of obs is the label; it has " + list);
  }
  if (options.groups) {
    dataset.groups = column_of(file, "obs", *options.groups, dataset.n_samples(), "groups");
    dataset.table.groups = TableColumn{.name = *options.groups};
  }
  match_features(options, dataset);
  return dataset;
}

}  // namespace

Dataset read_h5ad(InputFile& file, const ReadOptions& options) {
  if (!file.map())
    throw InputError(file.name() +
                     ": HDF5 is read from a file as it is; expected one that is not compressed, and no pipe");
  // The library need not be safe for threads, and has one place for its messages: it is asked to keep them.
  static std::mutex one_at_a_time;
  const std::lock_guard lock(one_at_a_time);
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  return read_cell_file(file.name(), options);
}

#endif

}  // namespace hsvm
