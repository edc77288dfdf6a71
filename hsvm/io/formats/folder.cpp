// Reading: the header first, then each array by its own header, all lengths before any number. Of csc the row numbers are looked
// through once: a wrong one would be a place in memory that is not ours.

#include "hsvm/io/formats/folder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <limits>
#include <nlohmann/json.hpp>
#include <system_error>
#include <utility>

#include "hsvm/core/error.hpp"
#include "hsvm/core/parallel.hpp"
#include "hsvm/data/mapped_design.hpp"
#include "hsvm/data/stacked_design.hpp"
#include "hsvm/data/visit_matrix.hpp"
#include "hsvm/io/formats/array_design.hpp"
#include "hsvm/io/formats/folder_output.hpp"
#include "hsvm/io/formats/numpy_array.hpp"
#include "hsvm/io/streams/file_bytes.hpp"
#include "hsvm/io/streams/input_file.hpp"

namespace hsvm {
namespace {

using FolderJson = nlohmann::json;

std::string without_slash(std::string folder) {
  while (folder.size() > 1 && folder.ends_with('/')) folder.pop_back();
  return folder;
}

FolderJson parse_json_file(const std::string& path) {
  InputFile file(path);
  const FileBytes bytes = read_all_bytes(file);
  FolderJson json = FolderJson::parse(bytes.bytes, nullptr, false);
  if (json.is_discarded()) throw InputError(path + ": is no JSON, or is cut short");
  return json;
}

// A whole number of the header between 0 and `most`.
Count whole_number(const FolderJson& json, const char* key, Count most, const std::string& where) {
  if (!json.contains(key) || !json[key].is_number_integer() || json[key].get<Count>() < 0 ||
      json[key].get<Count>() > most)
    throw InputError(fmt::format("{}: \"{}\" must be a whole number from 0 to {}", where, key, most));
  return json[key].get<Count>();
}

std::string one_of(const FolderJson& json, const char* key, const char* first, const char* second,
                   const std::string& where) {
  const std::string word = json.contains(key) && json[key].is_string() ? json[key].get<std::string>() : "";
  if (word != first && word != second)
    throw InputError(fmt::format("{}: \"{}\" must be \"{}\" or \"{}\"", where, key, first, second));
  return word;
}

std::vector<Index> read_row_blocks(const FolderJson& json, Index n_samples, const std::string& where) {
  std::vector<Index> blocks;
  const auto refuse = [&] {
    throw InputError(fmt::format("{}: \"row_blocks\" must rise from 0 to {}", where, n_samples));
  };
  if (!json.contains("row_blocks") || !json["row_blocks"].is_array()) refuse();
  for (const FolderJson& first : json["row_blocks"]) {
    if (!first.is_number_integer() || first.get<Count>() < 0 || first.get<Count>() > n_samples) refuse();
    blocks.push_back(first.get<Index>());
  }
  const bool rising = std::ranges::adjacent_find(blocks, std::ranges::greater_equal{}) == blocks.end();
  if (blocks.size() < 2 || !rising || blocks.front() != 0 || blocks.back() != n_samples) refuse();
  return blocks;
}

std::optional<Classes> read_classes(const FolderJson& json, const std::string& where) {
  if (!json.contains("classes")) return std::nullopt;
  Classes classes;
  const FolderJson& names = json["classes"];
  const bool texts = names.is_array() && !names.empty() &&
                     std::ranges::all_of(names, [](const FolderJson& name) { return name.is_string(); });
  if (!texts) throw InputError(where + ": \"classes\" must be a list of texts");
  classes.names = names.get<std::vector<std::string>>();
  classes.numeric = json.value("numeric_classes", false);
  return classes;
}

std::vector<std::string> read_json_words(const std::string& path, Index expected, const char* of_what) {
  std::error_code ignored;
  if (!std::filesystem::exists(path, ignored)) return {};
  const FolderJson json = parse_json_file(path);
  const bool texts =
      json.is_array() && std::ranges::all_of(json, [](const FolderJson& name) { return name.is_string(); });
  if (!texts || std::ssize(json) != expected)
    throw InputError(fmt::format("{}: must be a list of {} texts, one for each {}", path, expected, of_what));
  return json.get<std::vector<std::string>>();
}

// An array of the folder, mapped; nothing but its header is read.
template <class T>
struct FolderArray {
  std::span<const T> numbers;
  std::shared_ptr<const MappedFile> file;
};

template <class T>
FolderArray<T> map_array(const std::string& path, const std::vector<std::size_t>& shape, bool fortran_order) {
  InputFile input(path);
  const FileBytes bytes = read_all_bytes(input);
  const NumpyArray array = parse_npy(bytes.bytes, bytes.owner, path);
  constexpr char kKind = std::is_floating_point_v<T> ? 'f' : 'i';
  const bool known = array.kind == kKind && array.item_bytes == sizeof(T) && !array.swapped;
  if (!known || !bytes.mapped || !is_aligned_for<T>(array.data.data()))
    throw InputError(
        fmt::format("{}: must be a plain file of numbers of the type <{}{}", path, kKind, sizeof(T)));
  const bool one_line = shape.size() < 2 || shape[0] == 1 || shape[1] == 1;
  if (array.shape != shape || (!one_line && array.fortran_order != fortran_order))
    throw InputError(
        fmt::format("{}: of another shape or order than the header says; is it of another folder?", path));
  return {{reinterpret_cast<const T*>(array.data.data()), array.size()}, bytes.mapped};
}

template <class T>
SharedDesign map_dense(const std::string& folder, const FolderHeader& header, RowRange rows) {
  const auto n = static_cast<std::size_t>(header.n_samples);
  const auto array = map_array<T>(folder + "/X.npy", {n, static_cast<std::size_t>(header.n_features)}, true);
  const auto size = static_cast<std::size_t>(rows.end - rows.begin);
  const auto part =
      array.numbers.subspan(static_cast<std::size_t>(rows.begin), array.numbers.size() - n + size);
  return MappedDesign(
      DenseMatrix<T>(rows.end - rows.begin, header.n_features, header.n_samples, part, array.file), array.file);
}

// Rising from `begin` to `end`, which is where the block before ends and the next one begins.
void require_starts(std::span<const Count> starts, Count begin, const std::string& where) {
  const bool rising =
      starts.front() == begin && std::ranges::adjacent_find(starts, std::ranges::greater{}) == starts.end();
  if (!rising) throw InputError(where + ": must rise from 0 to the number of entries; the file is damaged");
}

// Whether the rows of all columns ascend within 0 .. n_rows - 1.
template <class T>
void require_rows(const MappedDesign& design, const CscMatrix<T>& matrix, const std::string& where) {
  constexpr Index kMostInTask = 256;
  std::atomic<bool> good = true;
  design.for_each_piece(all_indices(matrix.cols()), [&](std::size_t first, std::size_t last) {
    const auto count = static_cast<Index>(last - first);
    parallel_blocks(count, std::clamp(count / kMostInTask, Index{1}, kMostInTask), [&](Index begin, Index end) {
      for (auto j = static_cast<Index>(first) + begin; j < static_cast<Index>(first) + end; ++j) {
        const std::span<const Index> rows = matrix.column(j).rows;
        bool rising = rows.empty() || (rows.front() >= 0 && rows.back() < matrix.rows());
        for (std::size_t k = 1; k < rows.size(); ++k) rising &= rows[k - 1] < rows[k];
        if (!rising) good = false;
      }
    });
  });
  if (!good) throw InputError(where + ": row numbers that are not those of a csc matrix; the file is damaged");
}

// Rows begin .. end - 1 of a block, copied.
template <class T>
CscMatrix<T> copy_csc_rows(const CscMatrix<T>& x, RowRange rows) {
  AlignedBuffer<Count> starts(1, 0);
  AlignedBuffer<Index> row_indices;
  AlignedBuffer<T> values;
  for (Index j = 0; j < x.cols(); ++j) {
    const auto column = x.column(j);
    const auto begin = std::ranges::lower_bound(column.rows, rows.begin) - column.rows.begin();
    const auto end = std::ranges::lower_bound(column.rows, rows.end) - column.rows.begin();
    for (auto k = begin; k < end; ++k)
      row_indices.push_back(column.rows[static_cast<std::size_t>(k)] - rows.begin);
    values.insert(values.end(), column.values.begin() + begin, column.values.begin() + end);
    starts.push_back(std::ssize(row_indices));
  }
  return CscMatrix<T>(rows.end - rows.begin, std::move(starts), std::move(row_indices), std::move(values));
}

template <class T>
SharedDesign map_csc(const std::string& folder, const FolderHeader& header, RowRange rows) {
  const auto n_entries = static_cast<std::size_t>(header.n_entries);
  const std::size_t width = static_cast<std::size_t>(header.n_features) + 1;
  const std::size_t n_blocks = header.row_blocks.size() - 1;
  const auto shape =
      n_blocks == 1 ? std::vector<std::size_t>{width} : std::vector<std::size_t>{n_blocks, width};
  const std::string indptr = folder + "/indptr.npy";
  const std::string indices = folder + "/indices.npy";
  const auto starts = map_array<Count>(indptr, shape, false);
  const auto values = map_array<T>(folder + "/data.npy", {n_entries}, false);
  const auto row_numbers = map_array<Index>(indices, {n_entries}, false);

  std::vector<SharedDesign> blocks;
  Count begin = 0;
  for (std::size_t b = 0; b < n_blocks; ++b) {
    const std::span<const Count> in_file = starts.numbers.subspan(b * width, width);
    require_starts(in_file, begin, indptr);
    const Count end = in_file.back();
    if (end > header.n_entries || (b + 1 == n_blocks && end != header.n_entries))
      throw InputError(indptr + ": must rise from 0 to the number of entries; the file is damaged");
    const RowRange block{header.row_blocks[b], header.row_blocks[b + 1]};
    const RowRange wanted{std::max(rows.begin, block.begin) - block.begin,
                          std::min(rows.end, block.end) - block.begin};
    if (wanted.begin < wanted.end) {
      auto own = std::make_shared<AlignedBuffer<Count>>(in_file.begin(), in_file.end());
      for (Count& start : *own) start -= begin;
      const auto first = static_cast<std::size_t>(begin);
      const auto size = static_cast<std::size_t>(end - begin);
      const Index n_rows = block.end - block.begin;
      const CscMatrix<T> matrix(n_rows, std::span<const Count>(*own), row_numbers.numbers.subspan(first, size),
                                values.numbers.subspan(first, size), own);
      const MappedDesign mapped(matrix, values.file, row_numbers.file);
      require_rows(mapped, matrix, indices);
      if (wanted.end - wanted.begin == n_rows) {
        blocks.emplace_back(mapped);
      } else {
        blocks.emplace_back(copy_csc_rows(matrix, wanted));
      }
    }
    begin = end;
  }
  if (blocks.size() == 1) return blocks.front();
  return StackedDesign(std::move(blocks));
}

Labels read_folder_labels(const std::string& folder, const FolderHeader& header, RowRange rows) {
  const std::string path = folder + "/labels.npy";
  const auto array = map_array<std::int32_t>(path, {static_cast<std::size_t>(header.n_samples)}, false);
  Labels labels{*header.classes, {array.numbers.begin() + rows.begin, array.numbers.begin() + rows.end}};
  for (const Index k : labels.of_sample) {
    if (k < 0 || k >= labels.classes.size())
      throw InputError(fmt::format("{}: class {}; expected 0 to {}", path, k, labels.classes.size() - 1));
  }
  return labels;
}

std::vector<std::string> words_of_rows(const std::string& path, const FolderHeader& header, RowRange rows) {
  std::vector<std::string> words = read_json_words(path, header.n_samples, "sample");
  if (words.empty()) return words;
  return {words.begin() + rows.begin, words.begin() + rows.end};
}

RowRange checked_rows(const std::optional<RowRange>& rows, Index n_samples, const std::string& folder) {
  if (!rows) return {0, n_samples};
  if (rows->begin < 0 || rows->begin >= rows->end || rows->end > n_samples)
    throw InputError(fmt::format("{}: samples {} to {} were asked for; expected some of {}", folder,
                                 rows->begin, rows->end - 1, n_samples));
  return *rows;
}

// The three arrays of a sparse matrix, and the numbers of a dense one.
template <class T>
void write_arrays(const CscMatrix<T>& x, FolderOutput& output) {
  const auto write = [&](const char* file, const char* descr, std::size_t size, const auto& part_of) {
    OutputFile& to = output.add(file);
    to.write(npy_header(descr, false, {size}));
    for (Index j = 0; j < x.cols(); ++j) {
      const auto part = part_of(j);
      to.write({reinterpret_cast<const char*>(part.data()), part.size_bytes()});
    }
  };
  const auto n_entries = static_cast<std::size_t>(x.stored());
  write("data.npy", npy_type<T>(), n_entries, [&](Index j) { return x.column(j).values; });
  write("indices.npy", npy_type<std::int32_t>(), n_entries, [&](Index j) { return x.column(j).rows; });
  std::vector<std::int64_t> starts(1, 0);
  for (Index j = 0; j < x.cols(); ++j) starts.push_back(starts.back() + x.stored(j));
  output.add("indptr.npy").write(npy_of_numbers(std::span<const std::int64_t>(starts)));
}
template <class T>
void write_arrays(const DenseMatrix<T>& x, FolderOutput& output) {
  OutputFile& to = output.add("X.npy");
  write_npy_matrix(x, [&](std::string_view bytes) { to.write(bytes); });
}

}  // namespace

bool names_folder(const std::string& path) {
  std::error_code ignored;
  return path.ends_with('/') || path.ends_with(".hsvm") || std::filesystem::is_directory(path, ignored);
}

FolderHeader read_folder_header(const std::string& given) {
  const std::string folder = without_slash(given);
  std::error_code ignored;
  const std::string path = folder + "/header.json";
  if (!std::filesystem::is_directory(folder, ignored)) throw InputError(folder + ": there is no such folder");
  if (!std::filesystem::exists(path, ignored))
    throw InputError(folder + ": a folder without header.json; expected one that convert has written");
  const FolderJson json = parse_json_file(path);
  if (!json.is_object() || json.value("format", FolderJson()) != "hsvm-data")
    throw InputError(path + ": \"format\" must be \"hsvm-data\"");
  if (json.value("version", FolderJson()) != 1)
    throw InputError(path + ": a version that is not read; expected \"version\": 1");
  constexpr Count kMostIndices = std::numeric_limits<Index>::max();
  FolderHeader header;
  header.storage = one_of(json, "storage", "dense", "csc", path) == "dense" ? Storage::dense : Storage::sparse;
  header.precision = one_of(json, "type", "float32", "float64", path) == "float64"
                         ? Precision::double_precision
                         : Precision::single_precision;
  header.n_samples = static_cast<Index>(whole_number(json, "n_samples", kMostIndices, path));
  header.n_features = static_cast<Index>(whole_number(json, "n_features", kMostIndices, path));
  header.n_entries = whole_number(json, "n_entries", std::numeric_limits<Count>::max(), path);
  if (header.n_samples == 0 || header.n_features == 0)
    throw InputError(path + ": no samples or no features; expected some of each");
  header.row_blocks = read_row_blocks(json, header.n_samples, path);
  header.classes = read_classes(json, path);
  return header;
}

Dataset read_folder(const std::string& given, const ReadOptions& options) {
  const std::string folder = without_slash(given);
  const FolderHeader header = read_folder_header(folder);
  const RowRange rows = checked_rows(options.rows, header.n_samples, folder);
  const bool single = header.precision == Precision::single_precision;
  Dataset dataset;
  dataset.source = folder;
  if (header.storage == Storage::dense) {
    dataset.design = single ? map_dense<float>(folder, header, rows) : map_dense<double>(folder, header, rows);
  } else {
    dataset.design = single ? map_csc<float>(folder, header, rows) : map_csc<double>(folder, header, rows);
  }
  if (header.classes) dataset.labels = read_folder_labels(folder, header, rows);
  dataset.feature_names = read_json_words(folder + "/feature_names.json", header.n_features, "feature");
  dataset.sample_names = words_of_rows(folder + "/sample_names.json", header, rows);
  dataset.groups = words_of_rows(folder + "/groups.json", header, rows);
  dataset.design = as_storage(dataset.design, options.storage);
  match_features(options, dataset);
  return dataset;
}

void write_folder(const Dataset& dataset, const std::string& folder) {
  if (!dataset.missing.empty())
    throw InputError(fmt::format("{}: {} missing values cannot be written as arrays; expected none missing",
                                 folder, dataset.missing.size()));
  FolderOutput output(folder);
  FolderHeader header{.n_samples = dataset.n_samples(),
                      .n_features = dataset.n_features(),
                      .n_entries = dataset.design->stored(),
                      .row_blocks = {0, dataset.n_samples()},
                      .classes = std::nullopt};
  visit_matrix(dataset.design, [&](const auto& x) {
    using T = typename std::decay_t<decltype(x)>::Scalar;
    header.storage = x.is_sparse() ? Storage::sparse : Storage::dense;
    header.precision = std::is_same_v<T, float> ? Precision::single_precision : Precision::double_precision;
    write_arrays(x, output);
  });
  if (dataset.labels) {
    header.classes = dataset.labels->classes;
    output.add_labels(dataset.labels->of_sample);
  }
  output.add_words("feature_names.json", dataset.feature_names);
  output.add_words("sample_names.json", dataset.sample_names);
  output.add_words("groups.json", dataset.groups);
  output.commit(header);
}

}  // namespace hsvm
