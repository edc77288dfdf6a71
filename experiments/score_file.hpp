// A table of scores as a CSV file: the first row has the names of the methods, the first column those of the
// datasets; the field where they meet may say anything.
//
//   dataset,B-PGH,GCD
//   colon,84.4,84.4
//   duke,90,80
//
// Fields are separated by commas, or by semicolons or tabs where the first row has no comma. Blank lines, and
// comments (#) before the first row, are skipped.
#pragma once

#include <string>

#include "hsvm/stats/score_table.hpp"

namespace hsvm::lab {

// Reads a file, or standard input where the path is "-". Throws InputError with the place of whatever is not a
// finite number, is missing, or is named twice.
[[nodiscard]] stats::ScoreTable read_scores(const std::string& path);

}  // namespace hsvm::lab
