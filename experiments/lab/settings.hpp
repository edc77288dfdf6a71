// How experiments are run: how large, how often, and where data and results are.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "hsvm/solve/proximal_gradient.hpp"

namespace hsvm::lab {

enum class Scale {
  smallest,  // for tests: seconds for everything
  quick,     // a minute or less for each experiment: the shape of the results
  full       // the paper's sizes and trials
};

[[nodiscard]] constexpr std::string_view to_string(Scale scale) {
  return scale == Scale::smallest ? "smallest" : scale == Scale::quick ? "quick" : "full";
}

struct LabSettings {
  Scale scale = Scale::full;
  std::optional<int> trials = {};  // instead of the experiment's own
  std::string data = {};           // folder with a manifest; empty for none
  std::string results = "results";
  std::optional<double> time_limit = {};              // seconds a solve; see Lab::time_limit
  bool show_progress = false;                         // on standard error
  std::function<bool()> interrupted = {};             // true stops everything; what was measured is kept
  std::function<void(const std::string&)> tell = {};  // a word to the user
};

}  // namespace hsvm::lab
