// Files as a bad disk, a bad editor or an ill-meaning sender may leave them.
#pragma once

#include <string>

#include "hsvm/core/random.hpp"

namespace hsvm::test {

// The text with one to four bytes or pieces changed, lost or doubled, or its end cut off.
[[nodiscard]] inline std::string damaged(std::string text, Random& random) {
  static const std::string kBytes = "{}[]\",:-+.0123456789eE \n\\utnfl\x00\xff";
  const std::uint64_t n_changes = 1 + random.below(4);
  for (std::uint64_t change = 0; change < n_changes && !text.empty(); ++change) {
    const std::size_t place = random.below(text.size());
    switch (random.below(4)) {
      case 0:
        text[place] = kBytes[random.below(kBytes.size())];
        break;
      case 1:
        text.erase(place, 1 + random.below(8));
        break;
      case 2:
        text.insert(place, text.substr(random.below(text.size()), random.below(20)));
        break;
      default:
        text.resize(place);
        break;
    }
  }
  return text;
}

}  // namespace hsvm::test
