// Sums of and into long vectors, several entries at a time; their order depends on the length alone.
#pragma once

#include <span>

namespace hsvm {

[[nodiscard]] double absolute_sum_of(std::span<const double> x);  // sum |x|
[[nodiscard]] double weighted_absolute_sum_of(std::span<const double> weights,
                                              std::span<const double> x);  // sum v |x|
[[nodiscard]] double squared_norm_of(std::span<const double> x);           // sum x^2
[[nodiscard]] double squared_distance_of(std::span<const double> x,
                                         std::span<const double> y);  // sum (x - y)^2

[[nodiscard]] double dot_of(std::span<const double> x, std::span<const double> y);  // sum x y
void add_scaled(double factor, std::span<const double> x, std::span<double> out);   // out += factor x

}  // namespace hsvm
