// --class-weight: what its text may be. What the weights do is tested with the library.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "tests/support/program.hpp"
#include "tests/support/temporary_folder.hpp"

namespace hsvm::test {
namespace {

using testing::HasSubstr;

class ClassWeight : public testing::Test {
 protected:
  ClassWeight() {
    folder_.write("numbers.libsvm", "1 1:1 2:0.5\n-1 1:-1\n1 2:1\n-1 2:-2\n");
    folder_.write("words.libsvm", "a=b 1:1 2:0.5\na 1:-1\na=b 2:1\na 2:-2\n");
  }

  Outcome fit(const std::string& data, const std::string& weights) {
    return run_program(program_in("HSVM_PROGRAM"),
                       {"fit", data, "--class-weight", weights, "-m", "out.json", "-q"}, folder_.path("."));
  }
  std::string coefficients(const std::string& data, const std::string& weights) {
    EXPECT_EQ(fit(data, weights).exit_code, 0) << weights;
    const std::string model = read_text(folder_.path("out.json"));
    return model.substr(model.find("\"intercept\""), model.find("\"report\"") - model.find("\"intercept\""));
  }

  TemporaryFolder folder_;
};

TEST_F(ClassWeight, IsBalancedOrLabelsWithWeights) {
  const std::string plain = coefficients("numbers.libsvm", "1=1,-1=1");
  EXPECT_EQ(coefficients("numbers.libsvm", "balanced"), plain);  // as many of each
  EXPECT_EQ(coefficients("numbers.libsvm", "+1.0=1,"), plain);
  const std::string heavy = coefficients("numbers.libsvm", "1=3");
  EXPECT_NE(heavy, plain);
  EXPECT_EQ(coefficients("numbers.libsvm", "1=7,1=3"), heavy);  // the last one counts
  EXPECT_EQ(coefficients("words.libsvm", "a=b=3"), heavy);      // a label may hold the sign itself
}

TEST_F(ClassWeight, IsRefusedInAnyOtherForm) {
  for (const char* text : {"1", "balance", "1=", "1=x", "1=2x", "1=2,,-1=1", ",1=2", "1=2 -1"}) {
    const Outcome outcome = fit("numbers.libsvm", text);
    EXPECT_EQ(outcome.exit_code, 2) << text;
    EXPECT_THAT(outcome.errors, HasSubstr(std::string("hsvm: --class-weight ") + text + ": '"));
    EXPECT_THAT(outcome.errors, HasSubstr("must be LABEL=WEIGHT with a weight of at least 0"));
  }
  for (const char* text : {"1=-1", "1=nan", "1=inf"}) {
    const Outcome outcome = fit("numbers.libsvm", text);
    EXPECT_EQ(outcome.exit_code, 2) << text;
    EXPECT_THAT(outcome.errors, HasSubstr(std::string("hsvm: --class-weight ") + text + ": "));
    EXPECT_THAT(outcome.errors, HasSubstr("the weight of '1' must be at least 0"));
  }
  EXPECT_THAT(fit("numbers.libsvm", "1=2;-1=1").errors, HasSubstr("no sample has the label '1=2;-1'"));
}

}  // namespace
}  // namespace hsvm::test
