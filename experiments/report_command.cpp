#include "experiments/report_command.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <memory>
#include <optional>
#include <vector>

#include "experiments/lab/run_experiment.hpp"
#include "experiments/registry.hpp"
#include "hsvm/core/error.hpp"
#include "hsvm/io/streams/output_file.hpp"
#include "hsvm/report/html.hpp"
#include "hsvm/report/report.hpp"

namespace hsvm::lab {
namespace {

struct ReportCommand {
  std::string results = "results";
  std::string output = "-";
  std::string html;

  [[nodiscard]] int run() const {
    OutputFile file(output);
    file.write(report_page(results));
    if (!html.empty()) {
      OutputFile page(html);
      page.write(html_page(results));
      page.commit();
    }
    file.commit();
    return app::kDone;
  }
};

constexpr const char* kTitle = "The paper's experiments, run again";
constexpr const char* kOpening =
    "Written by `hsvm-lab report` from the results of `hsvm-lab run`; not edited by hand. A cell has our "
    "number\n"
    "and, in parentheses, the paper's with ours/paper's (x) or ours - paper's (+, -). The paper's times are\n"
    "MATLAB's on an i7-620m; ours are C++ on one core of the machine named: compare methods within a row.\n";

// The result of an experiment in a folder; none where it was not run.
std::optional<Json> read_result(const std::string& path) {
  std::ifstream file(path);
  if (!file) return std::nullopt;
  Json result = Json::parse(file, nullptr, false);
  if (result.is_discarded()) throw InputError(path + ": not JSON; expected a result of hsvm-lab run");
  return result;
}

// Calls found(experiment, result) and missing(experiment) for all experiments, in their order.
template <class Found, class Missing>
void for_each_result(const std::string& results, const Found& found, const Missing& missing) {
  for (const Experiment& experiment : all_experiments()) {
    const std::string path = (std::filesystem::path(results) / (experiment.name + ".json")).string();
    const std::optional<Json> result = read_result(path);
    if (!result) {
      missing(experiment);
      continue;
    }
    try {
      found(experiment, *result);
    } catch (const InputError& error) {
      throw InputError(path + ": " + error.what());
    }
  }
}

}  // namespace

std::string report_page(const std::string& results) {
  std::string text = fmt::format("# {}\n\n{}", kTitle, kOpening);
  std::string missing;
  std::string previous;
  for_each_result(
      results,
      [&](const Experiment& /*experiment*/, const Json& result) {
        text += "\n" + result_to_markdown(result, 2);
        const std::string machine = provenance(result);
        if (machine != previous) text += "\n" + machine + "\n";
        previous = machine;
      },
      [&](const Experiment& experiment) {
        missing +=
            fmt::format("- {} ({}): `hsvm-lab run {}`\n", experiment.title, experiment.table, experiment.name);
      });
  if (!missing.empty()) text += "\n## Not run\n\n" + missing;
  return text;
}

std::string html_page(const std::string& results) {
  std::vector<report::PlainSection> sections;
  std::string missing;
  for_each_result(
      results,
      [&](const Experiment& experiment, const Json& result) {
        sections.push_back({experiment.name, fmt::format("{} ({})", experiment.title, experiment.table),
                            result_to_html(result)});
      },
      [&](const Experiment& experiment) {
        missing += fmt::format("<li>{} ({}): <code>hsvm-lab run {}</code></li>\n",
                               report::escape_html(experiment.title), report::escape_html(experiment.table),
                               experiment.name);
      });
  if (!missing.empty()) sections.push_back({"not-run", "Not run", fmt::format("<ul>\n{}</ul>\n", missing)});
  std::string opening = kOpening;
  std::erase(opening, '`');
  return report::plain_page(kTitle, fmt::format("<p>{}</p>\n", report::escape_html(opening)), sections);
}

void add_report(app::Command program) {
  auto command = std::make_shared<ReportCommand>();
  app::Command report = program.add_command("report", "One page of all results");
  report.add(
      {.name = "--results", .help = "Where results are", .value = "DIR", .shown_default = command->results},
      command->results);
  report.add({.name = "-o,--output", .help = "Markdown file (default: standard output)", .value = "FILE"},
             command->output);
  report.add({.name = "--html", .help = "Also a web page, which stands alone", .value = "FILE"}, command->html);
  report.on_run([command] { return command->run(); });
}

}  // namespace hsvm::lab
