// The data the solvers are judged on.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "hsvm/api.hpp"

namespace hsvm::bench {

// The six sizes of the paper's timing table [XAC15, Table 2], the largest last.
[[nodiscard]] const std::vector<GaussianDesign>& paper_sizes();

// "(2000, 20000, 200) rho 0.8"
[[nodiscard]] std::string name_of(const GaussianDesign& design);

// A dataset that is made or read when it is asked for.
struct NamedData {
  std::string name;
  std::function<Dataset()> make;
};

// Text: two made-up collections shaped like rcv1 and real-sim, and news20 with its classes in two groups (the
// first half of them against the others) where there is that file.
[[nodiscard]] std::vector<NamedData> sparse_data();

// A real dataset by its name in the manifest; says so on stderr and returns nothing where it is absent.
[[nodiscard]] std::optional<Dataset> read_real(const std::string& name);

}  // namespace hsvm::bench
