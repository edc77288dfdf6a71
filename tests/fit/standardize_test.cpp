// Fits to standardised features, against fits to data that was standardised by hand.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "hsvm/api.hpp"
#include "tests/fit/standardize_support.hpp"

namespace hsvm {
namespace {

using test::all_numbers;
using test::base_options;
using test::ByHand;
using test::distance;
using test::expect_near;
using test::expect_same_bits;
using test::FitData;
using test::FitRecipe;
using test::is_dense;
using test::kStorages;
using test::standardize_by_hand;
using test::standardized_numbers;
using test::Storage;
using test::stretched;

FitData unstretched(const FitRecipe& recipe) {
  FitData data = test::random_fit_data(recipe);
  data.as_it_is = false;
  return data;
}

// A fit with standardize, checked against the one by hand.
LinearModel expect_as_by_hand(const FitData& data, FitOptions options) {
  const ByHand by_hand = standardize_by_hand(data, !options.no_intercept);
  const LinearModel expected = by_hand.data.fit(options);
  options.standardize = true;
  const LinearModel model = data.fit(options);
  EXPECT_EQ(model.report->status, Status::converged);
  EXPECT_LE(model.report->relative_gap, options.tolerance);
  EXPECT_TRUE(model.report->standardized);
  EXPECT_FALSE(expected.report->standardized);
  EXPECT_EQ(model.features, expected.features);
  EXPECT_NEAR(model.report->objective, expected.report->objective, 2.0 * options.tolerance);
  EXPECT_NEAR(model.report->lambda1_max, expected.report->lambda1_max, 1e-12);
  test::expect_compatible(*model.report, *expected.report);
  expect_near(standardized_numbers(by_hand, model), all_numbers(expected), distance(options));
  return model;
}

struct Variant {
  std::string name;
  FitRecipe recipe;
  FitOptions options = base_options();
};

std::vector<Variant> variants(Index n_classes, Storage storage) {
  const FitRecipe recipe{.seed = 3,
                         .n = 40,
                         .p = 12,
                         .n_classes = n_classes,
                         .density = is_dense(storage) ? 1.0 : 0.4,
                         .storage = storage};
  std::vector<Variant> result;
  const auto add = [&](const std::string& name) -> Variant& {
    result.push_back({name, recipe});
    return result.back();
  };
  add("plain");
  add("sample weights").recipe.weights = true;
  add("class weights").options.class_weight.by_label = {{"0", 2.5}};
  add("penalty factors").recipe.factors = true;
  add("no intercept").options.no_intercept = true;
  add("free intercept").options.lambda3 = 0.0;
  add("delta").options.delta = 0.5;
  Variant& everything = add("everything");
  everything.recipe.weights = true;
  everything.recipe.factors = true;
  everything.options.class_weight.balanced = true;
  if (n_classes == 2) add("all-together").options.multiclass = true;
  return result;
}

TEST(FitStandardized, IsTheFitToDataStandardisedByHand) {
  for (const Index n_classes : {2, 3}) {
    for (const Storage storage : kStorages) {
      for (const Variant& variant : variants(n_classes, storage)) {
        SCOPED_TRACE(testing::Message()
                     << variant.name << ", " << n_classes << " classes, storage " << static_cast<int>(storage));
        EXPECT_FALSE(expect_as_by_hand(stretched(variant.recipe), variant.options).features.empty());
      }
    }
  }
}

TEST(FitStandardized, OtherSolversToo) {
  for (const Solver solver : {Solver::pg, Solver::pg2}) {
    for (const Index n_classes : {2, 3}) {
      for (const Storage storage : {Storage::dense_double, Storage::sparse_double}) {
        for (Variant& variant : variants(n_classes, storage)) {
          SCOPED_TRACE(testing::Message() << variant.name << ", " << n_classes << " classes, "
                                          << to_string(solver) << ", storage " << static_cast<int>(storage));
          variant.options.solver = solver;
          variant.options.tolerance = 1e-8;
          expect_as_by_hand(stretched(variant.recipe), variant.options);
        }
      }
    }
  }
}

TEST(FitStandardized, SolversAgree) {
  for (const Index n_classes : {2, 3}) {
    const FitData data = stretched({.n = 40,
                                    .p = 12,
                                    .n_classes = n_classes,
                                    .density = 0.4,
                                    .weights = true,
                                    .storage = Storage::sparse_double});
    FitOptions options = base_options();
    options.standardize = true;
    const LinearModel newton = data.fit(options);
    for (const Solver solver : {Solver::pg, Solver::pg2}) {
      options.solver = solver;
      const LinearModel other = data.fit(options);
      EXPECT_EQ(other.report->status, Status::converged);
      EXPECT_NEAR(other.report->objective, newton.report->objective, 2.0 * options.tolerance);
      test::expect_compatible(*other.report, *newton.report);
    }
  }
}

TEST(FitStandardized, EveryPointOfAPathToo) {
  for (const Index n_classes : {2, 3}) {
    for (const Storage storage : {Storage::dense_double, Storage::sparse_double}) {
      const FitData data = stretched({.seed = 5,
                                      .n = 40,
                                      .p = 20,
                                      .n_classes = n_classes,
                                      .density = is_dense(storage) ? 1.0 : 0.4,
                                      .weights = true,
                                      .storage = storage});
      FitOptions options{.lambda2 = 0.05, .standardize = false};
      options.tolerance = base_options().tolerance;
      const PathOptions grid{.nlambda = 8, .lambda_min_ratio = 0.02};
      const ByHand by_hand = standardize_by_hand(data);
      const PathModel expected = by_hand.data.fit_path(options, grid);
      options.standardize = true;
      const PathModel path = data.fit_path(options, grid);
      EXPECT_EQ(path.status, Status::converged);
      EXPECT_NEAR(path.lambda1_max, expected.lambda1_max, 1e-13);
      ASSERT_EQ(path.points.size(), expected.points.size());
      EXPECT_TRUE(path.points.front().features.empty());
      for (std::size_t k = 0; k < path.points.size(); ++k) {
        SCOPED_TRACE(testing::Message() << "point " << k << ", " << n_classes << " classes");
        EXPECT_LE(path.points[k].report->relative_gap, options.tolerance);
        EXPECT_TRUE(path.points[k].report->standardized);
        const LinearModel model = at(path, path.points[k].lambda1);
        expect_near(standardized_numbers(by_hand, model), all_numbers(at(expected, expected.points[k].lambda1)),
                    distance(options));
      }
    }
  }
}

TEST(FitStandardized, ASampleOfWeightZeroIsNotThere) {
  for (const Index n_classes : {2, 3}) {
    for (const Storage storage : {Storage::dense_double, Storage::sparse_double}) {
      const FitData data = unstretched({.n = 40,
                                        .p = 10,
                                        .n_classes = n_classes,
                                        .density = is_dense(storage) ? 1.0 : 0.4,
                                        .weights = true,
                                        .storage = storage});
      FitData fewer = data;
      std::vector<std::vector<double>> rows;
      fewer.y.clear();
      fewer.weights.clear();
      for (std::size_t i = 0; i < data.y.size(); ++i) {
        if (data.weights[i] == 0.0) continue;
        fewer.y.push_back(data.y[i]);
        fewer.weights.push_back(data.weights[i]);
        rows.emplace_back();
        for (Index j = 0; j < 10; ++j) rows.back().push_back(data.x(static_cast<Index>(i), j));
      }
      fewer.x = test::matrix(rows);
      ASSERT_LT(fewer.y.size(), data.y.size());
      for (const bool standardize : {false, true}) {
        for (const std::optional<Index> keep_top : {std::optional<Index>(), std::optional<Index>(4)}) {
          for (const ClassWeights& class_weight :
               {ClassWeights{}, ClassWeights{.balanced = true}, ClassWeights{.by_label = {{"1", 3.0}}}}) {
            SCOPED_TRACE(testing::Message() << standardize << ", balanced " << class_weight.balanced
                                            << ", by label " << class_weight.by_label.size());
            FitOptions options = base_options();
            options.standardize = standardize;
            options.keep_top = keep_top;
            options.class_weight = class_weight;
            expect_near(all_numbers(data.fit(options)), all_numbers(fewer.fit(options)), distance(options));
          }
        }
      }
    }
  }
}

TEST(FitStandardized, AConstantFeatureHasTheCoefficientZero) {
  for (const Index n_classes : {2, 3}) {
    for (const Storage storage : kStorages) {
      FitData data = stretched({.n = 30, .p = 8, .n_classes = n_classes, .storage = storage});
      for (Index i = 0; i < 30; ++i) {
        data.x(i, 2) = 0.1;
        data.x(i, 5) = 0.0;
      }
      data.factors.assign(8, 1.0);
      data.factors[2] = 0.0;  // not even where it costs nothing
      for (const Solver solver : {Solver::newton, Solver::pg, Solver::pg2}) {
        FitOptions options{
            .lambda1 = 0.0, .lambda2 = 0.1, .lambda3 = 0.0, .standardize = true, .solver = solver};
        const LinearModel model = data.fit(options);
        EXPECT_EQ(model.report->status, Status::converged);
        EXPECT_EQ(model.features, (std::vector<Index>{0, 1, 3, 4, 6, 7})) << to_string(solver);
      }
    }
  }
}

TEST(FitStandardized, NothingButConstantFeaturesGivesAnIntercept) {
  FitData data = stretched({.n = 20, .p = 3});
  for (Index j = 0; j < 3; ++j) {
    for (Index i = 0; i < 20; ++i) data.x(i, j) = static_cast<double>(j);
  }
  for (const Storage storage : kStorages) {
    data.storage = storage;
    const LinearModel model = data.fit({.standardize = true});
    EXPECT_EQ(model.report->status, Status::converged);
    EXPECT_EQ(model.report->lambda1_max, 0.0);
    EXPECT_TRUE(model.features.empty());
  }
}

// Far from zero the products of the entries are a million times those of the standardised ones, and more.
TEST(FitStandardized, FeaturesFarFromZero) {
  for (const Index n_classes : {2, 3}) {
    for (const Storage storage : {Storage::dense_double, Storage::sparse_double}) {
      for (const double mean : {1e4, 1e8}) {
        for (const Index p : {12, 200}) {
          SCOPED_TRACE(testing::Message() << n_classes << " classes, storage " << static_cast<int>(storage)
                                          << ", mean " << mean << ", " << p << " features");
          FitData data = unstretched({.n = 40, .p = p, .n_classes = n_classes, .storage = storage});
          for (Index j = 0; j < p; ++j) {
            for (Index i = 0; i < 40; ++i) data.x(i, j) += mean;
          }
          const ByHand by_hand = standardize_by_hand(data);
          FitOptions options = base_options();
          options.tolerance = mean > 1e6 ? 1e-6 : 1e-11;  // leaves 1e-2 and 4e-5, at the most
          const LinearModel expected = by_hand.data.fit(options);
          options.standardize = true;
          const LinearModel model = data.fit(options);
          EXPECT_EQ(model.report->status, Status::converged);
          EXPECT_FALSE(model.report->fallback);
          expect_near(standardized_numbers(by_hand, model), all_numbers(expected), mean > 1e6 ? 0.02 : 1e-4);
        }
      }
    }
  }
}

TEST(FitStandardized, ScalesAndShiftsOfTheDataLeaveScoresAsTheyAre) {
  for (const Index n_classes : {2, 3}) {
    const FitData data = unstretched({.n = 40, .p = 12, .n_classes = n_classes, .density = 0.5});
    FitData other = data;
    FitData extreme = data;  // squares of its entries overflow, or vanish
    for (Index j = 0; j < 12; ++j) {
      const double by = std::pow(-3.0, static_cast<double>(j % 5) - 2.0);
      const double power = j % 3 == 0 ? 1e200 : j % 3 == 1 ? 1e-200 : 1.0;
      for (Index i = 0; i < 40; ++i) {
        other.x(i, j) = by * data.x(i, j) + static_cast<double>(j) - 4.0;
        extreme.x(i, j) *= power;
      }
    }
    for (const Storage storage : {Storage::dense_double, Storage::sparse_double}) {
      for (const Solver solver : {Solver::newton, Solver::pg, Solver::pg2}) {
        FitOptions options = base_options();
        options.standardize = true;
        options.solver = solver;
        if (n_classes == 2) options.tolerance = 1e-9;
        const std::vector<double> expected = predict(data.fit(options), data.dataset().design).scores;
        for (FitData* changed : {&other, &extreme}) {
          SCOPED_TRACE(testing::Message() << to_string(solver) << (changed == &other ? "" : ", extreme"));
          changed->storage = storage;
          const Dataset dataset = changed->dataset();
          // A gap of 1e-11 leaves coefficients within (2e-11/lambda2)^{1/2}.
          expect_near(predict(changed->fit(options), dataset.design).scores, expected,
                      n_classes == 2 ? 1e-9 : 1e-4);
        }
      }
    }
  }
}

TEST(FitStandardized, TheNumberOfThreadsChangesNoBit) {
  for (const Index n_classes : {2, 3}) {
    for (const Storage storage : {Storage::dense_double, Storage::sparse_single}) {
      const FitData data =
          stretched({.n = 50, .p = 300, .n_classes = n_classes, .density = 0.3, .storage = storage});
      for (const std::optional<Index> keep_top : {std::optional<Index>(), std::optional<Index>(150)}) {
        FitOptions options{.standardize = true, .keep_top = keep_top, .threads = 1};
        const LinearModel one = data.fit(options);
        EXPECT_FALSE(one.features.empty());
        for (const int threads : {2, 4}) {
          options.threads = threads;
          expect_same_bits(data.fit(options), one);
        }
      }
    }
  }
}

TEST(FitStandardized, ValuesThatAreNoNumbersAreNamed) {
  for (const Storage storage : {Storage::dense_double, Storage::sparse_double}) {
    for (const double bad : {std::nan(""), HUGE_VAL}) {
      FitData data = stretched({.storage = storage});
      data.x(4, 2) = bad;
      try {
        static_cast<void>(data.fit({.standardize = true}));
        FAIL() << "accepted";
      } catch (const InputError& error) {
        EXPECT_EQ(std::string(error.what()).substr(0, 26), "test: sample 5, feature 3 ");
      }
    }
  }
}

}  // namespace
}  // namespace hsvm
