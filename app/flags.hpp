// Flags that several commands share, made from the descriptions beside the options structs.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/command_line.hpp"
#include "app/files.hpp"
#include "app/table_flags.hpp"
#include "hsvm/api.hpp"

namespace hsvm::app {

// --quiet, --verbose, --json
struct PrintFlags {
  bool quiet = false;
  bool verbose = false;
  bool json = false;
};
void add_print_flags(Command& command, PrintFlags& flags, bool with_json);

// --format, --features, --labels, --zero-based, --groups, --names and those of a table
struct DataFlags {
  // The files among them, and with them those that the command names besides.
  [[nodiscard]] std::vector<NamedFile> files(std::vector<NamedFile> more) const;

  std::string format;
  TableFlags table;
  std::string labels;
  bool zero_based = false;
  std::string groups;
  std::string names;
  std::optional<Index> features;
};
void add_data_flags(Command& command, DataFlags& flags);
[[nodiscard]] ReadOptions read_options(const DataFlags& flags);
// Of --precision. Throws FlagError.
[[nodiscard]] Precision parse_precision(const std::string& text);
// The names of --names, after a check that there is one for each feature; empty without the flag.
[[nodiscard]] std::vector<std::string> read_feature_names(const DataFlags& flags, const Dataset& data);

// What a file has for each sample, weights or folds, loses its place where a sample was left out for missing values.
template <class T>
void leave_out_dropped(const Dataset& data, std::vector<T>& of_sample) {
  const std::vector<Index>& dropped = data.table.dropped_rows;
  if (std::ssize(of_sample) != data.n_samples() + std::ssize(dropped)) return;
  for (auto row = dropped.rbegin(); row != dropped.rend(); ++row) of_sample.erase(of_sample.begin() + *row);
}
// The groups of --groups by numbers, one for each sample; empty without the flag.
[[nodiscard]] std::vector<Index> read_groups(const DataFlags& flags, const Dataset& data,
                                             const Collective& ranks = single_process());

// The model and solver flags of hsvm/fit/options.hpp.
// Several values of --lambda1 go to the list.
void add_fit_flags(Command& command, FitOptions& options, std::vector<double>& lambda1_list);
// Those of hsvm/path/options.hpp.
void add_path_flags(Command& command, PathOptions& options);
void add_lambda_grid_flag(Command& command, std::string& values_or_file);
// The values of --lambda-grid, which has them itself or the name of a file, else those of --lambda1.
[[nodiscard]] std::vector<double> read_lambda_grid(const std::string& values_or_file,
                                                   const std::vector<double>& lambda1_list);
// Those of hsvm/select/tune_options.hpp.
void add_tune_flags(Command& command, TuneOptions& options);

// --lambda1 and --one-se, which pick one model of a file that holds several.
struct PickFlags {
  std::optional<double> lambda1;
  bool one_se = false;
};
void add_pick_flags(Command& command, PickFlags& flags);

// A number with its default in the help.
void add_number(Command& command, const std::string& flag, Index& value, const std::string& help);
void add_number(Command& command, const std::string& flag, double& value, const std::string& help);
void add_number(Command& command, const std::string& flag, std::uint64_t& value, const std::string& help);

}  // namespace hsvm::app
