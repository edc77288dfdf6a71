// What the margin of a sample against a wrong class k is, in the all-together model with scores f:
//
//   relative   t_ik = f_{y_i} - f_k     the right score beats the wrong one by 1 [WW99]; the default
//   absolute   t_ik = -f_k              every wrong score is below -1 on its own [LLW04], which is the paper's model
//
// docs/design.md has what they differ in.
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

namespace hsvm {

enum class Margins { relative, absolute };
inline constexpr std::array<std::string_view, 2> kMarginsNames = {"relative", "absolute"};

[[nodiscard]] constexpr std::string_view to_string(Margins margins) {
  return kMarginsNames[static_cast<std::size_t>(margins)];
}

}  // namespace hsvm
