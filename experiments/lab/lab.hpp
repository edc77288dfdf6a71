// What an experiment works with: its settings, its data, the journal that remembers every trial, and the tables
// it fills.
//
//   void run(Lab& lab) {
//     for (int trial = 0; trial < lab.trials(); ++trial) {
//       const Json measured = lab.trial(fmt::format("rho 0 trial {}", trial), [&]() -> Json {
//         const Dataset data = generate(GaussianDesign{.seed = lab.seed(trial)});
//         ...
//         return {{"seconds", ...}};
//       });
//       ...
//     }
//     lab.add(std::move(table));
//     lab.note("...");
//   }
//
// Whatever is measured or takes long belongs into a trial: a second run with the same settings gets its value
// from the journal. Tables and notes are made from the values of trials alone.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "baselines/run_limits.hpp"
#include "datasets/manifest.hpp"
#include "experiments/lab/experiment.hpp"
#include "experiments/lab/journal.hpp"
#include "experiments/lab/settings.hpp"
#include "experiments/lab/table.hpp"
#include "hsvm/data/dataset.hpp"

namespace hsvm::lab {

// Thrown out of Lab::trial after Ctrl-C; the trial that was under way is not in the journal.
class Interrupted : public std::exception {
 public:
  [[nodiscard]] const char* what() const noexcept override { return "interrupted"; }
};

class Lab {
 public:
  Lab(const Experiment& experiment, LabSettings settings, Journal& journal);

  [[nodiscard]] Scale scale() const { return settings_.scale; }
  [[nodiscard]] int trials() const;
  // By scale.
  template <class T>
  [[nodiscard]] T pick(T smallest, T quick, T full) const {
    return scale() == Scale::smallest ? smallest : scale() == Scale::quick ? quick : full;
  }
  // For one solve of one method: --time-limit, else 1 s, 4 s or the half hour after which the paper gave up.
  [[nodiscard]] double time_limit() const;
  // For the trial's data, by purpose (0 training, 1 testing, ...): never the same for two.
  [[nodiscard]] std::uint64_t seed(int trial, int purpose = 0) const;

  // A dataset by its name in the manifest.
  [[nodiscard]] bool has_data(const std::string& name) const;
  // Throws InputError where it is absent; ask before. n_features: that of the training set, for a test set.
  [[nodiscard]] Dataset data(const std::string& name, std::optional<Index> n_features = {}) const;

  // Measures, or remembers. Keys differ from each other. Runs on one thread: times are those of one core.
  const Json& trial(const std::string& key, const std::function<Json()>& measure);
  // measure(0), measure(1), ... under the keys "WHAT trial 0", ...: as many as the experiment has, or as are given.
  [[nodiscard]] std::vector<Json> run_trials(const std::string& what,
                                             const std::function<Json(int trial)>& measure);
  [[nodiscard]] std::vector<Json> run_trials(const std::string& what, int count,
                                             const std::function<Json(int trial)>& measure);
  // Asked by long solves: stops them at Ctrl-C and at the time limit.
  [[nodiscard]] baselines::RunLimits limits() const { return {time_limit(), settings_.interrupted}; }
  [[nodiscard]] SolveMonitor monitor() const { return {settings_.interrupted, {}}; }

  // The result of another experiment with the same settings, as its JSON file has it; runs it where needed.
  [[nodiscard]] Json result_of(const std::string& name) const;

  void add(Table table);
  // What was missing, replaced, or differs from the paper and why; what the numbers say.
  void note(std::string text) { notes_.push_back(std::move(text)); }

  [[nodiscard]] const std::vector<Table>& tables() const { return tables_; }
  [[nodiscard]] const std::vector<std::string>& notes() const { return notes_; }
  // Of the trials of this run, measured now or before, in order.
  [[nodiscard]] const std::vector<std::string>& keys() const { return keys_; }

 private:
  const Experiment& experiment_;
  LabSettings settings_;
  Journal& journal_;
  std::vector<datasets::ManifestEntry> manifest_;
  std::vector<Table> tables_;
  std::vector<std::string> notes_;
  std::vector<std::string> keys_;
  std::set<std::string> seen_;
};

}  // namespace hsvm::lab
