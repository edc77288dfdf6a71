// Holm's step-down procedure [H79; D06, sec. 3.2.2]: of m hypotheses with p-values p_(1) <= ... <= p_(m), p_(1)
// is compared with alpha/m, p_(2) with alpha/(m - 1) and so on, and the first that is larger is kept with all
// after it. The probability of rejecting any true one is then at most alpha. Adjusted p-values,
//
//   a_(i) = max_{h <= i} min(1, (m - h + 1) p_(h)),
//
// say the same at once for all alpha: a hypothesis is rejected where its adjusted p-value is at most alpha.
//
// differs from [XAC15, sec. 3.1.3]: "starts from the largest one" is the smallest p-value, as its formulas have
// it.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace hsvm::stats {

// Adjusted p-values, in the order of the p-values given. Throws InputError for one outside [0, 1].
[[nodiscard]] std::vector<double> holm(std::span<const double> p_values);

// A method against the control: z = (AR_control - AR_j)/sqrt(k(k+1)/(6N)), negative where the control is
// better.
struct ControlTest {
  std::size_t method = 0;
  double z = 0.0;
  double p = 1.0;           // two-sided
  double adjusted_p = 1.0;  // over all k - 1 methods
};

// All methods but the control, the smallest p-value first. Throws InputError where the average ranks are none
// or there is no such control.
[[nodiscard]] std::vector<ControlTest> compare_with_control(std::span<const double> average_ranks,
                                                            std::size_t n_datasets, std::size_t control);

}  // namespace hsvm::stats
