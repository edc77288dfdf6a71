// hsvm-lab list, run and report as a user runs them: every experiment in its smallest form, resumed, and all of
// them on one page.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "experiments/registry.hpp"
#include "tests/support/program.hpp"
#include "tests/support/temporary_folder.hpp"

namespace hsvm::test {
namespace {

using nlohmann::ordered_json;
using testing::HasSubstr;

class Lab : public testing::Test {
 protected:
  [[nodiscard]] Outcome run(const std::vector<std::string>& arguments) const {
    return run_program(program_in("HSVM_LAB_PROGRAM"), arguments, folder_.path("."));
  }
  [[nodiscard]] ordered_json json(const std::string& file) const {
    return ordered_json::parse(read_text(folder_.path(file)));
  }
  TemporaryFolder folder_;
};

void expect_numbers_finite(const ordered_json& json) {
  if (json.is_number()) {
    EXPECT_TRUE(std::isfinite(json.get<double>()));
  }
  if (json.is_structured()) {
    for (const ordered_json& part : json) expect_numbers_finite(part);
  }
}

class EveryExperiment : public Lab, public testing::WithParamInterface<std::string> {};

TEST_P(EveryExperiment, RunsInItsSmallestFormAndResumes) {
  const std::string& name = GetParam();
  const Outcome first = run({"run", name, "--smallest"});
  ASSERT_EQ(first.exit_code, 0) << first.errors;
  EXPECT_EQ(first.errors, "");
  EXPECT_THAT(first.output, HasSubstr("results/" + name + ".md"));

  const ordered_json result = json("results/" + name + ".json");
  EXPECT_EQ(result.at("experiment"), name);
  EXPECT_EQ(result.at("settings").at("scale"), "smallest");
  for (const char* key : {"title", "table", "protocol", "date", "machine", "seconds", "notes", "trials"})
    EXPECT_TRUE(result.contains(key)) << key;
  expect_numbers_finite(result);
  ASSERT_FALSE(result.at("tables").empty());

  const std::string markdown = read_text(folder_.path("results/" + name + ".md"));
  std::size_t numbers = 0;
  for (const ordered_json& table : result.at("tables")) {
    EXPECT_FALSE(table.at("rows").empty());
    for (const ordered_json& row : table.at("rows")) {
      EXPECT_THAT(markdown, HasSubstr("| " + row.at("label").get<std::string>() + " |"));
      for (const ordered_json& cell : row.at("cells")) numbers += cell.at("ours").is_number();
    }
  }
  EXPECT_GT(numbers, 0U) << "nothing was measured";

  // Nothing is measured again: the journal and all numbers stay as they are, times included.
  const std::string journal = read_text(folder_.path("results/" + name + ".journal.jsonl"));
  EXPECT_EQ(run({"run", name, "--smallest"}).errors, "");
  EXPECT_EQ(read_text(folder_.path("results/" + name + ".journal.jsonl")), journal);
  const ordered_json again = json("results/" + name + ".json");
  EXPECT_EQ(again.at("tables"), result.at("tables"));
  EXPECT_EQ(again.at("seconds"), result.at("seconds"));
}

std::vector<std::string> names() {
  std::vector<std::string> result;
  for (const lab::Experiment& experiment : lab::all_experiments()) result.push_back(experiment.name);
  return result;
}
INSTANTIATE_TEST_SUITE_P(All, EveryExperiment, testing::ValuesIn(names()),
                         [](const auto& experiment) { return experiment.param; });

TEST_F(Lab, ListsEveryExperiment) {
  const Outcome outcome = run({"list"});
  EXPECT_EQ(outcome.exit_code, 0);
  for (const lab::Experiment& experiment : lab::all_experiments()) {
    EXPECT_THAT(outcome.output, HasSubstr(experiment.name + " "));
    EXPECT_THAT(outcome.output, HasSubstr(experiment.title));
    EXPECT_FALSE(experiment.protocol.empty() || experiment.table.empty()) << experiment.name;
    EXPECT_GT(experiment.minutes, 0.0);
    EXPECT_GT(experiment.quick_minutes, 0.0);
    EXPECT_LE(experiment.quick_minutes, 0.7) << "ten minutes are for all of them";
  }
}

TEST_F(Lab, GoesOnWithMoreTrials) {
  ASSERT_EQ(run({"run", "pg_settings", "--smallest"}).exit_code, 0);
  const ordered_json one = json("results/pg_settings.json").at("trials");
  const Outcome outcome = run({"run", "pg_settings", "--smallest", "--trials", "2"});
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_EQ(outcome.errors, "");
  const ordered_json two = json("results/pg_settings.json").at("trials");
  EXPECT_EQ(two.size(), one.size() + 1);
  for (const auto& [key, value] : one.items()) EXPECT_EQ(two.at(key), value) << "times are not taken again";
}

TEST_F(Lab, DiscardsWhatOtherSettingsMeasured) {
  ASSERT_EQ(run({"run", "pg_settings", "--smallest"}).exit_code, 0);
  const Outcome outcome = run({"run", "pg_settings", "--smallest", "--trials", "2", "--time-limit", "2"});
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_EQ(outcome.errors,
            "hsvm-lab: pg_settings: what was measured before had other settings and is discarded\n");
  const ordered_json result = json("results/pg_settings.json");
  EXPECT_EQ(result.at("settings").at("trials"), 2);
  EXPECT_EQ(result.at("trials").size(), 2U);
}

TEST_F(Lab, KeepsWhatWasMeasuredWhenInterrupted) {
  const std::string journal_file = folder_.path("results/synthetic_times.journal.jsonl");
  const auto has_begun = [&](const Running&) {
    return std::filesystem::exists(journal_file) && read_text(journal_file).ends_with("}\n");
  };
  const Outcome outcome =
      run_program(program_in("HSVM_LAB_PROGRAM"), {"run", "synthetic_times", "--quick", "--trials", "100"},
                  folder_.path("."), "", {.when = has_begun});
  EXPECT_EQ(outcome.exit_code, 130);
  EXPECT_EQ(outcome.errors, "hsvm-lab: interrupted in synthetic_times; the same command goes on from there\n");
  EXPECT_FALSE(std::filesystem::exists(folder_.path("results/synthetic_times.json")));
  const std::string journal = read_text(journal_file);
  EXPECT_TRUE(journal.ends_with("}\n")) << "whole lines only";
  EXPECT_EQ(ordered_json::parse(journal.substr(0, journal.find('\n'))).at("settings").at("scale"), "quick");
}

TEST_F(Lab, ReportsFromTheResultsAlone) {
  ASSERT_EQ(run({"run", "pg_settings", "--smallest", "--results", "r"}).exit_code, 0);
  std::filesystem::remove(folder_.path("r/pg_settings.journal.jsonl"));
  std::filesystem::remove(folder_.path("r/pg_settings.md"));
  const Outcome outcome = run({"report", "--results", "r", "-o", "page.md", "--html", "page.html"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.errors;
  const std::string page = read_text(folder_.path("page.md"));
  EXPECT_THAT(page, HasSubstr("\n## Settings of the proximal gradient method (Table 1)\n"));
  EXPECT_THAT(page, HasSubstr("| (60, 12, 4) fixed_L |"));
  EXPECT_THAT(page, HasSubstr("Measured on "));
  const std::string html = read_text(folder_.path("page.html"));
  EXPECT_THAT(html, HasSubstr("<section id=\"pg_settings\""));
  EXPECT_THAT(html, HasSubstr("<td>(60, 12, 4) fixed_L</td>"));
  EXPECT_THAT(html, HasSubstr("<section id=\"not-run\""));
  const Outcome empty = run({"report", "--results", "absent"});
  for (const std::string& name : names()) EXPECT_THAT(empty.output, HasSubstr("`hsvm-lab run " + name + "`"));
}

TEST_F(Lab, RefusesWhatIsWrong) {
  const auto expect = [&](const std::vector<std::string>& arguments, int exit_code,
                          const std::string& message) {
    const Outcome outcome = run(arguments);
    EXPECT_EQ(outcome.exit_code, exit_code) << message;
    EXPECT_THAT(outcome.errors, HasSubstr("hsvm-lab: " + message));
  };
  expect({"run", "absent"}, 2, "unknown experiment 'absent': must be one of pg_settings");
  expect({"run", "--trials", "0"}, 2, "trials = 0: must be at least 1");
  expect({"run", "--time-limit", "-1"}, 2, "time-limit = -1: must be greater than 0");
  expect({"run", "--quick", "--smallest"}, 2, "--quick and --smallest: only one of them can be given");
  folder_.write("file", "");
  expect({"run", "pg_settings", "--smallest", "--results", "file"}, 1, "file: cannot create");
  expect({"run", "pg_settings", "--smallest", "--data", "absent"}, 1, "absent/MANIFEST.tsv: cannot open");
  std::filesystem::create_directory(folder_.path("sets"));
  folder_.write("sets/MANIFEST.tsv", "name\tfile\n\ngood\tfile\tbinary\t2\t4\t2\t0\nbad\tfile\tbinary\ttwo\n");
  expect({"run", "pg_settings", "--smallest", "--data", "sets"}, 1,
         "sets/MANIFEST.tsv:4: expected name, file, task, classes, rows, cols and nnz");
  std::filesystem::create_directory(folder_.path("bad"));
  folder_.write("bad/pg_settings.json", "{");
  expect({"report", "--results", "bad"}, 1, "bad/pg_settings.json: not JSON");
  folder_.write("bad/pg_settings.json", "{}");
  expect({"report", "--results", "bad"}, 1, "bad/pg_settings.json: not a result of hsvm-lab");
}

}  // namespace
}  // namespace hsvm::test
