// Storage for large arrays of numbers: aligned to cache lines, left uninitialised on resize, and, when large,
// on huge pages, which a streaming read over hundreds of megabytes notices.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <new>
#include <utility>
#include <vector>

namespace hsvm {

namespace detail {
void* allocate_aligned(std::size_t bytes);  // to be freed by std::free; throws std::bad_alloc
}  // namespace detail

template <class T>
struct AlignedAllocator {
  using value_type = T;

  AlignedAllocator() = default;
  template <class U>
  AlignedAllocator(const AlignedAllocator<U>&) noexcept {}

  T* allocate(std::size_t n) {
    if (n > static_cast<std::size_t>(-1) / sizeof(T)) throw std::bad_array_new_length();
    return static_cast<T*>(detail::allocate_aligned(n * sizeof(T)));
  }
  void deallocate(T* memory, std::size_t) noexcept { std::free(memory); }

  template <class U>
  void construct(U* place) {
    ::new (static_cast<void*>(place)) U;  // no value: the caller is about to write it
  }
  template <class U, class... Arguments>
  void construct(U* place, Arguments&&... arguments) {
    ::new (static_cast<void*>(place)) U(std::forward<Arguments>(arguments)...);
  }

  friend bool operator==(const AlignedAllocator&, const AlignedAllocator&) { return true; }
};

template <class T>
using AlignedBuffer = std::vector<T, AlignedAllocator<T>>;

// Whether numbers of type T may be read there, in memory that came from elsewhere.
template <class T>
[[nodiscard]] bool is_aligned_for(const void* memory) {
  return reinterpret_cast<std::uintptr_t>(memory) % alignof(T) == 0;
}

}  // namespace hsvm
