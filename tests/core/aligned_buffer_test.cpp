#include "hsvm/core/aligned_buffer.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>

namespace hsvm {
namespace {

template <class T>
std::uintptr_t address(const AlignedBuffer<T>& buffer) {
  return reinterpret_cast<std::uintptr_t>(buffer.data());
}

TEST(AlignedBuffer, StartsOnACacheLine) {
  for (std::size_t size = 1; size < 300; size += 7) {
    EXPECT_EQ(address(AlignedBuffer<double>(size, 1.0)) % 64, 0U) << size;
    EXPECT_EQ(address(AlignedBuffer<float>(size)) % 64, 0U) << size;
  }
}

TEST(AlignedBuffer, IsOnHugePagesWhereLarge) {
  constexpr std::size_t kHugePage = std::size_t{2} << 20;
  EXPECT_EQ(address(AlignedBuffer<double>(2 * kHugePage / sizeof(double))) % kHugePage, 0U);
  EXPECT_EQ(address(AlignedBuffer<double>(2 * kHugePage / sizeof(double) + 1)) % kHugePage, 0U);
}

TEST(AlignedBuffer, KeepsItsNumbersAndTakesValues) {
  AlignedBuffer<double> buffer;
  for (int k = 0; k < 1000; ++k) buffer.push_back(k);
  buffer.resize(100000);
  for (int k = 0; k < 1000; ++k) ASSERT_EQ(buffer[static_cast<std::size_t>(k)], k);
  const AlignedBuffer<double> copy(buffer.begin(), buffer.begin() + 1000);
  EXPECT_EQ(copy.back(), 999.0);
  EXPECT_EQ(AlignedBuffer<int>(3, 7), (AlignedBuffer<int>{7, 7, 7}));
  AlignedBuffer<double> moved = std::move(buffer);
  EXPECT_EQ(moved[999], 999.0);
}

TEST(AlignedBuffer, RefusesSizesThatOverflow) {
  AlignedAllocator<double> allocator;
  EXPECT_THROW(static_cast<void>(allocator.allocate(std::numeric_limits<std::size_t>::max() / 4)),
               std::bad_array_new_length);
  EXPECT_THROW(detail::allocate_aligned(std::numeric_limits<std::size_t>::max() - 8), std::bad_alloc);
}

}  // namespace
}  // namespace hsvm
