#include "hsvm/fit/options.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <limits>
#include <set>

namespace hsvm {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
const double kNan = std::numeric_limits<double>::quiet_NaN();

std::string refusal(const std::function<void(FitOptions&)>& change) {
  FitOptions options;
  change(options);
  try {
    options.check();
  } catch (const OptionError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(FitOptions, DefaultsAreAllRight) {
  EXPECT_NO_THROW(FitOptions{}.check());
}

TEST(FitOptions, NamesWhatIsOutOfRange) {
  EXPECT_EQ(refusal([](auto& o) { o.lambda1 = -1.0; }), "lambda1 -1: must be at least 0");
  EXPECT_EQ(refusal([](auto& o) { o.lambda1 = kNan; }), "lambda1 nan: must be at least 0");
  EXPECT_EQ(refusal([](auto& o) { o.lambda1 = 0.0; }), "accepted");
  EXPECT_EQ(refusal([](auto& o) { o.lambda1_ratio = -0.5; }), "lambda1_ratio -0.5: must be at least 0");
  EXPECT_EQ(refusal([](auto& o) { o.lambda2 = -1e-9; }), "lambda2 -1e-09: must be at least 0");
  EXPECT_EQ(refusal([](auto& o) { o.lambda3 = -2.0; }), "lambda3 -2: must be at least 0");
  EXPECT_EQ(refusal([](auto& o) { o.lambda = -2.0; }), "lambda -2: must be at least 0");
  EXPECT_EQ(refusal([](auto& o) { o.lambda = 1.0, o.alpha = 1.01; }),
            "alpha 1.01: must be at least 0 and at most 1");
  EXPECT_EQ(refusal([](auto& o) { o.delta = 0.0; }), "delta 0: must be greater than 0");
  EXPECT_EQ(refusal([](auto& o) { o.tolerance = 0.0; }), "tolerance 0: must be greater than 0");
  EXPECT_EQ(refusal([](auto& o) { o.max_iterations = 0; }), "max_iterations 0: must be at least 1");
  EXPECT_EQ(refusal([](auto& o) { o.time_limit = 0.0; }), "time_limit 0: must be greater than 0");
  EXPECT_EQ(refusal([](auto& o) { o.threads = -1; }), "threads -1: must be at least 0 and at most 4096");
}

TEST(FitOptions, OnlyTheTimeMayBeInfinite) {
  EXPECT_EQ(refusal([](auto& o) { o.lambda1 = kInfinity; }), "lambda1 inf: must be at least 0 and finite");
  EXPECT_NE(refusal([](auto& o) { o.lambda1_ratio = kInfinity; }), "accepted");
  EXPECT_NE(refusal([](auto& o) { o.lambda2 = kInfinity; }), "accepted");
  EXPECT_NE(refusal([](auto& o) { o.lambda3 = kInfinity; }), "accepted");
  EXPECT_NE(refusal([](auto& o) { o.lambda = kInfinity; }), "accepted");
  EXPECT_NE(refusal([](auto& o) { o.delta = kInfinity; }), "accepted");
  EXPECT_NE(refusal([](auto& o) { o.tolerance = kInfinity; }), "accepted");
  EXPECT_EQ(refusal([](auto& o) { o.time_limit = kInfinity; }), "accepted");
}

TEST(FitOptions, RefusesOptionsThatExcludeEachOther) {
  EXPECT_EQ(refusal([](auto& o) { o.lambda1 = 1.0, o.lambda1_ratio = 0.1; }),
            "lambda1 and lambda1_ratio exclude each other: give one of them");
  EXPECT_EQ(refusal([](auto& o) { o.lambda = 1.0, o.lambda1 = 0.1; }),
            "lambda and lambda1 exclude each other: give one of them");
  EXPECT_EQ(refusal([](auto& o) { o.lambda = 1.0, o.lambda1_ratio = 0.1; }),
            "lambda and lambda1_ratio exclude each other: give one of them");
  EXPECT_EQ(refusal([](auto& o) { o.lambda = 1.0, o.lambda2 = 0.1; }),
            "lambda and lambda2 exclude each other: give one of them");
  EXPECT_EQ(refusal([](auto& o) { o.lambda3 = 1.0, o.no_intercept = true; }),
            "lambda3 and no_intercept exclude each other: give one of them");
  EXPECT_EQ(refusal([](auto& o) { o.alpha = 0.5; }),
            "alpha needs lambda: lambda1 = alpha lambda, lambda2 = (1 - alpha) lambda");
}

TEST(FitOptions, EveryOptionHasItsOwnNameAndHelp) {
  FitOptions options;
  std::set<std::string> names;
  int count = 0;
  const auto visit = [&](const OptionInfo& info, auto&) {
    names.insert(info.name);
    EXPECT_FALSE(info.help.empty()) << info.name;
    EXPECT_EQ((info.name + info.help).find("--"), std::string::npos)
        << info.name << ": flags are the command line's";
    ++count;
  };
  describe_model(options, visit);
  describe_solver(options, visit);
  EXPECT_EQ(std::ssize(names), count);
  for (const char* name :
       {"lambda1", "lambda1_ratio", "lambda2", "lambda3", "lambda", "alpha", "delta", "no_intercept",
        "class_weight", "solver", "tolerance", "stopping", "max_iterations", "time_limit", "threads"}) {
    EXPECT_EQ(names.count(name), 1U) << name;
  }
}

}  // namespace
}  // namespace hsvm
