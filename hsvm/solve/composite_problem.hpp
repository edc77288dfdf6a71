// minimise F(u) = f(u) + g(u): f smooth with a Lipschitz gradient, g with a cheap proximal step. A point
// carries its scores (X times its coefficients), so that extrapolating two points extrapolates their scores,
// and an iteration multiplies by X once and by X' once.
#pragma once

#include <concepts>

#include "hsvm/core/types.hpp"

namespace hsvm {

template <class P>
concept CompositeProblem = requires(const P& p, typename P::Point& u, typename P::Point& v,
                                    typename P::Gradient& gradient, double number) {
  { p.objective(u) } -> std::same_as<double>;                   // F, from the scores
  { p.objective_rounding(u, number) } -> std::same_as<double>;  // how far off that may be, F being the number
  p.careful_objective(u).value;  // F and its rounding from the coefficients alone
  p.refresh_scores(u);           // anew from the coefficients; a product over the support
  { p.objective_at_zero() } -> std::same_as<double>;
  { p.lipschitz() } -> std::same_as<double>;            // the paper's bound, L_f or L_m; reads X once
  { p.initial_bound(number) } -> std::same_as<double>;  // L_0, where backtracking starts, from that bound
  p.gradient(u, gradient);                              // of f; one product with X'
  p.proximal_step(u, gradient, number, v);              // v = argmin of the model at u; one product with X
  p.extrapolate(u, v, number, u);                       // u + omega (u - v); no product
  { p.divergence(u, v) } -> std::same_as<double>;       // f(u) - f(v) - <f'(v), u - v>
  { p.squared_distance(u, v) } -> std::same_as<double>;
  { p.squared_norm(u) } -> std::same_as<double>;
  { p.dual_objective(u, gradient) } -> std::same_as<double>;  // a lower bound on the minimum: the certificate
  { p.count_nonzeros(u) } -> std::same_as<Index>;
  { p.n_features() } -> std::same_as<Index>;
};

}  // namespace hsvm
