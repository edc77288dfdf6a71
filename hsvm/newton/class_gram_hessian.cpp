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
  blocks_.forget();
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

// What the curvatures change, in the samples' groups by right class y and other class k.
struct ClassGramHessian::Changes {
  Lists enter, leave;            // for each matrix
  std::vector<double> in_class;  // J: samples of class y that count
  std::vector<double> curved;    // J x J: of these, those with curvature against k
  double size = 0.0;             // of the lists
};

ClassGramHessian::Changes ClassGramHessian::find_changes(ClassSamples samples, const ClassMatrix& curvatures) {
  Changes changes{Lists(grams_.size()), Lists(grams_.size()), std::vector<double>(n_classes_, 0.0),
                  std::vector<double>(n_classes_ * n_classes_, 0.0)};
  for (std::size_t i = 0; i < samples.y.size(); ++i) {
    if (!(samples.s[i] > 0.0)) continue;
    const auto own = static_cast<std::size_t>(samples.y[i]);
    const double* const row = curvatures.data(static_cast<Index>(i));
    changes.in_class[own] += 1.0;
    for (std::size_t k = 0; k < n_classes_; ++k) {
      const char now = row[k] > 0.0 ? 1 : 0;
      char& before = held_[i * n_classes_ + k];
      changes.curved[own * n_classes_ + k] += now;
      if (now == before) continue;
      changes.size += 1.0;
      before = now;
      (now != 0 ? changes.enter : changes.leave)[matrix_of(own, k)].push_back(static_cast<Index>(i));
    }
  }
  return changes;
}

// The classes most of whose samples are curved against most others: each of their groups is the whole class but for a few. The
// matrices made anew take so many samples; `whole` (J) says which classes.
double ClassGramHessian::work_anew(const Changes& changes, std::vector<char>& whole) const {
  whole.assign(n_classes_, 0);
  double work = 0.0;
  for (std::size_t y = 0; y < n_classes_; ++y) {
    const double all = changes.in_class[y];
    double one_by_one = 0.0;
    double from_whole = all;
    for (std::size_t k = 0; k < n_classes_; ++k) {
      const double curved = changes.curved[y * n_classes_ + k];
      one_by_one += curved;
      if (k != y) from_whole += std::min(curved, all - curved);
    }
    whole[y] = from_whole < one_by_one ? 1 : 0;
    work += std::min(from_whole, one_by_one);
  }
  return work;
}

// The Gram matrix of a class goes to all groups that are most of it; what they lack is taken away again.
void ClassGramHessian::start_from_classes(WorkingColumns& columns, ClassSamples samples,
                                          std::span<const char> whole, Changes& changes) {
  for (Lists* lists : {&changes.enter, &changes.leave}) {
    for (std::vector<Index>& list : *lists) list.clear();
  }
  for (SymmetricMatrix& gram : grams_) gram.reset(columns.size());
  const auto is_most = [&](std::size_t y, std::size_t k) {
    return whole[y] != 0 && y != k && 2.0 * changes.curved[y * n_classes_ + k] > changes.in_class[y];
  };
  Lists of_class(n_classes_);
  for (std::size_t i = 0; i < samples.y.size(); ++i) {
    if (!(samples.s[i] > 0.0)) continue;
    const auto own = static_cast<std::size_t>(samples.y[i]);
    if (whole[own] != 0) of_class[own].push_back(static_cast<Index>(i));
    for (std::size_t k = 0; k < n_classes_; ++k) {
      const bool most = is_most(own, k);
      const bool now = held_[i * n_classes_ + k] != 0;
      if (now == most) continue;
      (now ? changes.enter : changes.leave)[matrix_of(own, k)].push_back(static_cast<Index>(i));
    }
  }
  SymmetricMatrix gram;
  for (std::size_t y = 0; y < n_classes_; ++y) {
    if (whole[y] == 0) continue;
    gram.reset(columns.size());
    columns.add_gram(of_class[y], samples.s, 1.0, 0, gram);
    gram.mirror();
    for (std::size_t k = 0; k < n_classes_; ++k) {
      if (!is_most(y, k)) continue;
      SymmetricMatrix& to = grams_[matrix_of(y, k)];
      for (Index j = 0; j < gram.size(); ++j) {
        const auto m = static_cast<std::size_t>(gram.size());
        add_scaled(1.0, {gram.row(j), m}, {to.row(j), m});
      }
    }
  }
}

void ClassGramHessian::refresh(WorkingColumns& columns, ClassSamples samples, const ClassMatrix& curvatures) {
  n_classes_ = static_cast<std::size_t>(curvatures.n_classes());
  is_relative_ = samples.margins == Margins::relative;
  if (grams_.empty()) start_afresh(columns, samples);
  Changes changes = find_changes(samples, curvatures);
  std::vector<char> whole;
  const double anew = work_anew(changes, whole);
  if (anew < changes.size) start_from_classes(columns, samples, whole, changes);
  for (std::size_t matrix = 0; matrix < grams_.size(); ++matrix) {
    const std::vector<Index>& leave = changes.leave[matrix];
    const std::vector<Index>& enter = changes.enter[matrix];
    if (!leave.empty()) columns.add_gram(leave, samples.s, -1.0, 0, grams_[matrix]);
    if (!enter.empty()) columns.add_gram(enter, samples.s, 1.0, 0, grams_[matrix]);
    if (!leave.empty() || !enter.empty()) grams_[matrix].mirror();
  }

  n_crossings_ = samples.ranks->sum(std::min(anew, changes.size));
  if (samples.ranks->is_alone()) return;
  summed_ = grams_;
  sum_matrices(*samples.ranks, summed_);
}

void ClassGramHessian::begin(double scale, std::span<const double> ridge, const ClassMatrix& g) {
  scale_ = scale;
  rows_used_ = 0.0;
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
  rows_used_ += 1.0;
}

bool ClassGramHessian::prepare_blocks(std::span<const Index> rows, const ClassMatrix& inverse) {
  constexpr double kVector = 10.0;  // nanoseconds that a row of one matrix takes, and
  constexpr double kNumber = 0.2;   // each of its numbers, for one class
  const auto m = static_cast<double>(ridge_.size());
  const double matrices = static_cast<double>(grams_.size()) * (is_relative_ ? 2.0 : 1.0);
  const double product = matrices * static_cast<double>(rows.size()) * (kVector + kNumber * m);
  const std::vector<SymmetricMatrix>& grams = summed_.empty() ? grams_ : summed_;
  return blocks_.prepare(rows, inverse, product, [&](std::size_t k, Index i, Index j) {
    double sum = is_relative_ ? 0.0 : grams[k](i, j);
    for (std::size_t other = 0; is_relative_ && other < n_classes_; ++other) {
      if (other != k) sum += grams[pair_index(k, other)](i, j);
    }
    return scale_ * sum + (i == j ? ridge_[static_cast<std::size_t>(i)] : 0.0);
  });
}

void ClassGramHessian::apply(std::span<const Index> rows, const ClassMatrix& d, ClassMatrix& out) {
  std::fill(scratch_.begin(), scratch_.end(), 0.0);
  for (const Index j : rows) add_row(j, d.row(j), scratch_);
  rows_used_ += static_cast<double>(rows.size());
  for (const Index j : rows) {
    const std::span<double> to = out.row(j);
    for (std::size_t k = 0; k < to.size(); ++k)
      to[k] = scratch_[k * ridge_.size() + static_cast<std::size_t>(j)];
  }
}

}  // namespace hsvm
