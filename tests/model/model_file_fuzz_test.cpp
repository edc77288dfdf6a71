// Damaged model files: whatever bytes are changed, a model is read, or refused with an InputError; nothing else.

#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "hsvm/core/error.hpp"
#include "hsvm/model/model_file.hpp"
#include "tests/support/damaged.hpp"

namespace hsvm {
namespace {

LinearModel sample_model(ModelKind kind) {
  LinearModel model;
  model.kind = kind;
  model.classes = kind == ModelKind::binary ? Classes{true, {"-1", "1"}} : Classes{false, {"a", "b", "c"}};
  model.n_features = 5;
  model.feature_names = {"g1", "g2", "\"q\"", "g4", "\xc3\xa4"};
  model.intercept.assign(static_cast<std::size_t>(model.n_outputs()), 0.25);
  model.features = {1, 3};
  model.coefficients.assign(2 * static_cast<std::size_t>(model.n_outputs()), -1.5e-3);
  model.report.emplace();
  model.report->status = Status::converged;
  model.report->solver = Solver::pg;
  model.report->n_samples = 7;
  model.report->stopping = Stopping::gap;
  return model;
}

TEST(ModelFileFuzz, DamagedFilesAreReadOrRefused) {
  Random random(20);
  int refused = 0;
  int read = 0;
  for (const ModelKind kind : {ModelKind::binary, ModelKind::multiclass}) {
    const std::string text = model_to_json(sample_model(kind));
    for (int round = 0; round < 3000; ++round) {
      try {
        const LinearModel model = model_from_json(test::damaged(text, random), "damaged");
        ++read;
        ASSERT_EQ(model.intercept.size(), static_cast<std::size_t>(model.n_outputs()));
        ASSERT_EQ(model.coefficients.size(),
                  model.features.size() * static_cast<std::size_t>(model.n_outputs()));
        for (const Index j : model.features) ASSERT_LT(j, model.n_features);
        for (const double value : model.coefficients) ASSERT_TRUE(std::isfinite(value));
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
