// Tables as people have them, from the file to the prediction, with the program itself.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "hsvm/core/random.hpp"
#include "tests/app/journey.hpp"

namespace hsvm::test {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::Not;

class TablesApp : public Journey {
 protected:
  // Sixty patients: two genes tell, the others are noise; some values are missing, sexes are words.
  std::string patients(bool with_gaps = true) const {
    Random random(7);
    std::string text = "\"\",\"sex\",\"smoker\",\"g1\",\"g2\",\"g3\",\"g4\",\"outcome\"\n";
    for (int i = 0; i < 60; ++i) {
      const bool sick = i % 2 == 0;
      text += "\"p" + std::to_string(i) + "\"," + (i % 3 == 0 ? "f" : "m") + "," + (i % 5 == 0 ? "yes" : "no");
      for (int g = 1; g <= 4; ++g) {
        const double value = random.normal() + (g <= 2 && sick ? 3.0 : 0.0);
        text += with_gaps && random.below(12) == 0 ? ",NA" : "," + std::to_string(value);
      }
      text += sick ? ",sick\n" : ",well\n";
    }
    return text;
  }
};

TEST_F(TablesApp, GoThroughStandardInputAndAnyName) {
  const std::string text = "y,a,b\nu,1,0.5\nv,-1,0\nu,0,1\nv,2,-3.5\n";
  for (const char* name : {"data.csv", "data", "data.libsvm", "data.txt"}) {
    folder_.write(name, text);
    EXPECT_THAT(succeed({"fit", name}).output,
                HasSubstr("4 samples, 2 features, classes u (2), v (2); label: column 'y'\n"))
        << name;
  }
  EXPECT_THAT(succeed({"fit", "-"}, text).output, HasSubstr("standard input: 4 samples, 2 features"));
  const Outcome alone = run({"fit", "-"}, "1\n-1\n1\n");
  EXPECT_EQ(alone.exit_code, 1);
  EXPECT_THAT(alone.errors, HasSubstr("without any features"));
}

TEST_F(TablesApp, MissingValuesAreRefusedUnlessThereIsARule) {
  folder_.write("p.csv", patients());
  const Outcome refused = run({"fit", "p.csv", "-m", "m.json"});
  EXPECT_EQ(refused.exit_code, 1);
  EXPECT_TRUE(has_part_like(
      refused.errors, "p.csv:#:#: missing value in column 'g#', the first of # in 4 columns: 'g1' (#), *"))
      << refused.errors;
  for (const char* rule : {"mean", "median", "drop-samples", "drop-features"}) {
    const std::string said = succeed({"fit", "p.csv", "--missing", rule, "-m", "m.json"}).output;
    EXPECT_THAT(said, HasSubstr("samples named by column 1")) << rule;
    const json model = read_json("m.json");
    EXPECT_EQ(model["label"], "outcome");
    EXPECT_EQ(model["preparation"].contains("values"),
              rule == std::string("mean") || rule == std::string("median"));
  }
  EXPECT_EQ(run({"fit", "p.csv", "--missing", "guess"}).exit_code, 2);
  succeed({"path", "p.csv", "--missing", "mean", "--nlambda", "5", "-m", "path.json"});
  EXPECT_EQ(read_json("path.json")["preparation"]["missing"], "mean");
  succeed({"cv", "p.csv", "--missing", "median", "--folds", "3", "--nlambda", "6", "-m", "cv.json"});
  EXPECT_EQ(read_json("cv.json")["preparation"]["missing"], "median");
  EXPECT_THAT(succeed({"predict", "cv.json", "p.csv", "--one-se"}).errors, HasSubstr("Accuracy = "));
}

TEST_F(TablesApp, PredictNeedsOnlyWhatTheModelUses) {
  folder_.write("p.csv", patients());
  succeed({"fit", "p.csv", "--missing", "mean", "--lambda1-ratio", "0.5", "-m", "m.json"});
  const json model = read_json("m.json");
  const json& values = model["preparation"]["values"];
  ASSERT_EQ(model["feature_names"], json({"sex=f", "sex=m", "smoker", "g1", "g2", "g3", "g4"}));
  ASSERT_EQ(model["coef"]["feature"], json({3, 4}));
  // In another order, without the other columns, and with something odd in one that does not matter.
  folder_.write("new.csv", "g2,g1\n3,3\n-1,-1\n");
  EXPECT_EQ(succeed({"predict", "m.json", "new.csv"}).output, "sick\nwell\n");
  folder_.write("odd.csv", "g2,g1,g3\n3,3,NA\n-1,-1,oops\n");
  EXPECT_EQ(succeed({"predict", "m.json", "odd.csv"}).output, "sick\nwell\n");
  // A missing value is the training's mean.
  folder_.write("gap.csv", "g2,g1\n3,NA\n");
  folder_.write("filled.csv", "g2,g1\n3," + values[3].dump() + "\n");
  EXPECT_EQ(succeed({"predict", "m.json", "gap.csv", "--scores"}).output,
            succeed({"predict", "m.json", "filled.csv", "--scores"}).output);
  folder_.write("few.csv", "g2\n3\n");
  EXPECT_THAT(run({"predict", "m.json", "few.csv"}).errors,
              HasSubstr("few.csv: no column is named 'g1'; the first row has 'g2'"));
}

TEST_F(TablesApp, AModelWithoutARuleHasNoValueForAGap) {
  folder_.write("p.csv", patients(false));
  succeed({"fit", "p.csv", "--lambda1-ratio", "0.5", "-m", "m.json"});
  folder_.write("gap.csv", "g2,g1\n3,NA\n");
  const Outcome gap = run({"predict", "m.json", "gap.csv"});
  EXPECT_EQ(gap.exit_code, 1);
  EXPECT_THAT(gap.errors, HasSubstr("sample 1 has no value of g1"));
}

TEST_F(TablesApp, WordsAreRememberedAndUnseenOnesSaid) {
  folder_.write(
      "pets.csv",
      "kind,colour,wild\ncat,red,no\ndog,blue,yes\ncat,red,no\ndog,blue,yes\ncat,red,yes\ndog,green,no\n");
  const std::string said =
      succeed({"fit", "pets.csv", "--label", "kind", "--lambda1-ratio", "0.01", "-m", "m.json"}).output;
  EXPECT_THAT(said, HasSubstr("words as 0/1: 'colour' (3)"));
  folder_.write("new.csv", "wild,colour\nNo,red\n1,blue\n0,purple\n");
  const Outcome outcome = succeed({"predict", "m.json", "new.csv"});
  EXPECT_EQ(lines_of(outcome.output).size(), 3U);
  EXPECT_EQ(lines_of(outcome.output)[0], "cat");
  EXPECT_EQ(lines_of(outcome.output)[1], "dog");
  EXPECT_THAT(outcome.errors,
              HasSubstr("column 'colour' has words that the model has not seen, such as 'purple': all zeros"));
  EXPECT_THAT(succeed({"predict", "m.json", "new.csv", "-q"}).errors, testing::IsEmpty());
}

TEST_F(TablesApp, TheLabelIsRemembered) {
  folder_.write("p.csv", patients(false));
  succeed({"fit", "p.csv", "--label", "smoker", "-m", "m.json"});
  EXPECT_EQ(read_json("m.json")["label"], "smoker");
  EXPECT_THAT(succeed({"predict", "m.json", "p.csv"}).errors, HasSubstr("Accuracy = "));
  folder_.write("other.csv", "smoker,sex,g1,g2,g3,g4,outcome\nmaybe,f,1,2,3,4,sick\n");
  const Outcome other = succeed({"predict", "m.json", "other.csv"});
  EXPECT_THAT(other.errors, HasSubstr("no sample has a label the model knows (column 'smoker'): no accuracy"));
  EXPECT_THAT(other.errors, Not(HasSubstr("Accuracy")));
  folder_.write("unlabelled.csv", "sex,g1,g2,g3,g4,outcome\nf,1,2,3,4,sick\n");
  EXPECT_THAT(succeed({"predict", "m.json", "unlabelled.csv"}).errors, testing::IsEmpty());
}

TEST_F(TablesApp, TablesWithoutNamesAreMatchedByPlace) {
  folder_.write("plain.csv", "1,0.5,u\n-1,0.5,v\n2,1,u\n-2,0,v\n");
  succeed({"fit", "plain.csv", "-m", "m.json"});
  EXPECT_EQ(read_json("m.json")["label"], 3);
  EXPECT_THAT(succeed({"predict", "m.json", "plain.csv"}).errors, HasSubstr("Accuracy = 100% (4/4)"));
  folder_.write("numbers.csv", "1,0.5,0\n-1,0.5,1\n2,1,0\n-2,0.5,1\n");
  succeed({"fit", "numbers.csv", "--label", "-1", "-m", "n.json"});
  EXPECT_THAT(succeed({"predict", "n.json", "numbers.csv"}).errors, HasSubstr("Accuracy = 100% (4/4)"));
  folder_.write("named.csv", "a,b\n1,0.5\n-1,0.5\n");
  EXPECT_THAT(succeed({"predict", "m.json", "named.csv"}).errors,
              HasSubstr("columns matched by place: the model has no names"));
  folder_.write("wide.csv", "1,2,3,4,5\n");
  EXPECT_EQ(run({"predict", "m.json", "wide.csv"}).exit_code, 1);
}

TEST_F(TablesApp, EverySampleOfItsOwnClassIsNoLabel) {
  std::string text = "a,b,c\n";
  for (int i = 0; i < 20; ++i)
    text += std::to_string(0.5 * i) + "," + std::to_string(i % 3) + "," + std::to_string(i % 4) + "\n";
  folder_.write("a.csv", text);
  const Outcome outcome = run({"fit", "a.csv"});
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_THAT(outcome.errors, HasSubstr("every sample has a label of its own"));
  EXPECT_THAT(outcome.errors, HasSubstr("column 'a' is not the label"));
}

TEST_F(TablesApp, SplitAndConvertKeepTheTable) {
  const std::string text = patients();
  folder_.write("p.csv", text);
  succeed({"convert", "p.csv", "q.tsv"});
  succeed({"convert", "q.tsv", "r.csv"});
  succeed({"convert", "p.csv", "s.csv"});
  EXPECT_EQ(read_text(folder_.path("r.csv")), read_text(folder_.path("s.csv")));
  EXPECT_THAT(read_text(folder_.path("s.csv")),
              testing::StartsWith("\"\",sex,smoker,g1,g2,g3,g4,outcome\np0,f,yes,"));
  succeed({"split", "p.csv", "--train", "0.5"});
  const std::string train = read_text(folder_.path("p.train.csv"));
  EXPECT_THAT(train, testing::StartsWith("\"\",sex,smoker,g1,g2,g3,g4,outcome\n"));
  EXPECT_EQ(lines_of(train).size(), 31U);
  EXPECT_EQ(lines_of(train).size() + lines_of(read_text(folder_.path("p.test.csv"))).size(), 62U);
  folder_.write("patients", text);
  succeed({"split", "patients", "--train", "0.5", "-q"});
  EXPECT_EQ(read_text(folder_.path("patients.train.csv")), train);
  const Outcome packed = run({"convert", "p.csv", "p.libsvm"});
  EXPECT_EQ(packed.exit_code, 1);
  EXPECT_THAT(packed.errors, HasSubstr("missing"));
  succeed({"convert", "p.csv", "p.libsvm", "--missing", "drop-samples"});
  EXPECT_EQ(run({"convert", "p.csv", "t.csv", "--missing", "mean"}).exit_code, 2);
}

TEST_F(TablesApp, MessagesNameTheFile) {
  folder_.write("p.csv", patients(false));
  folder_.write("w.txt", "1\n2\n");
  folder_.write("bad.txt", "1\n2\n-3\n");
  EXPECT_THAT(run({"fit", "p.csv", "--weights", "w.txt"}).errors,
              HasSubstr("w.txt: 2 sample weights for 60 samples of p.csv"));
  EXPECT_THAT(run({"fit", "p.csv", "--penalty-factors", "w.txt"}).errors,
              HasSubstr("w.txt: 2 penalty factors for 7 features of p.csv"));
  EXPECT_THAT(run({"cv", "p.csv", "--folds-file", "w.txt"}).errors, HasSubstr("w.txt: "));
}

TEST_F(TablesApp, WeightsGoWithTheSamplesThatAreDropped) {
  folder_.write("a.csv", "y,a,b\nu,1,0.5\nv,-1,NA\nv,-1,0\nu,0,1\nv,2,-3.5\n");
  folder_.write("b.csv", "y,a,b\nu,1,0.5\nv,-1,0\nu,0,1\nv,2,-3.5\n");
  folder_.write("five.txt", "1\n9\n2\n3\n4\n");
  folder_.write("four.txt", "1\n2\n3\n4\n");
  succeed({"fit", "a.csv", "--missing", "drop-samples", "--weights", "five.txt", "-m", "a.json"});
  succeed({"fit", "b.csv", "--weights", "four.txt", "-m", "b.json"});
  EXPECT_EQ(without_report("a.json"), without_report("b.json"));
}

// A huge value that is held out has a score beyond any float.
TEST_F(TablesApp, WhatCvSavesCanBeRead) {
  Random random(1);
  std::string text = "y,a,b\n";
  for (int i = 0; i < 40; ++i) {
    text += i % 2 == 0 ? "u," : "v,";
    text += (i == 7 ? "3e39" : std::to_string(random.normal() + (i % 2 == 0 ? 1.0 : -1.0))) + "," +
            std::to_string(random.normal()) + "\n";
  }
  folder_.write("huge.csv", text);
  succeed({"cv", "huge.csv", "--folds", "5", "--nlambda", "10", "-m", "m.json"});
  EXPECT_EQ(read_text(folder_.path("m.json")).find("null"), std::string::npos);
  EXPECT_EQ(lines_of(succeed({"predict", "m.json", "huge.csv", "--probability"}).output).size(), 40U);
}

// Nothing is learned from the samples held out: on noise, with a third of the values missing and a column of words, nothing beats chance.
TEST_F(TablesApp, NoiseStaysNoise) {
  double sum = 0.0;
  constexpr int kTables = 4;
  for (int table = 0; table < kTables; ++table) {
    Random random(static_cast<std::uint64_t>(100 + table));
    std::string text = "y,site";
    for (int j = 0; j < 60; ++j) text.append(",g").append(std::to_string(j));
    text += "\n";
    for (int i = 0; i < 120; ++i) {
      text += i % 2 == 0 ? "u" : "v";
      text.append(",s").append(std::to_string(random.below(40)));
      for (int j = 0; j < 60; ++j) text += random.below(3) == 0 ? ",NA" : "," + std::to_string(random.normal());
      text += "\n";
    }
    folder_.write("noise.csv", text);
    for (const char* rule : {"mean", "median"}) {
      const json report = json::parse(
          succeed({"cv", "noise.csv", "--missing", rule, "--json", "--lambda2", "0.1", "--folds", "5"}).output);
      // The middle of the grid: what was chosen for its score is a little above chance by the choice alone.
      const json& grid = report["grid"];
      const json& point = grid[grid.size() / 2];
      sum += point["scores"]["accuracy"]["mean"].get<double>() / (2 * kTables);
    }
  }
  EXPECT_NEAR(sum, 0.5, 3.0 * 0.5 / std::sqrt(120.0 * kTables));
}

}  // namespace
}  // namespace hsvm::test
