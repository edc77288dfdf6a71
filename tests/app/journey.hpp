// A folder in which the program is run as a user would.
#pragma once

#include <gtest/gtest.h>

#include <chrono>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/support/program.hpp"
#include "tests/support/temporary_folder.hpp"

namespace hsvm::test {

class Journey : public testing::Test {
 protected:
  Outcome run(const std::vector<std::string>& arguments, const std::string& input = "") const {
    return run_program(HSVM_PROGRAM, arguments, folder_.path("."), input);
  }
  Outcome succeed(const std::vector<std::string>& arguments, const std::string& input = "") const {
    Outcome outcome = run(arguments, input);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.errors;
    return outcome;
  }
  // Runs it and presses Ctrl-C when it has surely begun to solve.
  Outcome interrupt(const std::vector<std::string>& arguments) const {
    return run_program(HSVM_PROGRAM, arguments, folder_.path("."), "", std::chrono::milliseconds(1500));
  }
  nlohmann::json fit_json(std::vector<std::string> more) const {
    more.insert(more.begin(), {"fit", "train.libsvm", "--json"});
    return nlohmann::json::parse(succeed(more).output);
  }
  nlohmann::json read_json(const char* file) const {
    return nlohmann::json::parse(read_text(folder_.path(file)));
  }
  void generate(const char* file = "train.libsvm", const char* seed = "1") const {
    succeed({"generate", "binary", "--n", "60", "--p", "40", "--s", "5", "--rho", "0.5", "--seed", seed, "-o",
             file});
  }
  TemporaryFolder folder_;
};

}  // namespace hsvm::test
