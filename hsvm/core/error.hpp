// What can go wrong at the edges of the library. Solvers throw nothing: an early stop is a Status, not an error.
//
//   Error          base: one clear line saying what is wrong, where, and what would be right
//   InputError     bad data, a bad model, or a file that cannot be read or written
//   OptionError    an option out of its range, or options that contradict each other
#pragma once

#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

namespace hsvm {

class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

class InputError : public Error {
 public:
  using Error::Error;
};

// Knows the names in its text: fields of the options structs (lambda1_ratio), verbs of the API (fit()). what() spells
// them like that; a face spells them in its own way, such as --lambda1-ratio and hsvm fit.
class OptionError : public Error {
 public:
  explicit OptionError(const std::string& text) : OptionError(text, {}) {}
  // The first {} of the pattern stands for the first name, and so on; a {} beyond the last name is plain text.
  OptionError(std::string pattern, std::vector<std::string> names);

  [[nodiscard]] const std::vector<std::string>& names() const { return names_; }
  [[nodiscard]] std::string message(const std::function<std::string(const std::string& name)>& spell) const;

 private:
  std::string pattern_;
  std::vector<std::string> names_;
};

// "FIELD VALUE: what"
[[nodiscard]] OptionError value_error(const std::string& field, const std::string& value,
                                      const std::string& what);
// Throws OptionError where both fields are given.
void refuse_both(bool first_given, const char* first, bool second_given, const char* second);

// "FILE: what: reason", the reason being the operating system's word for errno as it is now.
[[nodiscard]] InputError file_error(const std::string& file, const std::string& what);

}  // namespace hsvm
