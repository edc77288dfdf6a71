#include "hsvm/core/error.hpp"

#include <gtest/gtest.h>

#include <cerrno>

namespace hsvm {
namespace {

TEST(Error, FileErrorSaysFileWhatAndWhy) {
  errno = ENOENT;
  EXPECT_STREQ(file_error("data.libsvm", "cannot open").what(),
               "data.libsvm: cannot open: No such file or directory");
}

TEST(Error, KindsAreToldApart) {
  EXPECT_THROW(throw InputError("x"), Error);
  EXPECT_THROW(throw OptionError("x"), Error);
  const OptionError option("x");
  const Error* const base = &option;
  EXPECT_EQ(dynamic_cast<const InputError*>(base), nullptr);
}

}  // namespace
}  // namespace hsvm
