#include "hsvm/io/formats/folder_output.hpp"

#include <filesystem>
#include <nlohmann/json.hpp>
#include <system_error>

#include "hsvm/core/error.hpp"
#include "hsvm/io/formats/numpy_array.hpp"

namespace hsvm {
namespace {

namespace fs = std::filesystem;

constexpr const char* kHeaderFile = "header.json";
// All that such a folder may hold: what stands in the way of another one is removed, and nothing else.
constexpr const char* kFolderFiles[] = {kHeaderFile,  "X.npy",      "data.npy",           "indices.npy",
                                        "indptr.npy", "labels.npy", "feature_names.json", "sample_names.json",
                                        "groups.json"};

std::string header_text(const FolderHeader& header) {
  nlohmann::ordered_json json = {
      {"format", "hsvm-data"},
      {"version", 1},
      {"storage", header.storage == Storage::dense ? "dense" : "csc"},
      {"type", header.precision == Precision::double_precision ? "float64" : "float32"},
      {"n_samples", header.n_samples},
      {"n_features", header.n_features},
      {"n_entries", header.n_entries},
      {"row_blocks", header.row_blocks}};
  if (header.classes) {
    json["classes"] = header.classes->names;
    json["numeric_classes"] = header.classes->numeric;
  }
  return json.dump(1) + "\n";
}

}  // namespace

FolderOutput::FolderOutput(const std::string& folder) : folder_(folder) {
  while (folder_.size() > 1 && folder_.ends_with('/')) folder_.pop_back();
  std::error_code failure;
  const fs::file_status status = fs::status(folder_, failure);
  is_new_ = !fs::exists(status);
  if (is_new_) {
    if (!fs::create_directory(folder_, failure))
      throw InputError(folder_ + ": cannot make the folder: " + failure.message());
  } else if (!fs::is_directory(status)) {
    throw InputError(folder_ + ": is a file; expected the name of a folder to write");
  } else if (!fs::is_empty(folder_, failure) && !fs::exists(fs::path(folder_) / kHeaderFile, failure)) {
    throw InputError(folder_ + ": is a folder with something else in it; expected a new one, or one of arrays");
  }
}

FolderOutput::~FolderOutput() {
  if (is_committed_ || !is_new_) return;
  files_.clear();
  std::error_code ignored;
  fs::remove(folder_, ignored);  // empty, or it stays
}

OutputFile& FolderOutput::add(const std::string& file) {
  names_.push_back(file);
  return files_.emplace_back(folder_ + "/" + file);
}

void FolderOutput::add_words(const std::string& file, const std::vector<std::string>& words) {
  if (words.empty()) return;
  OutputFile& output = add(file);
  char separator = '[';
  for (const std::string& word : words) {
    output.write(separator + nlohmann::json(word).dump());
    separator = ',';
  }
  output.write("]\n");
}

void FolderOutput::add_labels(const std::vector<Index>& of_sample) {
  add("labels.npy").write(npy_of_numbers(std::span<const std::int32_t>(of_sample)));
}

void FolderOutput::commit(const FolderHeader& header) {
  OutputFile& last = add(kHeaderFile);
  last.write(header_text(header));
  for (OutputFile& file : files_) file.finish();
  std::error_code ignored;
  for (const char* old : kFolderFiles) fs::remove(fs::path(folder_) / old, ignored);
  for (OutputFile& file : files_) file.commit();
  is_committed_ = true;
}

}  // namespace hsvm
