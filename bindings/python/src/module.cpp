// hsvm._core: the verbs of hsvm/api.hpp for Python. What scikit-learn's conventions ask for is written in Python on top.

#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "arrays.hpp"
#include "design.hpp"
#include "hsvm/api.hpp"
#include "job.hpp"
#include "models.hpp"
#include "options.hpp"

namespace hsvm::python {
namespace {

// Everything a fit refers to, kept alive by the job.
struct Task {
  Dataset data;
  std::vector<double> sample_weights;
  std::vector<double> penalty_factors;
  std::optional<LinearModel> start;
  AllOptions options;

  [[nodiscard]] FitInput input() const {
    return {data, sample_weights, penalty_factors, start ? &*start : nullptr};
  }
};

// A pass over the data takes about a millisecond at most, and one thread does the whole of an iteration.
bool is_small(const Task& task) {
  constexpr Count kFew = 1'000'000;
  return task.data.design->stored() * task.data.labels->classes.size() <= kFew;
}

template <class T>
std::vector<T> copy_of(const std::optional<Vector<T>>& array) {
  if (!array) return {};
  const std::span<const T> span = as_span(*array);
  return {span.begin(), span.end()};
}

// Labels of samples by their class's number among these names, which are those of the library's own order.
Labels to_labels(const std::vector<std::string>& names, const Vector<Index>& codes, Index n_samples) {
  const std::span<const Index> numbers = as_span(codes);
  if (std::ssize(numbers) != n_samples) {
    throw InputError(std::to_string(numbers.size()) + " labels for " + std::to_string(n_samples) +
                     " samples: there must be one for each");
  }
  for (const Index k : numbers) {
    if (k < 0 || k >= std::ssize(names)) throw InputError("a label has no name");
  }
  Labels labels = make_labels(names, numbers);
  if (labels.classes.size() != std::ssize(names)) throw InputError("two classes have the same name");
  return labels;
}

std::shared_ptr<Task> make_task(const SharedDesign& x, const std::vector<std::string>& classes,
                                const Vector<Index>& codes, AllOptions options,
                                const std::optional<Vector<double>>& sample_weight,
                                const std::optional<Vector<double>>& penalty_factors,
                                std::vector<std::string> feature_names) {
  auto task = std::make_shared<Task>();
  task->data.source = "X";
  task->data.design = x;
  task->data.labels = to_labels(classes, codes, x->rows());
  if (!feature_names.empty() && std::ssize(feature_names) != x->cols())
    throw InputError("there must be a name for each feature");
  task->data.feature_names = std::move(feature_names);
  task->sample_weights = copy_of(sample_weight);
  task->penalty_factors = copy_of(penalty_factors);
  task->options = std::move(options);
  return task;
}

LinearModel fit_model(const SharedDesign& x, const std::vector<std::string>& classes,
                      const Vector<Index>& codes, const nb::dict& options,
                      const std::optional<Vector<double>>& sample_weight,
                      const std::optional<Vector<double>>& penalty_factors,
                      std::vector<std::string> feature_names, const std::optional<LinearModel>& start,
                      const nb::object& on_look) {
  const auto task = make_task(x, classes, codes, fit_options(options), sample_weight, penalty_factors,
                              std::move(feature_names));
  task->start = start;
  return run<LinearModel>(
      [task, shows = !on_look.is_none()](Job& job) {
        return fit(task->input(), task->options.fit, solve_monitor(job, shows));
      },
      on_look, is_small(*task));
}

PathModel fit_path_model(const SharedDesign& x, const std::vector<std::string>& classes,
                         const Vector<Index>& codes, const nb::dict& options,
                         const std::optional<Vector<double>>& sample_weight,
                         const std::optional<Vector<double>>& penalty_factors,
                         std::vector<std::string> feature_names, const nb::object& on_look) {
  const auto task = make_task(x, classes, codes, path_options(options), sample_weight, penalty_factors,
                              std::move(feature_names));
  return run<PathModel>(
      [task, shows = !on_look.is_none()](Job& job) {
        return fit_path(task->input(), task->options.fit, task->options.path, solve_monitor(job, shows));
      },
      on_look, is_small(*task));
}

TunedModel tune_model(const SharedDesign& x, const std::vector<std::string>& classes,
                      const Vector<Index>& codes, const nb::dict& options,
                      const std::optional<Vector<double>>& sample_weight,
                      const std::optional<Vector<double>>& penalty_factors,
                      std::vector<std::string> feature_names, const nb::object& on_look) {
  const auto task = make_task(x, classes, codes, tune_options(options), sample_weight, penalty_factors,
                              std::move(feature_names));
  return run<TunedModel>(
      [task, shows = !on_look.is_none()](Job& job) {
        return tune(task->input(), task->options.fit, task->options.path, task->options.tune,
                    tune_monitor(job, shows));
      },
      on_look);
}

// (design, class names, whether they are numbers, class numbers, feature names); no class numbers of unlabelled data.
nb::tuple read_file(const std::string& path, const std::optional<std::string>& format,
                    const std::optional<Index>& features, const std::optional<std::string>& label,
                    const std::string& precision, bool labels_required) {
  ReadOptions options;
  if (format) options.format = &format_named(*format);
  options.n_features = features;
  options.label = label;
  options.labels_required = labels_required;
  if (precision != "double" && precision != "single")
    throw OptionError("precision '" + precision + "': must be one of 'double', 'single'");
  if (precision == "single") options.precision = Precision::single_precision;
  const auto data = run<Dataset>(
      [path, options](Job& /*unused*/) {
        Dataset result;
        with_threads(is_forked_child() ? 1 : 0, [&] { result = read_dataset(path, options); });
        return result;
      },
      nb::none());
  nb::object codes = nb::none();
  const Classes classes = data.labels ? data.labels->classes : Classes{};
  if (data.labels) codes = nb::cast(to_numpy(data.labels->of_sample));
  return nb::make_tuple(data.design, classes.names, classes.numeric, codes, data.feature_names);
}

nb::tuple as_tuple(const Dataset& data) {
  return nb::make_tuple(data.design, data.labels->classes.names, data.labels->classes.numeric,
                        to_numpy(data.labels->of_sample), data.feature_names);
}

nb::tuple generate_gaussian(Index n, Index p, Index s, double rho, std::uint64_t seed) {
  return as_tuple(generate(GaussianDesign{.n = n, .p = p, .s = s, .rho = rho, .seed = seed}));
}
nb::tuple generate_four_classes(Index n, Index p, Index s, double rho, std::uint64_t seed) {
  return as_tuple(generate(FourClassDesign{.n = n, .p = p, .s = s, .rho = rho, .seed = seed}));
}

// The names as the library writes them and whether they are numbers; None where it would order or tell them apart
// otherwise.
nb::object class_names(const std::vector<std::string>& names) {
  const Labels labels = make_labels(names, all_indices(static_cast<Index>(names.size())));
  if (labels.classes.size() != std::ssize(names) ||
      labels.of_sample != all_indices(static_cast<Index>(names.size())))
    return nb::none();
  return nb::make_tuple(labels.classes.names, labels.classes.numeric);
}

void translate_error(const std::exception_ptr& pointer, void* /*unused*/) {
  try {
    std::rethrow_exception(pointer);
  } catch (const StoppedError& error) {
    PyErr_SetString(PyExc_TimeoutError, error.what());
  } catch (const OptionError& error) {
    PyErr_SetString(PyExc_ValueError, error.message(python_name).c_str());
  } catch (const Error& error) {
    PyErr_SetString(PyExc_ValueError, error.what());
  }
}

}  // namespace
}  // namespace hsvm::python

NB_MODULE(_core, module) {
  namespace nb = nanobind;
  using namespace hsvm::python;
  nb::register_exception_translator(translate_error);
  module.doc() = "The verbs of the C++ library. Use the classes and functions of hsvm instead.";
  bind_designs(module);
  bind_models(module);
  module.def("fit", &fit_model, nb::arg("x"), nb::arg("classes"), nb::arg("codes"), nb::arg("options"),
             nb::arg("sample_weight").none(), nb::arg("penalty_factors").none(), nb::arg("feature_names"),
             nb::arg("start").none(), nb::arg("on_look").none());
  module.def("fit_path", &fit_path_model, nb::arg("x"), nb::arg("classes"), nb::arg("codes"),
             nb::arg("options"), nb::arg("sample_weight").none(), nb::arg("penalty_factors").none(),
             nb::arg("feature_names"), nb::arg("on_look").none());
  module.def("tune", &tune_model, nb::arg("x"), nb::arg("classes"), nb::arg("codes"), nb::arg("options"),
             nb::arg("sample_weight").none(), nb::arg("penalty_factors").none(), nb::arg("feature_names"),
             nb::arg("on_look").none());
  module.def("read", &read_file, nb::arg("path"), nb::arg("format").none(), nb::arg("features").none(),
             nb::arg("label").none(), nb::arg("precision"), nb::arg("labels_required"));
  module.def("generate_gaussian", &generate_gaussian, nb::arg("n"), nb::arg("p"), nb::arg("s"), nb::arg("rho"),
             nb::arg("seed"));
  module.def("generate_four_classes", &generate_four_classes, nb::arg("n"), nb::arg("p"), nb::arg("s"),
             nb::arg("rho"), nb::arg("seed"));
  module.def("class_names", &class_names, nb::arg("names"));
  module.def("tuning_scores", [] {
    std::vector<std::string> names;
    for (const hsvm::Score score : hsvm::tuning_scores()) names.emplace_back(to_string(score));
    return names;
  });
  module.def("wait_for_left_jobs", &wait_for_left_jobs);
  module.def("note_fork", &note_fork);
}
