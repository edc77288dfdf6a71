// What can go wrong at the edges of the library. Solvers throw nothing: an early stop is a Status, not an
// error.
//
//   Error          base: one clear line saying what, where and what would be right
//   InputError     bad data, a bad model, or a file that cannot be read or written
//   OptionError    an option out of its range; names the option, its value and the range
#pragma once

#include <stdexcept>
#include <string>

namespace hsvm {

class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

class InputError : public Error {
 public:
  using Error::Error;
};

class OptionError : public Error {
 public:
  using Error::Error;
};

// "FILE: what: reason", the reason being the operating system's word for errno as it is now.
[[nodiscard]] InputError file_error(const std::string& file, const std::string& what);

}  // namespace hsvm
