// [XAC15, Table 1] in kind: iterations of the proximal-gradient loop under its three settings, by the paper's
// own stopping rule at 1e-6. One JSON line a problem and setting.

#include <fmt/format.h>

#include <string>

#include "baselines/pg_settings.hpp"
#include "hsvm/api.hpp"
#include "hsvm/solve/null_model.hpp"
#include "hsvm/solve/proximal_gradient.hpp"

namespace {

using namespace hsvm;

void run(const GaussianDesign& design, double ratio, double lambda2) {
  const Dataset data = generate(design);
  const auto& x = std::get<DenseMatrix<double>>(data.design);
  std::vector<double> y;
  for (const Index k : data.labels->of_sample) y.push_back(k == 1 ? 1.0 : -1.0);
  const std::vector<double> s(y.size(), 1.0);

  BinaryParameters parameters;
  parameters.penalty.lambda2 = lambda2;
  parameters.lambda3 = lambda2;
  parameters.intercept_by_gradient = true;
  using Problem = BinaryProblem<DenseMatrix<double>>;
  parameters.penalty.lambda1 = ratio * solve_null_model(Problem(x, y, s, parameters)).lambda1_max;
  const Problem problem(x, y, s, parameters);
  for (const baselines::PgSetting& setting : baselines::kPgSettings) {
    const SolveReport report = proximal_gradient(problem, problem.zero(), setting.options()).report;
    fmt::print(
        "{{\"n\": {}, \"p\": {}, \"s\": {}, \"lambda1_ratio\": {}, \"lambda2\": {}, \"setting\": \"{}\", "
        "\"status\": \"{}\", \"iterations\": {}, \"seconds\": {:.3f}, \"objective\": {:.9g}, \"relative_gap\": "
        "{:.2e}}}\n",
        design.n, design.p, design.s, ratio, lambda2, setting.name, to_string(report.status), report.iterations,
        report.seconds, report.objective, report.relative_gap());
    std::fflush(stdout);
  }
}

}  // namespace

int main() {
  with_threads(1, [] {
    run(GaussianDesign{.n = 3000, .p = 300, .s = 30, .rho = 0.0, .seed = 1}, 0.09, 0.01);
    run(GaussianDesign{.n = 2000, .p = 20000, .s = 200, .rho = 0.0, .seed = 1}, 0.078, 0.01);
  });
}
