// Gene expression of patients with several samples each: from a table to an honest estimate, stable genes and predictions for new
// patients, all as tables that others read.

#include <cmath>
#include <set>
#include <sstream>

#include "hsvm/core/random.hpp"
#include "tests/app/journey.hpp"

namespace hsvm::test {
namespace {

using nlohmann::json;

class GeneJourney : public Journey {
 protected:
  static constexpr int kGenes = 60;

  // Two of the genes tell the diagnosis; samples of a patient are alike.
  void write_patients(const char* file, int n_patients, std::uint64_t seed) const {
    Random random(seed);
    std::string table = "\"\",diagnosis,patient";  // the samples' names have none, as in tables of R
    for (int j = 0; j < kGenes; ++j) table += ",\"gene " + std::to_string(j) + ", probe \"\"a\"\"\"";
    table += "\n";
    for (int patient = 0; patient < n_patients; ++patient) {
      std::vector<double> level(kGenes);
      for (double& value : level) value = random.normal();
      const bool ill = patient % 2 == 0;
      level[3] += ill ? 1.5 : -1.5;
      level[7] -= ill ? 1.5 : -1.5;
      for (int sample = 0; sample < 3; ++sample) {
        table += "S" + std::to_string(3 * patient + sample) + (ill ? ",\"tumour, grade 2\",P" : ",healthy,P") +
                 std::to_string(patient);
        for (const double value : level) {
          const bool is_missing = random.below(50) == 0;
          table += is_missing ? ",NA" : "," + std::to_string(value + 0.3 * random.normal());
        }
        table += "\n";
      }
    }
    folder_.write(file, table);
  }

  // Columns of a table without line breaks in quotes, by their numbers from 1.
  void write_columns(const char* from, const std::string& columns, const char* to) const {
    std::set<int> wanted;
    std::istringstream list(columns);
    for (std::string number; std::getline(list, number, ',');) wanted.insert(std::stoi(number));
    std::istringstream rows(read_text(folder_.path(from)));
    std::string text;
    for (std::string row; std::getline(rows, row); text += "\n") {
      int column = 1;
      bool quoted = false;
      std::string kept;
      for (const char c : row) {
        if (c == '"') quoted = !quoted;
        const bool ends = c == ',' && !quoted;
        if (wanted.contains(column) && (!ends || wanted.upper_bound(column) != wanted.end())) kept += c;
        if (ends) ++column;
      }
      text += kept;
    }
    folder_.write(to, text);
  }
};

TEST_F(GeneJourney, FromATableToPredictionsForNewPatients) {
  write_patients("genes.csv", 40, 1);
  write_patients("new.csv", 20, 2);
  const Outcome tuned = succeed({"cv", "genes.csv", "--label", "diagnosis", "--groups", "patient", "--nested",
                                 "--stability", "20", "--folds", "5", "--lambda2", "0.1", "--missing", "median",
                                 "-m", "model.json", "--table", "grid.csv"});
  EXPECT_NE(run({"cv", "genes.csv"}).errors.find("missing value"), std::string::npos);  // without a rule
  const json model = read_json("model.json");
  EXPECT_EQ(model["n_features"], kGenes);
  const json& tuning = model["tuning"];
  const json& said = tuning["nested"]["out_of_fold"];
  ASSERT_EQ(said["fold"].size(), 120U);
  for (std::size_t i = 0; i < 120; ++i) {
    EXPECT_EQ(said["fold"][i], said["fold"][i - i % 3]);  // a patient's samples stand together
    EXPECT_EQ(tuning["out_of_fold"]["fold"][i], said["fold"][i]);
  }
  const double honest = tuning["nested"]["best"]["scores"]["accuracy"]["mean"];
  EXPECT_GT(honest, 0.85);
  EXPECT_NE(tuned.output.find("held-out samples, as predicted by the whole procedure"), std::string::npos);

  succeed({"inspect", "model.json", "--coefficients", "coefficients.csv", "--one-se"});
  succeed({"predict", "model.json", "new.csv", "--label", "diagnosis", "-o", "predicted.csv"});
  const json report = json::parse(
      succeed({"predict", "model.json", "new.csv", "--label", "diagnosis", "--metrics", "--json"}).output);
  // What nested cross-validation promised holds on new patients, within what 20 of them can tell.
  EXPECT_NEAR(report["metrics"]["accuracy"].get<double>(), honest, 0.15);
  for (const json& row : report["probabilities"])
    EXPECT_NEAR(row[0].get<double>() + row[1].get<double>(), 1.0, 1e-9);

  // A table of the selected genes alone tells the same.
  std::string selected = "1";
  for (const json& feature : model["coef"]["feature"]) selected += "," + std::to_string(feature.get<int>() + 4);
  write_columns("new.csv", selected, "few.csv");
  const Outcome few = succeed({"predict", "model.json", "few.csv", "--probability"});
  EXPECT_EQ(few.output, succeed({"predict", "model.json", "new.csv", "--probability"}).output);

  const Outcome python = run_program("/usr/bin/python3", {"-c", "import pandas"}, folder_.path("."));
  if (python.exit_code != 0) GTEST_SKIP() << "there is no pandas";
  const Outcome checked =
      run_program("/usr/bin/python3",
                  {"-c",
                   "import pandas as pd\n"
                   "c = pd.read_csv('coefficients.csv')\n"
                   "top = c.loc[c.standardized_coefficient.abs().nlargest(2).index, 'feature']\n"
                   "assert sorted(top) == ['gene 3, probe \"a\"', 'gene 7, probe \"a\"'], list(top)\n"
                   "assert (c.loc[c.feature.isin(top), 'stability'] >= 0.9).all()\n"
                   "p = pd.read_csv('predicted.csv')\n"
                   "assert list(p.columns) == ['id', 'predicted', 'truth', 'score', 'probability_healthy',\n"
                   "                           'probability_tumour, grade 2'], p.columns\n"
                   "assert list(p.id) == [f'S{i}' for i in range(60)], list(p.id)[:3]\n"
                   "print((p.predicted == p.truth).mean())\n"},
                  folder_.path("."));
  EXPECT_EQ(checked.exit_code, 0) << checked.errors;
  EXPECT_NEAR(std::stod(checked.output), report["metrics"]["accuracy"].get<double>(), 1e-9);
}

}  // namespace
}  // namespace hsvm::test
