#include "options.hpp"

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <map>

#include "job.hpp"

namespace hsvm::python {
namespace {

std::string spell(nb::handle value) {
  return nb::repr(value).c_str();
}

[[noreturn]] void refuse(const std::string& name, nb::handle value, const std::string& right) {
  throw nb::type_error((python_name(name) + " " + spell(value) + ": must be " + right).c_str());
}

double to_double(const std::string& name, nb::handle value) {
  const double number = PyUnicode_Check(value.ptr()) ? -1.0 : PyFloat_AsDouble(value.ptr());
  if (PyUnicode_Check(value.ptr()) || (number == -1.0 && PyErr_Occurred() != nullptr)) {
    PyErr_Clear();
    refuse(name, value, "a number");
  }
  return number;
}

long long to_integer(const std::string& name, nb::handle value) {
  const nb::object integer = nb::steal(PyNumber_Index(value.ptr()));
  if (!integer.is_valid()) {
    PyErr_Clear();
    refuse(name, value, "an integer");
  }
  const long long number = PyLong_AsLongLong(integer.ptr());
  if (number == -1 && PyErr_Occurred() != nullptr) {
    PyErr_Clear();
    throw OptionError(python_name(name) + " " + spell(value) + ": is too large");
  }
  return number;
}

std::string to_text(const std::string& name, nb::handle value, const std::string& right) {
  if (!PyUnicode_Check(value.ptr())) refuse(name, value, right);
  return nb::cast<std::string>(value);
}

template <class Enum, std::size_t size>
void set_named(const std::string& name, nb::handle value, const std::array<std::string_view, size>& names,
               Enum& field) {
  std::string list;
  for (const std::string_view word : names) list += (list.empty() ? "'" : ", '") + std::string(word) + "'";
  const auto found = find_named<Enum>(names, to_text(name, value, "one of " + list));
  if (!found) throw OptionError(python_name(name) + " " + spell(value) + ": must be one of " + list);
  field = *found;
}

std::vector<double> to_doubles(const std::string& name, nb::handle list) {
  std::vector<double> numbers;
  for (const nb::handle value : list) numbers.push_back(to_double(name, value));
  return numbers;
}

// {"n_folds": K, "of_sample": [[...], ...]}
Folds to_folds(nb::handle value) {
  return {nb::cast<Index>(value[nb::str("n_folds")]),
          nb::cast<std::vector<std::vector<Index>>>(value[nb::str("of_sample")])};
}

void describe_fit(Keywords& keywords, FitOptions& options) {
  describe_model(options, keywords);
  describe_solver(options, keywords);
  if (is_forked_child()) options.threads = 1;
}

void take_path(Keywords& keywords, PathOptions& options) {
  describe_path(options, keywords);
  if (const nb::object grid = keywords.take("lambda_grid"); grid.is_valid() && !grid.is_none()) {
    options.lambda_grid = to_doubles("lambda_grid", grid);
    if (options.lambda_grid.empty()) throw OptionError("lambda_grid is empty: must hold a number");
  }
}

}  // namespace

std::string python_name(const std::string& name) {
  static const std::map<std::string, std::string> names = {{"tolerance", "tol"},
                                                           {"max_iterations", "max_iter"},
                                                           {"threads", "n_jobs"},
                                                           {"seed", "random_state"},
                                                           {"no_intercept", "fit_intercept"},
                                                           {"score", "scoring"},
                                                           {"folds", "cv"},
                                                           {"given_folds", "cv"}};
  const auto found = names.find(name);
  return found == names.end() ? name : found->second;
}

nb::object Keywords::take(const std::string& name) {
  known_.insert(name);
  if (!values_.contains(name.c_str())) return {};
  return nb::borrow(values_[name.c_str()]);
}

void Keywords::require_all_known() const {
  for (const auto& [key, value] : values_) {
    const auto name = nb::cast<std::string>(key);
    if (!known_.contains(name)) throw nb::type_error(("there is no option named " + name).c_str());
  }
}

void Keywords::set(const std::string& name, nb::handle value, double& field) {
  field = to_double(name, value);
}

void Keywords::set(const std::string& name, nb::handle value, bool& field) {
  const int truth = PyObject_IsTrue(value.ptr());
  if (PyUnicode_Check(value.ptr()) || truth < 0) {
    PyErr_Clear();
    refuse(name, value, "True or False");
  }
  field = truth == 1;
}

void Keywords::set(const std::string& name, nb::handle value, int& field) {
  const long long number = to_integer(name, value);
  if (number != static_cast<int>(number))
    throw OptionError(python_name(name) + " " + spell(value) + ": is too large");
  field = static_cast<int>(number);
}

void Keywords::set(const std::string& name, nb::handle value, std::uint64_t& field) {
  const long long number = to_integer(name, value);
  if (number < 0) throw OptionError(python_name(name) + " " + spell(value) + ": must be at least 0");
  field = static_cast<std::uint64_t>(number);
}

void Keywords::set(const std::string& name, nb::handle value, Loss& field) {
  set_named(name, value, kLossNames, field);
}
void Keywords::set(const std::string& name, nb::handle value, Margins& field) {
  set_named(name, value, kMarginsNames, field);
}
void Keywords::set(const std::string& name, nb::handle value, Solver& field) {
  set_named(name, value, kSolverNames, field);
}
void Keywords::set(const std::string& name, nb::handle value, Stopping& field) {
  set_named(name, value, kStoppingNames, field);
}

void Keywords::set(const std::string& name, nb::handle value, Score& field) {
  const std::string right = "one of " + list_tuning_scores();
  const std::string wanted = to_text(name, value, right);
  for (const Score score : tuning_scores()) {
    if (to_string(score) != wanted) continue;
    field = score;
    return;
  }
  throw OptionError(python_name(name) + " " + spell(value) + ": must be " + right);
}

void Keywords::set(const std::string& name, nb::handle value, ClassWeights& field) {
  if (value.is_none()) {
    field = {};
  } else if (PyUnicode_Check(value.ptr())) {
    if (nb::cast<std::string>(value) != "balanced")
      throw OptionError(python_name(name) + " " + spell(value) + ": must be 'balanced', a dict or None");
    field.balanced = true;
  } else if (PyDict_Check(value.ptr())) {
    for (const auto& [label, weight] : nb::borrow<nb::dict>(value))
      field.by_label[nb::cast<std::string>(label)] = to_double(name, weight);
  } else {
    refuse(name, value, "'balanced', a dict or None");
  }
}

AllOptions fit_options(const nb::dict& values) {
  AllOptions options;
  Keywords keywords(values);
  describe_fit(keywords, options.fit);
  keywords.require_all_known();
  return options;
}

AllOptions path_options(const nb::dict& values) {
  AllOptions options;
  Keywords keywords(values);
  describe_fit(keywords, options.fit);
  take_path(keywords, options.path);
  keywords.require_all_known();
  return options;
}

AllOptions tune_options(const nb::dict& values) {
  AllOptions options;
  Keywords keywords(values);
  describe_fit(keywords, options.fit);
  take_path(keywords, options.path);
  describe_tuning(options.tune, keywords);
  for (const auto& [name, field] : {std::pair("lambda2_grid", &options.tune.lambda2_grid),
                                    std::pair("delta_grid", &options.tune.delta_grid)}) {
    if (const nb::object grid = keywords.take(name); grid.is_valid() && !grid.is_none())
      *field = to_doubles(name, grid);
  }
  if (const nb::object folds = keywords.take("given_folds"); folds.is_valid() && !folds.is_none())
    options.tune.given_folds = to_folds(folds);
  keywords.require_all_known();
  return options;
}

}  // namespace hsvm::python
