// The program as several processes of mpirun: the same answer as one has, one voice, and faults of one rank that end all of them. Skipped where MPI is
// not there.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <thread>

#include "tests/support/program.hpp"
#include "tests/support/temporary_folder.hpp"

namespace hsvm::test {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;
using ::testing::HasSubstr;

class OverMpi : public ::testing::Test {
 protected:
  void SetUp() override {
    program_ = program_in("HSVM_PROGRAM");
    for (const char* folder : {"/usr/bin", "/usr/local/bin"}) {
      if (fs::exists(fs::path(folder) / "mpirun")) mpirun_ = (fs::path(folder) / "mpirun").string();
    }
    if (mpirun_.empty() || !fs::exists(fs::path(program_).parent_path() / "libhsvm_mpi.so"))
      GTEST_SKIP() << "MPI is not there (Debian: libopenmpi-dev, openmpi-bin)";
    // mpirun asks for these where the user is root, as in containers; it may start more processes than there are cores.
    setenv("OMPI_ALLOW_RUN_AS_ROOT", "1", 1);
    setenv("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1", 1);
    setenv("OMPI_MCA_rmaps_base_oversubscribe", "1", 1);
    setenv("OMPI_MCA_mpi_yield_when_idle", "1", 1);
    setenv("OMPI_MCA_btl_vader_single_copy_mechanism", "none", 1);
  }

  Outcome run(const std::vector<std::string>& words) const {
    return run_program(program_, words, folder_.path(""));
  }
  Outcome run(int n_ranks, std::vector<std::string> words, const Interrupt& interrupt = {}) const {
    words.insert(words.begin(), {"-n", std::to_string(n_ranks), "--bind-to", "none", program_});
    return run_program(mpirun_, words, folder_.path(""), "", interrupt);
  }
  [[nodiscard]] std::string file(const std::string& name) const {
    return (fs::path(folder_.path("")) / name).string();
  }
  void generate(const std::string& name, int n, int p) const {
    ASSERT_EQ(
        run({"generate", "binary", "--n", std::to_string(n), "--p", std::to_string(p), "--s", "5", "-o", name})
            .exit_code,
        0);
  }
  [[nodiscard]] Json model(const std::string& name) const {
    std::ifstream stream(file(name));
    return Json::parse(stream);
  }

  std::string program_;
  std::string mpirun_;
  TemporaryFolder folder_;
};

TEST_F(OverMpi, FitsTheModelOfOneProcess) {
  generate("data.libsvm", 90, 20);
  const Outcome alone = run({"fit", "data.libsvm", "--json"});
  ASSERT_EQ(alone.exit_code, 0) << alone.errors;
  const Json expected = Json::parse(alone.output);
  for (const int n_ranks : {1, 2, 3, 4}) {
    const Outcome outcome = run(n_ranks, {"fit", "data.libsvm", "--json", "-m", "model.json"});
    ASSERT_EQ(outcome.exit_code, 0) << outcome.errors;
    const Json found = Json::parse(outcome.output);  // one object: one rank speaks
    EXPECT_EQ(found["n_samples"], 90);
    EXPECT_NEAR(found["objective"].get<double>(), expected["objective"].get<double>(), 2e-6);
    EXPECT_LE(found["relative_gap"].get<double>(), 1e-6);
    EXPECT_EQ(model("model.json")["coef"]["feature"].size(), found["nonzeros"].get<std::size_t>());
    if (n_ranks > 1) {
      EXPECT_GT(found["collectives"].get<int>(), 0);
      EXPECT_GT(found["bytes_sent"].get<int>(), 0);
      const Outcome again = run(n_ranks, {"fit", "data.libsvm", "--json", "-m", "again.json"});
      EXPECT_EQ(model("again.json")["coef"], model("model.json")["coef"]);  // to the bit
    }
  }
}

TEST_F(OverMpi, TakesTablesPathsFoldsAndPredictions) {
  generate("data.csv", 60, 10);
  const Outcome alone =
      run({"cv", "data.csv", "--folds", "4", "--nlambda", "8", "--lambda2", "0.1", "-m", "alone.json"});
  ASSERT_EQ(alone.exit_code, 0) << alone.errors;
  const Outcome both =
      run(2, {"cv", "data.csv", "--folds", "4", "--nlambda", "8", "--lambda2", "0.1", "-m", "both.json"});
  ASSERT_EQ(both.exit_code, 0) << both.errors;
  EXPECT_EQ(model("both.json")["coef"]["feature"], model("alone.json")["coef"]["feature"]);
  const Outcome path = run(3, {"path", "data.csv", "--nlambda", "5", "-m", "path.json", "--json"});
  ASSERT_EQ(path.exit_code, 0) << path.errors;
  EXPECT_EQ(Json::parse(path.output)["path"].size(), 5U);
  const Outcome predicted = run(3, {"predict", "both.json", "data.csv", "-o", "classes.txt"});
  ASSERT_EQ(predicted.exit_code, 0) << predicted.errors;
  const Outcome expected = run({"predict", "both.json", "data.csv", "-o", "expected.txt"});
  EXPECT_EQ(predicted.errors, expected.errors);  // the accuracy, once
  std::ifstream a(file("classes.txt"));
  std::ifstream b(file("expected.txt"));
  EXPECT_EQ(std::string(std::istreambuf_iterator<char>(a), {}),
            std::string(std::istreambuf_iterator<char>(b), {}));
}

std::size_t count_of(const std::string& text, const std::string& word) {
  std::size_t count = 0;
  for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) ++count;
  return count;
}

TEST_F(OverMpi, SaysOnceWhatIsWrong) {
  std::ofstream(file("bad.libsvm")) << "1 1:1\n-1 1:2\n1 1:3\n-1 1:x\n";
  for (const auto& [words, message, code] :
       {std::tuple(std::vector<std::string>{"fit", "missing.libsvm"}, "missing.libsvm: cannot open", 1),
        std::tuple(std::vector<std::string>{"fit", "bad.libsvm"}, "bad.libsvm:4:6", 1),
        std::tuple(std::vector<std::string>{"fit", "bad.libsvm", "--tolerance", "-1"}, "--tolerance", 2),
        std::tuple(std::vector<std::string>{"fit", "bad.libsvm", "-m", "no/folder/model.json"},
                   "no/folder/model.json", 1)}) {
    const Outcome outcome = run(3, words);
    EXPECT_EQ(outcome.exit_code, code) << outcome.errors;
    EXPECT_THAT(outcome.errors, HasSubstr(message));
    EXPECT_EQ(count_of(outcome.errors, "hsvm: "), 1U) << outcome.errors;
  }
}

TEST_F(OverMpi, RefusesMoreRanksThanSamples) {
  std::ofstream(file("few.libsvm")) << "1 1:1\n-1 1:2\n";
  const Outcome outcome = run(3, {"fit", "few.libsvm"});
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_THAT(outcome.errors, HasSubstr("2 samples for 3 ranks; expected no more ranks than samples"));
}

// Each rank sees the file by a name of its own: RANK in the name is replaced by a shell.
TEST_F(OverMpi, RefusesDifferentFilesAndAFileThatIsMissingForOneRank) {
  generate("data.libsvm", 40, 5);
  for (const char* name : {"node0", "node1"}) fs::create_directory(file(name));
  fs::copy(file("data.libsvm"), file("node0/data.libsvm"));
  const std::string script =
      "cd node$OMPI_COMM_WORLD_RANK && exec " + program_ + " fit data.libsvm -m ../model.json";
  const auto run_apart = [&] {
    return run_program(mpirun_, {"-n", "2", "--bind-to", "none", "sh", "-c", script}, folder_.path(""));
  };
  Outcome outcome = run_apart();
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_THAT(outcome.errors, HasSubstr("data.libsvm: cannot open"));
  generate("node1/data.libsvm", 41, 5);
  outcome = run_apart();
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_THAT(outcome.errors, HasSubstr("rank 1 sees another file than rank 0"));
  EXPECT_FALSE(fs::exists(file("model.json")));
}

TEST_F(OverMpi, MapsItsRowsOfAFolderAndRefusesOneThatIsCutShort) {
  generate("data.libsvm", 90, 20);
  ASSERT_EQ(run({"convert", "data.libsvm", "data.hsvm"}).exit_code, 0);
  const Json expected = Json::parse(run({"fit", "data.libsvm", "--json"}).output);
  const Outcome mapped = run(3, {"fit", "data.hsvm", "--json"});
  ASSERT_EQ(mapped.exit_code, 0) << mapped.errors;
  EXPECT_NEAR(Json::parse(mapped.output)["objective"].get<double>(), expected["objective"].get<double>(), 2e-6);
  fs::resize_file(file("data.hsvm/X.npy"), fs::file_size(file("data.hsvm/X.npy")) - 8);
  const Outcome outcome = run(2, {"fit", "data.hsvm", "-m", "model.json"});
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_THAT(outcome.errors, HasSubstr("cut short"));
  EXPECT_FALSE(fs::exists(file("model.json")));
}

// The processes of the program in this test's folder.
std::vector<int> processes_of(const std::string& program, const std::string& folder) {
  std::vector<int> found;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator("/proc", ignored)) {
    const std::string name = entry.path().filename();
    if (name.find_first_not_of("0123456789") != std::string::npos) continue;
    if (fs::read_symlink(entry.path() / "exe", ignored) == fs::path(program) &&
        fs::read_symlink(entry.path() / "cwd", ignored) == fs::path(folder))
      found.push_back(std::stoi(name));
  }
  return found;
}

// Who has started a process.
int parent_of(int process) {
  std::ifstream status("/proc/" + std::to_string(process) + "/status");
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with("PPid:")) return std::stoi(line.substr(5));
  }
  return 0;
}

// A path that takes long, and what happens when a signal comes to one of its ranks, or to mpirun, while it is solving.
class FaultOverMpi : public OverMpi {
 protected:
  struct Ended {
    Outcome outcome;
    double seconds = 0.0;  // from the signal on
  };
  enum class To { one_rank, mpirun };
  Ended send(int signal, To to = To::one_rank) {
    const std::string folder = fs::canonical(folder_.path("")).string();
    const std::string program = fs::canonical(program_).string();
    std::chrono::steady_clock::time_point sent;
    std::thread sender([&] {
      for (int attempt = 0; attempt < 3000; ++attempt) {
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
        const std::vector<int> ranks = processes_of(program, folder);
        const bool are_solving =
            ranks.size() == 2 && catches_interrupts(ranks[0]) && catches_interrupts(ranks[1]);
        if (!are_solving) continue;
        std::this_thread::sleep_for(std::chrono::milliseconds(200));
        sent = std::chrono::steady_clock::now();
        kill(to == To::mpirun ? parent_of(ranks[1]) : ranks[1], signal);
        return;
      }
    });
    Ended ended;
    ended.outcome = run(2, {"path", "data.libsvm", "--nlambda", "1000000", "--lambda-min-ratio", "0.001",
                            "--full-path", "-m", "model.json"});
    ended.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - sent).count();
    sender.join();
    return ended;
  }
};

TEST_F(FaultOverMpi, StopsTogetherOnASignalToOneRank) {
  generate("data.libsvm", 100, 20);
  for (const int signal : {SIGTERM, SIGINT}) {
    fs::remove(file("model.json"));
    const Ended ended = send(signal);
    EXPECT_EQ(ended.outcome.exit_code, 130) << ended.outcome.errors;
    EXPECT_EQ(count_of(ended.outcome.errors, "hsvm: "), 1U) << ended.outcome.errors;
    EXPECT_THAT(ended.outcome.errors, HasSubstr("interrupted"));
    EXPECT_LT(ended.seconds, 10.0);
    EXPECT_EQ(model("model.json")["status"], "interrupted");  // whole
  }
}

// Ctrl-C in a terminal and Slurm's SIGTERM to a batch script come to mpirun, which sends SIGTERM to all ranks and, after a time that can
// be set, SIGKILL. Its exit code is its own.
TEST_F(FaultOverMpi, StopsTogetherOnASignalToMpirun) {
  generate("data.libsvm", 100, 20);
  for (const int signal : {SIGTERM, SIGINT}) {
    for (const char* seconds : {"2", "0"}) {
      setenv("OMPI_MCA_odls_base_sigkill_timeout", seconds, 1);
      const Ended ended = send(signal, To::mpirun);
      unsetenv("OMPI_MCA_odls_base_sigkill_timeout");
      EXPECT_NE(ended.outcome.exit_code, 0);
      EXPECT_LT(ended.seconds, 15.0);
      EXPECT_THAT(processes_of(fs::canonical(program_).string(), fs::canonical(folder_.path("")).string()),
                  ::testing::IsEmpty());
      if (std::string(seconds) == "0") {  // killed at once: nothing, or all of it
        if (fs::exists(file("model.json"))) {
          EXPECT_EQ(model("model.json")["status"], "interrupted");
        }
      } else {
        EXPECT_EQ(count_of(ended.outcome.errors, "hsvm: "), 1U) << ended.outcome.errors;
        EXPECT_THAT(ended.outcome.errors, HasSubstr("interrupted"));
        EXPECT_EQ(model("model.json")["status"], "interrupted");
      }
      fs::remove(file("model.json"));
      for (const auto& entry : fs::directory_iterator(folder_.path("")))
        EXPECT_EQ(entry.path().filename(), "data.libsvm");
    }
  }
}

TEST_F(FaultOverMpi, EndsAllWhenOneRankDies) {
  generate("data.libsvm", 100, 20);
  const Ended ended = send(SIGKILL);
  EXPECT_EQ(ended.outcome.exit_code, 137) << ended.outcome.errors;
  EXPECT_LT(ended.seconds, 15.0);
  for (const auto& entry : fs::directory_iterator(folder_.path("")))
    EXPECT_EQ(entry.path().filename(), "data.libsvm");  // no model, nor half of one
  EXPECT_THAT(processes_of(fs::canonical(program_).string(), fs::canonical(folder_.path("")).string()),
              ::testing::IsEmpty());
}

}  // namespace
}  // namespace hsvm::test
