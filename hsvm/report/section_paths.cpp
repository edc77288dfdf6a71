// Coefficients along the path, and how its points were solved.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "hsvm/report/html.hpp"
#include "hsvm/report/page_parts.hpp"

namespace hsvm::report {
namespace {

Json column(const PathPicture& picture, Json (*read)(const PathStep&)) {
  Json list = Json::array();
  for (const PathStep& step : picture.steps) list.push_back(read(step));
  return list;
}

// Where a feature is first seen, and its effect there where it is largest.
Table lines_table(const View& view) {
  const PathPicture& picture = *view.picture;
  Table table{.name = "lines", .caption = "Features along the path"};
  table.columns = {{.name = "feature", .numeric = false}};
  const bool several = view.model.n_outputs() > 1;
  if (several) table.columns.push_back({.name = "class", .numeric = false});
  table.columns.insert(table.columns.end(), {{.name = "from lambda1", .format = "{:.4g}"},
                                             {.name = "largest", .format = "{:.4g}"},
                                             {.name = "at the end", .format = "{:.4g}"}});
  constexpr std::size_t kMostLines = 400;
  for (const EffectLine& line : picture.lines) {
    if (table.rows.size() == kMostLines) break;
    std::size_t first = 0;
    while (first + 1 < line.effects.size() && line.effects[first] == 0.0 && line.effects[first + 1] == 0.0)
      ++first;
    const auto largest =
        std::ranges::max_element(line.effects, [](double a, double b) { return std::abs(a) < std::abs(b); });
    std::vector<Cell> row = {view.model.feature_name(line.feature)};
    if (several) row.emplace_back(view.model.classes.names[static_cast<std::size_t>(line.output)]);
    row.insert(row.end(), {picture.steps[static_cast<std::size_t>(line.points[first])].lambda1, *largest,
                           line.effects.back()});
    table.rows.push_back(std::move(row));
  }
  return table;
}

// Marks are drawn only on the path they are points of.
Json lambda1_of(const View& view, const LinearModel& model) {
  const bool here = model.lambda2 == view.picture->lambda2 && model.delta == view.picture->delta;
  return here ? Json(model.lambda1) : Json(nullptr);
}

}  // namespace

Section paths_section(const View& view) {
  Section section{.id = "paths", .title = "Coefficients along the path"};
  if (!view.picture || view.picture->lines.empty()) return section;
  const PathPicture& picture = *view.picture;
  std::map<Index, std::size_t> drawn;
  Json names = Json::array();
  Json lines = Json::array();
  for (const EffectLine& line : picture.lines) {
    const auto [found, is_new] = drawn.try_emplace(line.feature, drawn.size());
    if (is_new) names.push_back(view.model.feature_name(line.feature));
    lines.push_back(Json::array({found->second, line.output, line.points, line.effects}));
  }
  section.data = {{"names", names}, {"classes", view.model.classes.names}};
  section.data["lambda1"] = column(picture, [](const PathStep& s) { return Json(s.lambda1); });
  section.data["nonzeros"] = column(picture, [](const PathStep& s) { return Json(s.nonzeros); });
  section.data["lines"] = lines;
  section.data["n_outputs"] = view.model.n_outputs();
  section.data["scaled"] = picture.scaled;
  if (view.tuned != nullptr) {
    section.data["best"] = lambda1_of(view, view.tuned->best);
    section.data["one_se"] = lambda1_of(view, view.tuned->one_se);
  }
  std::string controls =
      "<label>Find a feature <input type=\"search\" data-control=\"find\" list=\"path-names\" autocomplete=\"off\"></label>"
      "<datalist id=\"path-names\"></datalist>"
      "<label>Axis <select data-control=\"axis\"><option value=\"logarithmic\">log</option>"
      "<option value=\"linear\">linear</option></select></label>";
  if (view.model.n_outputs() > 1) controls += "<label>Class <select data-control=\"class\"></select></label>";
  std::string caption =
      fmt::format("{} of every feature as lambda1 falls (lambda2 = {:.4g}); point at a line to see its name.",
                  picture.scaled ? "Standardised effect (coefficient times standard deviation)"
                                 : "Coefficient, in the data's own unit,",
                  picture.lambda2);
  if (drawn.size() < static_cast<std::size_t>(picture.n_features))
    caption +=
        fmt::format(" Drawn are {} of {} features, the strongest; points that no eye could see are left out.",
                    drawn.size(), thousands(picture.n_features));
  section.html = chart("paths", "Coefficients of the features against lambda1", caption, controls);
  section.html += folded(lines_table(view));
  return section;
}

Section solve_section(const View& view) {
  Section section{.id = "solve", .title = "How it was solved"};
  if (view.model.report) {
    const std::string text = describe_solve(*view.model.report);
    section.html = paragraph("The model: " + text.substr(0, text.find('\n')) + ".");
  }
  if (view.tuned != nullptr) {
    const Tuning& tuning = view.tuned->tuning;
    section.html +=
        paragraph(fmt::format("Cross-validation: {} paths, {:.1f} passes over the data, {:.3g} s; {}.",
                              tuning.n_paths, tuning.passes, tuning.seconds, to_string(tuning.status)));
  }
  if (view.path != nullptr) section.html += paragraph("The path: " + describe_path_solve(*view.path) + ".");
  if (!view.picture) return section;

  const PathPicture& picture = *view.picture;
  section.data = {{"lambda1", column(picture, [](const PathStep& s) { return Json(s.lambda1); })},
                  {"relative_gap", column(picture, [](const PathStep& s) { return Json(s.relative_gap); })},
                  {"passes", column(picture, [](const PathStep& s) { return Json(s.passes); })}};
  if (view.model.report) section.data["tolerance"] = view.model.report->tolerance;
  section.html += chart(
      "gaps", "Relative duality gap along the path",
      "How far each model of the path may at most be from the best one for its penalties, as a share of the "
      "objective at zero. The dashed line is the tolerance.");
  Table table{.name = "steps", .caption = "Points of the path and what they took"};
  table.columns = {{.name = "lambda1", .format = "{:.6g}"},
                   {.name = "features"},
                   {.name = "objective", .format = "{:.8g}"},
                   {.name = "relative gap", .format = "{:.2g}"},
                   {.name = "iterations"},
                   {.name = "passes", .format = "{:.1f}"},
                   {.name = "seconds", .format = "{:.2g}"},
                   {.name = "status", .numeric = false}};
  for (const PathStep& step : picture.steps)
    table.rows.push_back({step.lambda1, step.nonzeros, step.objective, step.relative_gap, step.iterations,
                          step.passes, step.seconds, std::string(to_string(step.status))});
  section.html += folded(table);
  return section;
}

}  // namespace hsvm::report
