#include "hsvm/io/formats/label_table.hpp"

namespace hsvm {

Index LabelTable::number_of(std::string_view label) {
  const auto last = static_cast<std::size_t>(last_);
  if (last < distinct_.size() && distinct_[last] == label) return last_;
  auto known = numbers_.find(label);
  if (known == numbers_.end()) {
    known = numbers_.emplace(std::string(label), static_cast<Index>(distinct_.size())).first;
    distinct_.emplace_back(label);
  }
  return last_ = known->second;
}

}  // namespace hsvm
