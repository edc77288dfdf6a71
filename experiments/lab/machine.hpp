// Where and with what numbers were measured.
#pragma once

#include "experiments/lab/table.hpp"

namespace hsvm::lab {

// {"cpu", "cores", "memory_gb", "compiler", "build"}
[[nodiscard]] Json machine();
// The last change to the code that is measured (library, baselines, experiments), with a digest of what is not
// committed; "unknown" outside of a repository.
[[nodiscard]] std::string revision();
[[nodiscard]] std::string today();        // 2026-01-31, UTC
[[nodiscard]] double available_memory();  // bytes; 0 where the system does not tell

}  // namespace hsvm::lab
