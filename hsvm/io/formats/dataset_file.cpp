#include "hsvm/io/formats/dataset_file.hpp"

#include <filesystem>
#include <optional>

#include "hsvm/core/collective.hpp"
#include "hsvm/core/error.hpp"
#include "hsvm/data/take_rows.hpp"
#include "hsvm/io/formats/folder.hpp"
#include "hsvm/io/formats/lists.hpp"
#include "hsvm/io/streams/file_bytes.hpp"
#include "hsvm/io/streams/text.hpp"

namespace hsvm {

void ReadOptions::check() const {
  if (n_features && *n_features < 1)
    throw value_error("n_features", std::to_string(*n_features), "must be at least 1");
}

namespace {

constexpr const char* kLabelsEnding = ".labels";

// From the file that is named; else from the one beside the data, where the format has none of its own.
void take_labels(const std::string& path, bool holds_labels, const ReadOptions& options, Dataset& dataset) {
  std::error_code ignored;
  std::string labels_file = options.labels_file;
  const std::string beside = path + kLabelsEnding;
  if (labels_file.empty() && !holds_labels && std::filesystem::is_regular_file(beside, ignored))
    labels_file = beside;
  if (!labels_file.empty()) {
    const std::vector<std::string> words = read_words(labels_file);
    if (std::ssize(words) != dataset.n_samples())
      throw InputError(labels_file + ": " + std::to_string(words.size()) + " labels for the " +
                       std::to_string(dataset.n_samples()) + " samples of " + dataset.source +
                       "; expected one for each");
    dataset.labels = make_labels(words);
  }
  if (options.labels_required && !dataset.labels && !holds_labels)
    throw InputError(dataset.source + ": no labels; expected them in " + beside +
                     " or in a file that the option labels names");
}

// All ranks see the same file, or throw.
void compare_files(const std::string& path, const Collective& ranks) {
  std::string digest;
  agree_on_errors(ranks, [&] { digest = digest_of_file(path); });
  const std::vector<std::string> digests = ranks.gather(digest);
  for (std::size_t r = 1; r < digests.size(); ++r) {
    if (digests[r] != digests[0])
      throw InputError(path + ": rank " + std::to_string(r) +
                       " sees another file than rank 0; expected the same on all nodes");
  }
}

// The words of a file that belong to the samples of this rank.
std::optional<Labels> labels_of_rank(const std::string& labels_file, const Dataset& dataset,
                                     const Collective& ranks) {
  const Count before = ranks.before(dataset.n_samples());
  const auto total = static_cast<Count>(ranks.sum(static_cast<double>(dataset.n_samples())));
  Labels labels;
  agree_on_errors(ranks, [&] {
    const std::vector<std::string> words = read_words(labels_file);
    if (std::ssize(words) != total)
      throw InputError(labels_file + ": " + std::to_string(words.size()) + " labels for the " +
                       std::to_string(total) + " samples of " + dataset.source + "; expected one for each");
    labels = make_labels(words);
  });
  labels.of_sample.erase(labels.of_sample.begin(), labels.of_sample.begin() + before);
  labels.of_sample.resize(static_cast<std::size_t>(dataset.n_samples()));
  return labels;
}

void require_enough_samples(const std::string& source, Count n_samples, const Collective& ranks) {
  if (n_samples < ranks.size())
    throw InputError(source + ": " + std::to_string(n_samples) + " samples for " +
                     std::to_string(ranks.size()) + " ranks; expected no more ranks than samples");
}

// The rows of a rank: as even as can be; of several blocks of rows whole blocks, where there are enough, since these are used in place.
RowRange rows_of_rank(const FolderHeader& header, const Collective& ranks) {
  const auto n_blocks = std::ssize(header.row_blocks) - 1;
  const bool by_blocks = header.storage == Storage::sparse && n_blocks >= ranks.size();
  const auto begin_of = [&](Index rank) {
    if (!by_blocks) return static_cast<Index>(Count{header.n_samples} * rank / ranks.size());
    return header.row_blocks[static_cast<std::size_t>(n_blocks * rank / ranks.size())];
  };
  return {begin_of(ranks.rank()), begin_of(ranks.rank() + 1)};
}

// Each rank maps its rows. Of the folder's files the header and the numbers are compared.
Dataset read_folder_over_ranks(const std::string& path, const ReadOptions& options) {
  const Collective& ranks = *options.ranks;
  FolderHeader header;
  agree_on_errors(ranks, [&] { header = read_folder_header(path); });
  compare_files(path + "/header.json", ranks);
  compare_files(path + (header.storage == Storage::dense ? "/X.npy" : "/data.npy"), ranks);
  require_enough_samples(path, header.n_samples, ranks);
  ReadOptions reading = options;
  reading.ranks = &single_process();
  reading.rows = rows_of_rank(header, ranks);
  Dataset dataset;
  agree_on_errors(ranks, [&] { dataset = read_folder(path, reading); });
  if (!options.labels_file.empty()) dataset.labels = labels_of_rank(options.labels_file, dataset, ranks);
  return dataset;
}

Dataset read_over_ranks(const std::string& path, const ReadOptions& options) {
  const Collective& ranks = *options.ranks;
  std::optional<InputFile> file;
  ReadOptions reading = options;
  agree_on_errors(ranks, [&] {
    if (path == "-")
      throw InputError("standard input cannot be divided over ranks; expected the name of a file");
    file.emplace(path);
    if (reading.format == nullptr) reading.format = &format_of_file(path, *file);
  });
  compare_files(path, ranks);
  const bool by_parts = reading.format->reads_parts && !ranks.any(!file->map().has_value());
  Dataset dataset;
  if (by_parts) {
    if (!options.labels_file.empty()) reading.labels_required = false;
    dataset = reading.format->read(*file, reading);
    if (!options.labels_file.empty()) dataset.labels = labels_of_rank(options.labels_file, dataset, ranks);
  } else {
    file.reset();
    reading.ranks = &single_process();
    agree_on_errors(ranks, [&] { dataset = take_rows_of_rank(read_dataset(path, reading), ranks); });
  }
  require_enough_samples(dataset.source,
                         static_cast<Count>(ranks.sum(static_cast<double>(dataset.n_samples()))), ranks);
  return dataset;
}

// Those of other data would be taken for this one's.
void refuse_old_labels(const std::string& path) {
  std::error_code ignored;
  if (std::filesystem::exists(path + kLabelsEnding, ignored))
    throw InputError(path + kLabelsEnding + " is there from before, and would be taken for the labels of " +
                     path + "; expected it to be removed, or another name");
}

void write_labels(const Labels& labels, const std::string& path) {
  if (path == "standard output")
    throw InputError(path + ": labels stand in a file of their own beside this format; expected a file's name");
  OutputFile file(path + kLabelsEnding);
  for (const Index k : labels.of_sample) {
    const std::string& name = labels.classes.names[static_cast<std::size_t>(k)];
    const bool plain = !name.empty() && name.find_first_of(std::string_view("#\n\r\0", 4)) == name.npos &&
                       name.find_first_of(" \t") != 0 && name.find_last_of(" \t") + 1 != name.size();
    if (!plain)
      throw InputError(file.name() + ": label " + in_quotes(name) +
                       " cannot be written; expected text without #");
    file.write(name + '\n');
  }
  file.commit();
}

}  // namespace

Dataset read_dataset(const std::string& path, const ReadOptions& options) {
  options.check();
  if (names_folder(path)) {
    if (options.format != nullptr)
      throw InputError(path + ": is a folder of arrays; expected no format for it");
    if (!options.ranks->is_alone()) return read_folder_over_ranks(path, options);
    Dataset dataset = read_folder(path, options);
    take_labels(path, true, options, dataset);
    return dataset;
  }
  if (options.format == nullptr) (void)format_of_name(path);  // refuses an ending whose format is not read
  if (!options.ranks->is_alone()) return read_over_ranks(path, options);
  InputFile file(path);
  const DataFormat& format = options.format != nullptr ? *options.format : format_of_file(path, file);
  ReadOptions reading = options;
  if (!options.labels_file.empty() || !format.holds_labels)
    reading.labels_required = false;  // they come after it
  Dataset dataset = format.read(file, reading);
  take_labels(path, format.holds_labels, options, dataset);
  return dataset;
}

FolderHeader convert_to_folder(const std::string& path, const ReadOptions& options, const std::string& folder,
                               const FolderOptions& folder_options) {
  options.check();
  folder_options.check();
  if (!names_folder(path)) {
    if (options.format == nullptr) (void)format_of_name(path);
    InputFile file(path);
    const DataFormat& format = options.format != nullptr ? *options.format : format_of_file(path, file);
    if (format.stream != nullptr) {
      ReadOptions reading = options;
      if (!options.labels_file.empty()) reading.labels_required = false;
      return format.stream(file, reading, folder, folder_options);
    }
  }
  if (folder_options.row_blocks != 1)
    throw InputError(path + ": only LIBSVM text can be written in blocks of rows; expected that, or one block");
  Dataset dataset = read_dataset(path, options);
  if (!folder_options.feature_names.empty()) dataset.feature_names = folder_options.feature_names;
  write_folder(dataset, folder);
  return read_folder_header(folder);
}

void write_dataset(const Dataset& dataset, OutputFile& file, const DataFormat& format) {
  if (format.write == nullptr)
    throw InputError(file.name() + ": " + format.name + " files are only read; expected another format");
  if (!format.holds_labels && dataset.labels) write_labels(*dataset.labels, file.name());
  if (!format.holds_labels && !dataset.labels) refuse_old_labels(file.name());
  format.write(dataset, file);
}

void write_dataset(const Dataset& dataset, const std::string& path, const DataFormat* format) {
  if (names_folder(path)) {
    if (format != nullptr) throw InputError(path + ": is a folder of arrays; expected no format for it");
    return write_folder(dataset, path);
  }
  const DataFormat& chosen = format != nullptr ? *format : detect_format(path);  // before anything is opened
  OutputFile file(path);
  write_dataset(dataset, file, chosen);
  file.commit();
}

}  // namespace hsvm
