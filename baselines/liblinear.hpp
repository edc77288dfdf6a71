// LIBLINEAR [FCHWL08] through its C interface. For a sample with label y = +1 or -1, with t = y (x'w + B w_0)
// and C the cost, w_0 penalised like any other weight and absent without a bias B:
//
//   l1_squared_hinge        -s 5   |w|_1   + C sum_i max(0, 1 - t_i)^2    cyclic coordinate descent [YCHL10]
//   l2_squared_hinge        -s 2   |w|^2/2 + C sum_i max(0, 1 - t_i)^2    trust-region Newton
//   l2_squared_hinge_dual   -s 1   the same, by coordinate descent in the dual; LIBLINEAR's default
//
// Two classes give one such problem; more give one for each class against all others (one-vs-all), the largest
// score winning. The paper's binary tables use -s 5; its one-vs-all has "default values in the code of
// LIBLINEAR", which are those of LiblinearOptions{}: -s 1 -c 1 -B -1.
//
// Stops by LIBLINEAR's own rules and default tolerances unless given another: -s 5 and -s 2 when the optimality
// violation is below a fraction of that at w = 0, -s 1 when the dual's violations span less than the tolerance.
// A run cannot be interrupted. LIBLINEAR permutes coordinates by rand(), which is seeded here, so that the same
// data give the same bits.
//
// In the build where liblinear-dev is: HSVM_HAS_LIBLINEAR.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "hsvm/data/design.hpp"
#include "hsvm/data/labels.hpp"
#include "hsvm/model/linear_model.hpp"

namespace hsvm::baselines {

enum class LiblinearKind { l2_squared_hinge_dual = 1, l2_squared_hinge = 2, l1_squared_hinge = 5 };

// LIBLINEAR's.
[[nodiscard]] constexpr double default_tolerance(LiblinearKind kind) {
  return kind == LiblinearKind::l2_squared_hinge_dual ? 0.1 : 0.01;
}

struct LiblinearOptions {
  LiblinearKind kind = LiblinearKind::l2_squared_hinge_dual;
  double cost = 1.0;                     // C > 0
  std::optional<double> tolerance = {};  // > 0; the default where not given
  std::optional<double> bias = {};       // B > 0; none where not given, as by default in LIBLINEAR
  unsigned seed = 1;
};

// How well one of the problems was solved.
struct LiblinearProblem {
  double objective = 0.0;  // the formula above at the answer
  double violation = 0.0;  // of optimality: the smallest subgradient's largest entry, relative to that at w = 0
};

struct LiblinearResult {
  LinearModel model;                       // intercept = B w_0; its lambdas and delta mean nothing
  std::vector<LiblinearProblem> problems;  // one for each output, measured after the clock has stopped
  int iterations = 0;                      // of all problems together
  double seconds = 0.0;                    // of LIBLINEAR's train()
};

// The data in LIBLINEAR's form, row by row, to be trained on any number of times.
class Liblinear {
 public:
  // Throws InputError where there are fewer than two classes or not one label for each row.
  Liblinear(const Design& design, const Labels& labels);
  ~Liblinear();
  Liblinear(const Liblinear&) = delete;
  Liblinear& operator=(const Liblinear&) = delete;

  // Throws OptionError where an option is out of its range.
  [[nodiscard]] LiblinearResult train(const LiblinearOptions& options = {});

 private:
  struct Data;
  std::unique_ptr<Data> data_;
};

}  // namespace hsvm::baselines
