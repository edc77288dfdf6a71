// Fits to the features that their ranking keeps, against fits to data without the others.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "hsvm/api.hpp"
#include "hsvm/core/error.hpp"
#include "hsvm/data/ranking.hpp"
#include "tests/fit/standardize_support.hpp"

namespace hsvm {
namespace {

using test::all_numbers;
using test::base_options;
using test::expect_near;
using test::expect_same_bits;
using test::FitData;
using test::is_dense;
using test::kStorages;
using test::Storage;
using test::stretched;

// The features that are to be kept, from the ranking itself.
std::vector<Index> ranked(const FitData& data, Index count) {
  const std::vector<double> ones(data.y.size(), 1.0);
  return top_features(
      between_within_ratios(data.x, data.y, data.n_classes, data.weights.empty() ? ones : data.weights), count);
}

FitData only(const FitData& data, const std::vector<Index>& features) {
  FitData result = data;
  result.x = DenseMatrix<double>(data.x.rows(), static_cast<Index>(features.size()));
  result.factors.clear();
  for (std::size_t c = 0; c < features.size(); ++c) {
    for (Index i = 0; i < data.x.rows(); ++i) result.x(i, static_cast<Index>(c)) = data.x(i, features[c]);
    if (!data.factors.empty()) result.factors.push_back(data.factors[static_cast<std::size_t>(features[c])]);
  }
  return result;
}

TEST(KeepTop, IsTheFitToTheRankedFeaturesAlone) {
  for (const Index n_classes : {2, 3}) {
    for (const Storage storage : kStorages) {
      const FitData data = stretched({.seed = 7,
                                      .n = 40,
                                      .p = 20,
                                      .n_classes = n_classes,
                                      .density = is_dense(storage) ? 1.0 : 0.5,
                                      .weights = true,
                                      .factors = true,
                                      .storage = storage});
      for (const Index count : {1, 6, 19}) {
        const std::vector<Index> kept = ranked(data, count);
        ASSERT_EQ(std::ssize(kept), count);
        for (const bool standardize : {false, true}) {
          SCOPED_TRACE(testing::Message() << count << " of 20, " << n_classes << " classes, storage "
                                          << static_cast<int>(storage) << ", " << standardize);
          FitOptions options = base_options();
          options.standardize = standardize;
          options.lambda1 = 0.001;
          options.tolerance = 1e-8;
          if (n_classes > 2) options.solver = Solver::pg;
          LinearModel expected = only(data, kept).fit(options);
          options.keep_top = count;
          const LinearModel model = data.fit(options);
          EXPECT_EQ(model.report->status, Status::converged);
          EXPECT_EQ(model.report->kept_features, count);
          EXPECT_EQ(model.report->standardized, standardize);
          EXPECT_EQ(model.n_features, 20);
          EXPECT_NEAR(model.report->lambda1_max, expected.report->lambda1_max,
                      1e-12 * expected.report->lambda1_max);
          expected.n_features = 20;
          for (Index& feature : expected.features) feature = kept[static_cast<std::size_t>(feature)];
          EXPECT_EQ(model.features, expected.features);
          expect_near(all_numbers(model), all_numbers(expected), 1e-9);
        }
      }
    }
  }
}

TEST(KeepTop, AlongAPathToo) {
  const FitData data = stretched({.seed = 8, .n = 40, .p = 20});
  const std::vector<Index> kept = ranked(data, 5);
  FitOptions options{.lambda2 = 0.05, .standardize = true, .keep_top = 5};
  const PathModel path = data.fit_path(options, {.nlambda = 6, .full_path = true});
  std::vector<Index> seen;
  for (const PathPoint& point : path.points) {
    EXPECT_EQ(point.report->kept_features, 5);
    EXPECT_TRUE(std::ranges::includes(kept, point.features));
    seen = point.features;
  }
  EXPECT_EQ(seen, kept);
}

TEST(KeepTop, AsManyAsThereAreChangesNothing) {
  const FitData data = stretched({.n = 30, .p = 12, .n_classes = 3});
  for (const bool standardize : {false, true}) {
    FitOptions options{.standardize = standardize};
    const LinearModel all = data.fit(options);
    EXPECT_FALSE(all.report->kept_features.has_value());
    for (const Index count : {12, 13, 1000}) {
      options.keep_top = count;
      const LinearModel model = data.fit(options);
      expect_same_bits(model, all);
      EXPECT_FALSE(model.report->kept_features.has_value());
    }
  }
}

TEST(KeepTop, MustBeOneAtLeast) {
  const FitData data = stretched({});
  try {
    static_cast<void>(data.fit({.keep_top = 0}));
    FAIL() << "accepted";
  } catch (const OptionError& error) {
    EXPECT_EQ(std::string(error.what()), "keep_top 0: must be at least 1 and at most 2000000000");
  }
}

// What is left out is not read: not where its penalty factor puts it into every model either.
TEST(KeepTop, WhatIsLeftOutMayBeAnything) {
  for (const Storage storage : {Storage::dense_double, Storage::sparse_double}) {
    FitData data = stretched({.n = 30, .p = 12, .storage = storage});
    for (Index i = 0; i < 30; ++i) data.x(i, 10) = i % 2 == 0 ? std::nan("") : HUGE_VAL;
    data.factors.assign(12, 1.0);
    data.factors[10] = 0.0;
    for (const Solver solver : {Solver::newton, Solver::pg, Solver::pg2}) {
      const LinearModel model = data.fit({.keep_top = 5, .solver = solver});
      EXPECT_EQ(model.report->status, Status::converged);
      EXPECT_EQ(std::ranges::count(model.features, 10), 0);
    }
  }
}

}  // namespace
}  // namespace hsvm
