// Several models side by side: their scores with differences, the features they share, and the ranks of these.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "hsvm/model/score.hpp"
#include "hsvm/report/html.hpp"
#include "hsvm/report/page_parts.hpp"
#include "hsvm/report/tables.hpp"

namespace hsvm::report {
namespace {

constexpr std::size_t kMostCompared = 1000;
constexpr std::size_t kMostComparedBars = 20;

const TuningPoint* point_of(const View& view) {
  if (view.tuned == nullptr) return nullptr;
  const Tuning& tuning = view.tuned->tuning;
  return &tuning.grid[view.one_se ? tuning.one_se : tuning.best];
}

// What a model came to: cross-validated where it was tuned.
std::optional<double> score_of(const View& view, Score score) {
  const TuningPoint* const point = point_of(view);
  if (point == nullptr || !point->score(score)) return std::nullopt;
  return point->score(score)->mean;
}

std::optional<double> new_score(const Reported& reported, Score score) {
  if (!reported.samples) return std::nullopt;
  const LinearModel model = shown_model(reported);
  return hsvm::score(score, {.n_classes = model.classes.size(),
                             .n_outputs = model.n_outputs(),
                             .truth = reported.samples->truth,
                             .scores = reported.samples->prediction.scores,
                             .predicted = reported.samples->prediction.classes,
                             .margins = model.margins});
}

// A row for each score that some model has, and for the others the difference to the first model.
void add_score_rows(const std::string& what, const std::vector<std::optional<double>>& values, Table& table) {
  if (std::ranges::none_of(values, [](const auto& value) { return value.has_value(); })) return;
  std::vector<Cell>& row = table.rows.emplace_back();
  row.emplace_back(what);
  for (std::size_t m = 0; m < values.size(); ++m) {
    row.emplace_back(values[m]);
    if (m > 0) row.emplace_back(values[m] && values[0] ? std::optional(*values[m] - *values[0]) : std::nullopt);
  }
}

Section scores_section(const std::vector<View>& views, const std::vector<Reported>& models) {
  Section section{.id = "scores", .title = "Scores"};
  Table table{.name = "scores", .caption = "Models side by side; differences are to the first one"};
  table.columns = {{.name = "", .numeric = false}};
  for (std::size_t m = 0; m < views.size(); ++m) {
    table.columns.push_back({.name = views[m].name, .format = "{:.4g}"});
    if (m > 0) table.columns.push_back({.name = "difference", .format = "{:+.4g}"});
  }
  const auto add = [&](const std::string& what, const auto& read) {
    std::vector<std::optional<double>> values;
    for (std::size_t m = 0; m < views.size(); ++m) values.push_back(read(m));
    add_score_rows(what, values, table);
  };
  add("features", [&](std::size_t m) { return std::optional<double>(views[m].model.features.size()); });
  for (const Score score : tuning_scores())
    add(name_of(score) + ", cross-validated", [&](std::size_t m) { return score_of(views[m], score); });
  for (const Score score : tuning_scores())
    add(name_of(score) + ", new samples", [&](std::size_t m) { return new_score(models[m], score); });
  add("lambda1", [&](std::size_t m) { return std::optional<double>(views[m].model.lambda1); });
  add("lambda2", [&](std::size_t m) { return std::optional<double>(views[m].model.lambda2); });
  add("delta", [&](std::size_t m) { return std::optional<double>(views[m].model.delta); });
  add("relative gap", [&](std::size_t m) {
    return views[m].model.report ? std::optional<double>(views[m].model.report->relative_gap) : std::nullopt;
  });
  section.html = to_html(table);
  section.html += paragraph(
      "Cross-validated scores compare fairly when the models were tuned on the same samples and folds.");
  return section;
}

// What each model makes of a feature, by name.
struct Standing {
  std::vector<std::optional<double>> effects;
  std::vector<std::optional<double>> ranks;  // from 1
  std::size_t n_models = 0;
  double best_rank = 1e300;
};

std::map<std::string, Standing> standings_of(const std::vector<View>& views, bool scaled) {
  std::map<std::string, Standing> result;
  for (std::size_t m = 0; m < views.size(); ++m) {
    const Evidence* const evidence = scaled ? views[m].evidence : nullptr;
    LinearModel model = views[m].model;
    if (!scaled) model.deviations.clear();  // coefficients as they are, of all models
    const std::vector<std::size_t> order = by_strength(model, evidence);
    for (std::size_t rank = 0; rank < order.size(); ++rank) {
      Standing& standing = result[model.feature_name(model.features[order[rank]])];
      standing.effects.resize(views.size());
      standing.ranks.resize(views.size());
      standing.effects[m] = strongest_effect(model, evidence, order[rank]).value;
      standing.ranks[m] = static_cast<double>(rank + 1);
      standing.best_rank = std::min(standing.best_rank, static_cast<double>(rank + 1));
      ++standing.n_models;
    }
  }
  return result;
}

std::vector<std::pair<std::string, Standing>> in_order(const std::map<std::string, Standing>& standings) {
  std::vector<std::pair<std::string, Standing>> result(standings.begin(), standings.end());
  std::stable_sort(result.begin(), result.end(), [](const auto& a, const auto& b) {
    return a.second.n_models != b.second.n_models ? a.second.n_models > b.second.n_models
                                                  : a.second.best_rank < b.second.best_rank;
  });
  return result;
}

Section shared_section(const std::vector<View>& views) {
  Section section{.id = "shared", .title = "Features, shared and not"};
  const bool scaled =
      std::ranges::all_of(views, [](const View& view) { return has_effects(view.model, view.evidence); });
  const auto standings = in_order(standings_of(views, scaled));
  const auto n_shared =
      std::ranges::count_if(standings, [&](const auto& s) { return s.second.n_models == views.size(); });
  section.html = paragraph(fmt::format("{} in any of the models, {} in all of them.",
                                       count_of(static_cast<Count>(standings.size()), "feature"), n_shared));
  if (standings.empty()) return section;
  const std::string what = scaled ? "effect" : "coefficient";
  Table table{.name = "shared", .caption = "Features of the models: " + what + " and rank"};
  table.columns = {{.name = "feature", .numeric = false}, {.name = "in models"}};
  for (const View& view : views) {
    table.columns.push_back({.name = what + ", " + view.name, .format = "{:.4g}"});
    table.columns.push_back({.name = "rank, " + view.name});
  }
  for (const auto& [name, standing] : standings) {
    if (table.rows.size() == kMostCompared) break;
    std::vector<Cell>& row = table.rows.emplace_back();
    row.insert(row.end(), {name, standing.n_models});
    for (std::size_t m = 0; m < views.size(); ++m) {
      row.emplace_back(standing.effects[m]);
      row.emplace_back(standing.ranks[m]);
    }
  }
  if (table.rows.size() < standings.size())
    section.html += paragraph(fmt::format("Shown are the first {}.", table.rows.size()));

  section.data = {{"names", Json::array()}, {"models", Json::array()}, {"what", what}};
  const std::size_t n_bars = std::min(kMostComparedBars, standings.size());
  for (std::size_t k = 0; k < n_bars; ++k) section.data["names"].push_back(standings[k].first);
  for (std::size_t m = 0; m < views.size(); ++m) {
    Json effects = Json::array();
    for (std::size_t k = 0; k < n_bars; ++k) effects.push_back(standings[k].second.effects[m].value_or(0.0));
    section.data["models"].push_back({{"name", views[m].name}, {"effects", effects}});
  }
  section.html += chart("shared", "What the models make of the features",
                        fmt::format("The {} of {} that most models have, by rank. {}", what,
                                    count_of(static_cast<Count>(n_bars), "feature"),
                                    scaled ? "Coefficients times standard deviations."
                                           : "Coefficients in the data's own units."));
  section.html += "<div class=\"controls\" data-table=\"shared\"></div>\n" + to_html(table);
  return section;
}

// How much of their features any two models share: of those in either, the part in both.
Section overlap_section(const std::vector<View>& views) {
  Section section{.id = "overlap", .title = "Overlap of the models"};
  std::vector<std::set<std::string>> names(views.size());
  for (std::size_t m = 0; m < views.size(); ++m) {
    for (const Index j : views[m].model.features) names[m].insert(views[m].model.feature_name(j));
  }
  Table table{.name = "overlap", .caption = "Of the features in either of two models, the share in both"};
  table.columns = {{.name = "", .numeric = false}};
  for (const View& view : views) table.columns.push_back({.name = view.name, .format = "{:.2f}"});
  for (std::size_t a = 0; a < views.size(); ++a) {
    table.rows.push_back({views[a].name});
    for (std::size_t b = 0; b < views.size(); ++b) {
      const auto both =
          std::ranges::count_if(names[a], [&](const std::string& name) { return names[b].contains(name); });
      const auto either = std::ssize(names[a]) + std::ssize(names[b]) - both;
      table.rows.back().emplace_back(
          either == 0 ? std::optional<double>()
                      : std::optional(static_cast<double>(both) / static_cast<double>(either)));
    }
  }
  section.html = to_html(table);
  return section;
}

}  // namespace

std::vector<Section> comparison_sections(const std::vector<View>& views, const std::vector<Reported>& models) {
  return {scores_section(views, models), shared_section(views), overlap_section(views)};
}

}  // namespace hsvm::report
