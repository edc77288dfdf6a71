// Cross-validation: the curve, a map of the grid where it has several paths, and the grid itself.

#include <fmt/format.h>

#include <cmath>

#include "hsvm/report/html.hpp"
#include "hsvm/report/page_parts.hpp"
#include "hsvm/report/tables.hpp"

namespace hsvm::report {
namespace {

Json grid_path(const Tuning& tuning, std::size_t begin, std::size_t end) {
  Json path = {{"lambda2", tuning.grid[begin].lambda2}, {"delta", tuning.grid[begin].delta}};
  for (const char* key : {"lambda1", "mean", "error", "nonzeros"}) path[key] = Json::array();
  for (std::size_t k = begin; k < end; ++k) {
    const TuningPoint& point = tuning.grid[k];
    const auto& score = point.score(tuning.score);
    path["lambda1"].push_back(point.lambda1);
    path["mean"].push_back(score ? Json(score->mean) : Json(nullptr));
    path["error"].push_back(score ? Json(score->standard_error) : Json(nullptr));
    path["nonzeros"].push_back(point.nonzeros);
  }
  return path;
}

Json grid_place(const std::vector<std::size_t>& begins, std::size_t k) {
  std::size_t path = 0;
  while (begins[path + 1] <= k) ++path;
  return {{"path", path}, {"point", k - begins[path]}};
}

// The whole procedure judged on samples it had not seen.
std::string nested_html(const Nested& nested) {
  Table table{.name = "nested", .caption = "Scores of the whole procedure"};
  table.columns = {{.name = "score", .numeric = false},
                   {.name = "best", .format = "{:.4f}"},
                   {.name = "+-", .format = "{:.4f}"},
                   {.name = "one_se", .format = "{:.4f}"},
                   {.name = "+-", .format = "{:.4f}"}};
  const auto add = [](const std::optional<ScoreSummary>& score, std::vector<Cell>& row) {
    row.emplace_back(score ? std::optional(score->mean) : std::nullopt);
    row.emplace_back(score ? std::optional(score->standard_error) : std::nullopt);
  };
  for (std::size_t which = 0; which < nested.best.size(); ++which) {
    if (!nested.best[which] && !nested.one_se[which]) continue;
    std::vector<Cell>& row = table.rows.emplace_back();
    row.emplace_back(name_of(static_cast<Score>(which)));
    add(nested.best[which], row);
    add(nested.one_se[which], row);
  }
  Table folds{.name = "nested-folds", .caption = "What was chosen within each outer fold"};
  folds.columns = {{.name = "held out"},        {.name = "lambda1, best"},   {.name = "lambda2, best"},
                   {.name = "features, best"},  {.name = "lambda1, one_se"}, {.name = "lambda2, one_se"},
                   {.name = "features, one_se"}};
  for (const NestedFold& fold : nested.folds)
    folds.rows.push_back({fold.held_out, fold.best.lambda1, fold.best.lambda2, fold.best.nonzeros,
                          fold.one_se.lambda1, fold.one_se.lambda2, fold.one_se.nonzeros});
  return "<h3>Nested estimate</h3>\n" +
         paragraph(fmt::format(
             "A score by which a model was chosen flatters it. Here the whole procedure, choice included, was tried on "
             "samples it had not seen, {} outer folds.",
             nested.folds.size())) +
         to_html(table) + folded(folds, "Table: what each outer fold chose");
}

}  // namespace

Section tuning_section(const View& view, const ReportOptions& options) {
  Section section{.id = "tuning", .title = "Cross-validation"};
  if (view.tuned == nullptr) return section;
  const Tuning& tuning = view.tuned->tuning;
  const std::vector<std::size_t> begins = path_begins(tuning.grid);
  section.data = {{"score", name_of(tuning.score)},
                  {"larger_is_better", info_of(tuning.score).larger_is_better},
                  {"best", grid_place(begins, tuning.best)},
                  {"one_se", grid_place(begins, tuning.one_se)},
                  {"with_delta", view.model.loss == Loss::huberized}};
  if (std::isfinite(info_of(tuning.score).largest)) section.data["largest"] = info_of(tuning.score).largest;
  section.data["paths"] = Json::array();
  for (std::size_t g = 0; g + 1 < begins.size(); ++g)
    section.data["paths"].push_back(grid_path(tuning, begins[g], begins[g + 1]));

  const std::size_t n_paths = begins.size() - 1;
  section.html =
      paragraph(fmt::format("{}. {}.", describe_folds(tuning), describe_grid(tuning, options.spell)));
  std::string elsewhere;
  if (section.data["best"]["path"] != section.data["one_se"]["path"])
    elsewhere = fmt::format(
        " Here that one lies on another curve, of lambda2 = {:.4g} and delta = {:.4g}: choose it above.",
        tuning.grid[tuning.one_se].lambda2, tuning.grid[tuning.one_se].delta);
  section.html += chart(
      "curve", fmt::format("Cross-validated {} against lambda1", name_of(tuning.score)),
      fmt::format(
          "Mean {} over the folds with one standard error either way. The penalty lambda1 falls to the right, where models "
          "have more features; their number stands along the top. <b>Best</b> has the best mean; <b>one SE</b> is the "
          "sparsest model within one standard error of it.{}",
          escape_html(name_of(tuning.score)), elsewhere),
      n_paths > 1 ? "<label>Penalty lambda2 <select data-control=\"path\"></select></label>" : "");
  section.html += folded(tuning_table(*view.tuned, false), "Table: the best points of each lambda2");
  if (n_paths > 1) {
    section.html += chart(
        "grid", fmt::format("{} over the grid of penalties", name_of(tuning.score)),
        "The whole grid, one row for each lambda2 (and delta). Stronger is better; the circle is the best point, the "
        "square the sparser one.");
  }
  if (tuning.nested) section.html += nested_html(*tuning.nested);
  section.html += "<details data-rows=\"grid\"><summary>Table: every point</summary></details>\n";
  return section;
}

}  // namespace hsvm::report
