// The files of a command line: what is read and what is written are different files.
#pragma once

#include <string>
#include <vector>

namespace hsvm::app {

// A file that the command line names, and by what: "--model", "DATA". An empty path stands for none, "-" for a standard
// stream.
struct NamedFile {
  std::string flag;
  std::string path;
};

// Throws OptionError where an output is one of the inputs, or two outputs are one file: whatever their spelling, and
// through links. To be called before anything is opened.
void refuse_overwriting(const std::vector<NamedFile>& inputs, const std::vector<NamedFile>& outputs);

}  // namespace hsvm::app
