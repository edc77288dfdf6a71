// A column of words in a table, and the features that are made of it.
//
//   words        one feature for each word, 1 where the word stands and 0 elsewhere; a word that is not among them is all zeros
//   truth        one feature, 0 for the first word and 1 for the second: FALSE and TRUE, no and yes
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "hsvm/core/types.hpp"

namespace hsvm {

struct WordColumn {
  std::string name;         // of the table's column, or x1, x2, ... where it has none
  Index first_feature = 0;  // its features follow each other
  bool truth = false;
  std::vector<std::string> words = {};  // ascending, by their bytes; two of a truth column: false, true

  [[nodiscard]] Index n_features() const { return truth ? 1 : static_cast<Index>(words.size()); }
  // The word's number; none where it is not among them.
  [[nodiscard]] std::optional<Index> find(std::string_view word) const {
    const auto place = std::ranges::find(words, word);
    if (place == words.end()) return std::nullopt;
    return static_cast<Index>(place - words.begin());
  }
  // "colour=red", or the column's own name of a truth column.
  [[nodiscard]] std::string feature_name(Index k) const {
    return truth ? name : name + "=" + words[static_cast<std::size_t>(k)];
  }

  friend bool operator==(const WordColumn&, const WordColumn&) = default;
};

}  // namespace hsvm
