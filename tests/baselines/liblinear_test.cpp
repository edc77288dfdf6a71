#ifdef HSVM_HAS_LIBLINEAR
#include "baselines/liblinear.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "datasets/accuracy.hpp"
#include "datasets/text_like.hpp"
#include "hsvm/api.hpp"
#include "tests/baselines/labelled.hpp"
#include "tests/support/problems.hpp"

namespace hsvm::test {
namespace {

using baselines::Liblinear;
using baselines::LiblinearKind;
using baselines::LiblinearOptions;
using baselines::LiblinearResult;

constexpr LiblinearKind kKinds[] = {LiblinearKind::l1_squared_hinge, LiblinearKind::l2_squared_hinge,
                                    LiblinearKind::l2_squared_hinge_dual};

// All coefficients of an output, and the weight of the bias last where there is one.
std::vector<double> weights_of(const LinearModel& model, std::size_t output, const LiblinearOptions& options) {
  std::vector<double> w(static_cast<std::size_t>(model.n_features), 0.0);
  const auto outputs = static_cast<std::size_t>(model.n_outputs());
  for (std::size_t c = 0; c < model.features.size(); ++c) {
    w[static_cast<std::size_t>(model.features[c])] = model.coefficients[c * outputs + output];
  }
  if (options.bias) w.push_back(model.intercept[output] / *options.bias);
  return w;
}

// The objective straight from its formula.
double objective(const Labelled& data, Index positive, const std::vector<double>& w,
                 const LiblinearOptions& options) {
  double sum = 0.0;
  for (const double value : w) {
    sum += options.kind == LiblinearKind::l1_squared_hinge ? std::abs(value) : 0.5 * value * value;
  }
  for (Index i = 0; i < data.x.rows(); ++i) {
    double score = options.bias ? *options.bias * w.back() : 0.0;
    for (Index j = 0; j < data.x.cols(); ++j) score += data.x(i, j) * w[static_cast<std::size_t>(j)];
    const double y = data.labels.of_sample[static_cast<std::size_t>(i)] == positive ? 1.0 : -1.0;
    sum += options.cost * std::pow(std::max(0.0, 1.0 - y * score), 2);
  }
  return sum;
}

double accuracy(const LinearModel& model, const Labelled& data) {
  return datasets::accuracy_of(predict(model, data.x).classes, data.labels);
}

TEST(Liblinear, SolvesWhatItSays) {
  for (const Index n_classes : {2, 3}) {
    const Labelled data = clouds(30, 5, n_classes, 1.0, 7);
    Liblinear solver(data.x, data.labels);
    for (const LiblinearKind kind : kKinds) {
      for (const std::optional<double> bias : {std::optional<double>(), std::optional<double>(2.0)}) {
        const LiblinearOptions options{.kind = kind, .cost = 0.3, .tolerance = 1e-8, .bias = bias};
        const LiblinearResult result = solver.train(options);
        ASSERT_EQ(result.problems.size(), n_classes == 2 ? 1U : 3U);
        EXPECT_GT(result.iterations, 0);
        for (std::size_t k = 0; k < result.problems.size(); ++k) {
          const Index positive = n_classes == 2 ? 1 : static_cast<Index>(k);
          const std::vector<double> w = weights_of(result.model, k, options);
          EXPECT_NEAR(result.problems[k].objective, objective(data, positive, w, options), 1e-10);
          EXPECT_LT(result.problems[k].violation, 1e-5);
          for (std::uint64_t seed = 1; seed <= 10; ++seed) {
            std::vector<double> other = random_vector(seed, w.size(), 0.01);
            for (std::size_t j = 0; j < w.size(); ++j) other[j] += w[j];
            EXPECT_GE(objective(data, positive, other, options), result.problems[k].objective - 1e-7);
          }
        }
      }
    }
  }
}

// One feature, (x, y) = (1, +1) and (-1, -1): |w| + 2 C (1 - w)^2 is least at w = 1 - 1/(4 C), w^2/2 + 2 C
// (1 - w)^2 at w = 4 C/(1 + 4 C).
TEST(Liblinear, SolvesTwoPointsByHand) {
  const DenseMatrix<double> x = matrix({{1.0}, {-1.0}});
  for (const bool positive_first : {true, false}) {  // LIBLINEAR scores the class that comes first
    const Labels labels = labels_of(positive_first ? std::vector<Index>{1, 0} : std::vector<Index>{0, 1}, 2);
    const double sign = positive_first ? 1.0 : -1.0;
    Liblinear solver(x, labels);
    for (const LiblinearKind kind : kKinds) {
      const LinearModel model = solver.train({.kind = kind, .cost = 1.0, .tolerance = 1e-10}).model;
      ASSERT_EQ(model.coefficients.size(), 1U);
      EXPECT_NEAR(model.coefficients[0], sign * (kind == LiblinearKind::l1_squared_hinge ? 0.75 : 0.8), 1e-8);
    }
  }
}

TEST(Liblinear, HasLiblinearsDefaults) {
  const LiblinearOptions options;
  EXPECT_EQ(static_cast<int>(options.kind), 1);
  EXPECT_EQ(options.cost, 1.0);
  EXPECT_FALSE(options.bias);
}

TEST(Liblinear, PredictsOneAgainstAll) {
  const Labelled data = clouds(80, 4, 4, 0.3, 3);
  const LiblinearResult result = Liblinear(data.x, data.labels).train();
  EXPECT_EQ(result.model.kind, ModelKind::multiclass);
  EXPECT_EQ(accuracy(result.model, data), 100.0);
  EXPECT_EQ(accuracy(result.model, clouds(80, 4, 4, 0.3, 4)), 100.0);
}

TEST(Liblinear, IsTheSameForSparseDataAndTwice) {
  Labelled data = clouds(40, 6, 3, 1.0, 9);
  for (Index i = 0; i < 40; i += 3) data.x(i, i % 6) = 0.0;
  const auto coefficients = [](const LiblinearResult& result) { return result.model.coefficients; };
  for (const LiblinearKind kind : kKinds) {
    Liblinear dense(data.x, data.labels);
    const auto once = coefficients(dense.train({.kind = kind, .bias = 1.0}));
    EXPECT_EQ(once, coefficients(dense.train({.kind = kind, .bias = 1.0})));
    EXPECT_EQ(once,
              coefficients(Liblinear(to_csc<double>(data.x), data.labels).train({.kind = kind, .bias = 1.0})));
  }
}

TEST(Liblinear, SelectsFeatures) {
  const Labelled data = clouds(40, 20, 2, 0.3, 1);
  const LinearModel model =
      Liblinear(data.x, data.labels)
          .train({.kind = LiblinearKind::l1_squared_hinge, .cost = 0.02, .tolerance = 1e-6})
          .model;
  EXPECT_EQ(model.features, std::vector<Index>{0});  // two classes differ in the first feature only
}

// |w|_1 + C sum_i max(0, 1 - t_i)^2 with C = 1/(2 n lambda1) is the squared hinge's objective, divided by lambda1.
TEST(Liblinear, HasTheObjectiveOfTheSquaredHinge) {
  for (const Dataset& data : {generate(GaussianDesign{.n = 60, .p = 150, .s = 8, .rho = 0.5, .seed = 2}),
                              generate(GaussianDesign{.n = 200, .p = 20, .s = 5, .seed = 3}),
                              generate(datasets::TextLike{.n = 300, .p = 800, .words = 20})}) {
    Liblinear rival(data.design, *data.labels);
    for (const double ratio : {0.5, 0.1, 0.02}) {
      SCOPED_TRACE(data.source + ", " + std::to_string(data.n_features()) + " features at " +
                   std::to_string(ratio));
      const LinearModel model = fit({data}, {.lambda1_ratio = ratio,
                                             .lambda2 = 0.0,
                                             .loss = Loss::squared_hinge,
                                             .no_intercept = true,
                                             .standardize = false,
                                             .tolerance = 1e-9});
      ASSERT_EQ(model.report->status, Status::converged);
      const LiblinearResult result = rival.train({.kind = LiblinearKind::l1_squared_hinge,
                                                  .cost = 1.0 / (2.0 * data.n_samples() * model.lambda1),
                                                  .tolerance = 1e-9});
      const double theirs = model.lambda1 * result.problems.front().objective;
      EXPECT_NEAR(model.report->objective, theirs, 1e-6 * theirs);
      EXPECT_LE(model.report->dual_objective, theirs * (1.0 + 1e-12)) << "a bound for everyone";
    }
  }
}

TEST(Liblinear, RefusesWhatItCannotDo) {
  const Labelled data = clouds(9, 2, 3, 1.0, 1);
  Liblinear solver(data.x, data.labels);
  const auto refused = [&](const LiblinearOptions& options) {
    return message_of<OptionError>([&] { (void)solver.train(options); });
  };
  EXPECT_EQ(refused({.cost = 0.0}), "liblinear: cost must be greater than 0");
  EXPECT_EQ(refused({.tolerance = 0.0}), "liblinear: tolerance must be greater than 0");
  EXPECT_EQ(refused({.bias = 0.0}), "liblinear: bias must be greater than 0");
  const auto refused_labels = [&](const Labels& labels) {
    return message_of<InputError>([&] { Liblinear(data.x, labels); });
  };
  EXPECT_EQ(refused_labels(labels_of({0, 1}, 2)), "liblinear: 2 labels for 9 samples");
  EXPECT_EQ(refused_labels(labels_of(std::vector<Index>(9, 0), 1)),
            "liblinear: the labels need at least two classes");
  EXPECT_EQ(refused_labels(labels_of(std::vector<Index>(9, 0), 2)), "liblinear: class 2 has no sample");
}

}  // namespace
}  // namespace hsvm::test

#else
#include <gtest/gtest.h>

TEST(Liblinear, IsInThisBuild) {
  GTEST_SKIP() << "no liblinear-dev when this was built";
}
#endif
