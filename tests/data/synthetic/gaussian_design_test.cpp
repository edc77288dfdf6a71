#include "hsvm/data/synthetic/gaussian_design.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "hsvm/core/error.hpp"
#include "hsvm/core/parallel.hpp"

namespace hsvm {
namespace {

const DenseMatrix<double>& matrix(const Dataset& data) {
  return (*data.design.get_if<DenseMatrix<double>>());
}

std::string refusal(const GaussianDesign& design) {
  try {
    static_cast<void>(generate(design));
  } catch (const OptionError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(GaussianDesign, RefusesWhatCannotBeDrawn) {
  EXPECT_EQ(refusal({.n = 1}), "n 1: must be at least 2");
  EXPECT_EQ(refusal({.p = 0}), "p 0: must be at least 1");
  EXPECT_EQ(refusal({.p = 5, .s = 6}), "s 6: must be between 1 and the number of features");
  EXPECT_EQ(refusal({.p = 5, .s = 0}), "s 0: must be between 1 and the number of features");
  EXPECT_EQ(refusal({.rho = 1.0}), "rho 1.000000: must be in [0, 1)");
  EXPECT_EQ(refusal({.rho = -0.1}), "rho -0.100000: must be in [0, 1)");
  EXPECT_THROW(static_cast<void>(generate({.rho = std::numeric_limits<double>::quiet_NaN()})), OptionError);
  EXPECT_EQ(refusal({.n = 2, .p = 1, .s = 1}), "accepted");
}

TEST(GaussianDesign, HasHalfOfTheSamplesInEachClass) {
  for (const Index n : {2, 3, 200, 201}) {
    const Dataset data = generate({.n = n, .p = 3, .s = 2});
    EXPECT_EQ(data.n_samples(), n);
    EXPECT_EQ(data.n_features(), 3);
    EXPECT_EQ(data.labels->classes.names, (std::vector<std::string>{"-1", "1"}));
    EXPECT_TRUE(data.labels->classes.numeric);
    ASSERT_EQ(std::ssize(data.labels->of_sample), n);
    Index positive = 0;
    for (const Index k : data.labels->of_sample) positive += k;
    EXPECT_EQ(positive, (n + 1) / 2);
  }
}

TEST(GaussianDesign, HasTheMeansAndCorrelationsOfThePaper) {
  constexpr Index kSamples = 20000;
  constexpr double kRho = 0.6;
  const Dataset data = generate({.n = kSamples, .p = 5, .s = 3, .rho = kRho, .seed = 11});
  const DenseMatrix<double>& x = matrix(data);
  const double error = 4.5 / std::sqrt(kSamples);
  double mean[2][5] = {};
  double product[5][5] = {};
  for (Index i = 0; i < kSamples; ++i) {
    const Index k = data.labels->of_sample[static_cast<std::size_t>(i)];
    const double y = k == 1 ? 1.0 : -1.0;
    for (Index j = 0; j < 5; ++j) {
      mean[k][j] += x(i, j) / (kSamples / 2);
      for (Index l = 0; l < 5; ++l) {
        product[j][l] += (x(i, j) - (j < 3 ? y : 0.0)) * (x(i, l) - (l < 3 ? y : 0.0)) / kSamples;
      }
    }
  }
  for (Index j = 0; j < 5; ++j) {
    EXPECT_NEAR(mean[1][j], j < 3 ? 1.0 : 0.0, 1.5 * error);
    EXPECT_NEAR(mean[0][j], j < 3 ? -1.0 : 0.0, 1.5 * error);
    for (Index l = 0; l < 5; ++l) {
      EXPECT_NEAR(product[j][l], j == l ? 1.0 : (j < 3 && l < 3 ? kRho : 0.0), 1.5 * error) << j << ", " << l;
    }
  }
}

TEST(GaussianDesign, ARowDoesNotDependOnTheNumberOfRows) {
  const Dataset few = generate({.n = 5, .p = 20, .s = 4, .rho = 0.3, .seed = 3});
  const Dataset many = generate({.n = 50, .p = 20, .s = 4, .rho = 0.3, .seed = 3});
  for (Index i = 0; i < 5; ++i) {
    for (Index j = 0; j < 20; ++j) ASSERT_EQ(matrix(few)(i, j), matrix(many)(i, j));
  }
}

TEST(GaussianDesign, TheSeedDecidesAndTheThreadsDoNot) {
  const GaussianDesign design{.n = 60, .p = 30, .s = 5, .rho = 0.5, .seed = 8};
  std::vector<Dataset> data;
  for (const int threads : {1, 4}) with_threads(threads, [&] { data.push_back(generate(design)); });
  GaussianDesign other = design;
  other.seed = 9;
  data.push_back(generate(other));
  Index differences = 0;
  for (Index i = 0; i < 60; ++i) {
    for (Index j = 0; j < 30; ++j) {
      ASSERT_EQ(matrix(data[0])(i, j), matrix(data[1])(i, j));
      differences += matrix(data[0])(i, j) != matrix(data[2])(i, j);
    }
  }
  EXPECT_EQ(differences, 60 * 30);
}

}  // namespace
}  // namespace hsvm
