#include "hsvm/core/aligned_buffer.hpp"

#include <sys/mman.h>

namespace hsvm {

void* detail::allocate_aligned(std::size_t bytes) {
  constexpr std::size_t kCacheLine = 64;
  constexpr std::size_t kHugePage = std::size_t{2} << 20;
  const bool large = bytes >= 2 * kHugePage;
  const std::size_t alignment = large ? kHugePage : kCacheLine;
  const std::size_t rounded = (bytes + alignment - 1) / alignment * alignment;
  if (rounded < bytes) throw std::bad_alloc();
  void* const memory = std::aligned_alloc(alignment, rounded == 0 ? alignment : rounded);
  if (memory == nullptr) throw std::bad_alloc();
  if (large) madvise(memory, rounded, MADV_HUGEPAGE);  // a hint: nothing is lost where it is refused
  return memory;
}

}  // namespace hsvm
