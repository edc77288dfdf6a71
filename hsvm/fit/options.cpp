#include "hsvm/fit/options.hpp"

namespace hsvm {

void FitOptions::check() const {
  describe_model(*this, RangeCheck{});
  describe_solver(*this, RangeCheck{});
  const auto exclude = [](bool a, const char* first, bool b, const char* second) {
    if (a && b)
      throw OptionError(std::string(first) + " and " + second + " exclude each other: give one of them");
  };
  exclude(lambda1.has_value(), "--lambda1", lambda1_ratio.has_value(), "--lambda1-ratio");
  exclude(lambda.has_value(), "--lambda", lambda1.has_value(), "--lambda1");
  exclude(lambda.has_value(), "--lambda", lambda1_ratio.has_value(), "--lambda1-ratio");
  exclude(lambda.has_value(), "--lambda", lambda2.has_value(), "--lambda2");
  if (alpha && !lambda)
    throw OptionError("--alpha needs --lambda: lambda1 = alpha lambda, lambda2 = (1 - alpha) lambda");
  exclude(lambda3.has_value(), "--lambda3", no_intercept, "--no-intercept");
  if (stopping == Stopping::paper && chosen_solver() == Solver::newton)
    throw OptionError(
        "--stopping paper is the rule of the paper's algorithms: --solver must be pg or pg2 with it");
}

}  // namespace hsvm
