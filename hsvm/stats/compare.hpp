// All that this folder says of a table of scores: average ranks, the tests of all methods together, of every
// pair, of each method against a control, and which methods do not differ.
//
//   const Comparison result = compare({.datasets = {...}, .methods = {...}, .scores = {...}});
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "hsvm/stats/friedman.hpp"
#include "hsvm/stats/holm.hpp"
#include "hsvm/stats/score_table.hpp"
#include "hsvm/stats/wilcoxon.hpp"

namespace hsvm::stats {

struct CompareOptions {
  std::string control = {};  // a method's name; empty: the best average rank, of equals the first
  double alpha = 0.05;       // level of the critical difference, 0 < alpha < 1
};

struct PairTest {
  std::size_t first = 0;  // first < second, in the order of the table
  std::size_t second = 0;
  WilcoxonTest wilcoxon = {};  // R+ counts for the first, whether larger or smaller scores are better
  double adjusted_p = 1.0;     // Holm's, over all pairs, from wilcoxon.p
};

struct Comparison {
  std::vector<double> average_ranks;  // of each method, 1 is best
  std::vector<std::size_t> order;     // methods, best first
  FriedmanTest friedman;
  std::vector<PairTest> pairs;
  std::size_t control = 0;
  std::vector<ControlTest> against_control;  // smallest p-value first
  double alpha = 0.0;
  double critical_difference = 0.0;
  std::vector<std::vector<std::size_t>> groups;  // that the critical difference does not tell apart
};

// Throws InputError for a table that is not fit for it, OptionError for a control that is no method.
[[nodiscard]] Comparison compare(const ScoreTable& table, const CompareOptions& options = {});

}  // namespace hsvm::stats
