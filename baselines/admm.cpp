// RidgeSolver does the step in (w, b), in one of two forms; admm() below is the iteration.
#include "baselines/admm.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>

#include "baselines/gram.hpp"
#include "hsvm/core/error.hpp"
#include "hsvm/core/parallel.hpp"
#include "hsvm/core/vector_sums.hpp"
#include "hsvm/linalg/cholesky.hpp"
#include "hsvm/penalty/elastic_net.hpp"
#include "hsvm/solve/stopping.hpp"

namespace hsvm::baselines {
namespace {

double mean_of(std::span<const double> x) {
  return std::accumulate(x.begin(), x.end(), 0.0) / static_cast<double>(x.size());
}

void subtract(std::span<double> x, double value) {
  for (double& entry : x) entry -= value;
}

// Minimises ridge/2 |w|^2 + mu1/2 |X w + b|^2 - q'(X w + b) - h'w. With b eliminated, X stands centred (C X,
// C = I - 11'/n) in the matrix:
//
//   p <= n:  (ridge I + mu1 X'C X) w = X'C q + h
//   n < p:   w = (X'(C q - t) + h)/ridge,  (ridge/mu1 I + C G C) t = C (G C q + X h),  G = XX'
//            and X w = (G (C q - t) + X h)/ridge needs no further product with X
//
// Without an intercept C = I.
class RidgeSolver {
 public:
  RidgeSolver(const Design& x, double ridge, double mu1, bool intercept)
      : x_(x), ridge_(ridge), mu1_(mu1), intercept_(intercept), by_features_(x.cols() <= x.rows()) {
    SymmetricMatrix gram = by_features_ ? gram_of_columns(x) : gram_of_rows(x);
    const Index m = gram.size();
    std::vector<double> means(static_cast<std::size_t>(m), 0.0);  // what centring takes off: see below
    double grand_mean = 0.0;
    if (intercept) {
      ColumnBuffer buffer;
      for (Index j = 0; j < m; ++j) means[static_cast<std::size_t>(j)] = mean_of_line(gram, j, buffer);
      if (!by_features_) grand_mean = mean_of(means);
    }
    SymmetricMatrix& h = factor_.matrix();
    h.reset(m);
    const double n = static_cast<double>(x.rows());
    const double scale = by_features_ ? mu1 : 1.0;
    for (Index i = 0; i < m; ++i) {
      const double mean_i = means[static_cast<std::size_t>(i)];
      for (Index j = 0; j <= i; ++j) {
        const double mean_j = means[static_cast<std::size_t>(j)];
        const double centring = by_features_ ? n * mean_i * mean_j : mean_i + mean_j - grand_mean;
        h.row(i)[j] = scale * (gram(i, j) - centring);
      }
      h.row(i)[i] += by_features_ ? ridge : ridge / mu1;
    }
    factor_.factor();
    if (!by_features_) gram_ = std::move(gram);
  }

  // q (n) is changed. scores = X w + b.
  void solve(std::vector<double>& q, std::span<const double> h, std::vector<double>& w, double& b,
             std::vector<double>& scores) {
    const double mean_q = intercept_ ? mean_of(q) : 0.0;
    if (intercept_) subtract(q, mean_q);
    by_features_ ? solve_by_features(q, h, w, scores) : solve_by_samples(q, h, w, scores);
    b = intercept_ ? mean_q / mu1_ - mean_of(scores) : 0.0;
    subtract(scores, -b);
  }

 private:
  // The mean of column j of X, or of row j of G.
  [[nodiscard]] double mean_of_line(const SymmetricMatrix& gram, Index j, ColumnBuffer& buffer) const {
    if (!by_features_) return mean_of({gram.row(j), static_cast<std::size_t>(gram.size())});
    const std::span<const double> values = x_.column(j, buffer).values;
    return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(x_.rows());
  }

  void solve_by_features(const std::vector<double>& q, std::span<const double> h, std::vector<double>& w,
                         std::vector<double>& scores) {
    x_.multiply_transposed(q, w);
    add_scaled(1.0, h, w);
    factor_.solve(w);
    x_.multiply(w, scores);
  }

  void solve_by_samples(std::vector<double>& q, std::span<const double> h, std::vector<double>& w,
                        std::vector<double>& scores) {
    x_.multiply(h, scores);  // X h
    std::vector<double>& t = scratch_;
    t.resize(q.size());
    add_gram_product(q, scores, t);
    if (intercept_) subtract(t, mean_of(t));
    factor_.solve(t);
    add_scaled(-1.0, t, q);
    add_gram_product(q, scores, t);
    for (std::size_t i = 0; i < q.size(); ++i) scores[i] = t[i] / ridge_;
    x_.multiply_transposed(q, w);
    for (std::size_t j = 0; j < w.size(); ++j) w[j] = (w[j] + h[j]) / ridge_;
  }

  // out = G x + plus
  void add_gram_product(std::span<const double> x, std::span<const double> plus, std::span<double> out) const {
    for (std::size_t i = 0; i < x.size(); ++i) {
      out[i] = plus[i] + dot_of({gram_.row(static_cast<Index>(i)), x.size()}, x);
    }
  }

  const Design& x_;
  double ridge_;
  double mu1_;
  bool intercept_;
  bool by_features_;
  Cholesky factor_;
  SymmetricMatrix gram_;
  std::vector<double> scratch_;
};

void check(const AdmmOptions& options, Index order) {
  if (!(options.tolerance > 0.0)) throw OptionError("admm: tolerance must be greater than 0");
  if (!(options.mu1.value_or(1.0) > 0.0)) throw OptionError("admm: mu1 must be greater than 0");
  if (!(options.mu2 > 0.0)) throw OptionError("admm: mu2 must be greater than 0");
  if (options.max_iterations < 1) throw OptionError("admm: max_iterations must be at least 1");
  if (order > options.max_order) {
    throw InputError("admm: a dense matrix of order " + std::to_string(order) +
                     " would have to be factored; max_order is " + std::to_string(options.max_order));
  }
}

// The variables that are not (w, b).
struct AdmmState {
  std::vector<double> a, u;  // n
  std::vector<double> z, v;  // p

  AdmmState(std::size_t n, std::size_t p) : a(n), u(n), z(p), v(p) {}

  // What the step in (w, b) is made from.
  void right_hand_side(std::span<const double> y, double mu1, double mu2, std::vector<double>& q,
                       std::vector<double>& h) const {
    for (std::size_t i = 0; i < a.size(); ++i) q[i] = y[i] * (u[i] + mu1 * (1.0 - a[i]));
    for (std::size_t j = 0; j < z.size(); ++j) h[j] = mu2 * z[j] - v[j];
  }

  void update(std::span<const double> y, std::span<const double> w, std::span<const double> scores,
              double lambda1, double mu1, double mu2) {
    const double kink = 1.0 / (static_cast<double>(a.size()) * mu1);
    for (std::size_t i = 0; i < a.size(); ++i) {
      const double t = 1.0 + u[i] / mu1 - y[i] * scores[i];
      const double clipped = std::clamp(t, 0.0, kink);
      a[i] = t - clipped;
      u[i] = mu1 * clipped;  // = u + mu1 (1 - y o scores - a)
    }
    for (std::size_t j = 0; j < z.size(); ++j) {
      const double t = w[j] + v[j] / mu2;
      z[j] = shrink(t, lambda1 / mu2);
      v[j] = mu2 * (t - z[j]);  // = v + mu2 (w - z)
    }
  }
};

AdmmResult run(const HingeProblem& problem, const AdmmOptions& options) {
  const RunClock clock(options.limits);
  const auto n = problem.y.size();
  const auto p = static_cast<std::size_t>(problem.design.cols());
  const double mu1 = options.mu1.value_or(100.0 / static_cast<double>(n));
  const double mu2 = options.mu2;
  RidgeSolver ridge(problem.design, problem.lambda2 + mu2, mu1, problem.intercept);
  AdmmResult result;
  result.factor_seconds = clock.seconds();

  AdmmState state(n, p);
  std::vector<double> w(p), previous_w(p), scores(n), q(n), h(p);
  double b = 0.0;
  double objective = 1.0;  // of zero
  PaperRule settled(options.tolerance);
  std::optional<Status> stop;
  while (!stop) {
    const double previous_b = b;
    const double previous_objective = objective;
    previous_w = w;
    state.right_hand_side(problem.y, mu1, mu2, q, h);
    ridge.solve(q, h, w, b, scores);
    state.update(problem.y, w, scores, problem.lambda1, mu1, mu2);
    objective = problem.objective(w, scores);
    ++result.iterations;
    const double step = std::sqrt(squared_distance_of(w, previous_w) + (b - previous_b) * (b - previous_b));
    const double size = std::sqrt(squared_norm_of(previous_w) + previous_b * previous_b);
    if (!std::isfinite(objective)) {
      stop = Status::not_finite;
    } else if (settled(previous_objective, objective, step, size)) {
      stop = Status::converged;
    } else if (result.iterations >= options.max_iterations) {
      stop = Status::iteration_limit;
    } else {
      stop = clock.reason_to_stop();
    }
  }
  result.seconds = clock.seconds();
  result.status = *stop;
  result.b = b;
  result.residual = std::sqrt(squared_distance_of(w, state.z));
  result.w = std::move(state.z);
  result.objective = problem.objective(b, result.w);
  for (double& u : state.u) u *= static_cast<double>(n);
  result.gap = result.objective - problem.dual_bound(std::move(state.u));
  return result;
}

}  // namespace

AdmmResult admm(const HingeProblem& problem, const AdmmOptions& options) {
  check(options, std::min(problem.design.rows(), problem.design.cols()));
  AdmmResult result;
  with_threads(1, [&] { result = run(problem, options); });
  return result;
}

}  // namespace hsvm::baselines
