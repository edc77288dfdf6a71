#include "hsvm/newton/class_column_hessian.hpp"

#include <algorithm>
#include <numeric>

#include "hsvm/core/vector_sums.hpp"
#include "hsvm/core/widths.hpp"
#include "hsvm/loss/class_sums.hpp"

namespace hsvm {
namespace {

// A look at a column by itself costs so many times what it costs in a product with many.
constexpr double kOneByOne = 4.0;

// Adds C_i d, C_i being the curvature of a sample whose right class is `own`, times x to a row of J sums; d, c, to: padded.
template <bool wide>
[[gnu::always_inline]] inline void add_curved(bool relative, double x, Index own, const double* c,
                                              const double* d, Index stride, double* to) {
  const double shift = relative ? d[own] : 0.0;
  Lanes total = {};
  for_lanes<wide>(stride, [&]<class L>(Index k) HSVM_INLINED {
    const L pull = (x * load_as<L>(c + k)) * (load_as<L>(d + k) - shift);
    store(to + k, load_as<L>(to + k) + pull);
    add_in_turn(total, pull);
  });
  if (relative) to[own] -= sum(total);
}

// z_i += x_i C_i d for the entries x_i of a column; d: padded.
void add_curved_column(const ColumnView& column, ClassSamples samples, const ClassMatrix& c, const double* d,
                       ClassMatrix& z) {
  const bool relative = samples.margins == Margins::relative;
  const double* const curvatures = c.values().data();
  double* const values = z.values().data();
  const auto stride = static_cast<std::size_t>(z.stride());
  at_best_width([=]<bool wide>() HSVM_INLINED {
    for_each_entry(column, [&](std::size_t i, double x) HSVM_INLINED {
      add_curved<wide>(relative, x, samples.y[i], curvatures + i * stride, d, static_cast<Index>(stride),
                       values + i * stride);
    });
  });
}

// out = sum_i x_i z_i over the entries of a column; padded.
void dot_column(const ColumnView& column, const ClassMatrix& z, double* out) {
  const double* const values = z.values().data();
  const auto stride = static_cast<std::size_t>(z.stride());
  at_best_width([=]<bool wide>() HSVM_INLINED {
    by_row_parts<wide>(static_cast<Index>(stride), [&]<class Part>(Index first) HSVM_INLINED {
      Part total = {};
      for_each_entry(column,
                     [&](std::size_t i, double x) HSVM_INLINED { total.add(x, values + i * stride + first); });
      total.store(out + first);
    });
  });
}

// out += sum_i x_i C_i d over the entries of a column; d, out: padded.
void sum_curved_column(const ColumnView& column, ClassSamples samples, const ClassMatrix& c, const double* d,
                       double* out) {
  const bool relative = samples.margins == Margins::relative;
  const double* const curvatures = c.values().data();
  const auto stride = static_cast<std::size_t>(c.stride());
  at_best_width([=]<bool wide>() HSVM_INLINED {
    for_each_entry(column, [&](std::size_t i, double x) HSVM_INLINED {
      add_curved<wide>(relative, x, samples.y[i], curvatures + i * stride, d, static_cast<Index>(stride), out);
    });
  });
}

// t (rows x stride): sum_i x_i C_ik over the entries whose right class is y, row y; of absolute margins over all, in one row.
void sum_curvatures_of(const ColumnView& column, ClassSamples samples, const ClassMatrix& c, double* t) {
  const bool relative = samples.margins == Margins::relative;
  const double* const curvatures = c.values().data();
  const auto stride = static_cast<std::size_t>(c.stride());
  at_best_width([=]<bool wide>() HSVM_INLINED {
    for_each_entry(column, [&](std::size_t i, double x) HSVM_INLINED {
      double* const to = t + (relative ? stride * static_cast<std::size_t>(samples.y[i]) : 0);
      const double* const weights = curvatures + i * stride;
      for_lanes<wide>(static_cast<Index>(stride), [&]<class L>(Index k) HSVM_INLINED {
        store(to + k, load_as<L>(to + k) + x * load_as<L>(weights + k));
      });
    });
  });
}

// out += sum_i x_i C_i d by these sums; d, out: padded.
void add_curved_sums(const double* t, Index rows, bool relative, const double* d, Index stride, double* out) {
  at_best_width([=]<bool wide>() HSVM_INLINED {
    for (Index y = 0; y < rows; ++y) add_curved<wide>(relative, 1.0, y, t + Count{stride} * y, d, stride, out);
  });
}

// out_k = sum_i (scale x_i + of_zero)^2 (C_i)_kk, over all samples; totals: the same of ones.
void square_column(const ColumnView& column, double scale, double of_zero, ClassSamples samples,
                   const ClassMatrix& c, const double* totals, double* out) {
  const bool relative = samples.margins == Margins::relative;
  const double* const curvatures = c.values().data();
  const auto stride = static_cast<std::size_t>(c.stride());
  at_best_width([=]<bool wide>() HSVM_INLINED {
    const auto width = static_cast<Index>(stride);
    for_lanes<wide>(width, [&]<class L>(Index k)
                               HSVM_INLINED { store(out + k, (of_zero * of_zero) * load_as<L>(totals + k)); });
    for_each_entry(column, [&](std::size_t i, double x) HSVM_INLINED {
      const double square = scale * x * (scale * x + 2.0 * of_zero);
      const double* const weights = curvatures + i * stride;
      Lanes total = {};
      for_lanes<wide>(width, [&]<class L>(Index k) HSVM_INLINED {
        const L part = square * load_as<L>(weights + k);
        store(out + k, load_as<L>(out + k) + part);
        add_in_turn(total, part);
      });
      if (relative) out[samples.y[i]] += sum(total);
    });
  });
}

// sum_i factor(x_i) z_ik over samples begin .. end - 1, for the classes of a register; z: those of the first sample. Four sums at a
// time, so that one need not wait for the other.
template <class L, class Factor>
[[gnu::always_inline]] inline L dot_lanes(const double* x, Index begin, Index end, const double* z,
                                          Index stride, const Factor& factor) {
  const double* from = z + Count{begin} * stride;
  L sums[4] = {};
  Index i = begin;
  for (; i + 4 <= end; i += 4, from += 4 * Count{stride}) {
    for (Index part = 0; part < 4; ++part) sums[part] += factor(x[i + part]) * load_as<L>(from + part * stride);
  }
  for (; i < end; ++i, from += stride) sums[0] += factor(x[i]) * load_as<L>(from);
  return (sums[0] + sums[1]) + (sums[2] + sums[3]);
}

// out_k = sum_i x_i^2 c_ik; padded.
void dot_squares(const double* x, const ClassMatrix& c, double* out) {
  const double* const curvatures = c.values().data();
  const Index n_rows = c.rows();
  const Index stride = c.stride();
  at_best_width([=]<bool wide>() HSVM_INLINED {
    for_lanes<wide>(stride, [&]<class L>(Index k) HSVM_INLINED {
      store(out + k, dot_lanes<L>(x, 0, n_rows, curvatures + k, stride,
                                  [](double value) HSVM_INLINED { return value * value; }));
    });
  });
}

// Samples by class, those of class y from starts[y] on. out = sum_i x_i z_i, and with relative margins the right class has
// minus the sum of the others; padded.
void dot_sorted(const double* x, const ClassMatrix& z, std::span<const Index> starts, bool relative,
                double* out) {
  const double* const values = z.values().data();
  const Index n_rows = z.rows();
  const Index stride = z.stride();
  at_best_width([=]<bool wide>() HSVM_INLINED {
    const auto as_it_is = [](double value) HSVM_INLINED { return value; };
    if (!relative) {
      for_lanes<wide>(stride, [&]<class L>(Index k) HSVM_INLINED {
        store(out + k, dot_lanes<L>(x, 0, n_rows, values + k, stride, as_it_is));
      });
      return;
    }
    for_lanes<wide>(stride, [&]<class L>(Index k) HSVM_INLINED { store(out + k, L{}); });
    for (std::size_t y = 0; y + 1 < starts.size(); ++y) {
      Lanes total = {};
      for_lanes<wide>(stride, [&]<class L>(Index k) HSVM_INLINED {
        const L part = dot_lanes<L>(x, starts[y], starts[y + 1], values + k, stride, as_it_is);
        store(out + k, load_as<L>(out + k) + part);
        add_in_turn(total, part);
      });
      out[y] -= sum(total);
    }
  });
}

// z_i += x_i c_i o (d - d_y), d_y being zero for absolute margins; samples as above; d: padded.
void add_sorted(const double* x, const ClassMatrix& c, std::span<const Index> starts, bool relative,
                const double* d, ClassMatrix& z) {
  const double* const curvatures = c.values().data();
  double* const values = z.values().data();
  const Index n_rows = z.rows();
  const Index stride = z.stride();
  at_best_width([=]<bool wide>() HSVM_INLINED {
    for_lanes<wide>(stride, [&]<class L>(Index k) HSVM_INLINED {
      const L whole_step = load_as<L>(d + k);
      const auto add = [&](Index begin, Index end, L step) HSVM_INLINED {
        const double* weights = curvatures + Count{begin} * stride + k;
        double* to = values + Count{begin} * stride + k;
        for (Index i = begin; i < end; ++i, weights += stride, to += stride)
          store(to, load_as<L>(to) + (x[i] * load_as<L>(weights)) * step);
      };
      if (!relative) return add(0, n_rows, whole_step);
      for (std::size_t y = 0; y + 1 < starts.size(); ++y) add(starts[y], starts[y + 1], whole_step - d[y]);
    });
  });
}

}  // namespace

void ClassColumnHessian::begin(const WorkingColumns& columns, ClassSamples samples,
                               const ClassMatrix& curvatures, std::span<const double> ridge,
                               const ClassMatrix& g) {
  columns_ = &columns;
  samples_ = samples;
  curvatures_ = &curvatures;
  ridge_ = ridge;
  gradient_ = &g;
  rows_used_ = 0.0;
}

void ClassColumnHessian::prepare_sweeps() {
  g_ = *gradient_;
  has_diagonal_.assign(static_cast<std::size_t>(columns_->size()), 0);
  diagonal_.reset(columns_->size(), g_.n_classes());
  z_.reset(curvatures_->rows(), curvatures_->n_classes());
  for (AlignedBuffer<double>* const numbers : {&scratch_, &sums_, &shift_, &room_, &totals_by_class_})
    numbers->assign(static_cast<std::size_t>(curvatures_->stride()), 0.0);
  if (columns_->is_sparse()) {
    ones_.assign(samples_.y.size(), 1.0);
    is_shifted_ = false;
    class_sums_.clear();
    class_sums_begin_.assign(static_cast<std::size_t>(columns_->size()), -1);
    totals_ = sum_curvatures(samples_, *curvatures_);
    square_column(ones(), 1.0, 0.0, samples_, *curvatures_, scratch_.data(), totals_by_class_.data());
    samples_.ranks->sum(totals_by_class_);
  } else {
    sort_samples();
    pack_columns();
  }
}

// The curvatures by class of the samples, and the diagonals of the matrices they stand for.
void ClassColumnHessian::sort_samples() {
  const bool relative = samples_.margins == Margins::relative;
  const std::size_t n = samples_.y.size();
  const Index n_classes = curvatures_->n_classes();
  if (place_.size() != n) {
    starts_.assign(static_cast<std::size_t>(n_classes) + 1, 0);
    for (const Index y : samples_.y) ++starts_[static_cast<std::size_t>(y) + 1];
    for (std::size_t y = 0; y + 1 < starts_.size(); ++y) starts_[y + 1] += starts_[y];
    std::vector<Index> next(starts_.begin(), starts_.end() - 1);
    place_.resize(n);
    for (std::size_t i = 0; i < n; ++i) place_[i] = next[static_cast<std::size_t>(samples_.y[i])]++;
  }
  sorted_.reset(static_cast<Index>(n), n_classes);
  diagonals_.reset(static_cast<Index>(n), n_classes);
  for (std::size_t i = 0; i < n; ++i) {
    const double* const from = curvatures_->data(static_cast<Index>(i));
    std::copy_n(from, sorted_.stride(), sorted_.data(place_[i]));
    double* const diagonal = diagonals_.data(place_[i]);
    std::copy_n(from, sorted_.stride(), diagonal);
    if (relative)
      diagonal[samples_.y[i]] =
          std::accumulate(from, from + n_classes, 0.0);  // that of the right class is zero
  }
}

// Columns that were there stay where they were.
void ClassColumnHessian::pack_columns() {
  const std::span<const Index> features = columns_->columns();
  const std::size_t n = samples_.y.size();
  if (packed_.empty()) packed_.assign(n, 1.0);  // the intercept's
  if (std::ranges::equal(features, packed_features_)) return;
  const std::size_t kept =
      static_cast<std::size_t>(std::ranges::mismatch(features, packed_features_).in1 - features.begin());
  packed_.resize(n * (features.size() + 1));
  ColumnBuffer buffer;
  for (std::size_t c = kept; c < features.size(); ++c) {
    const ColumnView view = columns_->design().column(features[c], buffer);
    double* const to = packed_.data() + (c + 1) * n;
    std::fill(to, to + n, 0.0);
    for_each_entry(view, [&](std::size_t i, double value) { to[place_[i]] = value; });
  }
  packed_features_.assign(features.begin(), features.end());
}

const double* ClassColumnHessian::packed(Index j) const {
  return packed_.data() + static_cast<std::size_t>(j - columns_->first_feature() + 1) * samples_.y.size();
}

void ClassColumnHessian::gradient(Index j, std::span<double> q) const {
  const auto g = g_.row(j);
  rows_used_ += kOneByOne;
  if (!columns_->is_sparse()) {
    dot_sorted(packed(j), z_, starts_, samples_.margins == Margins::relative, scratch_.data());
    samples_.ranks->sum(scratch_);
    for (std::size_t k = 0; k < q.size(); ++k) q[k] = g[k] + scratch_[k];
    return;
  }
  if (j < columns_->first_feature()) {
    for (std::size_t k = 0; k < q.size(); ++k) q[k] = g[k] + sums_[k];
    return;
  }
  const Index feature = columns_->feature_at(j);
  const WorkingColumns::Entries x = columns_->entries(feature);
  ColumnBuffer buffer;
  if (samples_.ranks->is_alone()) {
    x.design.column_dot(feature, z_, scratch_);
  } else {
    dot_column(x.design.column(feature, buffer), z_, scratch_.data());
  }
  if (is_shifted_) sum_curved(j, x.design.column(feature, buffer), shift_.data(), scratch_.data());
  samples_.ranks->sum(scratch_);
  for (std::size_t k = 0; k < q.size(); ++k) q[k] = g[k] + x.scale * scratch_[k] + x.of_zero * sums_[k];
}

void ClassColumnHessian::curvature(Index j, std::span<double> h) const {
  if (has_diagonal_[static_cast<std::size_t>(j)] == 0) {
    has_diagonal_[static_cast<std::size_t>(j)] = 1;
    if (!columns_->is_sparse()) {
      dot_squares(packed(j), diagonals_, diagonal_.data(j));
      samples_.ranks->sum({diagonal_.data(j), scratch_.size()});
    } else if (j < columns_->first_feature()) {
      std::copy(totals_by_class_.begin(), totals_by_class_.end(), diagonal_.data(j));
    } else {
      const Index feature = columns_->feature_at(j);
      const WorkingColumns::Entries x = columns_->entries(feature);
      ColumnBuffer buffer;
      const ColumnView column = x.design.column(feature, buffer);
      if (samples_.ranks->is_alone()) {
        square_column(column, x.scale, x.of_zero, samples_, *curvatures_, totals_by_class_.data(),
                      diagonal_.data(j));
      } else {  // the totals are those of all ranks already
        const std::span<double> squares(diagonal_.data(j), totals_by_class_.size());
        const AlignedBuffer<double> zeros(squares.size(), 0.0);
        square_column(column, x.scale, x.of_zero, samples_, *curvatures_, zeros.data(), squares.data());
        samples_.ranks->sum(squares);
        add_scaled(x.of_zero * x.of_zero, totals_by_class_, squares);
      }
    }
  }
  const double factor = samples_.margins == Margins::relative ? 2.0 : 1.0;
  const std::span<const double> diagonal = diagonal_.row(j);
  for (std::size_t k = 0; k < h.size(); ++k)  // a sum of squares, but for rounding
    h[k] = factor * std::max(0.0, diagonal[k]) + ridge_[static_cast<std::size_t>(j)];
}

// V_j += change: of a sparse design the entries move z_, and what all samples see alike moves shift_.
void ClassColumnHessian::move(Index j, std::span<const double> change) {
  rows_used_ += kOneByOne;
  for (std::size_t k = 0; k < change.size(); ++k)
    g_.row(j)[k] += ridge_[static_cast<std::size_t>(j)] * change[k];
  std::copy(change.begin(), change.end(), scratch_.begin());
  std::fill(scratch_.begin() + std::ssize(change), scratch_.end(), 0.0);
  if (!columns_->is_sparse()) {
    add_sorted(packed(j), sorted_, starts_, samples_.margins == Margins::relative, scratch_.data(), z_);
    return;
  }
  if (j < columns_->first_feature()) {
    shift_by(1.0);
    return;
  }
  const Index feature = columns_->feature_at(j);
  const WorkingColumns::Entries x = columns_->entries(feature);
  if (x.of_zero != 0.0) shift_by(x.of_zero);
  ColumnBuffer buffer;
  const ColumnView column = x.design.column(feature, buffer);
  for (std::size_t k = 0; k < change.size(); ++k) scratch_[k] *= x.scale;
  add_curved_column(column, samples_, *curvatures_, scratch_.data(), z_);
  if (samples_.ranks->is_alone()) {
    sum_curved(j, column, scratch_.data(), sums_.data());
  } else {
    AlignedBuffer<double> here(sums_.size(), 0.0);
    sum_curved(j, column, scratch_.data(), here.data());
    samples_.ranks->sum(here);
    add_scaled(1.0, here, sums_);
  }
}

// out += sum_i x_i C_i d over the entries of column j. What the samples of a class have in common with their curvatures does not
// change while a model is minimised: of columns with more entries than there are such sums, the entries are looked at once.
void ClassColumnHessian::sum_curved(Index j, const ColumnView& column, const double* d, double* out) const {
  constexpr Count kMostSums = 4;  // for each entry: bounds the memory
  constexpr Count kNone = -1;
  const bool relative = samples_.margins == Margins::relative;
  const Index stride = curvatures_->stride();
  const Index rows = relative ? curvatures_->n_classes() : 1;
  if (Count{rows} * stride > kMostSums * std::ssize(column.values))
    return sum_curved_column(column, samples_, *curvatures_, d, out);
  Count& begin = class_sums_begin_[static_cast<std::size_t>(j)];
  if (begin == kNone) {
    begin = std::ssize(class_sums_);
    class_sums_.resize(class_sums_.size() + static_cast<std::size_t>(rows) * static_cast<std::size_t>(stride),
                       0.0);
    sum_curvatures_of(column, samples_, *curvatures_, class_sums_.data() + begin);
  }
  add_curved_sums(class_sums_.data() + begin, rows, relative, d, stride, out);
}

// All samples' scores move by factor d, d being what scratch_ holds.
void ClassColumnHessian::shift_by(double factor) {
  is_shifted_ = true;
  std::fill(room_.begin(), room_.end(), 0.0);
  const double* const d = scratch_.data();
  if (samples_.margins == Margins::relative) {
    add_curved_sums(totals_.data(0), totals_.rows(), true, d, totals_.stride(), room_.data());
  } else {
    for (std::size_t k = 0; k < room_.size(); ++k) room_[k] = totals_by_class_[k] * d[k];
  }
  for (std::size_t k = 0; k < room_.size(); ++k) {
    shift_[k] += factor * d[k];
    sums_[k] += factor * room_[k];
  }
}

void ClassColumnHessian::apply(std::span<const Index> from, std::span<const Index> to, const ClassMatrix& d,
                               ClassMatrix& out) {
  const bool intercept = columns_->has_intercept() && !to.empty() && to[0] == 0;
  const std::span<const Index> others = to.subspan(intercept ? 1 : 0);
  rows_used_ += static_cast<double>(from.size() + to.size());
  columns_->multiply(from, d, product_);
  const std::vector<double> sums = apply_curvatures(samples_, *curvatures_, product_);
  columns_->design().multiply_transposed(columns_->features_at(others), product_, part_);
  if (intercept) std::copy(sums.begin(), sums.end(), out.row(0).begin());
  for (std::size_t a = 0; a < others.size(); ++a)
    std::ranges::copy(part_.row(static_cast<Index>(a)), out.row(others[a]).begin());
  for (const Index j : to) {
    for (std::size_t k = 0; k < out.row(j).size(); ++k)
      out.row(j)[k] += ridge_[static_cast<std::size_t>(j)] * d.row(j)[k];
  }
}

}  // namespace hsvm
