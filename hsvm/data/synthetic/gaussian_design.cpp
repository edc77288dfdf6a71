#include "hsvm/data/synthetic/gaussian_design.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "hsvm/core/error.hpp"
#include "hsvm/core/parallel.hpp"
#include "hsvm/core/random.hpp"

namespace hsvm {

void GaussianDesign::check() const {
  const auto require = [](bool holds, const std::string& name, const std::string& value, const char* range) {
    if (!holds) throw value_error(name, value, std::string("must be ") + range);
  };
  require(n >= 2, "n", std::to_string(n), "at least 2");
  require(p >= 1, "p", std::to_string(p), "at least 1");
  require(s >= 1 && s <= p, "s", std::to_string(s), "between 1 and the number of features");
  require(rho >= 0.0 && rho < 1.0, "rho", std::to_string(rho), "in [0, 1)");
}

void fill_gaussian_rows(DenseMatrix<double>& x, double rho, std::uint64_t seed,
                        const std::function<CorrelatedRow(Index)>& describe) {
  // An equicorrelated Gaussian is a shared one plus independent ones.
  const double shared_weight = std::sqrt(rho);
  const double own_weight = std::sqrt(1.0 - rho);
  constexpr Index kBlockRows = 8;  // rows written side by side: whole cache lines of a column
  parallel_blocks(x.rows(), kBlockRows, [&](Index begin, Index end) {
    for (Index i = begin; i < end; ++i) {
      const CorrelatedRow row = describe(i);
      Random random(seed, static_cast<std::uint64_t>(i));
      const double shared = row.mean + shared_weight * random.normal();
      for (Index j = 0; j < x.cols(); ++j) {
        const bool correlated = j >= row.first && j - row.first < row.count;
        x(i, j) = correlated ? shared + own_weight * random.normal() : random.normal();
      }
    }
  });
}

Dataset generate(const GaussianDesign& design) {
  design.check();
  DenseMatrix<double> x(design.n, design.p);
  fill_gaussian_rows(x, design.rho, design.seed, [&](Index i) {
    return CorrelatedRow{.first = 0, .count = design.s, .mean = i % 2 == 0 ? 1.0 : -1.0};
  });
  Labels labels;
  labels.classes = {true, {"-1", "1"}};
  for (Index i = 0; i < design.n; ++i) labels.of_sample.push_back(i % 2 == 0 ? 1 : 0);
  return {"generated data", std::move(x), std::move(labels), {}};
}

}  // namespace hsvm
