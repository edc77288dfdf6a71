// Equality of numbers to the last bit: signs of zeros and payloads of NaNs included.
#pragma once

#include <gtest/gtest.h>

#include <cstring>
#include <vector>

namespace hsvm::test {

inline void expect_same_bits(const std::vector<double>& a, const std::vector<double>& b) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t k = 0; k < a.size(); ++k)
    EXPECT_EQ(std::memcmp(&a[k], &b[k], sizeof(double)), 0) << a[k] << " and " << b[k];
}

}  // namespace hsvm::test
