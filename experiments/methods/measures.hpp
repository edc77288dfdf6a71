// What is measured of a method in a trial, and what tables say of several trials: a trial is {"M-PGH": {...}, "OVA":
// {...}}, the methods that are there with their measures.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "experiments/methods/solve.hpp"

namespace hsvm::lab {

// Accuracy and balanced accuracy (the mean over those classes that are there) in per cent, seconds, status and, of
// linear models, the nonzeros of W and its nonzero rows.
[[nodiscard]] Json measures(const Solved& solved, const Dataset& test);

// The mean over the trials, where each of them has the number.
[[nodiscard]] std::optional<double> mean_of(std::span<const Json> trials, const std::string& name,
                                            const std::string& measure);

// The mean beside the paper's number, with the standard deviation of one trial where that is asked for and there are
// several. Where there is no mean the cell says why: "no data", "not built", "out of memory", "time limit", or "–"
// for a measure it never has.
[[nodiscard]] Cell mean_cell(std::span<const Json> trials, const std::string& name, const std::string& measure,
                             std::optional<double> paper = {}, bool with_spread = false);
[[nodiscard]] Cell mean_cell(std::span<const Json> trials, Method method, const std::string& measure,
                             std::optional<double> paper = {}, bool with_spread = false);

// Says how often fits ended before their stopping rule held; nothing where none did.
void note_early_stops(std::span<const Json> trials, std::span<const Method> methods, Table& table);

// On how many sets one method is ahead of another.
struct Lead {
  int ahead = 0;
  int level = 0;
  int sets = 0;  // on which both have a number

  // The larger number is ahead.
  void count(std::optional<double> first, std::optional<double> second);
};

}  // namespace hsvm::lab
