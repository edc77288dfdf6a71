// A folder in which the program is run as a user would.
#pragma once

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/support/program.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tests/support/text.hpp"

namespace hsvm::test {

class Journey : public testing::Test {
 protected:
  Outcome run(const std::vector<std::string>& arguments, const std::string& input = "") const {
    return run_program(program_in("HSVM_PROGRAM"), arguments, folder_.path("."), input);
  }
  Outcome succeed(const std::vector<std::string>& arguments, const std::string& input = "") const {
    Outcome outcome = run(arguments, input);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.errors;
    return outcome;
  }
  Outcome interrupt(const std::vector<std::string>& arguments, const Interrupt& interrupt) const {
    return run_program(program_in("HSVM_PROGRAM"), arguments, folder_.path("."), "", interrupt);
  }
  // As soon as the terminal shows this.
  static Interrupt shows(const std::string& part) {
    return {.when = [part](const Running& run) { return run.shown.find(part) != std::string::npos; },
            .on_terminal = true};
  }
  nlohmann::json fit_json(std::vector<std::string> more) const {
    more.insert(more.begin(), {"fit", "train.libsvm", "--json"});
    return nlohmann::json::parse(succeed(more).output);
  }
  nlohmann::json read_json(const char* file) const {
    return nlohmann::json::parse(read_text(folder_.path(file)));
  }
  // Nothing but the model: a report holds the seconds it took.
  nlohmann::json without_report(const char* file) const {
    nlohmann::json model = read_json(file);
    model.erase("report");
    return model;
  }
  // No solver finds a point below what another has proved to be the least.
  static void expect_same_minimum(const std::vector<nlohmann::json>& reports) {
    for (const nlohmann::json& a : reports) {
      for (const nlohmann::json& b : reports) {
        EXPECT_LE(a["objective"].get<double>() - b["objective"].get<double>(), a["gap"].get<double>())
            << a["solver"] << " and " << b["solver"];
      }
    }
  }
  void generate(const char* file = "train.libsvm", const char* seed = "1") const {
    succeed({"generate", "binary", "--n", "60", "--p", "40", "--s", "5", "--rho", "0.5", "--seed", seed, "-o",
             file});
  }
  TemporaryFolder folder_;
};

}  // namespace hsvm::test
