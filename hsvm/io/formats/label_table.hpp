// Numbers the labels of a file in the order in which they first appear: labels are few, samples are many.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "hsvm/core/types.hpp"

namespace hsvm {

class LabelTable {
 public:
  [[nodiscard]] Index number_of(std::string_view label) {
    const auto last = static_cast<std::size_t>(last_);
    if (last < distinct_.size() && distinct_[last] == label) return last_;
    auto known = numbers_.find(label);
    if (known == numbers_.end()) {
      known = numbers_.emplace(std::string(label), static_cast<Index>(distinct_.size())).first;
      distinct_.emplace_back(label);
    }
    return last_ = known->second;
  }
  [[nodiscard]] const std::vector<std::string>& distinct() const { return distinct_; }

 private:
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>()(text); }
  };
  std::vector<std::string> distinct_;
  std::unordered_map<std::string, Index, Hash, std::equal_to<>> numbers_;
  Index last_ = 0;  // the number given last: neighbouring samples often have the same label
};

}  // namespace hsvm
