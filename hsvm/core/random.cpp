#include "hsvm/core/random.hpp"

#include <bit>
#include <cmath>

namespace hsvm {
namespace {

std::uint64_t split_mix(std::uint64_t& state) {
  std::uint64_t z = (state += 0x9e3779b97f4a7c15U);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9U;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebU;
  return z ^ (z >> 31);
}

}  // namespace

Random::Random(std::uint64_t seed, std::uint64_t stream) : state_{} {
  std::uint64_t mix = seed;
  mix = split_mix(mix) ^ stream;
  for (std::uint64_t& word : state_) word = split_mix(mix);
}

std::uint64_t Random::bits() {
  const std::uint64_t result = std::rotl(state_[0] + state_[3], 23) + state_[0];
  const std::uint64_t shifted = state_[1] << 17;
  state_[2] ^= state_[0];
  state_[3] ^= state_[1];
  state_[1] ^= state_[2];
  state_[0] ^= state_[3];
  state_[2] ^= shifted;
  state_[3] = std::rotl(state_[3], 45);
  return result;
}

double Random::uniform() {
  return static_cast<double>(bits() >> 11) * 0x1p-53;
}

double Random::normal() {  // Marsaglia's polar method
  if (has_spare_) {
    has_spare_ = false;
    return spare_;
  }
  double x;
  double y;
  double square;
  do {
    x = 2.0 * uniform() - 1.0;
    y = 2.0 * uniform() - 1.0;
    square = x * x + y * y;
  } while (square >= 1.0 || square == 0.0);
  const double scale = std::sqrt(-2.0 * std::log(square) / square);
  spare_ = y * scale;
  has_spare_ = true;
  return x * scale;
}

std::uint64_t Random::below(std::uint64_t end) {
  const std::uint64_t rejected = (0 - end) % end;  // 2^64 mod end
  std::uint64_t draw;
  do {
    draw = bits();
  } while (draw < rejected);
  return draw % end;
}

}  // namespace hsvm
