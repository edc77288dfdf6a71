#include "hsvm/core/error.hpp"

#include <cerrno>
#include <system_error>

namespace hsvm {

InputError file_error(const std::string& file, const std::string& what) {
  const std::error_code reason(errno, std::generic_category());
  return InputError(file + ": " + what + ": " + reason.message());
}

}  // namespace hsvm
