// A linear program, solved by Clp's simplex methods [Clp]:
//
//   minimise cost'x   subject to   row_lower <= A x <= row_upper,  lower <= x <= upper
//
// The rows are there from the start; columns can be added after a solve, and the next one goes on from the
// basis of the last. Stops at an optimal basis by Clp's default tolerances (1e-7 on rows and reduced costs).
#pragma once

#include <limits>
#include <memory>
#include <span>
#include <vector>

#include "baselines/run_limits.hpp"
#include "hsvm/core/types.hpp"

namespace hsvm::baselines {

inline constexpr double kUnbounded = std::numeric_limits<double>::infinity();

// Columns to be added, the entries of each one after another.
struct LpColumns {
  std::vector<double> cost, lower, upper;
  std::vector<int> start = {0};  // one more than columns
  std::vector<int> rows;
  std::vector<double> values;

  [[nodiscard]] std::size_t size() const { return cost.size(); }
  void add_entry(Index row, double value) {
    rows.push_back(row);
    values.push_back(value);
  }
  // Ends the column whose entries have been added.
  void end_column(double column_cost, double column_lower = 0.0, double column_upper = kUnbounded) {
    cost.push_back(column_cost);
    lower.push_back(column_lower);
    upper.push_back(column_upper);
    start.push_back(static_cast<int>(rows.size()));
  }
};

struct LpSolution {
  Status status = Status::not_finite;  // not_finite: infeasible, unbounded or given up
  std::vector<double> x;
  std::vector<double> row_duals;  // of the objective by the rows' bounds
  double objective = 0.0;
  double dual_objective = 0.0;  // from the duals and the bounds, by the formula of the dual
  int iterations = 0;
};

class LinearProgram {
 public:
  LinearProgram(std::span<const double> row_lower, std::span<const double> row_upper);
  ~LinearProgram();
  LinearProgram(const LinearProgram&) = delete;
  LinearProgram& operator=(const LinearProgram&) = delete;

  void add(const LpColumns& columns);
  // With presolve at first, by the primal simplex from the last basis after that.
  [[nodiscard]] LpSolution solve(const RunLimits& limits = {});

 private:
  struct Clp;
  std::unique_ptr<Clp> clp_;
};

}  // namespace hsvm::baselines
