#include "hsvm/core/option_info.hpp"

#include <fmt/format.h>

#include <cmath>

namespace hsvm {

std::string Range::describe() const {
  std::string text;
  if (!std::isinf(low)) text = fmt::format("{} {}", low_included ? "at least" : "greater than", low);
  if (!std::isinf(high)) {
    text += fmt::format("{}{} {}", text.empty() ? "" : " and ", high_included ? "at most" : "less than", high);
  }
  return text.empty() ? "a number" : text;
}

void RangeCheck::check(const OptionInfo& info, double value) {
  if (!info.range.contains(value)) {
    const char* const finite = std::isinf(value) && std::isinf(info.range.high) ? " and finite" : "";
    throw value_error(info.name, fmt::format("{}", value), "must be " + info.range.describe() + finite);
  }
}

}  // namespace hsvm
