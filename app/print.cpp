#include "app/print.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

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

std::string describe_data(const Dataset& data) {
  std::string text = fmt::format("{} samples, {} features", data.n_samples(), data.n_features());
  if (data.design->is_sparse()) text += fmt::format(", {} nonzeros", data.design->stored());
  if (!data.labels) return text + ", no labels" + describe_table_notes(data);
  const Classes& classes = data.labels->classes;
  std::vector<Index> counts(classes.names.size(), 0);
  for (const Index k : data.labels->of_sample) ++counts[static_cast<std::size_t>(k)];
  constexpr std::size_t kShown = 10;
  text += classes.size() == 1 ? ", one class:" : ", classes";
  for (std::size_t k = 0; k < std::min(kShown, counts.size()); ++k) {
    text += fmt::format("{} {} ({})", k == 0 ? "" : ",", escape_controls(classes.names[k]), counts[k]);
  }
  if (counts.size() > kShown) text += fmt::format(" and {} more", counts.size() - kShown);
  return text + describe_table_notes(data);
}

namespace {

// The huberized hinge by its width; the squared hinge has none. A multi-class model's margins.
std::string describe_loss(const ModelShape& shape) {
  std::string text =
      shape.loss == Loss::huberized ? fmt::format("delta = {:.6g}", shape.delta) : std::string("squared hinge");
  if (shape.kind == ModelKind::multiclass) text += fmt::format(", {} margins", to_string(shape.margins));
  return text;
}

// ", standardized, 100 features kept" where that was so.
std::string describe_preparation(const FitReport& report) {
  std::string text = report.standardized ? ", standardized" : "";
  if (report.kept_features) text += fmt::format(", the best {} features kept", *report.kept_features);
  return text;
}

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

std::string describe_parameters(const LinearModel& model) {
  std::string text = fmt::format("lambda1 = {:.6g}", model.lambda1);
  if (model.report && model.report->lambda1_max > 0.0) {
    text += fmt::format(" ({:.4g} of lambda1_max)", model.lambda1 / model.report->lambda1_max);
  }
  text += fmt::format(", lambda2 = {:.6g}, lambda3 = {:.6g}, {}", model.lambda2, model.lambda3,
                      describe_loss(model));
  return model.report ? text + describe_preparation(*model.report) : text;
}

std::string describe_solve(const FitReport& report) {
  const std::string solver =
      report.fallback ? fmt::format("{}, then {}", to_string(report.solver), to_string(*report.fallback))
                      : std::string(to_string(report.solver));
  std::string text =
      fmt::format("{} by {}, {} iterations, {:.1f} passes over the data, {:.3g} s\n", to_string(report.status),
                  solver, report.iterations, report.passes, report.seconds);
  constexpr double kRounding = 1e-14;
  text += fmt::format("objective {:.10g}, dual bound {:.10g}: ", report.objective, report.dual_objective);
  if (report.relative_gap < kRounding && report.status == Status::converged)
    return text + "the optimum but for rounding";
  return text + fmt::format("within {:.2g} of the optimum, {:.2g} of F(0)", report.gap, report.relative_gap);
}

std::string describe_path_range(const PathModel& path) {
  const PathPoint& first = path.points.front();
  const PathPoint& last = path.points.back();
  const auto range = [](const char* name, double from, double to) {
    return from == to ? fmt::format("{} = {:.6g}", name, from)
                      : fmt::format("{} = {:.6g} .. {:.6g}", name, from, to);
  };
  return fmt::format(
      "{} point{}, {}, {}, {}, {}{}", path.points.size(), path.points.size() == 1 ? "" : "s",
      range("lambda1", first.lambda1, last.lambda1), range("lambda2", first.lambda2, last.lambda2),
      range("lambda3", first.lambda3, last.lambda3), describe_loss(path), describe_preparation(*first.report));
}

std::string describe_path_solve(const PathModel& path) {
  return fmt::format("{} by {}, {:.1f} passes over the data, {:.3g} s", to_string(path.status),
                     to_string(path.solver), path.passes, path.seconds);
}

std::string_view describe_end(PathEnd end) {
  switch (end) {
    case PathEnd::explained:
      return "where nearly all of the null model's loss was explained";
    case PathEnd::flat:
      return "where the share of the loss explained hardly moved";
    case PathEnd::max_nonzeros:
      return "at --max-nonzeros";
    case PathEnd::stopped:
      return "by a stop";
    case PathEnd::grid:
      break;
  }
  return "with the grid";
}

std::string describe_path_end(const PathModel& path) {
  std::string text = fmt::format("{}; its last point explains {:.4g} of the null model's loss",
                                 describe_end(path.ended), path.explained);
  if (path.ended == PathEnd::explained || path.ended == PathEnd::flat) text += " (--full-path goes on)";
  return text;
}

std::string path_table(const PathModel& path, bool all) {
  constexpr std::size_t kRows = 10;
  const std::size_t n = path.points.size();
  const std::size_t step = all ? 1 : std::max<std::size_t>(1, n / kRows);
  std::string text = fmt::format("{:>5}  {:>12}  {:>8}  {:>14}  {:>12}  {}\n", "point", "lambda1", "nonzeros",
                                 "objective", "relative gap", "status");
  for (std::size_t k = 0; k < n; ++k) {
    const PathPoint& point = path.points[k];
    const bool odd = point.report->status != Status::converged;  // always worth a line
    if (k % step != 0 && k + 1 != n && !odd) continue;
    text += fmt::format("{:>5}  {:>12.6g}  {:>8}  {:>14.10g}  {:>12.2g}  {}\n", k + 1, point.lambda1,
                        point.features.size(), point.report->objective, point.report->relative_gap,
                        to_string(point.report->status));
  }
  return text;
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
  const std::size_t n = classes.names.size();
  std::vector<Count> counts((n + 1) * n, 0);  // the last row: labels the model does not know
  for (std::size_t i = 0; i < truth.size(); ++i) {
    const std::size_t row = truth[i] == kUnknownClass ? n : static_cast<std::size_t>(truth[i]);
    ++counts[row * n + static_cast<std::size_t>(predicted[i])];
  }
  std::size_t width = 8;
  for (const std::string& name : classes.names) width = std::max(width, escape_controls(name).size() + 1);
  std::string text = fmt::format("{:<{}}", "true \\ predicted", width + 9);
  for (const std::string& name : classes.names) text += fmt::format("{:>{}}", escape_controls(name), width);
  text += '\n';
  for (std::size_t row = 0; row <= n; ++row) {
    const auto begin = counts.begin() + static_cast<std::ptrdiff_t>(row * n);
    if (row == n && std::all_of(begin, begin + static_cast<std::ptrdiff_t>(n), [](Count c) { return c == 0; }))
      break;
    text +=
        fmt::format("{:<{}}", row == n ? "(unknown label)" : escape_controls(classes.names[row]), width + 9);
    for (std::size_t k = 0; k < n; ++k) text += fmt::format("{:>{}}", counts[row * n + k], width);
    text += '\n';
  }
  return text;
}

}  // namespace hsvm::app
