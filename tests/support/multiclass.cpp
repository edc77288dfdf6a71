#include "tests/support/multiclass.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <stdexcept>

#include "hsvm/core/random.hpp"
#include "tests/support/reference.hpp"

namespace hsvm::test {
namespace {

double factor(const MulticlassData& data, std::size_t j) {
  return data.parameters.penalty.factors.empty() ? 1.0 : data.parameters.penalty.factors[j];
}

double score(const MulticlassData& data, std::size_t i, std::size_t k, const std::vector<double>& b,
             const Rows& w) {
  long double sum = b[k];
  for (std::size_t j = 0; j < w.size(); ++j) {
    sum += static_cast<long double>(data.x(static_cast<Index>(i), static_cast<Index>(j))) * w[j][k];
  }
  return static_cast<double>(sum);
}

// -phi'(t)
double pull(double t, double delta) {
  if (t > 1.0) return 0.0;
  return t > 1.0 - delta ? (1.0 - t) / delta : 1.0;
}

// visit(i, k, margin of sample i against the wrong class k)
template <class Visit>
void for_each_wrong(const MulticlassData& data, const std::vector<double>& b, const Rows& w,
                    const Visit& visit) {
  for (std::size_t i = 0; i < data.y.size(); ++i) {
    for (std::size_t k = 0; k < data.n_classes(); ++k) {
      const auto own = static_cast<std::size_t>(data.y[i]);
      if (own == k) continue;
      const double right = data.parameters.margins == Margins::relative ? score(data, i, own, b, w) : 0.0;
      visit(i, k, right - score(data, i, k, b, w));
    }
  }
}

double mean(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

void centre(std::vector<double>& values) {
  for (int round = 0; round < 2; ++round) {
    const double m = mean(values);
    for (double& value : values) value -= m;
  }
}

}  // namespace

// Three classes, x_i = e_i in class i; no intercept, delta = 1, lambda1 = 1/12, lambda2 = 1/18.
//   Sample j meets row j alone. The two wrong classes are alike, so row j is 2a at j and -a elsewhere, and
//   F = 2 phi(a) + 12 lambda1 a + 9 lambda2 a^2.  On 0 <= a <= 1:  -2 (1-a) + 12 lambda1 + 18 lambda2 a = 0.
// Solution: a = 1/3, objective 4/9 + 1/3 + 1/18 = 5/6. At W = 0 a row of the gradient has 0 at j and 1/3
// elsewhere: lambda1_max = 1/6.
SolvedMulticlass three_corner_problem() {
  constexpr double a = 1.0 / 3.0;
  return {{"three_corner",
           matrix({{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}),
           {0, 1, 2},
           {1, 1, 1},
           {{1.0}, {1.0 / 12.0, 1.0 / 18.0, {}}, 0.0, false, false, 3}},
          {0, 0, 0},
          {{2 * a, -a, -a}, {-a, 2 * a, -a}, {-a, -a, 2 * a}},
          5.0 / 6.0,
          1.0 / 6.0};
}

// The same with lambda2 = 0:  -2 (1-a) + 12 lambda1 = 0.
// Solution: a = 1/2, objective 1/4 + 1/2.
SolvedMulticlass three_corner_pure_l1_problem() {
  SolvedMulticlass result = three_corner_problem();
  result.name = "three_corner_pure_l1";
  result.parameters.penalty.lambda2 = 0.0;
  for (auto& row : result.w) {
    for (double& value : row) value *= 1.5;
  }
  result.objective = 0.75;
  return result;
}

// One feature, x = 1, 0, -1 in classes 0, 1, 2; free intercept, delta = 2, lambda1 = 1/12, lambda2 = 1/36.
//   x -> -x with classes 0 and 2 exchanged changes nothing: W = (a, 0, -a), b = (c, -2c, c). All scores in the
//   elbow: F = [(1-2c)^2 + (1-a+c)^2 + (1+c)^2]/6 + 2 lambda1 a + lambda2 a^2 d/dc:  -4 (1-2c) + 2 (1-a+c) + 2
//   (1+c) = 0           =>  c = a/6 d/da:  -(1-a+c)/3 + 2 lambda1 + 2 lambda2 a = 0      =>  1 - 5a/6 = 1/2 +
//   a/6
// Solution: a = 1/2, c = 1/12, objective (100 + 49 + 169)/864 + 1/12 + 1/144 = 11/24. At W = 0 b = 0, all duals
// are 1/2 and the gradient is (-1/6, 0, 1/6): lambda1_max = 1/6.
SolvedMulticlass left_middle_right_problem() {
  return {{"left_middle_right",
           matrix({{1}, {0}, {-1}}),
           {0, 1, 2},
           {1, 1, 1},
           {{2.0}, {1.0 / 12.0, 1.0 / 36.0, {}}, 0.0, true, false, 3}},
          {1.0 / 12.0, -1.0 / 6.0, 1.0 / 12.0},
          {{0.5, 0.0, -0.5}},
          11.0 / 24.0,
          1.0 / 6.0};
}

// A column of zeros, class 0 twice, classes 1 and 2 once; delta = 1, lambda3 = 1/12. Classes 1 and 2 are alike:
// b = (2c, -c, -c),
//   F = [6 phi(c) + 2 phi(-2c)]/4 + 3 lambda3 c^2;  on 0 <= c <= 1:  [-6 (1-c) + 4]/4 + 6 lambda3 c = 0.
// Solution: c = 1/4, objective (27/16 + 2)/4 + 1/64 = 15/16, at any lambda1.
SolvedMulticlass three_class_intercept_problem() {
  return {{"three_class_intercept",
           matrix({{0}, {0}, {0}, {0}}),
           {0, 0, 1, 2},
           {1, 1, 1, 1},
           {{1.0}, {0.1, 0.1, {}}, 1.0 / 12.0, true, false, 3}},
          {0.5, -0.25, -0.25},
          {{0, 0, 0}},
          15.0 / 16.0,
          0.0};
}

// J classes (even) of one sample each; one feature, 1 in even classes and -1 in odd ones; delta = 1, lambda1 =
// 1/(2J), lambda2 = 1/2, lambda3 = 1/10.
//   Even classes are alike and odd ones their mirror: W = (a, -a, a, ...), b = 0. Every sample has J/2 - 1
//   wrong classes with score a and J/2 with score -a:  F = (J/2-1) phi(-a) + (J/2) phi(a) + J lambda1 a + J
//   lambda2 a^2/2; on 0 <= a <= 1: (J/2-1) - (J/2) (1-a) + J lambda1 + J lambda2 a = 0     =>  J a (1/2 +
//   lambda2) = 1 - J lambda1.
// Solution: a = 1/(2J), objective (J/2-1)(1/2 + a) + (J/4)(1-a)^2 + a/2 + J a^2/4; lambda1_max = 1/J.
SolvedMulticlass even_odd_problem(Index n_classes) {
  const double J = n_classes;
  const double a = 0.5 / J;
  SolvedMulticlass result;
  result.name = "even_odd_" + std::to_string(n_classes);
  result.x = DenseMatrix<double>(n_classes, 1);
  result.w.resize(1);
  for (Index k = 0; k < n_classes; ++k) {
    result.x(k, 0) = k % 2 == 0 ? 1.0 : -1.0;
    result.y.push_back(k);
    result.w[0].push_back(k % 2 == 0 ? a : -a);
  }
  result.s.assign(result.y.size(), 1.0);
  result.b.assign(result.y.size(), 0.0);
  result.parameters = {{1.0}, {0.5 / J, 0.5, {}}, 0.1, true, false, n_classes};
  result.objective =
      (0.5 * J - 1.0) * (0.5 + a) + 0.25 * J * (1.0 - a) * (1.0 - a) + 0.5 * a + 0.25 * J * a * a;
  result.lambda1_max = 1.0 / J;
  return result;
}

std::vector<SolvedMulticlass> solved_multiclass_problems() {
  return {three_corner_problem(),      three_corner_pure_l1_problem(),
          left_middle_right_problem(), three_class_intercept_problem(),
          even_odd_problem(2),         even_odd_problem(6)};
}

MulticlassData random_multiclass_problem(const RandomMulticlass& recipe) {
  Random random(recipe.seed, 7);
  MulticlassData data;
  data.name = "random_multiclass_" + std::to_string(recipe.seed);
  data.x = DenseMatrix<double>(recipe.n, recipe.p);
  for (Index i = 0; i < recipe.n; ++i) {
    const auto others = static_cast<std::uint64_t>(recipe.n_classes);
    const Index y =
        i < recipe.n_classes ? i : static_cast<Index>(std::min(random.below(others), random.below(others)));
    data.y.push_back(y);
    data.s.push_back(recipe.weights && i >= recipe.n_classes
                         ? (random.uniform() < 0.25 ? 0.0 : 0.1 + random.uniform())
                         : 1.0);
    for (Index j = 0; j < recipe.p; ++j)
      data.x(i, j) = (j % recipe.n_classes == y ? 1.0 : 0.0) + random.normal();
  }
  const double sum = std::accumulate(data.s.begin(), data.s.end(), 0.0);
  for (double& weight : data.s) weight *= static_cast<double>(recipe.n) / sum;

  const bool penalised =
      recipe.intercept == InterceptKind::penalised || recipe.intercept == InterceptKind::by_gradient;
  data.parameters.n_classes = recipe.n_classes;
  data.parameters.margins = recipe.margins;
  if (recipe.margins == Margins::relative) data.name += "_relative";
  data.parameters.loss.delta = recipe.delta;
  data.parameters.penalty.lambda1 = recipe.lambda1;
  data.parameters.penalty.lambda2 = recipe.lambda2;
  data.parameters.intercept = recipe.intercept != InterceptKind::absent;
  data.parameters.lambda3 = penalised ? 0.05 : 0.0;
  data.parameters.intercept_by_gradient = recipe.intercept == InterceptKind::by_gradient;
  if (recipe.factors) {
    for (Index j = 0; j < recipe.p; ++j)
      data.parameters.penalty.factors.push_back(0.5 + 1.5 * random.uniform());
    if (recipe.lambda2 > 0.0) data.parameters.penalty.factors[0] = 0.0;
  }
  return data;
}

ClassMatrix random_steps(std::uint64_t seed, Index rows, Index n_classes) {
  Random random(seed);
  ClassMatrix d(rows, n_classes);
  for (Index j = 0; j < rows; ++j) {
    double sum = 0.0;
    for (double& value : d.row(j)) sum += value = random.normal();
    for (double& value : d.row(j)) value -= sum / static_cast<double>(n_classes);
  }
  return d;
}

std::vector<MulticlassData> random_multiclass_problems() {
  constexpr double kDeltas[] = {1.0, 0.1, 2.0, 0.5};
  constexpr Index kClasses[] = {3, 2, 4, 5, 7};
  std::vector<MulticlassData> result;
  std::uint64_t seed = 0;
  for (const InterceptKind kind :
       {InterceptKind::penalised, InterceptKind::by_gradient, InterceptKind::free, InterceptKind::absent}) {
    for (const double lambda2 : {0.1, 0.0}) {
      for (const bool weights : {false, true}) {
        for (const bool factors : {false, true}) {
          ++seed;
          for (const Margins margins : {Margins::absolute, Margins::relative}) {
            result.push_back(random_multiclass_problem({.seed = seed,
                                                        .n = static_cast<Index>(9 + seed % 9),
                                                        .p = static_cast<Index>(3 + seed % 8),
                                                        .n_classes = kClasses[seed % 5],
                                                        .intercept = kind,
                                                        .delta = kDeltas[seed % 4],
                                                        .lambda2 = lambda2,
                                                        .weights = weights,
                                                        .factors = factors,
                                                        .margins = margins}));
          }
        }
      }
    }
  }
  return result;
}

Rows random_rows(std::uint64_t seed, std::size_t n_features, std::size_t n_classes, double scale) {
  Rows result;
  for (std::size_t j = 0; j < n_features; ++j) {
    std::vector<double> row = random_vector(seed * 1000 + j, n_classes, scale);
    if ((seed + j) % 3 == 0) row.assign(n_classes, 0.0);
    centre(row);
    result.push_back(row);
  }
  return result;
}

std::vector<double> random_intercepts(std::uint64_t seed, std::size_t n_classes, double scale) {
  std::vector<double> result = random_vector(seed + 500'000, n_classes, scale);
  centre(result);
  return result;
}

double largest_sum(const std::vector<double>& b, const Rows& w) {
  const auto relative_sum = [](const std::vector<double>& values, long double least) {
    long double sum = 0.0;
    long double size = 0.0;
    for (const double value : values) {
      sum += value;
      size += std::abs(value);
    }
    return sum == 0.0L ? 0.0 : static_cast<double>(std::abs(sum) / std::max(size, least));
  };
  double largest = relative_sum(b, 1.0);
  for (const std::vector<double>& row : w) largest = std::max(largest, relative_sum(row, 0.0));
  return largest;
}

double reference_smooth(const MulticlassData& data, const std::vector<double>& b, const Rows& w) {
  long double total = 0.0;
  for_each_wrong(data, b, w, [&](std::size_t i, std::size_t, double margin) {
    total += static_cast<long double>(data.s[i]) * reference_phi(margin, data.parameters.loss.delta);
  });
  return static_cast<double>(total / static_cast<long double>(data.y.size()));
}

double reference_objective(const MulticlassData& data, const std::vector<double>& b, const Rows& w) {
  long double total = reference_smooth(data, b, w);
  for (std::size_t j = 0; j < w.size(); ++j) {
    for (const double value : w[j]) {
      total += data.parameters.penalty.lambda1 * factor(data, j) * std::abs(value) +
               0.5 * data.parameters.penalty.lambda2 * value * value;
    }
  }
  for (const double value : b) total += 0.5 * data.parameters.lambda3 * value * value;
  return static_cast<double>(total);
}

MulticlassGradient reference_gradient(const MulticlassData& data, const std::vector<double>& b, const Rows& w) {
  MulticlassGradient result{std::vector<double>(b.size()), Rows(w.size(), std::vector<double>(b.size()))};
  for_each_wrong(data, b, w, [&](std::size_t i, std::size_t k, double margin) {
    const double slope =
        data.s[i] * pull(margin, data.parameters.loss.delta) / static_cast<double>(data.y.size());
    const auto add = [&](std::size_t of, double by) {
      if (data.parameters.intercept) result.b[of] += by;
      for (std::size_t j = 0; j < w.size(); ++j)
        result.w[j][of] += by * data.x(static_cast<Index>(i), static_cast<Index>(j));
    };
    add(k, slope);
    if (data.parameters.margins == Margins::relative) add(static_cast<std::size_t>(data.y[i]), -slope);
  });
  return result;
}

double reference_row_conjugate(const std::vector<double>& c, double threshold, double lambda2) {
  const auto shrunk = [&](double t) { return t > threshold ? t - threshold : std::min(0.0, t + threshold); };
  double low = *std::min_element(c.begin(), c.end()) - threshold;
  double high = *std::max_element(c.begin(), c.end()) + threshold;
  for (int step = 0; step < 200; ++step) {
    const double sigma = 0.5 * (low + high);
    double sum = 0.0;
    for (const double value : c) sum += shrunk(value - sigma);
    (sum > 0.0 ? low : high) = sigma;
  }
  double total = 0.0;
  for (const double value : c) total += shrunk(value - low) * shrunk(value - low);
  return total / (2.0 * lambda2);
}

double reference_dual(const MulticlassData& data, const std::vector<double>& b, const Rows& w) {
  const MulticlassParameters& parameters = data.parameters;
  const MulticlassGradient gradient = reference_gradient(data, b, w);
  const auto threshold = [&](std::size_t j) { return parameters.penalty.lambda1 * factor(data, j); };
  double k = 1.0;  // the dual point is scaled by it
  if (parameters.penalty.lambda2 == 0.0) {
    for (std::size_t j = 0; j < w.size(); ++j) {
      const auto [low, high] = std::minmax_element(gradient.w[j].begin(), gradient.w[j].end());
      const double range = 0.5 * (*high - *low);
      if (range > threshold(j)) k = std::min(k, threshold(j) / range);
    }
  }
  long double total = 0.0;
  for_each_wrong(data, b, w, [&](std::size_t i, std::size_t, double margin) {
    const double a = k * pull(margin, parameters.loss.delta);
    total += data.s[i] * (a - parameters.loss.delta * a * a / 2.0) / static_cast<double>(data.y.size());
  });
  if (parameters.penalty.lambda2 > 0.0) {
    for (std::size_t j = 0; j < w.size(); ++j) {
      total -= reference_row_conjugate(gradient.w[j], threshold(j), parameters.penalty.lambda2);
    }
  }
  if (parameters.intercept) {
    const double common = mean(gradient.b);
    double square = 0.0;
    for (const double m : gradient.b) square += (m - common) * (m - common);
    if (data.free_intercept()) {
      if (square > 1e-24) throw std::logic_error("b is not the best intercept for W");
    } else {
      total -= square / (2.0 * parameters.lambda3);
    }
  }
  return static_cast<double>(total);
}

double reference_violation(const MulticlassData& data, const std::vector<double>& b, const Rows& w) {
  const MulticlassParameters& parameters = data.parameters;
  const MulticlassGradient gradient = reference_gradient(data, b, w);
  double worst = 0.0;
  if (parameters.intercept) {
    std::vector<double> slope = gradient.b;
    for (std::size_t k = 0; k < b.size(); ++k) slope[k] += parameters.lambda3 * b[k];
    const auto [low, high] = std::minmax_element(slope.begin(), slope.end());
    worst = 0.5 * (*high - *low);
  } else {
    for (const double value : b) worst = std::max(worst, std::abs(value));
  }
  for (std::size_t j = 0; j < w.size(); ++j) {
    // Every entry allows the row's multiplier an interval; what is missing for them to meet is the violation.
    const double threshold = parameters.penalty.lambda1 * factor(data, j);
    double low = -std::numeric_limits<double>::infinity();
    double high = std::numeric_limits<double>::infinity();
    for (std::size_t k = 0; k < b.size(); ++k) {
      const double smooth = gradient.w[j][k] + parameters.penalty.lambda2 * w[j][k];
      low = std::max(low, smooth + (w[j][k] > 0.0 ? threshold : -threshold));
      high = std::min(high, smooth + (w[j][k] < 0.0 ? -threshold : threshold));
    }
    worst = std::max(worst, 0.5 * (low - high));
  }
  return worst;
}

}  // namespace hsvm::test
