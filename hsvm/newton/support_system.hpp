// Conjugate gradients for a model's Hessian on the nonzero pairs of V (m x J), the rows of a step summing to zero:
//
//   minimise   <D, H D>/2 - <R, D>     over D that is zero off the pairs, D e = 0
//
// The preconditioner need not be a matrix: the directions are made conjugate by what the residual has changed by, so
// that an inner run of the same on another Hessian may serve.
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "hsvm/core/class_matrix.hpp"
#include "hsvm/core/types.hpp"

namespace hsvm {

// Takes R to the steps that are allowed: zero off the pairs, which are not zero in `pairs`, and the mean of each row removed.
// Returns its squared norm on the rows.
inline double project_on_pairs(std::span<const Index> rows, const ClassMatrix& pairs, ClassMatrix& r) {
  double total = 0.0;
  for (const Index j : rows) {
    const std::span<double> row = r.row(j);
    const std::span<const double> there = pairs.row(j);
    double sum = 0.0;
    double count = 0.0;
    for (std::size_t k = 0; k < row.size(); ++k) {
      if (there[k] == 0.0) continue;
      sum += row[k];
      count += 1.0;
    }
    for (std::size_t k = 0; k < row.size(); ++k) {
      row[k] = there[k] == 0.0 ? 0.0 : row[k] - sum / count;
      total += row[k] * row[k];
    }
  }
  return total;
}

class SupportSystem {
 public:
  // The nonzero pairs of V; where tau is zero all of a row.
  void begin(const ClassMatrix& v, std::span<const double> tau) {
    mask_.reset(v.rows(), v.n_classes());
    rows_.clear();
    for (Index j = 0; j < v.rows(); ++j) {
      bool any = false;
      for (std::size_t k = 0; k < v.row(j).size(); ++k) {
        const bool there = v.row(j)[k] != 0.0 || tau[static_cast<std::size_t>(j)] == 0.0;
        mask_.row(j)[k] = there ? 1.0 : 0.0;
        any = any || there;
      }
      if (any) rows_.push_back(j);
    }
  }
  [[nodiscard]] std::span<const Index> rows() const { return rows_; }
  [[nodiscard]] bool holds(Index j, std::size_t k) const { return mask_.row(j)[k] != 0.0; }

  void project(ClassMatrix& r) const { project_on_pairs(rows_, mask_, r); }
  // D = diag(h)^{-1} R among the steps that are allowed.
  void divide(const ClassMatrix& r, const ClassMatrix& h, ClassMatrix& d) const {
    for (const Index j : rows_) {
      double sum = 0.0;
      double weight = 0.0;
      for (std::size_t k = 0; k < r.row(j).size(); ++k) {
        if (!holds(j, k)) continue;
        sum += r.row(j)[k] / h.row(j)[k];
        weight += 1.0 / h.row(j)[k];
      }
      for (std::size_t k = 0; k < r.row(j).size(); ++k)
        d.row(j)[k] = holds(j, k) ? (r.row(j)[k] - sum / weight) / h.row(j)[k] : 0.0;
    }
  }
  [[nodiscard]] double dot(const ClassMatrix& a, const ClassMatrix& b) const {
    double total = 0.0;
    for (const Index j : rows_) {
      for (std::size_t k = 0; k < a.row(j).size(); ++k) total += a.row(j)[k] * b.row(j)[k];
    }
    return total;
  }

  // Adds to `solution` until the residual R, which is projected, is at most `enough` in the 2-norm.
  // apply(d, out): out = H d on the rows; precondition(r, z).
  template <class Apply, class Precondition>
  void solve(const Apply& apply, const Precondition& precondition, double enough, int max_iterations,
             ClassMatrix& residual, ClassMatrix& solution) const {
    const Index m = mask_.rows();
    const Index n_classes = mask_.n_classes();
    ClassMatrix scaled(m, n_classes);
    ClassMatrix product(m, n_classes);
    ClassMatrix direction(m, n_classes);
    ClassMatrix previous;  // the residual before the last step
    double rho = 0.0;
    for (int iteration = 0; iteration < max_iterations; ++iteration) {
      if (!(dot(residual, residual) > enough * enough)) return;
      precondition(residual, scaled);
      project(scaled);
      const double next = dot(residual, scaled);
      if (!(next > 0.0)) return;
      const double beta = iteration == 0 ? 0.0 : (next - dot(previous, scaled)) / rho;
      rho = next;
      combine(scaled, std::max(0.0, beta), direction);
      apply(direction, product);
      project(product);
      const double curvature = dot(direction, product);
      if (!(curvature > 0.0)) return;
      const double alpha = dot(residual, direction) / curvature;
      previous = residual;
      add(alpha, direction, solution);
      add(-alpha, product, residual);
    }
  }

 private:
  // direction = scaled + beta direction
  void combine(const ClassMatrix& scaled, double beta, ClassMatrix& direction) const {
    for (const Index j : rows_) {
      for (std::size_t k = 0; k < direction.row(j).size(); ++k)
        direction.row(j)[k] = scaled.row(j)[k] + beta * direction.row(j)[k];
    }
  }
  void add(double factor, const ClassMatrix& from, ClassMatrix& to) const {
    for (const Index j : rows_) {
      for (std::size_t k = 0; k < to.row(j).size(); ++k) to.row(j)[k] += factor * from.row(j)[k];
    }
  }

  ClassMatrix mask_;         // m x J: 1 on the pairs
  std::vector<Index> rows_;  // those with a pair
};

}  // namespace hsvm
