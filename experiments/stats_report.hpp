// A comparison in words, and as JSON.
#pragma once

#include <string>

#include "hsvm/stats/compare.hpp"

namespace hsvm::lab {

// Markdown: average ranks, the tests of all methods, of pairs and against the control, and who is told apart.
[[nodiscard]] std::string to_markdown(const stats::ScoreTable& table, const stats::Comparison& comparison);
// One JSON object with the same numbers, unrounded. An F that is infinite is null there, with p = 0.
[[nodiscard]] std::string to_json(const stats::ScoreTable& table, const stats::Comparison& comparison);

}  // namespace hsvm::lab
