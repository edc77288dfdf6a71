// Class labels: words or numbers in the data, class numbers 0 .. J-1 inside. Classes are in ascending order,
// numbers by value and words by their bytes; labels count as numbers when all of them are, so that 1, +1
// and 1.000000 are one class.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "hsvm/core/types.hpp"

namespace hsvm {

struct Classes {
  bool numeric = false;
  std::vector<std::string> names;  // as printed and saved; numbers in their shortest form

  [[nodiscard]] Index size() const { return static_cast<Index>(names.size()); }
  // The class a label in the data belongs to, or -1 where there is none such.
  [[nodiscard]] Index find(const std::string& label) const;

  friend bool operator==(const Classes&, const Classes&) = default;
};

struct Labels {
  Classes classes;
  std::vector<Index> of_sample;  // class of each sample
};

inline constexpr Index kUnknownClass = -1;

// Finds the classes among the labels of a file.
[[nodiscard]] Labels make_labels(std::span<const std::string> labels);
// The same from distinct labels, each given once with the samples referring to it by number: what a reader of
// many samples keeps, since labels are few.
[[nodiscard]] Labels make_labels(std::span<const std::string> distinct, std::span<const Index> of_sample);

}  // namespace hsvm
