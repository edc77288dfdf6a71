#include "models.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/variant.h>
#include <nanobind/stl/vector.h>

#include "arrays.hpp"
#include "bindings/shared/grid_columns.hpp"
#include "hsvm/api.hpp"
#include "hsvm/report/report.hpp"

namespace hsvm::python {
namespace {

template <class T>
nb::object optional_text(const std::optional<T>& value) {
  return value ? nb::cast(std::string(to_string(*value))) : nb::none();
}

nb::object report_of(const Fitted& fitted) {
  if (!fitted.report) return nb::none();
  const FitReport& report = *fitted.report;
  nb::dict result;
  result["status"] = std::string(to_string(report.status));
  result["reason"] = report.reason;
  result["solver"] = std::string(to_string(report.solver));
  result["objective"] = report.objective;
  result["dual_objective"] = report.dual_objective;
  result["gap"] = report.gap;
  result["relative_gap"] = report.relative_gap;
  result["iterations"] = report.iterations;
  result["passes"] = report.passes;
  result["seconds"] = report.seconds;
  result["n_samples"] = report.n_samples;
  result["lambda1_max"] = report.lambda1_max;
  result["tolerance"] = report.tolerance;
  result["stopping"] = std::string(to_string(report.stopping));
  result["standardized"] = report.standardized;
  result["fallback"] = optional_text(report.fallback);
  return result;
}

nb::object calibration_of(const LinearModel& model) {
  if (!model.calibration) return nb::none();
  nb::dict result;
  result["slope"] = model.calibration->slope;
  result["offsets"] = to_numpy(model.calibration->offsets);
  result["log_loss"] = model.calibration->log_loss;
  result["brier_score"] = model.calibration->brier_score;
  return result;
}

nb::object stability_of(const LinearModel& model) {
  if (!model.stability) return nb::none();
  nb::dict result;
  result["n_halves"] = model.stability->n_halves;
  result["features"] = to_numpy(model.stability->features);
  result["frequencies"] = to_numpy(model.stability->frequencies);
  result["mean_selected"] = model.stability->mean_selected;
  return result;
}

// n_outputs x n_features, zeros included.
nb::ndarray<nb::numpy, double> dense_coefficients(const LinearModel& model) {
  const auto n_outputs = static_cast<std::size_t>(model.n_outputs());
  const auto n_features = static_cast<std::size_t>(model.n_features);
  std::vector<double> result(n_outputs * n_features, 0.0);
  for (std::size_t c = 0; c < model.features.size(); ++c) {
    for (std::size_t k = 0; k < n_outputs; ++k)
      result[k * n_features + static_cast<std::size_t>(model.features[c])] =
          model.coefficients[c * n_outputs + k];
  }
  return to_numpy(std::move(result), {n_outputs, n_features});
}

nb::ndarray<nb::numpy, double> values_of(const Fitted& fitted) {
  return to_numpy(fitted.coefficients, {fitted.features.size(), fitted.intercept.size()});
}

template <class Model>
void bind_shape(nb::class_<Model>& bound) {
  bound.def_prop_ro("kind", [](const Model& m) { return std::string(to_string(m.kind)); })
      .def_prop_ro("classes", [](const Model& m) { return m.classes.names; })
      .def_prop_ro("numeric_classes", [](const Model& m) { return m.classes.numeric; })
      .def_prop_ro("n_features", [](const Model& m) { return m.n_features; })
      .def_prop_ro("feature_names", [](const Model& m) { return m.feature_names; })
      .def_prop_ro("loss", [](const Model& m) { return std::string(to_string(m.loss)); })
      .def_prop_ro("delta", [](const Model& m) { return m.delta; })
      .def_prop_ro("margins", [](const Model& m) { return std::string(to_string(m.margins)); });
}

template <class Point>
void bind_fitted(nb::class_<Point>& bound) {
  bound.def_prop_ro("lambda1", [](const Point& m) { return m.lambda1; })
      .def_prop_ro("lambda2", [](const Point& m) { return m.lambda2; })
      .def_prop_ro("lambda3", [](const Point& m) { return m.lambda3; })
      .def_prop_ro(
          "intercept", [](const Point& m) { return to_numpy(m.intercept); }, nb::rv_policy::move)
      .def_prop_ro(
          "features", [](const Point& m) { return to_numpy(m.features); }, nb::rv_policy::move)
      .def_prop_ro(
          "values", [](const Point& m) { return values_of(m); }, nb::rv_policy::move)
      .def_prop_ro("report", [](const Point& m) { return report_of(m); });
}

// Pickled as bytes of UTF-8: the text of the file.
template <class Model>
void bind_text(nb::class_<Model>& bound, std::string (*to_json)(const Model&),
               Model (*from_json)(std::string_view, const std::string&)) {
  bound.def("to_json", [to_json](const Model& m) { return to_json(m); })
      .def("__getstate__",
           [to_json](const Model& m) {
             const std::string text = to_json(m);
             return nb::bytes(text.data(), text.size());
           })
      .def("__setstate__", [from_json](Model& m, const nb::bytes& text) {
        new (&m) Model(from_json({text.c_str(), text.size()}, "pickled model"));
      });
}

// A column of the grid for each of its numbers; scores that a point does not have are NaN.
nb::dict grid_of(const Tuning& tuning) {
  nb::dict result;
  bindings::visit_grid(tuning, [&](const std::string& name, std::vector<double> numbers) {
    result[name.c_str()] = to_numpy(std::move(numbers));
  });
  return result;
}

nb::dict tuning_of(const TunedModel& model) {
  const Tuning& tuning = model.tuning;
  nb::dict result;
  result["score"] = std::string(to_string(tuning.score));
  result["larger_is_better"] = info_of(tuning.score).larger_is_better;
  result["grid"] = grid_of(tuning);
  result["best"] = tuning.best;
  result["one_se"] = tuning.one_se;
  result["n_folds"] = tuning.n_folds;
  result["repeats"] = tuning.repeats;
  result["leave_one_out"] = tuning.leave_one_out;
  result["status"] = std::string(to_string(tuning.status));
  result["n_paths"] = tuning.n_paths;
  result["passes"] = tuning.passes;
  result["seconds"] = tuning.seconds;
  nb::dict notes;
  for (const TuningNote note : tuning.notes)
    notes[std::string(to_string(note)).c_str()] = describe(note, model);
  result["notes"] = notes;
  return result;
}

// The model with its features numbered from 0, for data that holds their columns alone.
LinearModel compact(const LinearModel& model) {
  LinearModel result = model;
  result.n_features = static_cast<Index>(model.features.size());
  result.feature_names.clear();
  result.features = all_indices(result.n_features);
  return result;
}

nb::ndarray<nb::numpy, double> decision_values(const LinearModel& model, const SharedDesign& x) {
  Prediction prediction;
  {
    const nb::gil_scoped_release unlocked;
    prediction = predict(model, x);
  }
  return to_numpy(std::move(prediction.scores),
                  {static_cast<std::size_t>(x->rows()), static_cast<std::size_t>(prediction.n_outputs)});
}

nb::ndarray<nb::numpy, Index> classes_of(const nb::ndarray<const double, nb::ndim<2>, nb::c_contig>& scores) {
  std::vector<Index> classes(scores.shape(0));
  for (std::size_t i = 0; i < classes.size(); ++i)
    classes[i] = predicted_class({scores.data() + i * scores.shape(1), scores.shape(1)});
  return to_numpy(std::move(classes));
}

nb::ndarray<nb::numpy, double> class_probabilities(
    const LinearModel& model, const nb::ndarray<const double, nb::ndim<2>, nb::c_contig>& scores) {
  if (!model.calibration) throw InputError("the model has no probabilities: cross-validation gives them");
  if (static_cast<Index>(scores.shape(1)) != model.n_outputs())
    throw InputError("there must be a score for each output of the model");
  return to_numpy(probabilities(*model.calibration, {scores.data(), scores.size()}),
                  {scores.shape(0), static_cast<std::size_t>(model.classes.size())});
}

// A web page that shows the model; `name` is what the page calls it.
template <class Model>
void save_page(const Model& model, const std::string& file, const std::string& name, bool one_se) {
  const report::Reported shown{.name = name, .model = model, .one_se = one_se};
  const nb::gil_scoped_release unlocked;
  report::save_report({shown}, file);
}

template <class Model>
void bind_page(nb::class_<Model>& bound) {
  bound.def("save_page", &save_page<Model>, nb::arg("path"), nb::arg("name"), nb::arg("one_se") = false);
}

}  // namespace

void bind_models(nb::module_& module) {
  nb::class_<Fitted> point(module, "Point", "What was fitted with one set of penalties.");
  bind_fitted(point);

  nb::class_<LinearModel> model(module, "Model", "A fitted model.");
  bind_shape(model);
  bind_fitted(model);
  bind_text(model, &model_to_json, &model_from_json);
  bind_page(model);
  model.def("coef", &dense_coefficients, "n_outputs x n_features, zeros included.")
      .def_prop_ro("calibration", &calibration_of)
      .def_prop_ro("stability", &stability_of)
      .def("compact", &compact, "The same for data that has the columns of its features alone.")
      .def("decision_values", &decision_values, nb::arg("x"))
      .def("probabilities", &class_probabilities, nb::arg("scores"))
      .def(
          "save", [](const LinearModel& m, const std::string& path) { save_model(m, path); }, nb::arg("path"));

  nb::class_<PathModel> path(module, "Path", "A regularisation path.");
  bind_shape(path);
  bind_text(path, &path_to_json, &path_from_json);
  bind_page(path);
  path.def_prop_ro("points", [](const PathModel& m) { return m.points; })
      .def_prop_ro("lambda1_max", [](const PathModel& m) { return m.lambda1_max; })
      .def_prop_ro("status", [](const PathModel& m) { return std::string(to_string(m.status)); })
      .def_prop_ro("ended", [](const PathModel& m) { return std::string(to_string(m.ended)); })
      .def_prop_ro("explained", [](const PathModel& m) { return m.explained; })
      .def_prop_ro("seconds", [](const PathModel& m) { return m.seconds; })
      .def_prop_ro("passes", [](const PathModel& m) { return m.passes; })
      .def("at", &at, nb::arg("lambda1"), "The model at lambda1, interpolated between two points.")
      .def(
          "save", [](const PathModel& m, const std::string& file) { save_path(m, file); }, nb::arg("path"));

  nb::class_<TunedModel> tuned(module, "Tuned", "The models that cross-validation has chosen.");
  bind_text(tuned, &tuned_to_json, &tuned_from_json);
  bind_page(tuned);
  tuned.def_prop_ro("best", [](const TunedModel& m) { return m.best; })
      .def_prop_ro("one_se", [](const TunedModel& m) { return m.one_se; })
      .def_prop_ro("tuning", &tuning_of)
      .def(
          "save", [](const TunedModel& m, const std::string& file) { save_tuned(m, file); }, nb::arg("path"));

  module.def("load", &load_any_model, nb::arg("path"), "A Model, a Path or a Tuned, as the file says.");
  module.def("predicted_classes", &classes_of, nb::arg("scores"),
             "The class number that each row of scores stands for.");
}

}  // namespace hsvm::python
