#include "hsvm/newton/class_gram_hessian.hpp"

#include <algorithm>
#include <utility>

#include "hsvm/core/vector_sums.hpp"
#include "hsvm/newton/sum_matrices.hpp"

namespace hsvm {
namespace {

std::size_t pair_index(std::size_t a, std::size_t b) {
  const std::size_t high = std::max(a, b);
  return high * (high - 1) / 2 + std::min(a, b);
}

}  // namespace

std::size_t ClassGramHessian::n_matrices(std::size_t n_classes, Margins margins) {
  return margins == Margins::relative ? n_classes * (n_classes - 1) / 2 : n_classes;
}

std::size_t ClassGramHessian::matrix_of(std::size_t own, std::size_t k) const {
  return is_relative_ ? pair_index(own, k) : k;
}

template <class Visit>
void ClassGramHessian::for_each_matrix(const Visit& visit) const {
  const std::vector<SymmetricMatrix>& grams = summed_.empty() ? grams_ : summed_;
  if (!is_relative_) {
    for (std::size_t k = 0; k < n_classes_; ++k) visit(k, k, grams[k]);
    return;
  }
  for (std::size_t b = 1; b < n_classes_; ++b) {
    for (std::size_t a = 0; a < b; ++a) visit(a, b, grams[pair_index(a, b)]);
  }
}

void ClassGramHessian::start_afresh(const WorkingColumns& columns, ClassSamples samples) {
  held_.assign(samples.y.size() * n_classes_, 0);
  grams_.resize(n_matrices(n_classes_, samples.margins));
  for (SymmetricMatrix& gram : grams_) gram.reset(columns.size());
}

void ClassGramHessian::remap(WorkingColumns& columns, std::span<const Index> from, ClassSamples samples) {
  if (grams_.empty()) return;
  const auto kept = static_cast<Index>(from.size());
  const Index m = columns.size();
  const bool in_place = from.empty() || from.back() == kept - 1;  // none before has left
  if (in_place && kept == m && m == grams_[0].size()) return;
  // Whole tiles are computed anew.
  const Index first = columns.first_anew(kept);
  Lists samples_of(grams_.size());
  for (std::size_t i = 0; i < samples.y.size() && first < m; ++i) {
    for (std::size_t k = 0; k < n_classes_; ++k) {
      if (held_[i * n_classes_ + k] != 0)
        samples_of[matrix_of(static_cast<std::size_t>(samples.y[i]), k)].push_back(static_cast<Index>(i));
    }
  }
  for (std::size_t matrix = 0; matrix < grams_.size(); ++matrix) {
    SymmetricMatrix next(m);
    for (Index i = 0; i < first; ++i) {
      const double* const old = grams_[matrix].row(from[static_cast<std::size_t>(i)]);
      for (Index j = 0; j < first; ++j) next.row(i)[j] = old[from[static_cast<std::size_t>(j)]];
    }
    grams_[matrix] = std::move(next);
    if (first == m) continue;
    columns.add_gram(samples_of[matrix], samples.s, 1.0, first, grams_[matrix]);
    grams_[matrix].mirror(first);
  }
}

void ClassGramHessian::refresh(WorkingColumns& columns, ClassSamples samples, const ClassMatrix& curvatures) {
  constexpr double kAfresh = 0.5;  // of the samples in the matrices: where more change, they are made anew
  n_classes_ = static_cast<std::size_t>(curvatures.n_classes());
  is_relative_ = samples.margins == Margins::relative;
  if (grams_.empty()) start_afresh(columns, samples);
  Lists enter(grams_.size());
  Lists leave(grams_.size());
  double n_held = 0.0;
  double n_changes = 0.0;
  const auto compare = [&] {
    for (std::size_t i = 0; i < samples.y.size(); ++i) {
      const double* const row = curvatures.data(static_cast<Index>(i));
      for (std::size_t k = 0; k < n_classes_; ++k) {
        const char now = row[k] > 0.0 ? 1 : 0;
        char& before = held_[i * n_classes_ + k];
        n_held += now;
        if (now == before) continue;
        n_changes += 1.0;
        before = now;
        (now != 0 ? enter : leave)[matrix_of(static_cast<std::size_t>(samples.y[i]), k)].push_back(
            static_cast<Index>(i));
      }
    }
  };
  compare();
  if (n_changes > kAfresh * n_held) {
    for (std::size_t matrix = 0; matrix < grams_.size(); ++matrix) {
      enter[matrix].clear();
      leave[matrix].clear();
    }
    start_afresh(columns, samples);
    compare();
  }
  for (std::size_t matrix = 0; matrix < grams_.size(); ++matrix) {
    if (!leave[matrix].empty()) columns.add_gram(leave[matrix], samples.s, -1.0, 0, grams_[matrix]);
    if (!enter[matrix].empty()) columns.add_gram(enter[matrix], samples.s, 1.0, 0, grams_[matrix]);
    if (!leave[matrix].empty() || !enter[matrix].empty()) grams_[matrix].mirror();
  }
  if (samples.ranks->is_alone()) return;
  summed_ = grams_;
  sum_matrices(*samples.ranks, summed_);
}

void ClassGramHessian::begin(double scale, std::span<const double> ridge, const ClassMatrix& g) {
  scale_ = scale;
  ridge_ = ridge;
  const std::size_t m = ridge.size();
  q_.resize(m * n_classes_);
  scratch_.resize(q_.size());
  for (std::size_t j = 0; j < m; ++j) {
    for (std::size_t k = 0; k < n_classes_; ++k) q_[k * m + j] = g.row(static_cast<Index>(j))[k];
  }
}

void ClassGramHessian::gradient(Index j, std::span<double> q) const {
  for (std::size_t k = 0; k < q.size(); ++k) q[k] = q_[k * ridge_.size() + static_cast<std::size_t>(j)];
}

void ClassGramHessian::curvature(Index j, std::span<double> h) const {
  std::fill(h.begin(), h.end(), 0.0);
  for_each_matrix([&](std::size_t a, std::size_t b, const SymmetricMatrix& gram) {
    h[a] += gram(j, j);
    if (a != b) h[b] += gram(j, j);
  });
  const double factor = is_relative_ ? 2.0 : 1.0;
  for (double& value : h)  // a sum of squares, but for rounding
    value = factor * scale_ * std::max(0.0, value) + ridge_[static_cast<std::size_t>(j)];
}

void ClassGramHessian::add_row(Index j, std::span<const double> change, AlignedBuffer<double>& to) const {
  const std::size_t m = ridge_.size();
  for_each_matrix([&](std::size_t a, std::size_t b, const SymmetricMatrix& gram) {
    const double pull = scale_ * (a == b ? change[a] : change[a] - change[b]);
    if (pull == 0.0) return;
    add_scaled(pull, {gram.row(j), m}, {to.data() + a * m, m});
    if (a != b) add_scaled(-pull, {gram.row(j), m}, {to.data() + b * m, m});
  });
  for (std::size_t k = 0; k < change.size(); ++k)
    to[k * m + static_cast<std::size_t>(j)] += ridge_[static_cast<std::size_t>(j)] * change[k];
}

void ClassGramHessian::move(Index j, std::span<const double> change) {
  add_row(j, change, q_);
}

void ClassGramHessian::apply(std::span<const Index> rows, const ClassMatrix& d, ClassMatrix& out) {
  std::fill(scratch_.begin(), scratch_.end(), 0.0);
  for (const Index j : rows) add_row(j, d.row(j), scratch_);
  for (const Index j : rows) {
    const std::span<double> to = out.row(j);
    for (std::size_t k = 0; k < to.size(); ++k)
      to[k] = scratch_[k * ridge_.size() + static_cast<std::size_t>(j)];
  }
}

}  // namespace hsvm
