#include "hsvm/core/error.hpp"

#include <cassert>
#include <cerrno>
#include <system_error>
#include <utility>

namespace hsvm {
namespace {

std::string fill_in(const std::string& pattern, const std::vector<std::string>& names,
                    const std::function<std::string(const std::string&)>& spell) {
  std::string text;
  std::size_t begin = 0;
  for (const std::string& name : names) {
    const std::size_t gap = pattern.find("{}", begin);
    assert(gap != std::string::npos);
    text += pattern.substr(begin, gap - begin) + spell(name);
    begin = gap + 2;
  }
  return text + pattern.substr(begin);
}

}  // namespace

OptionError::OptionError(std::string pattern, std::vector<std::string> names)
    : Error(fill_in(pattern, names, [](const std::string& name) { return name; })),
      pattern_(std::move(pattern)),
      names_(std::move(names)) {}

std::string OptionError::message(const std::function<std::string(const std::string&)>& spell) const {
  return fill_in(pattern_, names_, spell);
}

OptionError value_error(const std::string& field, const std::string& value, const std::string& what) {
  return OptionError("{} " + value + ": " + what, {field});
}

void refuse_both(bool first_given, const char* first, bool second_given, const char* second) {
  if (first_given && second_given)
    throw OptionError("{} and {} exclude each other: give one of them", {first, second});
}

InputError file_error(const std::string& file, const std::string& what) {
  const std::error_code reason(errno, std::generic_category());
  return InputError(file + ": " + what + ": " + reason.message());
}

}  // namespace hsvm
