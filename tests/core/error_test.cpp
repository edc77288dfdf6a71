#include "hsvm/core/error.hpp"

#include <gtest/gtest.h>

#include <cerrno>
#include <cstdio>
#include <string>

namespace hsvm {
namespace {

std::string shout(const std::string& name) {
  std::string text;
  for (const char c : name) text += static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return text;
}

TEST(OptionError, SpellsItsNamesAsTheFaceWants) {
  const OptionError error("{} needs {}, or {}", {"alpha", "lambda_grid", "fit()"});
  EXPECT_STREQ(error.what(), "alpha needs lambda_grid, or fit()");
  EXPECT_EQ(error.message(shout), "ALPHA needs LAMBDA_GRID, or FIT()");
  EXPECT_EQ(error.names().size(), 3U);
}

TEST(OptionError, LeavesValuesAlone) {
  // A value may look like a place for a name, or like a name.
  const OptionError error = value_error("class_weight", "{}=1,class_weight=2", "no sample has the label '{}'");
  EXPECT_STREQ(error.what(), "class_weight {}=1,class_weight=2: no sample has the label '{}'");
  EXPECT_EQ(error.message(shout), "CLASS_WEIGHT {}=1,class_weight=2: no sample has the label '{}'");
  const OptionError plain("the grid {} is empty");
  EXPECT_EQ(plain.message(shout), plain.what());
}

TEST(OptionError, IsThrownForBothOfTwoFieldsOnly) {
  for (const bool first : {false, true}) {
    for (const bool second : {false, true}) {
      const auto refuse = [&] { refuse_both(first, "lambda1", second, "lambda1_ratio"); };
      if (first && second) {
        EXPECT_THROW(refuse(), OptionError);
      } else {
        EXPECT_NO_THROW(refuse());
      }
    }
  }
}

// Faces choose the exit code, or the kind of exception, by what they catch.
TEST(Error, EveryKindIsCaughtAsItselfAndAsAnError) {
  const auto caught_as = [](const auto& error) -> std::string {
    try {
      throw error;
    } catch (const OptionError&) {
      return "option";
    } catch (const InputError&) {
      return "input";
    } catch (const Error&) {
      return "error";
    }
  };
  EXPECT_EQ(caught_as(OptionError("x")), "option");
  EXPECT_EQ(caught_as(value_error("x", "1", "y")), "option");
  EXPECT_EQ(caught_as(InputError("x")), "input");
  EXPECT_EQ(caught_as(Error("x")), "error");
}

TEST(FileError, GivesTheReasonOfTheCallThatFailed) {
  errno = 0;
  ASSERT_EQ(std::fopen("/no/such/folder/file", "r"), nullptr);
  const std::string missing = file_error("file", "cannot open").what();
  EXPECT_TRUE(missing.starts_with("file: cannot open: ")) << missing;
  ASSERT_EQ(std::fopen("/", "w"), nullptr);
  const std::string folder = file_error("file", "cannot open").what();
  EXPECT_NE(missing, folder) << "the reason must be that of the last failure";
  EXPECT_GT(folder.size(), std::string("file: cannot open: ").size());
}

}  // namespace
}  // namespace hsvm
