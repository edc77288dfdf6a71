#include "hsvm/newton/class_mean_hessian.hpp"

#include <algorithm>

#include "hsvm/core/widths.hpp"

namespace hsvm {
namespace {

// to_l += g_l e for the rows l of a matrix; e: padded.
void add_outer(const double* g, const double* e, ClassMatrix& to) {
  double* const first = to.values().data();
  const Index n_rows = to.rows();
  const Index stride = to.stride();
  at_best_width([=]<bool wide>() HSVM_INLINED {
    for (Index l = 0; l < n_rows; ++l) {
      double* const row = first + Count{l} * stride;
      for_lanes<wide>(stride, [&]<class L>(Index k) HSVM_INLINED {
        store(row + k, load_as<L>(row + k) + g[l] * load_as<L>(e + k));
      });
    }
  });
}

// to = sum over the rows l of g_l e_l, for a Part of the classes. Rows in turn go to two sums, so that one need not wait for the
// other.
template <class Part>
[[gnu::always_inline]] inline void combine_part(std::span<const Index> rows, const double* g, const double* e,
                                                Index stride, double* to) {
  Part sums[2] = {};
  std::size_t c = 0;
  for (; c + 2 <= rows.size(); c += 2) {
    for (std::size_t half = 0; half < 2; ++half)
      sums[half].add(g[rows[c + half]], e + Count{rows[c + half]} * stride);
  }
  if (c < rows.size()) sums[0].add(g[rows[c]], e + Count{rows[c]} * stride);
  Part::for_each_register([&]<class L>(Index v, Index k) HSVM_INLINED {
    store(to + k, sums[0].template at<L>(v) + sums[1].template at<L>(v));
  });
}

void combine_rows(std::span<const Index> rows, const double* g, const ClassMatrix& e, double* to) {
  const double* const first = e.values().data();
  const Index stride = e.stride();
  at_best_width([=]<bool wide>() HSVM_INLINED {
    by_row_parts<wide>(stride, [&]<class Part>(Index k)
                                   HSVM_INLINED { combine_part<Part>(rows, g, first + k, stride, to + k); });
  });
}

// to = M d, M symmetric; both padded.
void multiply_square(const ClassMatrix& m, const double* d, double* to) {
  const double* const first = m.values().data();
  const Index n_rows = m.rows();
  const Index stride = m.stride();
  at_best_width([=]<bool wide>() HSVM_INLINED {
    for_lanes<wide>(stride, [&]<class L>(Index k) HSVM_INLINED {
      L total = {};
      for (Index j = 0; j < n_rows; ++j) total += d[j] * load_as<L>(first + Count{j} * stride + k);
      store(to + k, total);
    });
  });
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
