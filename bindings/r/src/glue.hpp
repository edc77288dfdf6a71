// What the entry points share: R's objects in and out, the library's verbs in between.
//
//   SharedDesign  design.cpp    a matrix of R, used in place
//   AllOptions    options.cpp   a named list, by the names of the library's options
//   run_job       job.cpp       a verb on a thread of its own, while R's thread looks for interrupts
//   to_list       models.cpp    a fitted model as R sees it
//
// R's functions are called from R's own thread only.
#pragma once

#include <Rcpp.h>

#include <functional>
#include <string>

#include "bindings/shared/job.hpp"
#include "hsvm/api.hpp"

namespace hsvm::r {

// A numeric matrix or a dgCMatrix. Its memory is R's: the caller keeps the object for as long as the design is used.
[[nodiscard]] SharedDesign to_design(SEXP x);

struct AllOptions {
  FitOptions fit;
  PathOptions path;
  TuneOptions tune;
};
// Throws OptionError where no option has such a name, or the value is of another kind.
[[nodiscard]] AllOptions to_options(const Rcpp::List& values);
// What R calls an option of the library: thresh for tolerance.
[[nodiscard]] std::string r_name(const std::string& name);

using bindings::JobState;
using bindings::solve_monitor;
using bindings::tune_monitor;

// Returns when the job is done; throws what it threw. Where the user interrupts, or a time limit of R's is reached, the job is
// told to stop, and when it has ended R's condition goes its way. With `shows` a line of progress is kept up to date.
void run_job(const std::function<void(JobState&)>& job, bool shows);
// Whether this process is a child of the one that loaded the library (parallel::mclapply): it works on one thread.
[[nodiscard]] bool is_forked_child();

// factors: the penalty factors of the fit, empty where all are 1 or nobody knows them.
struct KnownFactors {
  bool known = false;
  std::vector<double> values = {};
};
[[nodiscard]] Rcpp::List to_list(const PathModel& path, const KnownFactors& factors);
[[nodiscard]] Rcpp::List to_list(const LinearModel& model, const KnownFactors& factors);
[[nodiscard]] Rcpp::List to_list(const TunedModel& model, const KnownFactors& factors);

}  // namespace hsvm::r
