#include "hsvm/report/tables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>

#include "hsvm/report/curves.hpp"
#include "hsvm/select/choose.hpp"

namespace hsvm::report {
namespace {

std::vector<Cell> tuning_row(const Tuning& tuning, std::size_t k, bool with_delta) {
  const TuningPoint& point = tuning.grid[k];
  std::vector<Cell> row = {point.lambda2};
  if (with_delta) row.emplace_back(point.delta);
  row.insert(row.end(), {point.lambda1, point.nonzeros, point.mean_nonzeros});
  if (const auto& score = point.score(tuning.score)) {
    row.insert(row.end(), {score->mean, score->standard_error});
  } else {
    row.insert(row.end(), {"-", ""});
  }
  std::string mark = k == tuning.best ? "best" : "";
  if (k == tuning.one_se) mark += mark.empty() ? "one_se" : "  one_se";
  row.emplace_back(mark);
  return row;
}

// On what share of the halves a feature was selected.
double frequency_in(const Stability& stability, Index feature) {
  const auto found = std::lower_bound(stability.features.begin(), stability.features.end(), feature);
  if (found == stability.features.end() || *found != feature) return 0.0;
  return stability.frequencies[static_cast<std::size_t>(found - stability.features.begin())];
}

}  // namespace

Table path_table(const PathModel& path, bool all) {
  constexpr std::size_t kRows = 10;
  const std::size_t n = path.points.size();
  const std::size_t step = all ? 1 : std::max<std::size_t>(1, n / kRows);
  Table table{.name = "path", .caption = "Points of the path"};
  table.columns = {{.name = "point"},
                   {.name = "lambda1", .format = "{:.6g}"},
                   {.name = "nonzeros"},
                   {.name = "objective", .format = "{:.10g}"},
                   {.name = "relative gap", .format = "{:.2g}"},
                   {.name = "status", .numeric = false}};
  for (std::size_t k = 0; k < n; ++k) {
    const PathPoint& point = path.points[k];
    const bool odd = point.report->status != Status::converged;  // always worth a line
    if (k % step != 0 && k + 1 != n && !odd) continue;
    table.rows.push_back({k + 1, point.lambda1, point.features.size(), point.report->objective,
                          point.report->relative_gap, std::string(to_string(point.report->status))});
  }
  return table;
}

Table tuning_table(const TunedModel& model, bool all) {
  const Tuning& tuning = model.tuning;
  const bool with_delta = model.best.loss == Loss::huberized;  // the squared hinge has none
  Table table{.name = "grid", .caption = "Cross-validated scores"};
  table.columns = {{.name = "lambda2"}};
  if (with_delta) table.columns.push_back({.name = "delta"});
  table.columns.insert(table.columns.end(), {{.name = "lambda1", .format = "{:.6g}"},
                                             {.name = "nonzeros"},
                                             {.name = "in folds", .format = "{:.1f}"},
                                             {.name = std::string(to_string(tuning.score)), .format = "{:.4f}"},
                                             {.name = "+-", .format = "{:.4f}"},
                                             {.name = "", .numeric = false}});
  const std::vector<std::size_t> begins = path_begins(tuning.grid);
  for (std::size_t g = 0; g + 1 < begins.size(); ++g) {
    const std::size_t size = begins[g + 1] - begins[g];
    const std::span<const TuningPoint> points = std::span(tuning.grid).subspan(begins[g], size);
    const bool scored = std::any_of(points.begin(), points.end(),
                                    [&](const TuningPoint& p) { return p.score(tuning.score).has_value(); });
    const Choice choice = scored ? choose(points, tuning.score) : Choice{};
    for (std::size_t k = 0; k < size; ++k) {
      if (all || (scored && (k == choice.best || k == choice.one_se)))
        table.rows.push_back(tuning_row(tuning, begins[g] + k, with_delta));
    }
  }
  return table;
}

Table confusion_table(const Classes& classes, const std::vector<Index>& truth,
                      const std::vector<Index>& predicted) {
  const std::size_t n = classes.names.size();
  Table table{.name = "confusion", .caption = "Samples by true and predicted class"};
  table.columns = {{.name = "true \\ predicted", .numeric = false}};
  for (const std::string& name : classes.names) table.columns.push_back({.name = name, .format = "{:.0f}"});
  const std::vector<Count> counts = confusion_counts(truth, predicted, classes.size());
  for (std::size_t t = 0; t < n; ++t) {
    table.rows.push_back({classes.names[t]});
    for (std::size_t p = 0; p < n; ++p) table.rows.back().emplace_back(counts[t * n + p]);
  }
  std::vector<Count> unknown(n, 0);
  for (std::size_t i = 0; i < truth.size(); ++i) {
    if (truth[i] == kUnknownClass) ++unknown[static_cast<std::size_t>(predicted[i])];
  }
  if (std::ranges::any_of(unknown, [](Count c) { return c > 0; })) {
    table.rows.push_back({"(unknown label)"});
    for (const Count count : unknown) table.rows.back().emplace_back(count);
  }
  return table;
}

Effect strongest_effect(const LinearModel& model, const Evidence* evidence, std::size_t position) {
  const auto n_outputs = static_cast<std::size_t>(model.n_outputs());
  Effect strongest;
  for (std::size_t k = 0; k < n_outputs; ++k) {
    const double value = model.coefficients[position * n_outputs + k];
    if (std::abs(value) > std::abs(strongest.value)) strongest = {value, static_cast<Index>(k)};
  }
  if (evidence != nullptr) {
    strongest.value *= evidence->deviation_of(model.features[position]);
  } else if (!model.deviations.empty()) {
    strongest.value *= model.deviations[position];
  }
  return strongest;
}

bool has_effects(const LinearModel& model, const Evidence* evidence) {
  return evidence != nullptr || !model.deviations.empty();
}

std::vector<std::size_t> by_strength(const LinearModel& model, const Evidence* evidence) {
  std::vector<double> strength;
  for (std::size_t c = 0; c < model.features.size(); ++c)
    strength.push_back(std::abs(strongest_effect(model, evidence, c).value));
  std::vector<std::size_t> order(strength.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) { return strength[a] > strength[b]; });
  return order;
}

Table feature_table(const LinearModel& model, const Evidence* evidence, std::size_t most) {
  const auto n_outputs = static_cast<std::size_t>(model.n_outputs());
  Table table{.name = "features", .caption = "Selected features"};
  table.columns = {{.name = "feature", .numeric = false}};
  if (n_outputs == 1) {
    table.columns.push_back({.name = "coefficient", .format = "{:.4g}"});
  } else {
    for (const std::string& name : model.classes.names)
      table.columns.push_back({.name = "coefficient, " + name, .format = "{:.4g}"});
    table.columns.push_back({.name = "strongest for", .numeric = false});
  }
  if (has_effects(model, evidence))
    table.columns.push_back({.name = "standardised effect", .format = "{:.4g}", .bars = true});
  if (model.stability) table.columns.push_back({.name = "selected on", .format = "{:.2f}", .bars = true});

  std::vector<std::size_t> order = by_strength(model, evidence);
  order.resize(std::min(order.size(), most));
  for (const std::size_t c : order) {
    std::vector<Cell>& row = table.rows.emplace_back();
    row.emplace_back(model.feature_name(model.features[c]));
    for (std::size_t k = 0; k < n_outputs; ++k) row.emplace_back(model.coefficients[c * n_outputs + k]);
    const Effect effect = strongest_effect(model, evidence, c);
    if (n_outputs > 1) row.emplace_back(model.classes.names[static_cast<std::size_t>(effect.output)]);
    if (has_effects(model, evidence)) row.emplace_back(effect.value);
    if (model.stability) row.emplace_back(frequency_in(*model.stability, model.features[c]));
  }
  return table;
}

Table stability_table(const LinearModel& model, std::size_t most) {
  const Stability& stability = model.stability.value();
  std::vector<std::size_t> order(stability.features.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](auto a, auto b) { return stability.frequencies[a] > stability.frequencies[b]; });
  order.resize(std::min(order.size(), most));
  Table table{.name = "stability", .caption = "Share of the random halves on which a feature was selected"};
  table.columns = {{.name = "feature", .numeric = false},
                   {.name = "selected on", .format = "{:.2f}", .bars = true},
                   {.name = "", .numeric = false}};
  for (const std::size_t c : order) {
    const Index feature = stability.features[c];
    const bool in_model = std::binary_search(model.features.begin(), model.features.end(), feature);
    table.rows.push_back({model.feature_name(feature), stability.frequencies[c],
                          in_model ? "in the model" : "not in the model"});
  }
  return table;
}

}  // namespace hsvm::report
