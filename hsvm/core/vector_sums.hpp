// Sums of and into long vectors, copies and comparisons, several entries at a time and, where they are very long, on several threads; their order depends
// on the length alone.
#pragma once

#include <span>

namespace hsvm {

[[nodiscard]] double sum_of(std::span<const double> x);
// sum |x|, sum v |x|
[[nodiscard]] double absolute_sum_of(std::span<const double> x);
[[nodiscard]] double weighted_absolute_sum_of(std::span<const double> weights, std::span<const double> x);
// sum x^2, sum (x - y)^2, sum x y
[[nodiscard]] double squared_norm_of(std::span<const double> x);
[[nodiscard]] double squared_distance_of(std::span<const double> x, std::span<const double> y);
[[nodiscard]] double dot_of(std::span<const double> x, std::span<const double> y);
// out += value, the same to all
void add_constant(double value, std::span<double> out);
// out += factor x
void add_scaled(double factor, std::span<const double> x, std::span<double> out);
// out = x
void copy_to(std::span<const double> x, std::span<double> out);
// Whether every entry is that of y, or the value.
[[nodiscard]] bool are_equal(std::span<const double> x, std::span<const double> y);
[[nodiscard]] bool are_all(std::span<const double> x, double value);

}  // namespace hsvm
