// The samples in an order that depends on what they are and not on how they come: what is dealt at random in this order is
// the same for the same samples in any order. Samples of weight 0 are not there.
//
// By class, then by sum_j r_j z_ij^2 with fixed random numbers r and standardised features z, so that units, signs and
// origins of features do not matter, then by weight. Samples that agree in all three are alike (or so nearly alike that
// rounding decides), and it does not matter which of them is dealt where.
#pragma once

#include <vector>

#include "hsvm/fit/input.hpp"
#include "hsvm/select/folds.hpp"

namespace hsvm {

class ContentOrder {
 public:
  explicit ContentOrder(const FitInput& input);  // labels are there; two looks at X

  // Of the samples in this order.
  [[nodiscard]] const Labels& labels() const { return labels_; }
  // What was found for the samples in this order, for those of the data; `missing` for the samples of weight 0.
  template <class T>
  [[nodiscard]] std::vector<T> spread(const std::vector<T>& in_order, T missing) const {
    std::vector<T> result(n_samples_, missing);
    for (std::size_t k = 0; k < samples_.size(); ++k)
      result[static_cast<std::size_t>(samples_[k])] = in_order[k];
    return result;
  }
  [[nodiscard]] Folds spread(const Folds& in_order) const;

 private:
  std::size_t n_samples_ = 0;
  std::vector<Index> samples_;
  Labels labels_;
};

}  // namespace hsvm
