// Damaged path files: whatever bytes are changed, a path is read or refused with an InputError, never anything
// else; and a path that is read can be used.

#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "hsvm/core/error.hpp"
#include "hsvm/model/model_file.hpp"
#include "tests/model/path_example.hpp"
#include "tests/support/damaged.hpp"

namespace hsvm {
namespace {

TEST(PathFileFuzz, DamagedFilesAreReadOrRefused) {
  Random random(21);
  int refused = 0;
  int read = 0;
  for (const ModelKind kind : {ModelKind::binary, ModelKind::multiclass}) {
    PathModel example = test::example_path(kind);
    example.feature_names = {"g1", "g2", "\"q\"", "g4", "\xc3\xa4"};
    const std::string text = path_to_json(example);
    for (int round = 0; round < 4000; ++round) {
      try {
        const PathModel path = path_from_json(test::damaged(text, random), "damaged");
        ++read;
        ASSERT_FALSE(path.points.empty());
        for (std::size_t k = 1; k < path.points.size(); ++k)
          ASSERT_LT(path.points[k].lambda1, path.points[k - 1].lambda1);
        const double middle = 0.5 * (path.points.front().lambda1 + path.points.back().lambda1);
        const LinearModel model = at(path, middle);
        ASSERT_EQ(model.intercept.size(), static_cast<std::size_t>(path.n_outputs()));
        ASSERT_EQ(model.coefficients.size(),
                  model.features.size() * static_cast<std::size_t>(path.n_outputs()));
        for (const Index j : model.features) ASSERT_LT(j, model.n_features);
      } catch (const InputError& error) {
        ++refused;
        ASSERT_TRUE(std::string(error.what()).starts_with("damaged: ")) << error.what();
      }
    }
  }
  EXPECT_GT(refused, 4000);
  EXPECT_GT(read, 100);  // a change within a name or a number
}

}  // namespace
}  // namespace hsvm
