#include "experiments/lab/lab.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <stdexcept>
#include <utility>

#include "experiments/lab/run_experiment.hpp"
#include "experiments/registry.hpp"
#include "hsvm/core/error.hpp"
#include "hsvm/core/parallel.hpp"
#include "hsvm/io/formats/dataset_file.hpp"

namespace hsvm::lab {

Lab::Lab(const Experiment& experiment, LabSettings settings, Journal& journal)
    : experiment_(experiment), settings_(std::move(settings)), journal_(journal) {
  if (!settings_.data.empty()) manifest_ = datasets::read_manifest(settings_.data);
}

int Lab::trials() const {
  return trials_of(experiment_, settings_);
}

double Lab::time_limit() const {
  constexpr double kSmallest = 1.0;
  constexpr double kQuick = 4.0;
  constexpr double kFull = 1800.0;
  return settings_.time_limit.value_or(pick(kSmallest, kQuick, kFull));
}

std::uint64_t Lab::seed(int trial, int purpose) const {
  constexpr std::uint64_t kPurposes = 1'000'000;
  return 1 + static_cast<std::uint64_t>(trial) + kPurposes * static_cast<std::uint64_t>(purpose);
}

bool Lab::has_data(const std::string& name) const {
  return find_entry(manifest_, name).has_value();
}

Dataset Lab::data(const std::string& name, std::optional<Index> n_features) const {
  const auto entry = find_entry(manifest_, name);
  if (!entry) throw InputError("no dataset '" + name + "' in " + settings_.data);
  ReadOptions options;
  options.n_features = n_features ? n_features : entry->n_features;
  return read_dataset(entry->path, options);
}

const Json& Lab::trial(const std::string& key, const std::function<Json()>& measure) {
  if (!seen_.insert(key).second)
    throw std::logic_error(experiment_.name + ": two trials have the key '" + key + "'");
  keys_.push_back(key);
  if (const JournalEntry* known = journal_.find(key)) return known->value;
  if (settings_.interrupted && settings_.interrupted()) throw Interrupted();
  if (settings_.show_progress) {
    fmt::print(stderr, "\r{}: {}\x1b[K", experiment_.name, key);
    std::fflush(stderr);
  }
  JournalEntry entry{.key = key};
  const Stopwatch watch;
  with_threads(1, [&] { entry.value = measure(); });
  entry.seconds = watch.seconds();
  if (settings_.interrupted && settings_.interrupted()) throw Interrupted();
  return journal_.add(std::move(entry)).value;
}

std::vector<Json> Lab::run_trials(const std::string& what, const std::function<Json(int)>& measure) {
  return run_trials(what, trials(), measure);
}

std::vector<Json> Lab::run_trials(const std::string& what, int count, const std::function<Json(int)>& measure) {
  std::vector<Json> values;
  for (int k = 0; k < count; ++k)
    values.push_back(trial(fmt::format("{} trial {}", what, k), [&] { return measure(k); }));
  return values;
}

Json Lab::result_of(const std::string& name) const {
  return run_experiment(find_experiment(name), settings_);
}

void Lab::add(Table table) {
  table.check();
  tables_.push_back(std::move(table));
}

}  // namespace hsvm::lab
