// A project that uses the installed library: fits the paper's data and expects a certified, sparse model.

#include <hsvm/api.hpp>

int main() {
  const hsvm::Dataset data = hsvm::generate(hsvm::GaussianDesign{.n = 50, .p = 100, .s = 5});
  const hsvm::LinearModel model = hsvm::fit({.data = data}, {.lambda1_ratio = 0.2});
  return model.report->status == hsvm::Status::converged && model.features.size() < 50 ? 0 : 1;
}
