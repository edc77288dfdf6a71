#include "hsvm/newton/class_mean_hessian.hpp"

#include <algorithm>

#include "hsvm/core/clones.hpp"
#include "hsvm/core/lanes.hpp"

namespace hsvm {
namespace {

// to_l += g_l e for the rows l of a matrix; e: padded.
HSVM_CLONES void add_outer(const double* g, const double* e, ClassMatrix& to) {
  for (Index l = 0; l < to.rows(); ++l) {
    double* const row = to.data(l);
    for (Index k = 0; k < to.stride(); k += kLanes) store(row + k, load(row + k) + g[l] * load(e + k));
  }
}

// to = sum over the rows l of g_l e_l, for `registers` registers of classes from class `first` on. Rows in turn go to two
// sums, so that one need not wait for the other.
template <Index registers>
[[gnu::always_inline]] inline void combine_block(std::span<const Index> rows, const double* g,
                                                 const ClassMatrix& e, Index first, double* to) {
  Lanes sums[2][registers] = {};
  std::size_t c = 0;
  for (; c + 2 <= rows.size(); c += 2) {
    for (std::size_t half = 0; half < 2; ++half) {
      const Index l = rows[c + half];
      for (Index v = 0; v < registers; ++v) sums[half][v] += g[l] * load(e.data(l) + first + v * kLanes);
    }
  }
  if (c < rows.size()) {
    const Index l = rows[c];
    for (Index v = 0; v < registers; ++v) sums[0][v] += g[l] * load(e.data(l) + first + v * kLanes);
  }
  for (Index v = 0; v < registers; ++v) store(to + first + v * kLanes, sums[0][v] + sums[1][v]);
}

HSVM_CLONES void combine_rows(std::span<const Index> rows, const double* g, const ClassMatrix& e, double* to) {
  Index k = 0;
  for (; k + 3 * kLanes <= e.stride(); k += 3 * kLanes) combine_block<3>(rows, g, e, k, to);
  if (e.stride() - k == 2 * kLanes) combine_block<2>(rows, g, e, k, to);
  if (e.stride() - k == kLanes) combine_block<1>(rows, g, e, k, to);
}

// to = M d, M symmetric; both padded.
HSVM_CLONES void multiply_square(const ClassMatrix& m, const double* d, double* to) {
  for (Index k = 0; k < m.stride(); k += kLanes) {
    Lanes total = {};
    for (Index j = 0; j < m.rows(); ++j) total += d[j] * load(m.data(j) + k);
    store(to + k, total);
  }
}

}  // namespace

void ClassMeanHessian::begin(const SymmetricMatrix& gram, ClassSamples samples, const ClassMatrix& curvatures,
                             std::span<const double> ridge, const ClassMatrix& g) {
  gram_ = &gram;
  is_relative_ = samples.margins == Margins::relative;
  ridge_ = ridge;
  numbers_used_ = 0.0;
  q_ = g;
  product_.reset(g.rows(), g.n_classes());
  scratch_.assign(static_cast<std::size_t>(g.stride()), 0.0);
  const ClassMatrix pairs = sum_curvatures(samples, curvatures);
  const double n = samples.n();
  mean_.reset(g.n_classes(), g.n_classes());
  for (Index y = 0; y < mean_.rows(); ++y) {
    for (Index k = 0; k < mean_.rows(); ++k) {
      const double weight = pairs.data(y)[k] / n;
      mean_.data(k)[k] += weight;
      if (!is_relative_) continue;
      mean_.data(y)[y] += weight;
      mean_.data(y)[k] -= weight;
      mean_.data(k)[y] -= weight;
    }
  }
}

void ClassMeanHessian::multiply_mean(std::span<const double> change, double* to) const {
  multiply_square(mean_, change.data(), to);
}

void ClassMeanHessian::gradient(Index j, std::span<double> q) const {
  std::ranges::copy(q_.row(j), q.begin());
}

void ClassMeanHessian::curvature(Index j, std::span<double> h) const {
  const double diagonal = (is_relative_ ? 2.0 : 1.0) * (*gram_)(j, j);
  for (std::size_t k = 0; k < h.size(); ++k)
    h[k] = diagonal * mean_.row(static_cast<Index>(k))[k] + ridge_[static_cast<std::size_t>(j)];
}

void ClassMeanHessian::move(Index j, std::span<const double> change) {
  numbers_used_ += static_cast<double>(q_.rows());
  multiply_mean(change, scratch_.data());
  add_outer(gram_->row(j), scratch_.data(), q_);
  for (std::size_t k = 0; k < change.size(); ++k)
    q_.row(j)[k] += ridge_[static_cast<std::size_t>(j)] * change[k];
}

void ClassMeanHessian::apply(std::span<const Index> rows, const ClassMatrix& d, ClassMatrix& out) {
  numbers_used_ += static_cast<double>(rows.size()) * static_cast<double>(rows.size());
  for (const Index j : rows) multiply_mean(d.row(j), product_.data(j));
  for (const Index j : rows) {
    combine_rows(rows, gram_->row(j), product_, out.data(j));
    for (std::size_t k = 0; k < out.row(j).size(); ++k)
      out.row(j)[k] += ridge_[static_cast<std::size_t>(j)] * d.row(j)[k];
  }
}

}  // namespace hsvm
