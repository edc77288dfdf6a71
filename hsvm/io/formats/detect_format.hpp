// Which format a file has, from its name or from what the user said.
//
//   .libsvm .svm .txt   LIBSVM       .csv   CSV       .tsv   TSV       each also with .gz .bz2 .xz .zst after
//   it
#pragma once

#include <string>
#include <string_view>

#include "hsvm/io/formats/read_options.hpp"

namespace hsvm {

// By the ending of the name; LIBSVM where that says nothing, as for "-". Throws InputError for formats that are
// known but not read: .mtx .npy .npz.
[[nodiscard]] DataFormat detect_format(const std::string& path);
// libsvm, csv or tsv; throws OptionError for any other word.
[[nodiscard]] DataFormat format_from_word(const std::string& word);
[[nodiscard]] std::string_view format_word(DataFormat format);

}  // namespace hsvm
