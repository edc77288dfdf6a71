// Fitted models as lists. With each goes the text of its file, by which R's object can be written, shown and saved.

#include <algorithm>
#include <limits>

#include "bindings/shared/grid_columns.hpp"
#include "glue.hpp"

namespace hsvm::r {
namespace {

Rcpp::CharacterVector words(const std::vector<std::string>& texts) {
  Rcpp::CharacterVector result(static_cast<R_xlen_t>(texts.size()));
  for (std::size_t k = 0; k < texts.size(); ++k)
    result[static_cast<R_xlen_t>(k)] =
        Rf_mkCharLenCE(texts[k].data(), static_cast<int>(texts[k].size()), CE_UTF8);
  return result;
}
Rcpp::CharacterVector word(const std::string& text) {
  return words({text});
}

void add_shape(const ModelShape& shape, Rcpp::List& list) {
  list["kind"] = std::string(to_string(shape.kind));
  list["classes"] = words(shape.classes.names);
  list["n_features"] = shape.n_features;
  list["feature_names"] = words(shape.feature_names);
  list["loss"] = std::string(to_string(shape.loss));
  list["delta"] = shape.delta;
  list["margins"] = std::string(to_string(shape.margins));
}

// The loss that is left at a point: the objective less the penalties, which are those of the standardised features. NaN where
// that cannot be known: there is no objective, nobody knows the penalty factors, or what is penalised is the intercept of the
// standardised features.
double loss_of(const Fitted& point, const KnownFactors& factors) {
  if (!point.report || !factors.known || (point.lambda3 > 0.0 && point.report->standardized))
    return std::numeric_limits<double>::quiet_NaN();
  const std::size_t n_outputs = point.intercept.size();
  double penalty = 0.0;
  for (std::size_t c = 0; c < point.features.size(); ++c) {
    const double factor =
        factors.values.empty() ? 1.0 : factors.values[static_cast<std::size_t>(point.features[c])];
    const double scale = point.deviations.empty() ? 1.0 : point.deviations[c];
    for (std::size_t k = 0; k < n_outputs; ++k) {
      const double w = scale * point.coefficients[c * n_outputs + k];
      penalty += point.lambda1 * factor * std::abs(w) + 0.5 * point.lambda2 * w * w;
    }
  }
  for (const double b : point.intercept) penalty += 0.5 * point.lambda3 * b * b;
  return point.report->objective - penalty;
}

// The coefficients of one output as the slots of a dgCMatrix: a column for each point, nonzero entries only.
Rcpp::List sparse_columns(std::span<const Fitted> points, std::size_t output) {
  std::vector<int> rows;
  std::vector<double> values;
  std::vector<int> starts = {0};
  for (const Fitted& point : points) {
    const std::size_t n_outputs = point.intercept.size();
    for (std::size_t c = 0; c < point.features.size(); ++c) {
      const double w = point.coefficients[c * n_outputs + output];
      if (w == 0.0) continue;
      rows.push_back(point.features[c]);
      values.push_back(w);
    }
    starts.push_back(static_cast<int>(rows.size()));
  }
  return Rcpp::List::create(Rcpp::_["i"] = Rcpp::wrap(rows), Rcpp::_["p"] = Rcpp::wrap(starts),
                            Rcpp::_["x"] = Rcpp::wrap(values));
}

void add_points(std::span<const Fitted> points, const KnownFactors& factors, Rcpp::List& list) {
  const auto numbers = [&](const auto& of_point) {
    Rcpp::NumericVector result(static_cast<R_xlen_t>(points.size()));
    for (std::size_t k = 0; k < points.size(); ++k) result[static_cast<R_xlen_t>(k)] = of_point(points[k]);
    return result;
  };
  const auto reported = [&](auto FitReport::*field) {
    return numbers(
        [&](const Fitted& p) { return p.report ? static_cast<double>((*p.report).*field) : NA_REAL; });
  };
  list["lambda1"] = numbers([](const Fitted& p) { return p.lambda1; });
  list["lambda2"] = numbers([](const Fitted& p) { return p.lambda2; });
  list["lambda3"] = numbers([](const Fitted& p) { return p.lambda3; });
  list["df"] = numbers([](const Fitted& p) { return static_cast<double>(p.features.size()); });
  list["objective"] = reported(&FitReport::objective);
  list["dual_objective"] = reported(&FitReport::dual_objective);
  list["gap"] = reported(&FitReport::gap);
  list["relative_gap"] = reported(&FitReport::relative_gap);
  list["iterations"] = reported(&FitReport::iterations);
  list["passes"] = reported(&FitReport::passes);
  list["loss_left"] = numbers([&](const Fitted& p) { return loss_of(p, factors); });
  std::vector<std::string> statuses;
  for (const Fitted& p : points) statuses.emplace_back(p.report ? to_string(p.report->status) : "");
  list["status"] = words(statuses);

  const auto n_outputs = static_cast<int>(points.front().intercept.size());
  Rcpp::NumericMatrix intercept(n_outputs, static_cast<int>(points.size()));
  Rcpp::List beta(n_outputs);
  for (int output = 0; output < n_outputs; ++output) {
    for (std::size_t k = 0; k < points.size(); ++k)
      intercept(output, static_cast<int>(k)) = points[k].intercept[static_cast<std::size_t>(output)];
    beta[output] = sparse_columns(points, static_cast<std::size_t>(output));
  }
  list["intercept"] = intercept;
  list["beta"] = beta;
}

void add_report(const FitReport& report, Rcpp::List& list) {
  list["lambda1_max"] = report.lambda1_max;
  list["n_samples"] = report.n_samples;
  list["tolerance"] = report.tolerance;
  list["standardized"] = report.standardized;
  list["solver"] = std::string(to_string(report.solver));
}

Rcpp::List calibration_of(const LinearModel& model) {
  const Calibration& calibration = *model.calibration;
  return Rcpp::List::create(
      Rcpp::_["slope"] = calibration.slope, Rcpp::_["offsets"] = Rcpp::wrap(calibration.offsets),
      Rcpp::_["log_loss"] = calibration.log_loss, Rcpp::_["brier_score"] = calibration.brier_score);
}

Rcpp::List stability_of(const Stability& stability) {
  return Rcpp::List::create(Rcpp::_["n_halves"] = stability.n_halves,
                            Rcpp::_["features"] = Rcpp::wrap(stability.features),
                            Rcpp::_["frequencies"] = Rcpp::wrap(stability.frequencies),
                            Rcpp::_["mean_selected"] = stability.mean_selected);
}

// A column for each number of the grid's points; NA for a score that a point does not have.
Rcpp::List grid_of(const Tuning& tuning) {
  Rcpp::List list;
  bindings::visit_grid(tuning, [&](const std::string& name, std::vector<double> numbers) {
    std::ranges::replace_if(
        numbers, [](double number) { return std::isnan(number); }, NA_REAL);
    list[name] = Rcpp::wrap(numbers);
  });
  return list;
}

// n_samples x n_outputs
Rcpp::NumericMatrix by_rows(const std::vector<float>& numbers, Index n_outputs) {
  const int n = static_cast<int>(numbers.size()) / n_outputs;
  Rcpp::NumericMatrix result(n, n_outputs);
  for (int i = 0; i < n; ++i) {
    for (int k = 0; k < n_outputs; ++k) result(i, k) = numbers[static_cast<std::size_t>(i * n_outputs + k)];
  }
  return result;
}

Rcpp::List out_of_fold_of(const OutOfFold& held_out, Index n_outputs) {
  return Rcpp::List::create(
      Rcpp::_["samples"] = Rcpp::wrap(held_out.samples), Rcpp::_["truth"] = Rcpp::wrap(held_out.truth),
      Rcpp::_["folds"] = Rcpp::wrap(held_out.folds), Rcpp::_["best"] = by_rows(held_out.best, n_outputs),
      Rcpp::_["one_se"] = by_rows(held_out.one_se, n_outputs));
}

Rcpp::List scores_of(const ScoreSummaries& scores) {
  Rcpp::List list;
  for (const Score score : tuning_scores()) {
    const auto& summary = scores[static_cast<std::size_t>(score)];
    if (!summary) continue;
    list[std::string(to_string(score))] =
        Rcpp::NumericVector::create(Rcpp::_["mean"] = summary->mean, Rcpp::_["se"] = summary->standard_error);
  }
  return list;
}

Rcpp::List choices_of(const Nested& nested, NestedChoice NestedFold::*which) {
  std::vector<double> lambda1;
  std::vector<double> lambda2;
  std::vector<double> delta;
  std::vector<int> nonzeros;
  std::vector<int> held_out;
  for (const NestedFold& fold : nested.folds) {
    const NestedChoice& choice = fold.*which;
    lambda1.push_back(choice.lambda1);
    lambda2.push_back(choice.lambda2);
    delta.push_back(choice.delta);
    nonzeros.push_back(choice.nonzeros);
    held_out.push_back(fold.held_out);
  }
  return Rcpp::List::create(Rcpp::_["held_out"] = Rcpp::wrap(held_out),
                            Rcpp::_["lambda1"] = Rcpp::wrap(lambda1), Rcpp::_["lambda2"] = Rcpp::wrap(lambda2),
                            Rcpp::_["delta"] = Rcpp::wrap(delta), Rcpp::_["nonzeros"] = Rcpp::wrap(nonzeros));
}

Rcpp::List nested_of(const Nested& nested, Index n_outputs) {
  return Rcpp::List::create(Rcpp::_["best"] = scores_of(nested.best),
                            Rcpp::_["one_se"] = scores_of(nested.one_se),
                            Rcpp::_["best_choices"] = choices_of(nested, &NestedFold::best),
                            Rcpp::_["one_se_choices"] = choices_of(nested, &NestedFold::one_se),
                            Rcpp::_["out_of_fold"] = out_of_fold_of(nested.out_of_fold, n_outputs));
}

Rcpp::List tuning_of(const TunedModel& model) {
  const Tuning& tuning = model.tuning;
  const Index n_outputs = model.best.n_outputs();
  Rcpp::List list;
  list["score"] = std::string(to_string(tuning.score));
  list["larger_is_better"] = info_of(tuning.score).larger_is_better;
  list["grid"] = grid_of(tuning);
  list["best"] = static_cast<int>(tuning.best) + 1;
  list["one_se"] = static_cast<int>(tuning.one_se) + 1;
  Rcpp::IntegerVector begins;
  for (const std::size_t begin : path_begins(tuning.grid)) begins.push_back(static_cast<int>(begin));
  list["path_begins"] = begins;
  list["n_folds"] = tuning.n_folds;
  list["repeats"] = tuning.repeats;
  list["seed"] = static_cast<double>(tuning.seed);
  list["status"] = std::string(to_string(tuning.status));
  list["n_paths"] = tuning.n_paths;
  list["passes"] = tuning.passes;
  std::vector<std::string> notes;
  std::vector<std::string> names;
  for (const TuningNote note : tuning.notes) {
    notes.push_back(describe(note, model, r_name));
    names.emplace_back(to_string(note));
  }
  Rcpp::CharacterVector described = words(notes);
  described.names() = words(names);
  list["notes"] = described;
  list["out_of_fold"] = out_of_fold_of(tuning.out_of_fold, n_outputs);
  if (tuning.nested) list["nested"] = nested_of(*tuning.nested, n_outputs);
  return list;
}

}  // namespace

Rcpp::List to_list(const PathModel& path, const KnownFactors& factors) {
  Rcpp::List list;
  list["format"] = "path";
  add_shape(path, list);
  add_points(path.points, factors, list);
  add_report(*path.points.front().report, list);
  list["lambda1_max"] = path.lambda1_max;
  list["path_status"] = std::string(to_string(path.status));
  list["ended"] = std::string(to_string(path.ended));
  list["explained"] = path.explained;
  list["text"] = word(path_to_json(path));
  return list;
}

Rcpp::List to_list(const LinearModel& model, const KnownFactors& factors) {
  Rcpp::List list;
  list["format"] = "model";
  add_shape(model, list);
  const Fitted& fitted = model;
  add_points({&fitted, 1}, factors, list);
  if (model.report) add_report(*model.report, list);
  if (model.calibration) list["calibration"] = calibration_of(model);
  if (model.stability) list["stability"] = stability_of(*model.stability);
  list["text"] = word(model_to_json(model));
  return list;
}

Rcpp::List to_list(const TunedModel& model, const KnownFactors& factors) {
  Rcpp::List list;
  list["format"] = "tuned";
  list["best"] = to_list(model.best, factors);
  list["one_se"] = to_list(model.one_se, factors);
  if (model.path) list["path"] = to_list(*model.path, factors);
  Rcpp::List kept;
  for (const std::vector<float>& scores : model.path_scores)
    kept.push_back(by_rows(scores, model.best.n_outputs()));
  list["path_scores"] = kept;
  list["tuning"] = tuning_of(model);
  list["text"] = word(tuned_to_json(model));
  return list;
}

}  // namespace hsvm::r
