#include "hsvm/newton/pair_gram_hessian.hpp"

#include <algorithm>

#include "hsvm/core/vector_sums.hpp"

namespace hsvm {
namespace {

std::size_t pair_index(std::size_t a, std::size_t b) {
  const std::size_t high = std::max(a, b);
  return high * (high - 1) / 2 + std::min(a, b);
}

}  // namespace

template <class Visit>
void PairGramHessian::for_each_pair(const Visit& visit) const {
  for (std::size_t b = 1; b < n_classes_; ++b) {
    for (std::size_t a = 0; a < b; ++a) visit(a, b, grams_[pair_index(a, b)]);
  }
}

void PairGramHessian::refresh(WorkingColumns& columns, std::span<const Index> y, std::span<const double> s,
                              const ClassMatrix& curvatures) {
  constexpr double kAfresh = 0.5;  // of the samples in the matrices: where more change, they are made anew
  n_classes_ = static_cast<std::size_t>(curvatures.n_classes());
  const std::size_t n_pairs = n_classes_ * (n_classes_ - 1) / 2;
  std::vector<std::vector<Index>> enter(n_pairs);
  std::vector<std::vector<Index>> leave(n_pairs);
  double n_held = 0.0;
  double n_changes = 0.0;
  const auto compare = [&] {
    for (std::size_t i = 0; i < y.size(); ++i) {
      const double* const row = curvatures.data(static_cast<Index>(i));
      for (std::size_t k = 0; k < n_classes_; ++k) {
        const char now = row[k] > 0.0 ? 1 : 0;
        char& before = held_[i * n_classes_ + k];
        n_held += now;
        if (now == before) continue;
        n_changes += 1.0;
        before = now;
        (now != 0 ? enter : leave)[pair_index(static_cast<std::size_t>(y[i]), k)].push_back(
            static_cast<Index>(i));
      }
    }
  };
  const auto start_afresh = [&] {
    held_.assign(y.size() * n_classes_, 0);
    grams_.assign(n_pairs, SymmetricMatrix(columns.size()));
    for (std::size_t pair = 0; pair < n_pairs; ++pair) {
      enter[pair].clear();
      leave[pair].clear();
    }
    compare();
  };
  if (grams_.size() != n_pairs || grams_[0].size() != columns.size()) {
    start_afresh();
  } else {
    compare();
    if (n_changes > kAfresh * n_held) start_afresh();
  }
  for (std::size_t pair = 0; pair < n_pairs; ++pair) {
    if (!leave[pair].empty()) columns.add_gram(leave[pair], s, -1.0, 0, grams_[pair]);
    if (!enter[pair].empty()) columns.add_gram(enter[pair], s, 1.0, 0, grams_[pair]);
    if (!leave[pair].empty() || !enter[pair].empty()) grams_[pair].mirror();
  }
}

void PairGramHessian::begin(double scale, std::span<const double> ridge, const ClassMatrix& g) {
  scale_ = scale;
  ridge_ = ridge;
  const std::size_t m = ridge.size();
  q_.resize(m * n_classes_);
  scratch_.resize(q_.size());
  for (std::size_t j = 0; j < m; ++j) {
    for (std::size_t k = 0; k < n_classes_; ++k) q_[k * m + j] = g.row(static_cast<Index>(j))[k];
  }
}

void PairGramHessian::gradient(Index j, std::span<double> q) const {
  for (std::size_t k = 0; k < q.size(); ++k) q[k] = q_[k * ridge_.size() + static_cast<std::size_t>(j)];
}

void PairGramHessian::curvature(Index j, std::span<double> h) const {
  std::fill(h.begin(), h.end(), 0.0);
  for_each_pair([&](std::size_t a, std::size_t b, const SymmetricMatrix& gram) {
    h[a] += gram(j, j);
    h[b] += gram(j, j);
  });
  for (double& value : h) value = 2.0 * scale_ * std::max(0.0, value) + ridge_[static_cast<std::size_t>(j)];
}

void PairGramHessian::add_row(Index j, std::span<const double> change, AlignedBuffer<double>& to) const {
  const std::size_t m = ridge_.size();
  for_each_pair([&](std::size_t a, std::size_t b, const SymmetricMatrix& gram) {
    const double pull = scale_ * (change[a] - change[b]);
    if (pull == 0.0) return;
    add_scaled(pull, {gram.row(j), m}, {to.data() + a * m, m});
    add_scaled(-pull, {gram.row(j), m}, {to.data() + b * m, m});
  });
  for (std::size_t k = 0; k < change.size(); ++k)
    to[k * m + static_cast<std::size_t>(j)] += ridge_[static_cast<std::size_t>(j)] * change[k];
}

void PairGramHessian::move(Index j, std::span<const double> change) {
  add_row(j, change, q_);
}

void PairGramHessian::apply(std::span<const Index> rows, const ClassMatrix& d, ClassMatrix& out) {
  std::fill(scratch_.begin(), scratch_.end(), 0.0);
  for (const Index j : rows) add_row(j, d.row(j), scratch_);
  for (const Index j : rows) {
    const std::span<double> to = out.row(j);
    for (std::size_t k = 0; k < to.size(); ++k)
      to[k] = scratch_[k * ridge_.size() + static_cast<std::size_t>(j)];
  }
}

}  // namespace hsvm
