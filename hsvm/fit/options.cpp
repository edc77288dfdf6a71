#include "hsvm/fit/options.hpp"

#include <fmt/format.h>

namespace hsvm {

void FitOptions::check() const {
  describe_model(*this, RangeCheck{});
  describe_solver(*this, RangeCheck{});
  class_weight.check();
  refuse_both(lambda1.has_value(), "lambda1", lambda1_ratio.has_value(), "lambda1_ratio");
  refuse_both(lambda.has_value(), "lambda", lambda1.has_value(), "lambda1");
  refuse_both(lambda.has_value(), "lambda", lambda1_ratio.has_value(), "lambda1_ratio");
  refuse_both(lambda.has_value(), "lambda", lambda2.has_value(), "lambda2");
  if (alpha && !lambda)
    throw OptionError("{} needs {}: lambda1 = alpha lambda, lambda2 = (1 - alpha) lambda", {"alpha", "lambda"});
  refuse_both(lambda3.has_value(), "lambda3", no_intercept, "no_intercept");
  if (loss == Loss::squared_hinge && delta != 1.0)
    throw value_error("delta", fmt::format("{}", delta), "the squared hinge has no such width: leave it out");
  if (stopping == Stopping::paper && chosen_solver() == Solver::newton)
    throw OptionError("{} paper is the rule of the paper's algorithms: {} must be pg or pg2 with it",
                      {"stopping", "solver"});
}

}  // namespace hsvm
