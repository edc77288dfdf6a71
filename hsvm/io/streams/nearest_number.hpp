// The double (or float) nearest to m * 10^power, for a mantissa m of 64 bits: one or two multiplications [Lem21].
//
//   10^power = 5^power 2^power,   T <= 5^power 2^-s < T + 1 with a table's 2^127 <= T < 2^128
//   m T <= m 5^power 2^-s < m T + 2^64
//
// The product is known but for an error of its lowest third, so its leading bits are known unless what follows them is within
// that error of one half. Then, and outside the range of normal numbers, there is no answer: another way must be taken.
#pragma once

#include <cstdint>

namespace hsvm {

// True where `value` is now the nearest number, m > 0.
template <class T>
[[nodiscard]] bool nearest_number(std::uint64_t m, std::int64_t power, T& value);
extern template bool nearest_number(std::uint64_t m, std::int64_t power, double& value);
extern template bool nearest_number(std::uint64_t m, std::int64_t power, float& value);

}  // namespace hsvm
