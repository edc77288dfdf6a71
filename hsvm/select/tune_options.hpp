// The options of cross-validation beside those of a path: how samples are held out, what is tried, and what counts.
#pragma once

#include <array>
#include <functional>
#include <optional>
#include <vector>

#include "hsvm/core/types.hpp"
#include "hsvm/model/tuning.hpp"
#include "hsvm/path/options.hpp"
#include "hsvm/select/folds.hpp"
#include "hsvm/solve/solve_report.hpp"

namespace hsvm {

struct TuneOptions {
  std::optional<Index> folds = {};  // 10, or as many as there are samples to hold out where these are fewer
  Index repeats = 1;
  bool leave_one_out = false;
  std::vector<Index> fold_of_sample = {};  // instead of the three above: any numbers, one fold for each of them
  std::vector<Index> group_of_sample = {};  // empty, or any numbers: samples of one group are held out together
  std::optional<Folds> given_folds = {};    // the same for several repeats, or with samples never held out
  std::vector<double> lambda2_grid = {};  // empty: the lambda2 or alpha of the fit, or else kDefaultLambda2Grid
  std::vector<double> delta_grid = {};    // empty: the delta of the fit alone
  Score score = Score::accuracy;
  bool nested = false;       // also judge the procedure as a whole, by outer folds around it
  Index stability = 0;       // how many random halves to select features on
  bool keep_scores = false;  // keep the scores of held-out samples along the path that has the best point

  // Throws OptionError where a value is out of its range or two options contradict each other.
  void check() const;
};

inline constexpr Index kDefaultFolds = 10;
inline constexpr std::array<double, 4> kDefaultLambda2Grid = {1.0, 0.1, 0.01, 0.001};

// A look at a cross-validation on its way. Called from one thread at a time.
struct TuneProgress {
  Count paths_done = 0;
  Count n_paths = 0;
  double seconds = 0.0;
  double seconds_left = 0.0;  // what is left at the speed so far; 0 while nothing is done
};
struct TuneMonitor {
  std::function<bool()> interrupted = {};                  // true stops the tuning; asked from many threads
  std::function<void(const TuneProgress&)> progress = {};  // after every path
};

// Stopped (interrupted, or at the time limit) with nothing to give.
class StoppedError : public Error {
 public:
  StoppedError(Status status, const std::string& what) : Error(what), status_(status) {}
  [[nodiscard]] Status status() const { return status_; }

 private:
  Status status_;
};

template <class Options, class Visit>
void describe_tuning(Options& o, Visit&& visit) {
  visit(OptionInfo{"folds", "how many parts the samples are dealt into, each class evenly (default: 10)",
                   between(2, 1'000'000'000)},
        o.folds);
  visit(OptionInfo{"repeats", "cross-validate so many times, each time with other folds", between(1, 10'000)},
        o.repeats);
  visit(OptionInfo{"leave_one_out", "hold out one sample at a time"}, o.leave_one_out);
  visit(OptionInfo{"score", "what the best model is best in: " + list_tuning_scores()}, o.score);
  visit(
      OptionInfo{"nested",
                 "also judge the whole procedure, choice included: each fold is predicted by models chosen by "
                 "cross-validation within the other folds (takes as many times longer as there are folds)"},
      o.nested);
  visit(OptionInfo{"stability",
                   "also count how often each feature is selected on so many random halves of the samples",
                   between(0, 1'000'000)},
        o.stability);
}

}  // namespace hsvm
