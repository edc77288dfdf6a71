// The files of a folder of arrays (folder.hpp) as they are written: under their names when all of them are done, the header last.
#pragma once

#include <deque>
#include <string>
#include <vector>

#include "hsvm/io/formats/folder.hpp"
#include "hsvm/io/streams/output_file.hpp"

namespace hsvm {

class FolderOutput {
 public:
  // Makes the folder. Throws InputError where something is in its place that is not such a folder.
  explicit FolderOutput(const std::string& folder);
  ~FolderOutput();  // without commit() nothing is left that was not there before
  FolderOutput(const FolderOutput&) = delete;
  FolderOutput& operator=(const FolderOutput&) = delete;

  [[nodiscard]] const std::string& name() const { return folder_; }
  [[nodiscard]] OutputFile& add(const std::string& file);
  void add_words(const std::string& file, const std::vector<std::string>& words);  // none: no file
  void add_labels(const std::vector<Index>& of_sample);
  void commit(const FolderHeader& header);

 private:
  std::string folder_;
  bool is_new_;
  bool is_committed_ = false;
  std::vector<std::string> names_;
  std::deque<OutputFile> files_;
};

}  // namespace hsvm
