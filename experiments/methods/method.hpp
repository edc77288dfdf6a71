// The methods that the paper compares, and ours.
//
//   b_pgh, b_pgh2   the huberized model of two classes, by the paper's B-PGH and B-PGH-2 and its rule at 1e-6
//   m_pgh           the all-together huberized model of several classes, by its M-PGH and the same rule
//   newton          either model by the library's own solver, certified to a gap of 1e-6 of F at zero
//   delta_tuned     the same with the width of the elbow, delta, tuned as well
//   gcd             the huberized model of two classes, by coordinate descent under gcdnet's rule at 1e-8
//   admm            two classes: the plain hinge and a free intercept instead, by ADMM under the paper's rule at 1e-5
//   liblinear       two classes: the squared hinge, l1, and a cost C instead (-s 5)
//   l1, sup         several classes, all together: the plain hinge, as linear programs
//   ova             one-vs-all by LIBLINEAR with all its defaults: C = 1, no intercept
//   ova_tuned       the same with an intercept and C tuned
//   ddag            pairwise Gaussian kernel machines in a decision graph, C and gamma tuned
//
// The huberized ones minimise
//
//   F(b, w) = mean_i phi(y_i (b + x_i'w)) + lambda1 |w|_1 + lambda2/2 |w|^2 + lambda3/2 b^2
//
// or its form for several classes, so that their objectives and times can be compared.
#pragma once

#include <string>

#include "experiments/lab/table.hpp"

namespace hsvm::lab {

enum class Method {
  b_pgh,
  b_pgh2,
  m_pgh,
  newton,
  delta_tuned,
  gcd,
  admm,
  liblinear,
  l1,
  sup,
  ova,
  ova_tuned,
  ddag
};

// As tables have it.
[[nodiscard]] std::string name_of(Method method);
// Whether the package it needs was there when hsvm-lab was built.
[[nodiscard]] bool is_available(Method method);
[[nodiscard]] constexpr bool is_huberized(Method method) {
  return method <= Method::gcd;
}

// Those that the method has; the others mean nothing.
struct Parameters {
  double lambda1 = 0.0;  // huberized, admm
  double lambda2 = 0.0;
  double lambda3 = 0.0;   // huberized
  double delta = 1.0;     // huberized
  bool intercept = true;  // of two classes
  double lambda = 0.0;    // l1, sup
  double cost = 1.0;      // liblinear, ova, ova_tuned, ddag
  double gamma = 1.0;     // ddag
  double held_out = 0.0;  // how they were chosen: per cent of held-out samples right; not for ova and ddag
};

// All but `intercept`, which is an experiment's and not chosen.
[[nodiscard]] Json to_json(const Parameters& parameters);
[[nodiscard]] Parameters parameters_from(const Json& json);

}  // namespace hsvm::lab
