#include "hsvm/newton/elbow_gram.hpp"

#include <algorithm>
#include <cstring>
#include <iterator>
#include <utility>

#include "hsvm/newton/sum_matrices.hpp"

namespace hsvm {
namespace {

constexpr std::size_t kFew = 8;  // samples that cost less one by one than as a panel, the mirroring counted in

std::vector<Index> chosen(std::span<const char> flags, bool wanted) {
  std::vector<Index> rows;
  for (std::size_t i = 0; i < flags.size(); ++i) {
    if ((flags[i] != 0) == wanted) rows.push_back(static_cast<Index>(i));
  }
  return rows;
}

}  // namespace

void ElbowGram::remap(WorkingColumns& columns, std::span<const Index> from, std::span<const double> weights) {
  if (held_.empty()) return;
  const auto kept = static_cast<Index>(from.size());
  const Index m = columns.size();
  const Index first = columns.first_anew(kept);
  if (first == m && m == matrix_.size()) return;
  const bool in_place = from.empty() || from.back() == kept - 1;  // none before has left
  if (in_place) {
    matrix_.resize(m, first);
  } else {
    other_.reset(m);
    for (Index i = 0; i < first; ++i) {
      const double* const old = matrix_.row(from[static_cast<std::size_t>(i)]);
      double* const to = other_.row(i);
      for (Index j = 0; j < first; ++j) to[j] = old[from[static_cast<std::size_t>(j)]];
    }
    std::swap(matrix_, other_);
  }
  if (first == m) return;
  columns.extend_gram(chosen(held_, true), weights, first, matrix_);
  matrix_.mirror(first);
}

void ElbowGram::refresh(WorkingColumns& columns, std::span<const char> curved, std::span<const double> weights,
                        const SymmetricMatrix* whole) {
  refresh_here(columns, curved, weights, whole);
  const Collective& ranks = columns.design().collective();
  is_summed_ = !ranks.is_alone();
  if (!is_summed_) return;
  summed_ = matrix_;
  sum_matrices(ranks, std::span(&summed_, 1));
}

void ElbowGram::refresh_here(WorkingColumns& columns, std::span<const char> curved,
                             std::span<const double> weights, const SymmetricMatrix* whole) {
  std::vector<Index> entering;
  std::vector<Index> leaving;
  if (!held_.empty()) {
    constexpr std::size_t kStretch = 64;  // compared at once: few samples cross
    for (std::size_t begin = 0; begin < curved.size(); begin += kStretch) {
      const std::size_t end = std::min(curved.size(), begin + kStretch);
      if (std::memcmp(curved.data() + begin, held_.data() + begin, end - begin) == 0) continue;
      for (std::size_t i = begin; i < end; ++i) {
        if (curved[i] != held_[i]) (curved[i] != 0 ? entering : leaving).push_back(static_cast<Index>(i));
      }
    }
    if (entering.empty() && leaving.empty()) return;
  }
  const std::size_t n_curved = held_.empty()
                                   ? static_cast<std::size_t>(std::count(curved.begin(), curved.end(), char{1}))
                                   : n_held_ + entering.size() - leaving.size();
  const std::size_t from_zero = n_curved;
  const std::size_t from_whole = whole != nullptr ? curved.size() - n_curved : curved.size() + 1;
  if (held_.empty() || entering.size() + leaving.size() >= std::min(from_zero, from_whole)) {
    entering.clear();
    leaving.clear();
    if (whole != nullptr && from_whole < from_zero) {
      matrix_ = *whole;
      leaving = chosen(curved, false);
    } else {
      matrix_.reset(columns.size());
      entering = chosen(curved, true);
    }
  }
  if (!columns.is_sparse() && entering.size() + leaving.size() <= kFew) {
    std::vector<double> signs(entering.size(), 1.0);
    signs.resize(entering.size() + leaving.size(), -1.0);
    entering.insert(entering.end(), leaving.begin(), leaving.end());
    columns.add_few_to_gram(entering, signs, weights, matrix_);
    hold(curved, n_curved);
    return;
  }
  if (columns.is_sparse()) {  // their rows are gathered in one go
    std::vector<double> signed_weights(weights.begin(), weights.end());
    for (const Index i : leaving) signed_weights[static_cast<std::size_t>(i)] *= -1.0;
    std::vector<Index> both;
    std::ranges::merge(entering, leaving, std::back_inserter(both));
    columns.add_gram(both, signed_weights, 1.0, 0, matrix_);
  } else {
    columns.add_gram(entering, weights, 1.0, 0, matrix_);
    columns.add_gram(leaving, weights, -1.0, 0, matrix_);
  }
  matrix_.mirror();
  hold(curved, n_curved);
}

void ElbowGram::hold(std::span<const char> curved, std::size_t n_curved) {
  held_.assign(curved.begin(), curved.end());
  n_held_ = n_curved;
}

bool ElbowGram::is_near(const WorkingColumns& columns, std::span<const char> curved, double share) const {
  if (held_.empty() || !columns.design().collective().is_alone()) return false;
  std::size_t n_curved = 0;
  std::size_t n_crossed = 0;
  for (std::size_t i = 0; i < curved.size(); ++i) {
    n_curved += curved[i] != 0 ? 1U : 0U;
    n_crossed += curved[i] != held_[i] ? 1U : 0U;
  }
  return static_cast<double>(n_crossed) <= share * static_cast<double>(n_curved);
}

void ElbowGram::forget() {
  held_.clear();
}

}  // namespace hsvm
