// The features: what the model makes of them, how surely they were selected, and which go together.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "hsvm/report/html.hpp"
#include "hsvm/report/page_parts.hpp"
#include "hsvm/report/tables.hpp"

namespace hsvm::report {
namespace {

constexpr std::size_t kMostCells = 20'000;  // of a table; more than anybody reads
constexpr std::size_t kMostStable = 300;
constexpr std::size_t kMostBars = 25;
constexpr double kAlike = 0.8;  // a correlation beyond which one feature may do for another

std::string intercepts_in_words(const LinearModel& model) {
  std::string text = model.intercept.size() == 1 ? "The intercept is " : "The intercepts are ";
  for (std::size_t k = 0; k < std::min<std::size_t>(model.intercept.size(), 12); ++k)
    text += fmt::format("{}{:.4g}", k == 0 ? "" : ", ", model.intercept[k]);
  if (model.intercept.size() > 12) text += ", ...";
  if (model.kind == ModelKind::binary)
    return text + fmt::format("; a positive score means {}, a negative one {}.", model.classes.names[1],
                              model.classes.names[0]);
  return text + "; the class with the largest score wins.";
}

Table stand_in_table(const View& view) {
  Table table{.name = "stand-ins", .caption = "Left-out features that go with selected ones"};
  table.columns = {{.name = "selected", .numeric = false},
                   {.name = "left out", .numeric = false},
                   {.name = "correlation", .format = "{:.3f}", .bars = true},
                   {.name = "", .numeric = false}};
  std::vector<StandIn> all = view.evidence->correlations.stand_ins;
  std::stable_sort(all.begin(), all.end(), [](const StandIn& a, const StandIn& b) {
    return std::abs(a.correlation) > std::abs(b.correlation);
  });
  for (const StandIn& one : all)
    table.rows.push_back({view.model.feature_name(one.feature), view.model.feature_name(one.left_out),
                          one.correlation, std::abs(one.correlation) >= kAlike ? "could stand in" : ""});
  return table;
}

Table correlation_table(const View& view) {
  const Correlations& correlations = view.evidence->correlations;
  Table table{.name = "correlations", .caption = "Correlations of the selected features with each other"};
  table.columns = {{.name = "feature", .numeric = false}};
  for (const Index j : correlations.features)
    table.columns.push_back({.name = view.model.feature_name(j), .format = "{:.2f}"});
  for (std::size_t a = 0; a < correlations.features.size(); ++a) {
    table.rows.push_back({view.model.feature_name(correlations.features[a])});
    for (std::size_t b = 0; b < correlations.features.size(); ++b)
      table.rows.back().emplace_back(correlations.at(a, b));
  }
  return table;
}

}  // namespace

Section features_section(const View& view, const ReportOptions& /*options*/) {
  Section section{.id = "features", .title = "Selected features"};
  const std::size_t n = view.model.features.size();
  section.html = paragraph(intercepts_in_words(view.model));
  if (n == 0) {
    section.html += paragraph("The model has no features.");
    return section;
  }
  const auto n_columns = static_cast<std::size_t>(view.model.n_outputs()) + 4;
  const Table table =
      feature_table(view.model, view.evidence, std::max<std::size_t>(50, kMostCells / n_columns));
  std::string words = "Coefficients are in the data's own units.";
  if (has_effects(view.model, view.evidence))
    words +=
        " The standardised effect is the coefficient times the feature's standard deviation, so that features of different "
        "units compare.";
  if (view.model.stability)
    words += fmt::format(
        " 'Selected on' is the share of {} random halves of the samples on which the feature was selected.",
        view.model.stability->n_halves);
  section.html += paragraph(words);
  if (table.rows.size() < n)
    section.html +=
        paragraph(fmt::format("Shown are the {} strongest of {} features; the others are in the model file.",
                              table.rows.size(), thousands(static_cast<Count>(n))));
  section.html += "<div class=\"controls\" data-table=\"features\"></div>\n" + to_html(table);
  return section;
}

Section stability_section(const View& view) {
  Section section{.id = "stability", .title = "How surely they were selected"};
  if (!view.model.stability || view.model.stability->features.empty()) return section;
  const Stability& stability = *view.model.stability;
  const Table table = stability_table(view.model, kMostStable);
  section.data = {{"names", Json::array()}, {"shares", Json::array()}, {"in_model", Json::array()}};
  for (std::size_t k = 0; k < std::min(kMostBars, table.rows.size()); ++k) {
    section.data["names"].push_back(table.rows[k][0].text);
    section.data["shares"].push_back(*table.rows[k][1].number);
    section.data["in_model"].push_back(table.rows[k][2].text == "in the model");
  }
  section.html = paragraph(fmt::format(
      "{} random halves of the samples; on one of them {:.1f} features were selected, on average. A "
      "feature that is selected on nearly all halves does not hang on a few samples.",
      stability.n_halves, stability.mean_selected));
  section.html += chart("stability", "Share of the random halves on which features were selected",
                        fmt::format("The {} features selected most often. Hatched bars: not in the model.",
                                    std::min(kMostBars, table.rows.size())));
  section.html +=
      folded(table, table.rows.size() < stability.features.size()
                        ? fmt::format("Table: {} of {}", table.rows.size(), stability.features.size())
                        : "Table");
  return section;
}

Section correlations_section(const View& view) {
  Section section{.id = "correlations", .title = "Which features go together"};
  if (view.evidence == nullptr || view.evidence->correlations.features.empty()) return section;
  const Correlations& correlations = view.evidence->correlations;
  const std::size_t n = correlations.features.size();
  if (!correlations.stand_ins.empty()) {
    section.html += paragraph(
        "A selected feature may speak for others that were left out. The table has, for each selected feature, the left-out "
        "ones most correlated with it: where the correlation is near 1 or -1, either could have been selected.");
    section.html += "<div class=\"controls\" data-table=\"stand-ins\"></div>\n" + to_html(stand_in_table(view));
  }
  if (n < 2) return section;
  section.data = {{"names", Json::array()}, {"values", correlations.values}};
  for (const Index j : correlations.features) section.data["names"].push_back(view.model.feature_name(j));
  std::string caption = "Correlations of selected features with each other: blue is positive, orange negative.";
  const std::size_t n_all = view.tuned->best.features.size();
  if (n < n_all) caption += fmt::format(" The {} strongest of {} features.", n, n_all);
  section.html += chart("correlations", "Correlations of the selected features with each other", caption);
  section.html += folded(correlation_table(view));
  return section;
}

}  // namespace hsvm::report
