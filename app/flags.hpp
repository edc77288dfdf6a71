// Flags that several subcommands share, made from the descriptions beside the options structs.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <memory>
#include <string>

#include "hsvm/api.hpp"

namespace hsvm::app {

// --quiet, --verbose, --json
struct Speech {
  bool quiet = false;
  bool verbose = false;
  bool json = false;
};
void add_speech_flags(CLI::App& command, Speech& speech, bool with_json);

// --format, --features, --label, --names
struct DataFlags {
  std::string format;
  std::string label;
  std::string names;
  std::optional<Index> features;
};
void add_data_flags(CLI::App& command, DataFlags& flags);
[[nodiscard]] ReadOptions read_options(const DataFlags& flags);
// The names of --names, after a check that there is one for each feature; empty without the flag.
[[nodiscard]] std::vector<std::string> read_feature_names(const DataFlags& flags, const Dataset& data);

// The model and solver flags of hsvm/fit/options.hpp.
void add_fit_flags(CLI::App& command, FitOptions& options);
// Those of hsvm/path/options.hpp.
void add_path_flags(CLI::App& command, PathOptions& options);
void add_lambda_grid_flag(CLI::App& command, std::string& file);
// Those of hsvm/select/tune_options.hpp.
void add_tune_flags(CLI::App& command, TuneOptions& options);

// --lambda1 and --one-se, which pick one model of a file that holds several.
struct PickFlags {
  std::optional<double> lambda1;
  bool one_se = false;
};
void add_pick_flags(CLI::App& command, PickFlags& flags);

// A flag with a number, parsed strictly: "--n 12x" is refused with what would be right.
void add_number(CLI::App& command, const std::string& flag, Index& value, const std::string& help);
void add_number(CLI::App& command, const std::string& flag, double& value, const std::string& help);
void add_number(CLI::App& command, const std::string& flag, std::uint64_t& value, const std::string& help);
// A flag with numbers between commas, parsed as strictly.
void add_number_list(CLI::App& command, const std::string& flag, std::vector<double>& values,
                     const std::string& help, const std::string& group);

}  // namespace hsvm::app
