// Algorithm 1 of the paper (B-PGH) once more, as printed: vectors, a full history and no certificates. What
// proximal_gradient is compared with, iterate by iterate.
#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

namespace hsvm::test {

using Vector = std::vector<double>;

struct Composite {
  std::function<double(const Vector&)> f;
  std::function<Vector(const Vector&)> gradient;
  std::function<double(const Vector&)> g;
  std::function<Vector(const Vector&, double)> prox;  // argmin over u of L/2 |u - v|^2 + g(u), at (v, L)
  double L_f = 1.0;
  double n = 1.0;
};

struct Settings {
  bool backtracking = true;
  bool monotone = true;
  bool extrapolation = true;
  double eta = 1.5;
};

struct History {
  std::vector<Vector> u;  // u[0] is the start
  std::vector<double> L;  // L[0] is L_0
  int backtracks = 0;
  int re_updates = 0;
};

inline History algorithm1(const Composite& problem, const Vector& start, const Settings& settings,
                          int iterations) {
  const auto combine = [](const Vector& a, double factor, const Vector& b) {
    Vector result = a;
    for (std::size_t k = 0; k < a.size(); ++k) result[k] += factor * b[k];
    return result;
  };
  const auto dot = [](const Vector& a, const Vector& b) {
    double sum = 0.0;
    for (std::size_t k = 0; k < a.size(); ++k) sum += a[k] * b[k];
    return sum;
  };
  History history;
  history.u = {start};
  history.L = {settings.backtracking ? std::min(problem.L_f, 2.0 * problem.L_f / problem.n) : problem.L_f};
  double t = 1.0;
  for (int k = 1; k <= iterations; ++k) {
    const Vector& u1 = history.u.back();                                             // u^{k-1}
    const Vector& u2 = history.u[history.u.size() >= 2 ? history.u.size() - 2 : 0];  // u^{k-2}
    const double t_next = 0.5 * (1.0 + std::sqrt(1.0 + 4.0 * t * t));
    double L = history.L.back();
    const auto update = [&](bool from_hat) {
      for (;; L = std::min(settings.eta * L, problem.L_f), ++history.backtracks) {
        const double omega = from_hat && settings.extrapolation
                                 ? std::min((t - 1.0) / t_next, std::sqrt(history.L.back() / L))
                                 : 0.0;
        const Vector hat = combine(u1, omega, combine(u1, -1.0, u2));
        const Vector slope = problem.gradient(hat);
        const Vector next = problem.prox(combine(hat, -1.0 / L, slope), L);
        const Vector step = combine(next, -1.0, hat);
        const double model = problem.f(hat) + dot(slope, step) + 0.5 * L * dot(step, step);
        if (L >= problem.L_f || problem.f(next) <= model + 1e-15 * std::abs(model)) return next;
      }
    };
    Vector next = update(true);
    const auto F = [&](const Vector& u) { return problem.f(u) + problem.g(u); };
    if (settings.monotone && F(next) > F(u1)) {
      next = update(false);
      ++history.re_updates;
    }
    history.u.push_back(next);
    history.L.push_back(L);
    t = t_next;
  }
  return history;
}

}  // namespace hsvm::test
