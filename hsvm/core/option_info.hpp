// What is known of an option, written once: its name, range and help. The describe_* functions beside the options
// structs call visit(OptionInfo, field) for every field. The command line, the checks and docs/options.md use that.
#pragma once

#include <limits>
#include <optional>
#include <string>
#include <type_traits>

#include "hsvm/core/error.hpp"

namespace hsvm {

struct Range {
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();
  bool low_included = true;
  bool high_included = true;

  [[nodiscard]] bool contains(double value) const {
    return (low_included ? value >= low : value > low) && (high_included ? value <= high : value < high);
  }
  [[nodiscard]] std::string describe() const;  // "at least 0", "greater than 0 and at most 1"
};

// Without a word on an upper end a number must still be finite.
[[nodiscard]] inline Range at_least(double low) {
  return {.low = low, .high_included = false};
}
[[nodiscard]] inline Range above(double low) {
  return {.low = low, .low_included = false, .high_included = false};
}
[[nodiscard]] inline Range above_or_infinite(double low) {
  return {.low = low, .low_included = false};
}
[[nodiscard]] inline Range between(double low, double high) {
  return {.low = low, .high = high};
}

struct OptionInfo {
  std::string name;  // the field's; a face may spell it another way
  std::string help;
  Range range = {};  // of a number
};

// Checks a field against its range; other kinds of fields need no check.
struct RangeCheck {
  template <class T>
  void operator()(const OptionInfo& info, const T& value) const {
    if constexpr (std::is_arithmetic_v<T> && !std::is_same_v<T, bool>) {
      check(info, static_cast<double>(value));
    }
  }
  template <class T>
  void operator()(const OptionInfo& info, const std::optional<T>& value) const {
    if (value) (*this)(info, *value);
  }

 private:
  static void check(const OptionInfo& info, double value);  // throws OptionError
};

}  // namespace hsvm
