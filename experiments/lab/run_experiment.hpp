// One experiment from beginning to end: RESULTS/NAME.journal.jsonl while it runs, RESULTS/NAME.json and NAME.md
// when it is done.
#pragma once

#include "experiments/lab/experiment.hpp"
#include "experiments/lab/settings.hpp"
#include "experiments/lab/table.hpp"

namespace hsvm::lab {

// Of this experiment under these settings: given, the paper's, its own for quick runs, or 1.
[[nodiscard]] int trials_of(const Experiment& experiment, const LabSettings& settings);
// What measured numbers depend on. Two runs that differ in it share nothing.
[[nodiscard]] Json settings_json(const Experiment& experiment, const LabSettings& settings);

// Returns what it has written as JSON. Throws Interrupted after Ctrl-C, with the journal kept.
Json run_experiment(const Experiment& experiment, const LabSettings& settings);

// A result, as JSON has it, as Markdown under a heading of the given level.
[[nodiscard]] std::string result_to_markdown(const Json& result, int level);
// The same as HTML, its tables named after the experiment; without a heading.
[[nodiscard]] std::string result_to_html(const Json& result);
// "measured with ... on ...", of a result.
[[nodiscard]] std::string provenance(const Json& result);

}  // namespace hsvm::lab
