// The three settings of the proximal-gradient loop that [XAC15, Table 1] compares, all of them options of
// hsvm/solve/proximal_gradient.hpp and all stopped by the paper's rule at 1e-6:
//
//   paper      L_k found by backtracking from 2 L_f/n, F made non-increasing by the re-update: B-PGH itself
//   dynamic_L  the same without the re-update: Nesterov's [Nes13]
//   fixed_L    L_k = L_f and no re-update: Schmidt et al.'s [SLB11]
//
// The extrapolation weights are the same in all three. The problem's intercept should be a variable of the
// loop, as in the paper: BinaryParameters::intercept_by_gradient.
#pragma once

#include <array>
#include <string_view>

#include "hsvm/solve/proximal_gradient.hpp"

namespace hsvm::baselines {

struct PgSetting {
  std::string_view name;
  bool backtracking = true;
  bool monotone = true;

  [[nodiscard]] ProximalGradientOptions options() const {
    ProximalGradientOptions options;
    options.stopping = Stopping::paper;
    options.backtracking = backtracking;
    options.monotone = monotone;
    return options;
  }
};

inline constexpr std::array<PgSetting, 3> kPgSettings = {
    PgSetting{.name = "paper"}, PgSetting{.name = "dynamic_L", .monotone = false},
    PgSetting{.name = "fixed_L", .backtracking = false, .monotone = false}};

}  // namespace hsvm::baselines
