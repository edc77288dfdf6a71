// The entry points that R calls. What can go wrong in the library's own words comes back as a list of class hsvm_failure, from which R
// makes a condition of the user's call.

#include <R_ext/Rdynload.h>

#include "glue.hpp"
#include "hsvm/report/report.hpp"

namespace hsvm::r {
namespace {

SEXP failure(const char* kind, const std::string& message) {
  const Rcpp::String words(message, CE_UTF8);
  Rcpp::List list = Rcpp::List::create(Rcpp::_["kind"] = kind, Rcpp::_["message"] = words);
  list.attr("class") = "hsvm_failure";
  return list;
}

template <class Body>
SEXP guarded(const Body& body) {
  try {
    return body();
  } catch (const StoppedError& error) {
    return failure("stopped", error.what());
  } catch (const OptionError& error) {
    return failure("option", error.message(r_name));
  } catch (const Error& error) {
    return failure("input", error.what());
  }
}

std::vector<std::string> strings(SEXP words) {
  std::vector<std::string> result;
  for (R_xlen_t k = 0; k < Rf_xlength(words); ++k)
    result.emplace_back(Rf_translateCharUTF8(STRING_ELT(words, k)));
  return result;
}

std::vector<double> doubles(SEXP numbers) {
  return numbers == R_NilValue ? std::vector<double>() : Rcpp::as<std::vector<double>>(numbers);
}

// What a fit refers to; the matrix is R's.
struct Task {
  Dataset data;
  std::vector<double> weights;
  std::vector<double> factors;
  AllOptions options;
  bool shows = false;

  [[nodiscard]] FitInput input() const { return {data, weights, factors}; }
};

// data: x, classes (in the library's order), codes (from 0), feature_names, sample_names, weights, factors.
Task make_task(SEXP data_list, SEXP options, SEXP trace) {
  const Rcpp::List given = data_list;
  Task task;
  task.data.source = "x";
  task.data.design = to_design(given["x"]);
  task.data.labels = make_labels(strings(given["classes"]), Rcpp::as<std::vector<Index>>(given["codes"]));
  task.data.feature_names = strings(given["feature_names"]);
  task.data.sample_names = strings(given["sample_names"]);
  task.weights = doubles(given["weights"]);
  task.factors = doubles(given["factors"]);
  task.options = to_options(options);
  task.shows = Rcpp::as<bool>(trace);
  return task;
}

SEXP fit_for_r(SEXP data, SEXP options, SEXP trace) {
  const Task task = make_task(data, options, trace);
  std::optional<LinearModel> model;
  run_job([&](JobState& job) { model = fit(task.input(), task.options.fit, solve_monitor(job, task.shows)); },
          task.shows);
  return to_list(*model, {true, task.factors});
}

SEXP fit_path_for_r(SEXP data, SEXP options, SEXP trace) {
  const Task task = make_task(data, options, trace);
  std::optional<PathModel> path;
  run_job(
      [&](JobState& job) {
        path = fit_path(task.input(), task.options.fit, task.options.path, solve_monitor(job, task.shows));
      },
      task.shows);
  return to_list(*path, {true, task.factors});
}

SEXP tune_for_r(SEXP data, SEXP options, SEXP trace, SEXP keep) {
  Task task = make_task(data, options, trace);
  task.options.tune.keep_scores = Rcpp::as<bool>(keep);
  std::optional<TunedModel> tuned;
  run_job(
      [&](JobState& job) {
        tuned = tune(task.input(), task.options.fit, task.options.path, task.options.tune,
                     tune_monitor(job, task.shows));
      },
      task.shows);
  return to_list(*tuned, {true, task.factors});
}

// The names as the library writes them and the place, from 0, that each has there; NULL where it would take two for the same.
SEXP class_names(SEXP names) {
  const std::vector<std::string> given = strings(names);
  const Labels labels = make_labels(given, all_indices(static_cast<Index>(given.size())));
  if (labels.classes.size() != std::ssize(given)) return R_NilValue;
  return Rcpp::List::create(Rcpp::_["names"] = Rcpp::wrap(labels.classes.names),
                            Rcpp::_["place"] = Rcpp::wrap(labels.of_sample));
}

// Scores of the samples, n x n_outputs, by one model: its intercept, its features (from 0, ascending) and their coefficients, a
// column for each output.
SEXP scores_for_r(SEXP x, SEXP intercept, SEXP features, SEXP coefficients, SEXP threads) {
  const SharedDesign design = to_design(x);
  const Rcpp::NumericMatrix values(coefficients);
  LinearModel model;
  model.intercept = Rcpp::as<std::vector<double>>(intercept);
  const auto n_outputs = static_cast<int>(model.intercept.size());
  model.kind = n_outputs == 1 ? ModelKind::binary : ModelKind::multiclass;
  model.classes.names.resize(static_cast<std::size_t>(std::max(2, n_outputs)));
  model.n_features = design->cols();
  model.features = Rcpp::as<std::vector<Index>>(features);
  for (int c = 0; c < values.nrow(); ++c) {
    for (int k = 0; k < n_outputs; ++k) model.coefficients.push_back(values(c, k));
  }
  Prediction prediction;
  const int asked = is_forked_child() ? 1 : Rcpp::as<int>(threads);
  run_job([&](JobState& /*unused*/) { with_threads(asked, [&] { prediction = predict(model, design); }); },
          false);
  Rcpp::NumericMatrix scores(design->rows(), n_outputs);
  for (int i = 0; i < design->rows(); ++i) {
    for (int k = 0; k < n_outputs; ++k)
      scores(i, k) = prediction.scores[static_cast<std::size_t>(i) * static_cast<std::size_t>(n_outputs) +
                                       static_cast<std::size_t>(k)];
  }
  return scores;
}

// n x n_classes, from n x n_outputs scores.
SEXP probabilities_for_r(SEXP slope, SEXP offsets, SEXP scores_matrix) {
  Calibration calibration;
  calibration.slope = Rcpp::as<double>(slope);
  calibration.offsets = Rcpp::as<std::vector<double>>(offsets);
  const Rcpp::NumericMatrix scores(scores_matrix);
  std::vector<double> rows;
  for (int i = 0; i < scores.nrow(); ++i) {
    for (int k = 0; k < scores.ncol(); ++k) rows.push_back(scores(i, k));
  }
  const std::vector<double> shares = probabilities(calibration, rows);
  const int n_classes = std::max(2, scores.ncol());
  Rcpp::NumericMatrix result(scores.nrow(), n_classes);
  for (int i = 0; i < scores.nrow(); ++i) {
    for (int k = 0; k < n_classes; ++k) result(i, k) = shares[static_cast<std::size_t>(i * n_classes + k)];
  }
  return result;
}

std::string file_name(SEXP file) {
  return Rf_translateChar(STRING_ELT(file, 0));
}
AnyModel parse(SEXP text) {
  return any_model_from_json(Rf_translateCharUTF8(STRING_ELT(text, 0)), "model");
}

SEXP list_of(const AnyModel& model) {
  if (const auto* const path = std::get_if<PathModel>(&model)) return to_list(*path, {});
  if (const auto* const tuned = std::get_if<TunedModel>(&model)) return to_list(*tuned, {});
  return to_list(std::get<LinearModel>(model), {});
}

SEXP read_for_r(SEXP file) {
  return list_of(load_any_model(file_name(file)));
}

// which: NULL for all there is, a lambda1 of a path, or "best" or "one_se" of a tuned model.
SEXP write_for_r(SEXP text, SEXP file, SEXP which) {
  const AnyModel model = parse(text);
  const std::string name = file_name(file);
  if (const auto* const tuned = std::get_if<TunedModel>(&model)) {
    if (which == R_NilValue) {
      save_tuned(*tuned, name);
    } else {
      save_model(Rcpp::as<std::string>(which) == "best" ? tuned->best : tuned->one_se, name);
    }
  } else if (const auto* const path = std::get_if<PathModel>(&model)) {
    if (which == R_NilValue) {
      save_path(*path, name);
    } else {
      save_model(at(*path, Rcpp::as<double>(which)), name);
    }
  } else {
    save_model(std::get<LinearModel>(model), name);
  }
  return R_NilValue;
}

// models: lists of text, name, one_se and lambda (NULL or a number).
SEXP report_for_r(SEXP models, SEXP file) {
  std::vector<report::Reported> shown;
  const Rcpp::List given = models;
  for (R_xlen_t k = 0; k < given.size(); ++k) {
    const Rcpp::List one = given[k];
    report::Reported reported{.name = strings(one["name"]).at(0), .model = parse(one["text"])};
    reported.one_se = Rcpp::as<bool>(one["one_se"]);
    if (const SEXP lambda = one["lambda"]; lambda != R_NilValue) reported.lambda1 = Rcpp::as<double>(lambda);
    shown.push_back(std::move(reported));
  }
  report::ReportOptions options;
  options.spell = r_name;
  report::save_report(shown, file_name(file), options);
  return R_NilValue;
}

}  // namespace
}  // namespace hsvm::r

using namespace hsvm::r;

extern "C" {

SEXP hsvm_fit(SEXP data, SEXP options, SEXP trace) {
  BEGIN_RCPP
  return guarded([&] { return fit_for_r(data, options, trace); });
  END_RCPP
}
SEXP hsvm_fit_path(SEXP data, SEXP options, SEXP trace) {
  BEGIN_RCPP
  return guarded([&] { return fit_path_for_r(data, options, trace); });
  END_RCPP
}
SEXP hsvm_tune(SEXP data, SEXP options, SEXP trace, SEXP keep) {
  BEGIN_RCPP
  return guarded([&] { return tune_for_r(data, options, trace, keep); });
  END_RCPP
}
SEXP hsvm_class_names(SEXP names) {
  BEGIN_RCPP
  return guarded([&] { return class_names(names); });
  END_RCPP
}
SEXP hsvm_scores(SEXP x, SEXP intercept, SEXP features, SEXP coefficients, SEXP threads) {
  BEGIN_RCPP
  return guarded([&] { return scores_for_r(x, intercept, features, coefficients, threads); });
  END_RCPP
}
SEXP hsvm_probabilities(SEXP slope, SEXP offsets, SEXP scores) {
  BEGIN_RCPP
  return guarded([&] { return probabilities_for_r(slope, offsets, scores); });
  END_RCPP
}
SEXP hsvm_read(SEXP file) {
  BEGIN_RCPP
  return guarded([&] { return read_for_r(file); });
  END_RCPP
}
SEXP hsvm_write(SEXP text, SEXP file, SEXP which) {
  BEGIN_RCPP
  return guarded([&] { return write_for_r(text, file, which); });
  END_RCPP
}
SEXP hsvm_report_page(SEXP models, SEXP file) {
  BEGIN_RCPP
  return guarded([&] { return report_for_r(models, file); });
  END_RCPP
}

void R_init_hsvm(DllInfo* info) {
  static const R_CallMethodDef entries[] = {
      {"hsvm_fit", reinterpret_cast<DL_FUNC>(&hsvm_fit), 3},
      {"hsvm_fit_path", reinterpret_cast<DL_FUNC>(&hsvm_fit_path), 3},
      {"hsvm_tune", reinterpret_cast<DL_FUNC>(&hsvm_tune), 4},
      {"hsvm_class_names", reinterpret_cast<DL_FUNC>(&hsvm_class_names), 1},
      {"hsvm_scores", reinterpret_cast<DL_FUNC>(&hsvm_scores), 5},
      {"hsvm_probabilities", reinterpret_cast<DL_FUNC>(&hsvm_probabilities), 3},
      {"hsvm_read", reinterpret_cast<DL_FUNC>(&hsvm_read), 1},
      {"hsvm_write", reinterpret_cast<DL_FUNC>(&hsvm_write), 3},
      {"hsvm_report_page", reinterpret_cast<DL_FUNC>(&hsvm_report_page), 2},
      {nullptr, nullptr, 0}};
  R_registerRoutines(info, nullptr, entries, nullptr, nullptr);
  R_useDynamicSymbols(info, FALSE);
  R_forceSymbols(info, TRUE);
}

}  // extern "C"
