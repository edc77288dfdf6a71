// hsvm-lab stats as a user runs it: its tables, its JSON, and each refusal with exit code and place.

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "datasets/paper_scores.hpp"
#include "hsvm/stats/compare.hpp"
#include "tests/support/program.hpp"
#include "tests/support/temporary_folder.hpp"

namespace hsvm::test {
namespace {

using testing::HasSubstr;

std::string csv_of(const stats::ScoreTable& table, char delimiter = ',') {
  std::string text = "dataset";
  for (const std::string& method : table.methods) text += delimiter + method;
  for (std::size_t i = 0; i < table.datasets.size(); ++i) {
    text += "\n" + table.datasets[i];
    for (const double score : table.row(i)) text += delimiter + fmt::format("{}", score);
  }
  return text + "\n";
}

class StatsCommand : public testing::Test {
 protected:
  Outcome run(std::vector<std::string> arguments, const std::string& input = "") const {
    arguments.insert(arguments.begin(), "stats");
    return run_program(program_in("HSVM_LAB_PROGRAM"), arguments, folder_.path("."), input);
  }
  nlohmann::json json(std::vector<std::string> arguments, const std::string& input) const {
    arguments.insert(arguments.begin(), {"-", "--json"});
    const Outcome outcome = run(arguments, input);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.errors;
    return nlohmann::json::parse(outcome.output);
  }
  TemporaryFolder folder_;
};

TEST_F(StatsCommand, PrintsMarkdown) {
  folder_.write("scores.csv", csv_of(datasets::multiclass_scores()));
  const Outcome outcome = run({"scores.csv"});
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_EQ(outcome.errors, "");
  EXPECT_EQ(outcome.output, R"(3 methods on 10 datasets, larger scores are better.

## Average ranks

| method | average rank |
|---|---:|
| M-PGH | 1.4 |
| DDAG | 2.2 |
| OVA | 2.4 |

## All methods

| test | statistic | degrees of freedom | p |
|---|---:|---:|---:|
| Friedman | chi^2 = 5.6 | 2 | 0.0608 |
| Iman-Davenport | F = 3.5 | 2, 18 | 0.0520 |

## Pairs: Wilcoxon's signed ranks

| pair | R+ | R- | z | p | exact p | p, adjusted |
|---|---:|---:|---:|---:|---:|---:|
| M-PGH - OVA | 45 | 10 | -1.7838 | 0.0745 | 0.0840 | 0.2234 |
| M-PGH - DDAG | 40 | 15 | -1.2741 | 0.2026 | 0.2324 | 0.4052 |
| OVA - DDAG | 33 | 22 | -0.5606 | 0.5751 | 0.6250 | 0.5751 |

## Against M-PGH: Holm

| method | z | p | p, adjusted | differs at 0.05 |
|---|---:|---:|---:|---|
| OVA | -2.2361 | 0.0253 | 0.0507 | no |
| DDAG | -1.7889 | 0.0736 | 0.0736 | no |

## Critical difference: Nemenyi

CD = 1.048 at alpha = 0.05. Not told apart:

- M-PGH, DDAG, OVA
)");
}

TEST_F(StatsCommand, JsonHasTheNumbersOfTheLibrary) {
  const stats::ScoreTable table = datasets::binary_scores();
  const stats::Comparison expected = stats::compare(table, {.control = "GCD", .alpha = 0.1});
  const nlohmann::json result = json({"--control", "GCD", "--alpha", "0.1"}, csv_of(table));
  EXPECT_EQ(result["n_datasets"], 10);
  EXPECT_EQ(result["methods"], table.methods);
  EXPECT_EQ(result["average_ranks"], expected.average_ranks);
  EXPECT_EQ(result["friedman"]["chi_squared"], expected.friedman.chi_squared);
  EXPECT_EQ(result["friedman"]["p"], expected.friedman.p);
  EXPECT_EQ(result["friedman"]["agreement"], expected.friedman.agreement);
  EXPECT_EQ(result["iman_davenport"]["f"], expected.friedman.iman_davenport->f);
  EXPECT_EQ(result["iman_davenport"]["freedom"], (std::vector<double>{4, 36}));
  ASSERT_EQ(result["pairs"].size(), 10U);
  EXPECT_EQ(result["pairs"][1]["first"], "B-PGH");
  EXPECT_EQ(result["pairs"][1]["second"], "GCD");
  EXPECT_EQ(result["pairs"][1]["r_plus"], expected.pairs[1].wilcoxon.r_plus);
  EXPECT_EQ(result["pairs"][1]["r_minus"], expected.pairs[1].wilcoxon.r_minus);
  EXPECT_EQ(result["pairs"][1]["z"], expected.pairs[1].wilcoxon.z);
  EXPECT_EQ(result["pairs"][1]["p"], expected.pairs[1].wilcoxon.p);
  EXPECT_EQ(result["pairs"][1]["exact_p"], *expected.pairs[1].wilcoxon.exact_p);
  EXPECT_EQ(result["pairs"][1]["adjusted_p"], expected.pairs[1].adjusted_p);
  EXPECT_EQ(result["control"], "GCD");
  EXPECT_EQ(result["against_control"][0]["method"], "B-PGH");
  EXPECT_EQ(result["against_control"][0]["adjusted_p"], expected.against_control[0].adjusted_p);
  EXPECT_EQ(result["alpha"], 0.1);
  EXPECT_EQ(result["critical_difference"], expected.critical_difference);
  EXPECT_EQ(result["groups"].size(), expected.groups.size());
}

TEST_F(StatsCommand, SmallerIsBetterOnRequest) {
  const std::string seconds = "data,fast,slow\na,1,2\nb,1,3\n";
  EXPECT_EQ(json({}, seconds)["control"], "slow");
  const nlohmann::json result = json({"--smaller-is-better"}, seconds);
  EXPECT_EQ(result["control"], "fast");
  EXPECT_EQ(result["pairs"][0]["r_plus"], 3);
  EXPECT_EQ(result["iman_davenport"]["f"], nullptr);  // infinite: both datasets rank the methods alike
  EXPECT_EQ(result["iman_davenport"]["p"], 0);
  EXPECT_THAT(run({"-", "--smaller-is-better"}, seconds).output, HasSubstr("smaller scores are better"));
}

TEST_F(StatsCommand, OneDatasetHasNoImanDavenport) {
  const std::string one = "data,x,y\na,1,2\n";
  EXPECT_EQ(json({}, one)["iman_davenport"], nullptr);
  const std::string text = run({"-"}, one).output;
  EXPECT_THAT(text, HasSubstr("2 methods on 1 dataset,"));
  EXPECT_THAT(text, testing::Not(HasSubstr("Iman")));
}

TEST_F(StatsCommand, ClearWinnersAreToldApart) {
  std::string text = "data,x|1,y\n";
  for (int i = 0; i < 10; ++i) text += fmt::format("d{},2,1\n", i);
  const std::string report = run({"-"}, text).output;
  EXPECT_THAT(report, HasSubstr("All methods differ."));
  EXPECT_THAT(report, HasSubstr("| x\\|1 | 1 |"));
  EXPECT_THAT(report, HasSubstr("F = inf"));
}

TEST_F(StatsCommand, ReadsWhatSpreadsheetsWrite) {
  const nlohmann::json expected = json({}, csv_of(datasets::multiclass_scores()));
  EXPECT_EQ(json({}, csv_of(datasets::multiclass_scores(), ';')), expected);
  EXPECT_EQ(json({}, csv_of(datasets::multiclass_scores(), '\t')), expected);
  EXPECT_EQ(json({}, "\xef\xbb\xbf# accuracies\n\n" + csv_of(datasets::multiclass_scores()) + "\n  \n"),
            expected);
  const nlohmann::json quoted = json({}, ",\"a, tuned\",b\r\n\"set \"\"1\"\"\",1,2\r\n");
  EXPECT_EQ(quoted["methods"], (std::vector<std::string>{"a, tuned", "b"}));
}

struct Refused {
  const char* name;
  const char* text;
  const char* message;
};

TEST_F(StatsCommand, RefusesBrokenTablesWithTheirPlace) {
  const std::vector<Refused> cases = {
      {"empty", "", "t.csv: no rows; expected a first row with the methods' names"},
      {"comments", "# only\n", "t.csv: no rows; expected a first row with the methods' names"},
      {"header", "d,x,y\n", "t.csv: no rows but the first; expected one for each dataset"},
      {"one method", "d,x\na,1\n",
       "t.csv:1:1: 2 columns; expected the datasets' names and two methods at least"},
      {"method twice", "d,x,y,x\na,1,2,3\n",
       "t.csv:1:4: method 'x' for the second time; expected names that differ"},
      {"dataset twice", "d,x,y\na,1,2\n\na,1,2\n",
       "t.csv:4:1: dataset 'a' for the second time; expected names that differ"},
      {"no method", "d,x,,y\na,1,2,3\n", "t.csv:1:3: empty name; expected that of a method"},
      {"no dataset", "d,x,y\n,1,2\n", "t.csv:2:1: empty name; expected that of a dataset"},
      {"short", "d,x,y\na,1\n", "t.csv:2:1: 2 columns; expected 3 as in the first row"},
      {"long", "d,x,y\na,1,2,3\n", "t.csv:2:1: 4 columns; expected 3 as in the first row"},
      {"missing", "d,x,y\na,1,\n", "t.csv:2:3: missing value for method 'y'; expected a number"},
      {"NA", "d,x,y\na,NA,1\n", "t.csv:2:2: missing value for method 'x'; expected a number"},
      {"dashes", "d,x,y\na,------,1\n", "t.csv:2:2: '------' for method 'x'; expected a finite number"},
      {"nan", "d,x,y\na,1,nan\n", "t.csv:2:3: missing value for method 'y'; expected a number"},
      {"infinite", "d,x,y\na,1,-inf\n", "t.csv:2:3: '-inf' for method 'y'; expected a finite number"},
      {"too large", "d,x,y\na,1,1e999\n", "t.csv:2:3: '1e999' for method 'y'; expected a finite number"},
      {"percent", "d,x,y\na,90%,80%\n", "t.csv:2:2: '90%' for method 'x'; expected a finite number"},
      {"quotes", "d,x,y\n\"a,1,2\n", "t.csv:2:1: quotes that are not closed; expected a closing \""},
  };
  for (const Refused& refused : cases) {
    folder_.write("t.csv", refused.text);
    const Outcome outcome = run({"t.csv"});
    EXPECT_EQ(outcome.exit_code, 1) << refused.name;
    EXPECT_EQ(outcome.output, "") << refused.name;
    EXPECT_EQ(outcome.errors, fmt::format("hsvm-lab: {}\n", refused.message)) << refused.name;
  }
  EXPECT_EQ(run({"absent.csv"}).exit_code, 1);
  EXPECT_THAT(run({"-"}, std::string("d,x,y\na,1\0,2\n", 13)).errors,
              HasSubstr("standard input:2:1: NUL byte"));
}

TEST_F(StatsCommand, RefusesAWrongCommandLine) {
  const std::string text = "d,x,y\na,1,2\n";
  const auto expect_usage = [&](const std::vector<std::string>& arguments, const std::string& message) {
    const Outcome outcome = run(arguments, text);
    EXPECT_EQ(outcome.exit_code, 2);
    EXPECT_EQ(outcome.output, "");
    EXPECT_THAT(outcome.errors, HasSubstr("hsvm-lab: " + message));
  };
  expect_usage({"-", "--control", "z"}, "control = z: must be one of the methods x, y");
  expect_usage({"-", "--alpha", "0"}, "alpha = 0: must be greater than 0 and less than 1");
  expect_usage({}, "FILE is required (see hsvm-lab stats --help)");
  const Outcome unknown = run_program(program_in("HSVM_LAB_PROGRAM"), {"unknown"}, folder_.path("."));
  EXPECT_EQ(unknown.exit_code, 2);
  EXPECT_EQ(
      unknown.errors,
      "hsvm-lab: unknown command 'unknown': must be one of list run report stats help (see hsvm-lab --help)\n");
}

}  // namespace
}  // namespace hsvm::test
