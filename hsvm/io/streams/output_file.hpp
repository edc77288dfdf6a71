// A file that is complete or absent: written beside its target without a name, or under another one where the file system
// knows no files without names, and given its own when it is done.
//
//   OutputFile file("result.csv.gz");    // compressed by the ending: .gz .bz2 .xz .zst
//   file.write("...");
//   file.commit();                       // without this nothing is left of it
//
// "-" is standard output. What exists and is no regular file (/dev/null, a pipe) is written to directly; of a symbolic
// link the target is replaced. Permissions are those of the file that is replaced, else what the umask says. Everything
// that goes wrong is an InputError with the file's name and the reason. The promise holds when the program fails or
// is killed, not when the machine loses power: nothing is forced to the disk.
#pragma once

#include <memory>
#include <string>
#include <string_view>

namespace hsvm {

class OutputFile {
 public:
  explicit OutputFile(const std::string& path);
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  [[nodiscard]] const std::string& name() const;  // for messages
  void write(std::string_view text);
  // Writes what is left, so that commit() only renames: of several files that belong together, all are finished
  // before one is committed. Nothing may be written after it.
  void finish();
  void commit();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace hsvm
