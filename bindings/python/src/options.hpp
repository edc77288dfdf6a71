// Options from Python's keyword arguments. Names, ranges and checks are those of the library (core/option_info.hpp): a
// new option of the library is one here by itself.
#pragma once

#include <nanobind/nanobind.h>

#include <set>
#include <string>

#include "hsvm/api.hpp"

namespace hsvm::python {

namespace nb = nanobind;

// What Python calls an option of the library: tol for tolerance.
[[nodiscard]] std::string python_name(const std::string& name);

// Fills fields of options structs by their names. A name that no struct knows, or a value of another kind, is a TypeError.
class Keywords {
 public:
  explicit Keywords(nb::dict values) : values_(std::move(values)) {}

  template <class T>
  void operator()(const OptionInfo& info, T& field) {
    if (const nb::object value = take(info.name); value.is_valid()) set(info.name, value, field);
  }
  // The value of a keyword, which is then known; invalid where it is not given.
  [[nodiscard]] nb::object take(const std::string& name);
  void require_all_known() const;

 private:
  static void set(const std::string& name, nb::handle value, double& field);
  static void set(const std::string& name, nb::handle value, bool& field);
  static void set(const std::string& name, nb::handle value, int& field);
  static void set(const std::string& name, nb::handle value, std::uint64_t& field);
  static void set(const std::string& name, nb::handle value, Loss& field);
  static void set(const std::string& name, nb::handle value, Margins& field);
  static void set(const std::string& name, nb::handle value, Solver& field);
  static void set(const std::string& name, nb::handle value, Stopping& field);
  static void set(const std::string& name, nb::handle value, Score& field);
  static void set(const std::string& name, nb::handle value, ClassWeights& field);
  template <class T>
  static void set(const std::string& name, nb::handle value, std::optional<T>& field) {
    if (value.is_none()) {
      field.reset();
    } else {
      set(name, value, field.emplace());
    }
  }

  nb::dict values_;
  std::set<std::string> known_;
};

struct AllOptions {
  FitOptions fit;
  PathOptions path;
  TuneOptions tune;
};

[[nodiscard]] AllOptions fit_options(const nb::dict& values);
[[nodiscard]] AllOptions path_options(const nb::dict& values);  // those of a fit, too
[[nodiscard]] AllOptions tune_options(const nb::dict& values);  // those of both, too

}  // namespace hsvm::python
