// hsvm split, with the program itself.

#include <algorithm>
#include <filesystem>
#include <sstream>

#include "hsvm/io/formats/dataset_file.hpp"
#include "tests/app/journey.hpp"

namespace hsvm::test {
namespace {

namespace fs = std::filesystem;

class Split : public Journey {
 protected:
  static std::vector<std::string> lines_of(const std::string& text) {
    std::vector<std::string> result;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) result.push_back(line);
    return result;
  }
  std::vector<std::string> lines(const char* file) const { return lines_of(read_text(folder_.path(file))); }
  std::vector<std::string> files() const {
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(folder_.path(".")))
      names.push_back(entry.path().filename().string());
    std::sort(names.begin(), names.end());
    return names;
  }
  // Refused in one line, and nothing written.
  void expect_refused(const std::vector<std::string>& arguments, int exit_code, const std::string& message,
                      const std::string& input = "") const {
    const std::vector<std::string> before = files();
    const Outcome outcome = run(arguments, input);
    EXPECT_EQ(outcome.exit_code, exit_code) << outcome.errors;
    EXPECT_NE(outcome.errors.find(message), std::string::npos) << outcome.errors;
    EXPECT_TRUE(outcome.errors.starts_with("hsvm: ")) << outcome.errors;
    EXPECT_EQ(std::count(outcome.errors.begin(), outcome.errors.end(), '\n'), 1) << outcome.errors;
    EXPECT_EQ(files(), before);
  }
  // 20 samples of class a, 10 of b; every line another.
  std::string write_samples(const char* file = "data.libsvm") const {
    std::string text;
    for (int i = 0; i < 30; ++i) text += (i % 3 == 0 ? "b 1:" : "a 1:") + std::to_string(i + 1) + " 3:0.5\n";
    folder_.write(file, text);
    return text;
  }
};

TEST_F(Split, DealsEveryClassByTheShareAndKeepsTheOrder) {
  const std::vector<std::string> whole = lines_of(write_samples());
  const Outcome outcome = succeed({"split", "data.libsvm", "--train", "0.7", "--seed", "3"});
  EXPECT_EQ(outcome.output,
            "data.train.libsvm: 21 samples, 3 features, classes a (14), b (7)\n"
            "data.test.libsvm: 9 samples, 3 features, classes a (6), b (3)\n");
  const std::vector<std::string> train = lines("data.train.libsvm");
  const std::vector<std::string> test = lines("data.test.libsvm");
  std::vector<std::string> merged;  // in the order of the whole each line is the next of one part
  std::size_t i = 0;
  std::size_t j = 0;
  for (const std::string& line : whole) {
    if (i < train.size() && train[i] == line) {
      merged.push_back(train[i++]);
    } else if (j < test.size() && test[j] == line) {
      merged.push_back(test[j++]);
    }
  }
  EXPECT_EQ(merged, whole);
  EXPECT_EQ(train.size() + test.size(), whole.size());
}

TEST_F(Split, IsRepeatable) {
  write_samples();
  const auto train = [&](const char* seed) {
    succeed({"split", "data.libsvm", "--seed", seed, "-q"});
    return read_text(folder_.path("data.train.libsvm"));
  };
  const std::string first = train("7");
  EXPECT_NE(train("8"), first);
  EXPECT_EQ(train("7"), first);
}

TEST_F(Split, NamesTheFilesAfterTheData) {
  write_samples("raw");
  const auto expect_files = [&](const std::vector<std::string>& arguments, const std::string& train,
                                const std::string& test, const std::string& input = "") {
    succeed(arguments, input);
    for (const std::string& name : {train, test}) {
      EXPECT_TRUE(fs::exists(folder_.path(name))) << name;
      fs::remove(folder_.path(name));
    }
  };
  expect_files({"split", "raw", "-q"}, "raw.train.libsvm", "raw.test.libsvm");
  for (const char* name : {"data.libsvm.xz", "data.svm", "data.txt.gz", "data.csv", "data.tsv.zst"}) {
    succeed({"convert", "raw", name, "-q"});
    const std::string ending = std::string(name).substr(4);
    expect_files({"split", name, "-q"}, "data.train" + ending, "data.test" + ending);
  }
  expect_files({"split", "data.csv", "-o", "part", "-q"}, "part.train.csv", "part.test.csv");
  expect_files({"split", "data.csv", "--train-file", "x.tsv", "-q"}, "x.tsv", "data.test.csv");
  expect_files({"split", "data.csv", "--train-file", "x.tsv", "--test-file", "y.libsvm.gz", "-q"}, "x.tsv",
               "y.libsvm.gz");
  fs::copy(folder_.path("data.csv"), folder_.path("table.data"));
  expect_files({"split", "table.data", "--format", "csv", "-q"}, "table.data.train.csv", "table.data.test.csv");
  expect_files({"split", "-", "-o", "part", "-q"}, "part.train.libsvm", "part.test.libsvm",
               read_text(folder_.path("raw")));
}

TEST_F(Split, KeepsNamesAndTheNumberOfFeatures) {
  folder_.write("genes.csv",
                "tumour,\"gene, A\",geneB\nyes,1,0\nno,-1,0.5\nyes,2,0\nno,-2,0\nno,5,0\nyes,7,0\n");
  succeed({"split", "genes.csv", "--label", "tumour", "--train", "0.34", "-q"});
  for (const char* file : {"genes.train.csv", "genes.test.csv"})
    EXPECT_EQ(lines(file)[0], "tumour,\"gene, A\",geneB") << file;
  EXPECT_EQ(lines("genes.train.csv").size(), 1U + 2U);

  folder_.write("wide.libsvm", "1 1:1\n-1 1:2\n1 1:3\n-1 1:4 9:1\n");
  succeed({"split", "wide.libsvm", "--train", "0.5", "-q"});
  for (const char* file : {"wide.train.libsvm", "wide.test.libsvm"})
    EXPECT_EQ(read_dataset(folder_.path(file), {}).n_features(), 9) << file;
}

TEST_F(Split, RefusesToOverwriteTheData) {
  const std::string text = write_samples();
  expect_refused({"split", "data.libsvm", "--train-file", "data.libsvm"}, 2,
                 "--train-file data.libsvm: is the same file as DATA data.libsvm");
  expect_refused({"split", "data.libsvm", "--test-file", "./data.libsvm"}, 2,
                 "./data.libsvm: is the same file as DATA data.libsvm");
  fs::create_symlink("data.libsvm", folder_.path("link"));
  expect_refused({"split", "data.libsvm", "--train-file", "link"}, 2,
                 "link: is the same file as DATA data.libsvm");
  expect_refused({"split", "data.libsvm", "--train-file", "a", "--test-file", "./a"}, 2,
                 "--test-file ./a: must be another file than --train-file");
  EXPECT_EQ(read_text(folder_.path("data.libsvm")), text);
}

TEST_F(Split, RefusesWhatMakesNoSense) {
  write_samples();
  for (const char* share : {"0", "1", "-0.5", "1.5"}) {
    expect_refused({"split", "data.libsvm", "--train", share}, 2,
                   std::string("--train ") + share + ": must be greater than 0 and less than 1");
  }
  expect_refused({"split", "data.libsvm", "--train", "half"}, 2, "--train half: expected a number");
  expect_refused({"split", "data.libsvm", "--seed", "-1"}, 2, "--seed -1: expected a whole number");
  expect_refused({"split", "-"}, 2, "standard input has no name");
  expect_refused({"split", "-", "--train-file", "a"}, 2, "standard input has no name");
  expect_refused({"split", "data.libsvm", "--train-file", "-"}, 2, "- cannot be one of two files");
  expect_refused({"split", "data.libsvm", "-o", "x", "--train-file", "a", "--test-file", "b"}, 2,
                 "--output is not needed");
  expect_refused({"split", "data.libsvm", "--test-file", "a.arff"}, 1, "a.arff: .arff files are not");
  expect_refused({"split", "nowhere.libsvm"}, 1, "nowhere.libsvm: ");
  folder_.write("two.libsvm", "1 1:1\n-1 1:2\n");
  expect_refused({"split", "two.libsvm", "--train", "0.999"}, 1, "2 samples are too few to leave one for");
}

// What cannot be finished in one of the files leaves neither.
TEST_F(Split, WritesBothFilesOrNone) {
  write_samples();
  expect_refused({"split", "data.libsvm", "--test-file", "/dev/full"}, 1, "/dev/full: ");
  expect_refused({"split", "data.libsvm", "--test-file", "no/folder/x"}, 1, "no/folder/x: ");
  folder_.write("words.csv", "y,a\none word,1\ntwo words,2\none word,3\ntwo words,4\n");
  expect_refused({"split", "words.csv", "--train", "0.5", "--test-file", "x.libsvm"}, 1,
                 "cannot be written in LIBSVM format");
}

}  // namespace
}  // namespace hsvm::test
