#include "app/print.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "app/command_line.hpp"
#include "hsvm/report/tables.hpp"

namespace hsvm::app {
namespace {

// "; label: column 'y'; samples named by column 1"
std::string describe_table_notes(const Dataset& data) {
  std::string text;
  for (const std::string& note : data.table.notes) text += "; " + escape_controls(note);
  if (data.fill != Fill::none && !data.missing.empty())
    text += fmt::format(", the {} in their place", to_string(data.fill));
  return text;
}

}  // namespace

std::string describe_data(const Dataset& data, const Collective& ranks) {
  std::vector<double> totals = {static_cast<double>(data.n_samples()),
                                static_cast<double>(data.design->stored())};
  ranks.sum(totals);
  std::string text = fmt::format("{:.0f} samples, {} features", totals[0], data.n_features());
  if (data.design->is_sparse()) text += fmt::format(", {:.0f} nonzeros", totals[1]);
  if (!ranks.is_alone()) text += fmt::format(", on {} ranks", ranks.size());
  if (!data.labels) return text + ", no labels" + describe_table_notes(data);
  const Classes& classes = data.labels->classes;
  std::vector<double> counts(classes.names.size(), 0.0);
  for (const Index k : data.labels->of_sample) counts[static_cast<std::size_t>(k)] += 1.0;
  ranks.sum(counts);
  constexpr std::size_t kShown = 10;
  text += classes.size() == 1 ? ", one class:" : ", classes";
  for (std::size_t k = 0; k < std::min(kShown, counts.size()); ++k) {
    text += fmt::format("{} {} ({:.0f})", k == 0 ? "" : ",", escape_controls(classes.names[k]), counts[k]);
  }
  if (counts.size() > kShown) text += fmt::format(" and {} more", counts.size() - kShown);
  return text + describe_table_notes(data);
}

namespace {

// The share of the halves on which a feature was selected.
double frequency_of(const Stability& stability, Index feature) {
  const auto found = std::lower_bound(stability.features.begin(), stability.features.end(), feature);
  if (found == stability.features.end() || *found != feature) return 0.0;
  return stability.frequencies[static_cast<std::size_t>(found - stability.features.begin())];
}

std::string shown_name(const LinearModel& model, Index feature) {
  return escape_controls(model.feature_name(feature));
}

}  // namespace

std::string describe_path_end(const PathModel& path) {
  std::string text = fmt::format("{}; its last point explains {:.4g} of the null model's loss",
                                 report::describe_end(path.ended, spell_name), path.explained);
  if (path.ended == PathEnd::explained || path.ended == PathEnd::flat) text += " (--full-path goes on)";
  return text;
}

std::string path_table(const PathModel& path, bool all) {
  return to_text(report::path_table(path, all));
}

std::string list_features(const LinearModel& model, Index k, std::size_t count) {
  const auto coefficient = [&](std::size_t c) {
    return model.coefficients[c * static_cast<std::size_t>(model.n_outputs()) + static_cast<std::size_t>(k)];
  };
  std::vector<std::size_t> order;
  for (std::size_t c = 0; c < model.features.size(); ++c) {
    if (coefficient(c) != 0.0) order.push_back(c);
  }
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return std::abs(coefficient(a)) > std::abs(coefficient(b));
  });
  if (count > 0 && count < order.size()) order.resize(count);

  std::size_t width = 7;
  for (const std::size_t c : order) width = std::max(width, shown_name(model, model.features[c]).size());
  std::string text;
  for (const std::size_t c : order) {
    text += fmt::format("  {:<{}}  {:>12.6g}", shown_name(model, model.features[c]), width, coefficient(c));
    if (model.stability)
      text += fmt::format("  {:>5.1f}%", 100.0 * frequency_of(*model.stability, model.features[c]));
    text += '\n';
  }
  return text;
}

std::string list_stable_features(const LinearModel& model, std::size_t count) {
  const Stability& stability = model.stability.value();
  std::vector<std::size_t> order(stability.features.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return stability.frequencies[a] > stability.frequencies[b];
  });
  if (count > 0 && count < order.size()) order.resize(count);
  std::size_t width = 7;
  for (const std::size_t c : order) width = std::max(width, shown_name(model, stability.features[c]).size());
  std::string text;
  for (const std::size_t c : order) {
    const bool in_model =
        std::binary_search(model.features.begin(), model.features.end(), stability.features[c]);
    text += fmt::format("  {:<{}}  {:>5.1f}%{}\n", shown_name(model, stability.features[c]), width,
                        100.0 * stability.frequencies[c], in_model ? "" : "  not in the model");
  }
  return text;
}

namespace {

// The rows of a model's coefficients, the one with the largest first.
std::vector<std::size_t> rows_by_size(const LinearModel& model, std::size_t count) {
  const auto n_outputs = static_cast<std::size_t>(model.n_outputs());
  std::vector<double> sizes(model.features.size(), 0.0);
  for (std::size_t e = 0; e < model.coefficients.size(); ++e)
    sizes[e / n_outputs] = std::max(sizes[e / n_outputs], std::abs(model.coefficients[e]));
  std::vector<std::size_t> order(sizes.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return sizes[a] > sizes[b]; });
  if (count > 0 && count < order.size()) order.resize(count);
  return order;
}

}  // namespace

std::string features_by_class(const LinearModel& model, std::size_t count) {
  constexpr std::size_t kLine = 112;
  const auto n_outputs = static_cast<std::size_t>(model.n_outputs());
  const std::vector<std::size_t> rows = rows_by_size(model, count);
  std::size_t width = 7;
  for (const std::size_t c : rows) width = std::max(width, model.feature_name(model.features[c]).size());
  std::size_t column = 11;
  for (const std::string& name : model.classes.names) column = std::max(column, name.size() + 1);
  const std::size_t beside = model.stability ? 11 : 0;
  const std::size_t used = width + 2 + beside;
  const std::size_t at_once = std::max<std::size_t>(1, used < kLine ? (kLine - used) / column : 1);
  std::string text;
  for (std::size_t first = 0; first < n_outputs; first += at_once) {
    const std::size_t end = std::min(first + at_once, n_outputs);
    text += fmt::format("{}  {:<{}}", first == 0 ? "" : "\n", "feature", width);
    for (std::size_t k = first; k < end; ++k) text += fmt::format("{:>{}}", model.classes.names[k], column);
    if (model.stability) text += "  stability";
    text += '\n';
    for (const std::size_t c : rows) {
      text += fmt::format("  {:<{}}", model.feature_name(model.features[c]), width);
      for (std::size_t k = first; k < end; ++k) {
        const double value = model.coefficients[c * n_outputs + k];
        text += value == 0.0 ? fmt::format("{:>{}}", ".", column) : fmt::format("{:>{}.4g}", value, column);
      }
      if (model.stability)
        text += fmt::format("  {:>8.1f}%", 100.0 * frequency_of(*model.stability, model.features[c]));
      text += '\n';
    }
  }
  return text;
}

std::string count_by_class(const LinearModel& model) {
  const auto n_outputs = static_cast<std::size_t>(model.n_outputs());
  std::vector<Index> counts(n_outputs, 0);
  for (std::size_t c = 0; c < model.coefficients.size(); ++c)
    counts[c % n_outputs] += model.coefficients[c] != 0.0 ? 1 : 0;
  std::string text;
  for (std::size_t k = 0; k < n_outputs; ++k) text += fmt::format("NZ{} = {}, ", k + 1, counts[k]);
  return text + fmt::format("NR = {} rows", model.features.size());
}

std::string confusion_table(const Classes& classes, const std::vector<Index>& truth,
                            const std::vector<Index>& predicted) {
  return to_text(report::confusion_table(classes, truth, predicted));
}

}  // namespace hsvm::app
