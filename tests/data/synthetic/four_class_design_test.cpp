#include "hsvm/data/synthetic/four_class_design.hpp"

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

std::string refusal(const FourClassDesign& design) {
  try {
    static_cast<void>(generate(design));
  } catch (const OptionError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(FourClassDesign, RefusesWhatCannotBeDrawn) {
  EXPECT_EQ(refusal({.n = 3}), "n 3: must be at least 4, one sample for each class");
  EXPECT_EQ(refusal({.n = 1}), "n 1: must be at least 2");
  EXPECT_EQ(refusal({.p = 9, .s = 5}), "s 5: must be even");
  EXPECT_EQ(refusal({.p = 8, .s = 6}), "s 6: must be at most two thirds of the number of features");
  EXPECT_EQ(refusal({.p = 5, .s = 6}), "s 6: must be between 1 and the number of features");
  EXPECT_EQ(refusal({.p = 5, .s = 0}), "s 0: must be between 1 and the number of features");
  EXPECT_EQ(refusal({.p = 2'000'000'000, .s = 1'999'999'998}),
            "s 1999999998: must be at most two thirds of the number of features");
  EXPECT_EQ(refusal({.rho = 1.0}), "rho 1.000000: must be in [0, 1)");
  EXPECT_EQ(refusal({.rho = std::numeric_limits<double>::quiet_NaN()}), "rho nan: must be in [0, 1)");
  EXPECT_EQ(refusal({.n = 4, .p = 9, .s = 6}), "accepted");
  EXPECT_EQ(refusal({.n = 4, .p = 3, .s = 2}), "accepted");
}

TEST(FourClassDesign, TakesTheClassesInTurn) {
  for (const Index n : {4, 6, 101}) {
    const Dataset data = generate(FourClassDesign{.n = n, .p = 3, .s = 2});
    EXPECT_EQ(data.n_samples(), n);
    EXPECT_EQ(data.n_features(), 3);
    EXPECT_EQ(data.labels->classes.names, (std::vector<std::string>{"1", "2", "3", "4"}));
    EXPECT_TRUE(data.labels->classes.numeric);
    ASSERT_EQ(std::ssize(data.labels->of_sample), n);
    for (Index i = 0; i < n; ++i) EXPECT_EQ(data.labels->of_sample[static_cast<std::size_t>(i)], i % 4);
  }
}

// s = 4, p = 8: classes 1 and 2 have the features 0 .. 3, classes 3 and 4 the features 2 .. 5.
TEST(FourClassDesign, HasTheMeansAndCorrelationsOfThePaper) {
  constexpr Index kSamples = 40'000;
  constexpr Index p = 8;
  constexpr double kRho = 0.6;
  const Dataset data = generate(FourClassDesign{.n = kSamples, .p = p, .s = 4, .rho = kRho, .seed = 3});
  const DenseMatrix<double>& x = matrix(data);
  constexpr double n = kSamples / 4;
  const double error = 5.0 / std::sqrt(n);
  const auto matters = [](Index k, Index j) { return k < 2 ? j < 4 : j >= 2 && j < 6; };
  for (Index k = 0; k < 4; ++k) {
    const double sign = k % 2 == 0 ? 1.0 : -1.0;
    double mean[p] = {};
    double product[p][p] = {};
    for (Index i = k; i < kSamples; i += 4) {
      for (Index j = 0; j < p; ++j) {
        mean[j] += x(i, j) / n;
        for (Index l = 0; l < p; ++l) {
          product[j][l] +=
              (x(i, j) - (matters(k, j) ? sign : 0.0)) * (x(i, l) - (matters(k, l) ? sign : 0.0)) / n;
        }
      }
    }
    for (Index j = 0; j < p; ++j) {
      EXPECT_NEAR(mean[j], matters(k, j) ? sign : 0.0, error) << "class " << k << ", feature " << j;
      for (Index l = 0; l < p; ++l) {
        const double expected = j == l ? 1.0 : matters(k, j) && matters(k, l) ? kRho : 0.0;
        EXPECT_NEAR(product[j][l], expected, 2.0 * error) << "class " << k << ", features " << j << ", " << l;
      }
    }
  }
}

TEST(FourClassDesign, ARowDoesNotDependOnTheNumberOfRows) {
  const Dataset few = generate(FourClassDesign{.n = 5, .p = 20, .s = 4, .rho = 0.3, .seed = 3});
  const Dataset many = generate(FourClassDesign{.n = 50, .p = 20, .s = 4, .rho = 0.3, .seed = 3});
  for (Index i = 0; i < 5; ++i) {
    for (Index j = 0; j < 20; ++j) ASSERT_EQ(matrix(few)(i, j), matrix(many)(i, j));
  }
}

TEST(FourClassDesign, TheSeedDecidesAndTheThreadsDoNot) {
  const FourClassDesign design{.n = 60, .p = 30, .s = 6, .rho = 0.5, .seed = 8};
  std::vector<Dataset> data;
  for (const int threads : {1, 4}) with_threads(threads, [&] { data.push_back(generate(design)); });
  FourClassDesign other = design;
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
