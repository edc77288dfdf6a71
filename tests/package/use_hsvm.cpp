// A project that uses the installed library: fits the paper's data and expects a certified, sparse model and a page of it.

#include <hsvm/api.hpp>
#include <hsvm/report/report.hpp>

int main() {
  const hsvm::Dataset data = hsvm::generate(hsvm::GaussianDesign{.n = 50, .p = 100, .s = 5});
  const hsvm::LinearModel model = hsvm::fit({.data = data}, {.lambda1_ratio = 0.2});
  const std::string page = hsvm::report::report_page({{.name = "model", .model = model}});
  return page.find("</html>") != std::string::npos && model.report->status == hsvm::Status::converged &&
                 model.features.size() < 50
             ? 0
             : 1;
}
