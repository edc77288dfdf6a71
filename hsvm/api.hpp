// The verbs every face of hsvm uses: read, fit, fit a path, tune, predict, save and load.
//
//   const Dataset data = read_dataset("train.libsvm.xz", {});
//   const LinearModel model = fit({.data = data}, {.lambda1_ratio = 0.1});
//   const Prediction prediction = predict(model, read_dataset("test.libsvm.xz", {}).design);
//   save_model(model, "model.json");
#pragma once

#include <string>

#include "hsvm/core/error.hpp"
#include "hsvm/core/lost_bytes.hpp"
#include "hsvm/core/parallel.hpp"
#include "hsvm/data/dataset.hpp"
#include "hsvm/data/synthetic/four_class_design.hpp"
#include "hsvm/data/synthetic/gaussian_design.hpp"
#include "hsvm/data/take_rows.hpp"
#include "hsvm/fit/input.hpp"
#include "hsvm/fit/options.hpp"
#include "hsvm/io/formats/dataset_file.hpp"
#include "hsvm/io/formats/folder.hpp"
#include "hsvm/io/formats/format_table.hpp"
#include "hsvm/io/formats/lists.hpp"
#include "hsvm/io/streams/compression.hpp"
#include "hsvm/io/streams/output_file.hpp"
#include "hsvm/io/streams/text.hpp"
#include "hsvm/model/calibration.hpp"
#include "hsvm/model/linear_model.hpp"
#include "hsvm/model/metrics.hpp"
#include "hsvm/model/model_columns.hpp"
#include "hsvm/model/model_file.hpp"
#include "hsvm/model/path_model.hpp"
#include "hsvm/model/predict.hpp"
#include "hsvm/model/score.hpp"
#include "hsvm/model/tuning.hpp"
#include "hsvm/model/tuning_notes.hpp"
#include "hsvm/path/options.hpp"
#include "hsvm/select/choose.hpp"
#include "hsvm/select/folds.hpp"
#include "hsvm/select/groups.hpp"
#include "hsvm/select/tune_options.hpp"
#include "hsvm/solve/solve_report.hpp"

namespace hsvm {

// Throws InputError where the data does not fit (one class, no labels, wrong lengths), OptionError where an
// option is out of range. An early stop is not an error: it stands in model.report->status.
[[nodiscard]] LinearModel fit(const FitInput& input, const FitOptions& options,
                              const SolveMonitor& monitor = {});

// One model for each lambda1 from lambda1_max down, each certified by itself. The options are those of a fit
// with max_iterations for each point and time_limit for all of them; lambda1, lambda1_ratio and lambda are not
// to be given, and alpha stands alone. Ends early where nothing is left to learn (unless full_path says not to), and, with
// the points that were done, at the time limit and when interrupted; there is one point at least.
[[nodiscard]] PathModel fit_path(const FitInput& input, const FitOptions& options,
                                 const PathOptions& path_options = {}, const SolveMonitor& monitor = {});

// Finds the penalties by cross-validation: over lambda1 as in fit_path, over lambda2 (unless it or alpha is given) and delta
// as the tune options say, all on the same folds and one grid of lambda1, which goes on downwards while the best point is at
// its end. Gives the best model and the sparser one within
// one standard error, both fitted to all samples and certified, with class probabilities from the scores of the
// held-out samples. tuning.notes says what to know of it: describe() puts that into words.
//
// Whatever is learned from the data - standardising, ranking, balanced class weights - is learned from the
// samples that are not held out. Paths run in parallel; the result does not depend on the number of threads.
// time_limit is for everything. Where it, or an interruption, comes after the paths of all samples and of two
// folds for each point of lambda2 and delta, the choice is made by the folds that are done; before that there
// is nothing to choose by: StoppedError.
[[nodiscard]] TunedModel tune(const FitInput& input, const FitOptions& options,
                              const PathOptions& path_options = {}, const TuneOptions& tune_options = {},
                              const TuneMonitor& monitor = {});

void save_model(const LinearModel& model, const std::string& path);
[[nodiscard]] LinearModel load_model(const std::string& path);
void save_path(const PathModel& model, const std::string& path);
[[nodiscard]] PathModel load_path(const std::string& path);
// The best model stands in the file as any other does, so that load_model reads it.
void save_tuned(const TunedModel& model, const std::string& path);
[[nodiscard]] TunedModel load_tuned(const std::string& path);
// A model, a path or a tuned model, as the file says.
[[nodiscard]] AnyModel load_any_model(const std::string& path);

// The time of one pass on one thread: X w and X'r with a dense w, for all outputs at once where there are
// several.
[[nodiscard]] double measure_pass_seconds(const Design& design, Index n_outputs = 1);

}  // namespace hsvm
