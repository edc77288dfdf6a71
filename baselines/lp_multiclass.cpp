// Everything is scaled by n: slacks cost 1 and the duals of the margins lie in [0, 1].
#include "baselines/lp_multiclass.hpp"

#include <algorithm>
#include <numeric>
#include <set>

#include "baselines/linear_models.hpp"
#include "baselines/linear_program.hpp"
#include "hsvm/core/error.hpp"
#include "hsvm/core/parallel.hpp"

namespace hsvm::baselines {
namespace {

struct Coefficients {
  std::vector<double> b;  // J
  ClassMatrix w;          // p x J
};

// A direction of a row of W: class k by sign[k] in {-1, 0, 1}, sum 0.
using Atom = std::vector<int>;

class Program {
 public:
  Program(const Design& design, const Labels& labels, const LpMulticlassOptions& options)
      : x_(design),
        y_(labels.of_sample),
        J_(labels.classes.size()),
        norm_(options.norm),
        penalty_(options.lambda * static_cast<double>(y_.size())) {}

  [[nodiscard]] const Design& design() const { return x_; }
  [[nodiscard]] Index n_samples() const { return static_cast<Index>(y_.size()); }
  [[nodiscard]] Index n_classes() const { return J_; }
  [[nodiscard]] double penalty() const { return penalty_; }
  [[nodiscard]] double atom_norm() const { return norm_ == RowNorm::l1 ? 2.0 : 1.0; }

  // Row (i, k) is slack_ik - b_k - x_i'w_k >= 1; the last is sum(b) = 0.
  [[nodiscard]] Index margin_row(Index i, Index k) const {
    const Index y = y_[static_cast<std::size_t>(i)];
    return i * (J_ - 1) + k - (k > y ? 1 : 0);
  }
  [[nodiscard]] Index sum_row() const { return n_samples() * (J_ - 1); }

  // The rows above, and those in which N and the sums of W's rows are said in full.
  [[nodiscard]] LinearProgram rows(Index equalities, Index upper_bounds) const {
    std::vector<double> lower(static_cast<std::size_t>(sum_row()), 1.0);
    std::vector<double> upper(lower.size(), kUnbounded);
    lower.resize(lower.size() + 1 + static_cast<std::size_t>(equalities), 0.0);
    upper.resize(lower.size(), 0.0);
    lower.resize(lower.size() + static_cast<std::size_t>(upper_bounds), -kUnbounded);
    upper.resize(lower.size(), 0.0);
    return LinearProgram(lower, upper);
  }

  // J free intercepts and the slacks.
  void add_slacks_and_intercepts(LpColumns& columns) const {
    for (Index k = 0; k < J_; ++k) {
      for (Index i = 0; i < n_samples(); ++i) {
        if (y_[static_cast<std::size_t>(i)] != k) columns.add_entry(margin_row(i, k), -1.0);
      }
      columns.add_entry(sum_row(), 1.0);
      columns.end_column(0.0, -kUnbounded, kUnbounded);
    }
    for (Index row = 0; row < sum_row(); ++row) {
      columns.add_entry(row, 1.0);
      columns.end_column(1.0);
    }
  }

  // What a step of W_jk by `sign` does to the margins; feature: column j of X.
  void add_margin_entries(LpColumns& columns, const ColumnView& feature, Index k, double sign) const {
    for_each_entry(feature, [&](std::size_t i, double value) {
      if (y_[i] != k && value != 0.0) {
        columns.add_entry(margin_row(static_cast<Index>(i), k), -sign * value);
      }
    });
  }

  void add_atom(LpColumns& columns, const ColumnView& feature, const Atom& atom) const {
    for (Index k = 0; k < J_; ++k) {
      const int sign = atom[static_cast<std::size_t>(k)];
      if (sign != 0) add_margin_entries(columns, feature, k, sign);
    }
    columns.end_column(penalty_ * atom_norm());
  }

  // The atom with the largest c'e.
  [[nodiscard]] Atom best_atom(std::span<const double> c) const {
    std::vector<std::size_t> order(c.size());
    std::iota(order.begin(), order.end(), 0U);
    std::ranges::stable_sort(order, [&](std::size_t k, std::size_t l) { return c[k] > c[l]; });
    const std::size_t pairs = norm_ == RowNorm::l1 ? 1 : c.size() / 2;
    Atom atom(c.size(), 0);
    for (std::size_t k = 0; k < pairs; ++k) {
      atom[order[k]] = 1;
      atom[order[c.size() - 1 - k]] = -1;
    }
    return atom;
  }

  // C = -X'A from the duals of the margins.
  [[nodiscard]] ClassMatrix dual_products(std::span<const double> row_duals) const {
    ClassMatrix a(n_samples(), J_);
    for (Index i = 0; i < n_samples(); ++i) {
      for (Index k = 0; k < J_; ++k) {
        if (k == y_[static_cast<std::size_t>(i)]) continue;
        a.row(i)[static_cast<std::size_t>(k)] = -dual(row_duals, margin_row(i, k));
      }
    }
    ClassMatrix c(x_.cols(), J_);
    x_.multiply_transposed(a, c);
    return c;
  }

  // N*(c)
  [[nodiscard]] double dual_norm(std::span<const double> c) const {
    const Atom atom = best_atom(c);
    double sum = 0.0;
    for (std::size_t k = 0; k < c.size(); ++k) sum += c[k] * atom[k];
    return sum / atom_norm();
  }

  [[nodiscard]] double objective(const Coefficients& u) const {
    ClassMatrix scores(n_samples(), J_);
    x_.multiply(all_indices(x_.cols()), u.w, scores);
    double sum = 0.0;
    for (Index i = 0; i < n_samples(); ++i) {
      for (Index k = 0; k < J_; ++k) {
        const auto at = static_cast<std::size_t>(k);
        if (k != y_[static_cast<std::size_t>(i)]) sum += std::max(0.0, 1.0 + u.b[at] + scores.row(i)[at]);
      }
    }
    for (Index j = 0; j < x_.cols(); ++j) {
      double norm = 0.0;
      for (const double w : u.w.row(j))
        norm = norm_ == RowNorm::l1 ? norm + std::abs(w) : std::max(norm, std::abs(w));
      sum += penalty_ * norm;
    }
    return sum / static_cast<double>(n_samples());
  }

  // k sum(A)/n
  [[nodiscard]] double dual_bound(std::span<const double> row_duals) const {
    const ClassMatrix c = dual_products(row_duals);
    double largest = 0.0;
    for (Index j = 0; j < x_.cols(); ++j) largest = std::max(largest, dual_norm(c.row(j)));
    double sum = 0.0;
    for (Index row = 0; row < sum_row(); ++row) sum += dual(row_duals, row);
    return std::min(1.0, largest > 0.0 ? penalty_ / largest : 1.0) * sum / static_cast<double>(n_samples());
  }

 private:
  static double dual(std::span<const double> row_duals, Index row) {
    return std::clamp(row_duals[static_cast<std::size_t>(row)], 0.0, 1.0);
  }

  const Design& x_;
  const std::vector<Index>& y_;
  Index J_;
  RowNorm norm_;
  double penalty_;
};

struct Answer {
  Coefficients u;
  LpSolution solution;
  int rounds = 1;
};

Answer solve_in_full(const Program& program, RowNorm norm, const RunLimits& limits) {
  const Index p = program.design().cols();
  const Index J = program.n_classes();
  const bool sup = norm == RowNorm::sup;
  LinearProgram lp = program.rows(p, sup ? p * J : 0);
  LpColumns columns;
  program.add_slacks_and_intercepts(columns);
  const std::size_t first = columns.size();
  const Index sums = program.sum_row() + 1;
  const Index bounds = sums + p;
  ColumnBuffer buffer;
  for (Index j = 0; j < p; ++j) {
    const ColumnView feature = program.design().column(j, buffer);
    for (Index k = 0; k < J; ++k) {
      for (const double sign : {1.0, -1.0}) {
        program.add_margin_entries(columns, feature, k, sign);
        columns.add_entry(sums + j, sign);
        if (sup) columns.add_entry(bounds + j * J + k, 1.0);
        columns.end_column(sup ? 0.0 : program.penalty());
      }
    }
  }
  for (Index j = 0; sup && j < p; ++j) {  // |w_jk| - bound_j <= 0
    for (Index k = 0; k < J; ++k) columns.add_entry(bounds + j * J + k, -1.0);
    columns.end_column(program.penalty());
  }
  lp.add(columns);
  Answer answer{{{}, ClassMatrix(p, J)}, lp.solve(limits)};
  const std::vector<double>& x = answer.solution.x;
  answer.u.b.assign(x.begin(), x.begin() + J);
  const double* at = x.data() + first;
  for (Index j = 0; j < p; ++j) {
    for (double& w : answer.u.w.row(j)) {
      w = at[0] - at[1];
      at += 2;
    }
  }
  return answer;
}

// The next columns: the most wanted atom of each of the features that want one most. One that is there already can be
// wanted within Clp's tolerance only; to add it again would change nothing and never end.
std::vector<std::pair<Index, Atom>> wanted_atoms(const Program& program, const ClassMatrix& c,
                                                 std::size_t at_most,
                                                 const std::set<std::pair<Index, Atom>>& present) {
  constexpr double kSlack = 1e-7;  // relative; Clp's own tolerance on reduced costs
  std::vector<std::pair<double, Index>> wanted;
  for (Index j = 0; j < c.rows(); ++j) {
    const double norm = program.dual_norm(c.row(j));
    if (norm > program.penalty() * (1.0 + kSlack)) wanted.emplace_back(-norm, j);
  }
  std::sort(wanted.begin(), wanted.end());
  std::vector<std::pair<Index, Atom>> atoms;
  for (const auto& [norm, j] : wanted) {
    if (atoms.size() == at_most) break;
    std::pair<Index, Atom> atom(j, program.best_atom(c.row(j)));
    if (!present.contains(atom)) atoms.push_back(std::move(atom));
  }
  return atoms;
}

Answer solve_by_columns(const Program& program, const RunLimits& limits) {
  const Index J = program.n_classes();
  const RunClock clock(limits);
  // A few columns for each row of the program, as many as a basis could take.
  const std::size_t at_most = std::max<std::size_t>(20, static_cast<std::size_t>(program.sum_row()) / 4);
  LinearProgram lp = program.rows(0, 0);
  LpColumns columns;
  program.add_slacks_and_intercepts(columns);
  const std::size_t first = columns.size();
  lp.add(columns);
  std::vector<std::pair<Index, Atom>> atoms;
  std::set<std::pair<Index, Atom>> present;
  ColumnBuffer buffer;
  Answer answer{{{}, ClassMatrix(program.design().cols(), J)}, {}};
  int iterations = 0;
  for (answer.rounds = 1;; ++answer.rounds) {
    RunLimits left = limits;
    left.time_limit -= clock.seconds();
    answer.solution = lp.solve(left);
    iterations += answer.solution.iterations;
    if (answer.solution.status != Status::converged) break;
    const auto next = wanted_atoms(program, program.dual_products(answer.solution.row_duals), at_most, present);
    if (next.empty()) break;
    if (const auto stop = clock.reason_to_stop()) {
      answer.solution.status = *stop;
      break;
    }
    LpColumns more;
    for (const auto& [j, atom] : next) program.add_atom(more, program.design().column(j, buffer), atom);
    lp.add(more);
    atoms.insert(atoms.end(), next.begin(), next.end());
    present.insert(next.begin(), next.end());
  }
  answer.solution.iterations = iterations;
  const std::vector<double>& x = answer.solution.x;
  answer.u.b.assign(x.begin(), x.begin() + J);
  for (std::size_t a = 0; a < atoms.size(); ++a) {
    const std::span<double> row = answer.u.w.row(atoms[a].first);
    for (std::size_t k = 0; k < row.size(); ++k) row[k] += x[first + a] * atoms[a].second[k];
  }
  return answer;
}

}  // namespace

LpMulticlassResult lp_multiclass(const Design& design, const Labels& labels,
                                 const LpMulticlassOptions& options) {
  require_labels(labels, design.rows(), "lp_multiclass");
  if (!(options.lambda > 0.0)) throw OptionError("lp_multiclass: lambda must be greater than 0");
  LpMulticlassResult result;
  with_threads(1, [&] {
    const Stopwatch watch;
    const Program program(design, labels, options);
    Answer answer = options.generate_columns ? solve_by_columns(program, options.limits)
                                             : solve_in_full(program, options.norm, options.limits);
    result.seconds = watch.seconds();
    result.status = answer.solution.status;
    result.iterations = answer.solution.iterations;
    result.rounds = answer.rounds;
    result.objective = program.objective(answer.u);
    result.gap = result.objective - program.dual_bound(answer.solution.row_duals);
    result.model = linear_model(labels.classes, std::move(answer.u.b), answer.u.w);
  });
  return result;
}

}  // namespace hsvm::baselines
