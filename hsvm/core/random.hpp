// A seeded random generator whose numbers are the same on every platform (the standard library fixes its
// engines, but not its distributions). One generator per stream: Random(seed, row) makes rows independent of
// each other and of the order in which they are drawn, so that data can be generated in parallel with the same
// bits.
//
// xoshiro256++ (Blackman and Vigna, 2021), seeded by SplitMix64.
#pragma once

#include <array>
#include <cstdint>

namespace hsvm {

class Random {
 public:
  explicit Random(std::uint64_t seed, std::uint64_t stream = 0);

  std::uint64_t bits();                    // 64 random bits
  double uniform();                        // in [0, 1)
  double normal();                         // standard Gaussian
  std::uint64_t below(std::uint64_t end);  // in {0, ..., end - 1}, without bias; end > 0

 private:
  std::array<std::uint64_t, 4> state_;
  double spare_ = 0.0;  // the polar method draws normals in pairs
  bool has_spare_ = false;
};

}  // namespace hsvm
