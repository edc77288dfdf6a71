// What experiments on real data say where there is none, and what they find where some is there.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "hsvm/api.hpp"
#include "tests/support/program.hpp"
#include "tests/support/temporary_folder.hpp"

namespace hsvm::test {
namespace {

using nlohmann::ordered_json;
using testing::HasSubstr;

TEST(Benchmarks, NameTheSetsThatAreAbsent) {
  const TemporaryFolder folder;
  for (const std::string name : {"benchmarks", "microarrays"}) {
    const Outcome outcome =
        run_program(program_in("HSVM_LAB_PROGRAM"), {"run", name, "--quick"}, folder.path("."));
    ASSERT_EQ(outcome.exit_code, 0) << outcome.errors;
  }
  const std::string page = read_text(folder.path("results/benchmarks.md"));
  for (const char* set :
       {"connect-4", "dna.scale", "glass.scale", "letter.scale", "poker", "protein", "usps", "wine.scale"})
    EXPECT_THAT(page, HasSubstr("no dataset '" + std::string(set) + "' (docs/data.md)"));
  EXPECT_THAT(page, HasSubstr("| wine | no data (96.64) | no data (96.25) | no data (94.00) |"));
  EXPECT_THAT(read_text(folder.path("results/microarrays.md")),
              HasSubstr("SRBCT: no datasets 'srbct' and 'srbct.t' (docs/data.md); left out."));
}

TEST(Benchmarks, ReadWhatIsThereAndSayWhatStandsIn) {
  const TemporaryFolder folder;
  const Dataset data = generate(FourClassDesign{.n = 200, .p = 10, .s = 4});
  write_dataset(data, folder.path("usps.libsvm"));
  folder.write("MANIFEST.tsv",
               "name\tfile\ttask\tclasses\trows\tcols\tnnz\nusps\tusps.libsvm\tmulticlass\t4\t200\t10\t0\n");
  const Outcome outcome =
      run_program(program_in("HSVM_LAB_PROGRAM"),
                  {"run", "benchmarks", "--quick", "--trials", "1", "--data", "."}, folder.path("."));
  ASSERT_EQ(outcome.exit_code, 0) << outcome.errors;
  const ordered_json result = ordered_json::parse(read_text(folder.path("results/benchmarks.json")));
  const ordered_json& trial = result.at("trials").at("usps trial 0");
  EXPECT_EQ(trial.at("training"), 20);  // 5 of each class
  EXPECT_EQ(trial.at("test"), 180);
  EXPECT_THAT(read_text(folder.path("results/benchmarks.md")),
              HasSubstr("usps: no dataset 'usps.t'; what is left of 'usps' stands in for it."));
}

}  // namespace
}  // namespace hsvm::test
