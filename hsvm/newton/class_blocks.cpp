#include "hsvm/newton/class_blocks.hpp"

namespace hsvm {

ClassBlocks::Kind ClassBlocks::choose(std::span<const Index> rows, const ClassMatrix& inverse,
                                      double product_cost) const {
  constexpr double kFactorRate = 18.0;  // multiplications a nanosecond,
  constexpr double kSolveRate = 4.0;    // of solves with a factor;
  constexpr double kEntryCost = 0.5;    // to form an entry, for each class that has a part in it
  const auto n_classes = static_cast<double>(inverse.n_classes());
  const auto m = static_cast<double>(rows.size());
  const double factors = n_classes * m * m * (m / (6.0 * kFactorRate) + kEntryCost * n_classes);
  const double iteration = product_cost + n_classes * m * m / kSolveRate;
  if (factors + with_fresh_ * iteration >= with_diagonal_ * product_cost) return Kind::diagonal;
  return rows_of_.empty() || (last_ - with_fresh_) * iteration > factors ? Kind::fresh : Kind::stale;
}

void ClassBlocks::take_pairs(std::span<const Index> rows, const ClassMatrix& inverse) {
  rows_of_.assign(static_cast<std::size_t>(inverse.n_classes()), {});
  factors_.resize(rows_of_.size());
  for (const Index j : rows) {
    const std::span<const double> pairs = inverse.row(j);
    for (std::size_t k = 0; k < pairs.size(); ++k) {
      if (pairs[k] != 0.0) rows_of_[k].push_back(j);
    }
  }
}

void ClassBlocks::solve(const ClassMatrix& r, const ClassMatrix& inverse, ClassMatrix& z) {
  for (std::size_t e = 0; e < z.values().size(); ++e) z.values()[e] = inverse.values()[e] * r.values()[e];
  for (std::size_t k = 0; k < rows_of_.size(); ++k) {
    part_.clear();
    for (const Index j : rows_of_[k]) part_.push_back(r.row(j)[k]);
    factors_[k].solve(part_);
    for (std::size_t a = 0; a < part_.size(); ++a) {
      const Index j = rows_of_[k][a];
      if (inverse.row(j)[k] != 0.0) z.row(j)[k] = part_[a];
    }
  }
}

void ClassBlocks::note_iterations(int iterations) {
  const auto seen = static_cast<double>(iterations);
  const auto learn = [&](double& expected) { expected = 0.5 * (expected + seen); };
  if (kind_ == Kind::diagonal) return learn(with_diagonal_);
  if (kind_ == Kind::fresh) learn(with_fresh_);
  last_ = seen;
}

}  // namespace hsvm
