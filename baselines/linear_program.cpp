#include "baselines/linear_program.hpp"

#include <ClpEventHandler.hpp>
#include <ClpSimplex.hpp>
#include <algorithm>
#include <cmath>

namespace hsvm::baselines {
namespace {

// Ends the simplex method when the caller asks it to.
class Interrupter : public ClpEventHandler {
 public:
  Interrupter(std::function<bool()> interrupted, bool* was) : interrupted_(std::move(interrupted)), was_(was) {}
  int event(Event) override {
    if (!interrupted_ || !interrupted_()) return -1;
    *was_ = true;
    return 0;
  }
  [[nodiscard]] ClpEventHandler* clone() const override { return new Interrupter(*this); }

 private:
  std::function<bool()> interrupted_;
  bool* was_;
};

// What a variable with reduced cost or dual d between two bounds gives to the dual objective; a d that no
// finite bound can take is an infeasibility within the tolerance, and gives nothing.
double bound_value(double d, double lower, double upper) {
  const double bound = d > 0.0 ? lower : upper;
  return std::abs(bound) < 1e30 ? d * bound : 0.0;
}

}  // namespace

struct LinearProgram::Clp {
  ClpSimplex model;
  bool solved = false;
};

LinearProgram::LinearProgram(std::span<const double> row_lower, std::span<const double> row_upper)
    : clp_(std::make_unique<Clp>()) {
  ClpSimplex& model = clp_->model;
  model.setLogLevel(0);
  model.resize(static_cast<int>(row_lower.size()), 0);
  for (std::size_t i = 0; i < row_lower.size(); ++i) {
    model.setRowBounds(static_cast<int>(i), std::max(row_lower[i], -COIN_DBL_MAX),
                       std::min(row_upper[i], COIN_DBL_MAX));
  }
}

LinearProgram::~LinearProgram() = default;

void LinearProgram::add(const LpColumns& columns) {
  std::vector<double> lower = columns.lower;
  std::vector<double> upper = columns.upper;
  for (double& bound : lower) bound = std::max(bound, -COIN_DBL_MAX);
  for (double& bound : upper) bound = std::min(bound, COIN_DBL_MAX);
  clp_->model.addColumns(static_cast<int>(columns.size()), lower.data(), upper.data(), columns.cost.data(),
                         columns.start.data(), columns.rows.data(), columns.values.data());
}

LpSolution LinearProgram::solve(const RunLimits& limits) {
  ClpSimplex& model = clp_->model;
  bool interrupted = false;
  const Interrupter interrupter(limits.interrupted, &interrupted);
  model.passInEventHandler(&interrupter);
  model.setMaximumSeconds(std::isfinite(limits.time_limit) ? std::max(0.0, limits.time_limit) : -1.0);
  if (clp_->solved) {
    model.primal();
  } else {
    model.initialSolve();
    clp_->solved = true;
  }
  // Optimal as Clp has scaled rows and columns, but not as they are: a few steps more, without the scaling.
  LpSolution solution;
  if (model.status() == 0 && model.secondaryStatus() >= 2 && model.secondaryStatus() <= 4) {
    solution.iterations = model.numberIterations();
    model.scaling(0);
    model.primal();
  }
  switch (model.status()) {
    case 0:
      solution.status = Status::converged;
      break;
    case 3:
      solution.status = interrupted ? Status::interrupted : Status::time_limit;
      break;
    default:
      solution.status = interrupted ? Status::interrupted : Status::not_finite;
  }
  solution.iterations += model.numberIterations();
  solution.objective = model.objectiveValue();
  solution.x.assign(model.primalColumnSolution(), model.primalColumnSolution() + model.numberColumns());
  solution.row_duals.assign(model.dualRowSolution(), model.dualRowSolution() + model.numberRows());
  for (int i = 0; i < model.numberRows(); ++i) {
    solution.dual_objective +=
        bound_value(model.dualRowSolution()[i], model.rowLower()[i], model.rowUpper()[i]);
  }
  for (int j = 0; j < model.numberColumns(); ++j) {
    solution.dual_objective +=
        bound_value(model.dualColumnSolution()[j], model.columnLower()[j], model.columnUpper()[j]);
  }
  return solution;
}

}  // namespace hsvm::baselines
