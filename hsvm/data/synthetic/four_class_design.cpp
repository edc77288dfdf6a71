#include "hsvm/data/synthetic/four_class_design.hpp"

#include <string>
#include <utility>

#include "hsvm/core/error.hpp"
#include "hsvm/data/synthetic/gaussian_design.hpp"

namespace hsvm {

void FourClassDesign::check() const {
  GaussianDesign{.n = n, .p = p, .s = s, .rho = rho, .seed = seed}.check();
  if (n < 4) throw value_error("n", std::to_string(n), "must be at least 4, one sample for each class");
  if (s % 2 != 0) throw value_error("s", std::to_string(s), "must be even");
  if (s / 2 > p - s) {
    throw value_error("s", std::to_string(s), "must be at most two thirds of the number of features");
  }
}

Dataset generate(const FourClassDesign& design) {
  design.check();
  DenseMatrix<double> x(design.n, design.p);
  fill_gaussian_rows(x, design.rho, design.seed, [&](Index i) {
    return CorrelatedRow{
        .first = i % 4 < 2 ? 0 : design.s / 2, .count = design.s, .mean = i % 2 == 0 ? 1.0 : -1.0};
  });
  Labels labels;
  labels.classes = {true, {"1", "2", "3", "4"}};
  for (Index i = 0; i < design.n; ++i) labels.of_sample.push_back(i % 4);
  return {"generated data", std::move(x), std::move(labels), {}};
}

}  // namespace hsvm
