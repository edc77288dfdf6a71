// Problems at the ends of what numbers can hold, and what must be true of every solve of one: features from 1e-20 to 1e20,
// lambda2 from 0 and 1e-300 to 1e6, delta from 1e-3 to 10, 2 to 6 classes with either kind of margins, duplicated, constant, nearly collinear and
// timestamp-like columns, standardised or not, dense or sparse.
//
//   no bound lies above the objective of any point that any solver or start has found
//   no solve that has converged is beaten by another by more than its tolerance
//   bounds and objectives are finite, belong to the returned coefficients, and rows of W sum to zero
//
// Objectives are computed afresh from the coefficients, in extended precision.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "hsvm/core/status.hpp"
#include "hsvm/core/types.hpp"
#include "hsvm/loss/margins.hpp"

namespace hsvm::test {

enum class ColumnKind { normal, copy, constant, nearly_collinear, timestamp, indicator };

struct ExtremeCase {
  std::uint64_t seed = 0;
  Index n = 20;
  Index n_classes = 2;
  bool all_together = false;  // the multi-class model; always for more than two classes
  Margins margins = Margins::absolute;
  std::vector<ColumnKind> columns;
  std::vector<double> scales;  // of the columns
  bool sparse = false;
  bool standardize = false;
  double lambda1_ratio = 0.1;
  double lambda2 = 0.01;
  double lambda3 = 0.01;
  bool intercept = true;
  double delta = 1.0;

  [[nodiscard]] std::string describe() const;
};

// The case of a number: any number gives one.
[[nodiscard]] ExtremeCase extreme_case(std::uint64_t seed);

inline constexpr std::uint64_t kRuns = 5;
inline constexpr const char* kRunNames[kRuns] = {"newton", "pg", "pg2", "newton along a path",
                                                 "newton from pg's point"};

struct ExtremeOutcome {
  Status statuses[kRuns] = {};
  double relative_gaps[kRuns] = {};
  std::vector<std::string> violations;  // in words, the case included
};
[[nodiscard]] ExtremeOutcome solve_extreme(const ExtremeCase& extreme, double tolerance, int max_iterations);

}  // namespace hsvm::test
