#include "hsvm/io/streams/nearest_number.hpp"

#include <array>
#include <bit>
#include <cstddef>
#include <limits>
#include <type_traits>

namespace hsvm {
namespace {

__extension__ using Wide = unsigned __int128;

// With 19 digits, powers beyond these give 0 or infinity.
constexpr int kLeastPower = -342;
constexpr int kGreatestPower = 308;

// The leading 128 bits of a power of five, the rest cut off.
struct LeadingBits {
  std::uint64_t high = 0;
  std::uint64_t low = 0;
};

// A number of up to 1024 bits, the lowest 32 first.
class LongNumber {
 public:
  constexpr void set_bit(int k) { words_[static_cast<std::size_t>(k / 32)] |= 1U << (k % 32); }

  constexpr void multiply_by_five() {
    std::uint64_t carry = 0;
    for (std::uint32_t& word : words_) {
      carry += std::uint64_t{5} * word;
      word = static_cast<std::uint32_t>(carry);
      carry >>= 32;
    }
  }

  // Rounded down. Rounding down at each of several divisions is the same as rounding down once.
  constexpr void divide_by_five() {
    std::uint64_t rest = 0;
    for (std::size_t k = words_.size(); k-- > 0;) {
      rest = (rest << 32) + words_[k];
      words_[k] = static_cast<std::uint32_t>(rest / 5);
      rest %= 5;
    }
  }

  [[nodiscard]] constexpr int highest_bit() const {
    std::size_t k = words_.size() - 1;
    while (words_[k] == 0) --k;
    return static_cast<int>(32 * k) + std::bit_width(words_[k]) - 1;
  }

  [[nodiscard]] constexpr LeadingBits leading_bits() const {
    const int top = highest_bit();
    return {bits_from(top - 63), bits_from(top - 127)};
  }

 private:
  // 64 bits, bit k the lowest; bits outside are zero.
  [[nodiscard]] constexpr std::uint64_t bits_from(int k) const {
    const int first = k >> 5;
    const int shift = k & 31;
    const std::uint64_t lower = word(first) | (word(first + 1) << 32);
    return shift == 0 ? lower : (lower >> shift) | (word(first + 2) << (64 - shift));
  }
  [[nodiscard]] constexpr std::uint64_t word(int k) const {
    return k < 0 || k >= static_cast<int>(words_.size()) ? 0 : words_[static_cast<std::size_t>(k)];
  }

  std::array<std::uint32_t, 32> words_ = {};
};

// The exponent of the leading bit of 10^power, floor(power log2(10)).
constexpr int exponent_of_ten(int power) {
  return (217706 * power) >> 16;
}

struct PowersOfFive {
  std::array<LeadingBits, kGreatestPower - kLeastPower + 1> bits = {};
  bool exponents_agree = true;  // with exponent_of_ten
};

constexpr PowersOfFive make_powers_of_five() {
  PowersOfFive powers;
  const auto store = [&](int power, const LongNumber& number, int exponent_of_one) {
    powers.bits[static_cast<std::size_t>(power - kLeastPower)] = number.leading_bits();
    if (number.highest_bit() - exponent_of_one + power != exponent_of_ten(power))
      powers.exponents_agree = false;
  };
  LongNumber positive;
  positive.set_bit(0);
  for (int power = 0; power <= kGreatestPower; ++power, positive.multiply_by_five()) store(power, positive, 0);
  constexpr int kOne = 1000;  // 5^-342 has its leading bit at -795: more than 128 are left
  LongNumber negative;
  negative.set_bit(kOne);
  for (int power = 0; power >= kLeastPower; --power, negative.divide_by_five()) store(power, negative, kOne);
  return powers;
}

constexpr PowersOfFive kPowersOfFive = make_powers_of_five();
static_assert(kPowersOfFive.exponents_agree);

}  // namespace

template <class T>
bool nearest_number(std::uint64_t m, std::int64_t power, T& value) {
  using Bits = std::conditional_t<std::is_same_v<T, float>, std::uint32_t, std::uint64_t>;
  constexpr int kDigits = std::numeric_limits<T>::digits;  // 53: the leading bit is not stored
  constexpr int kBias = std::numeric_limits<T>::max_exponent - 1;
  constexpr int kInfinite = 2 * kBias + 1;
  if (power < kLeastPower || power > kGreatestPower) return false;
  const LeadingBits five = kPowersOfFive.bits[static_cast<std::size_t>(power - kLeastPower)];
  const int n_zeros = std::countl_zero(m);
  m <<= n_zeros;

  // The product's highest third, at least 2^62. The lower half of the power adds less than 1 to it.
  const Wide upper = static_cast<Wide>(m) * five.high;
  auto high = static_cast<std::uint64_t>(upper >> 64);
  int n_dropped = 63 - kDigits + static_cast<int>(high >> 63);
  std::uint64_t below = high & ((std::uint64_t{1} << n_dropped) - 1);
  std::uint64_t half = std::uint64_t{1} << (n_dropped - 1);
  if (below - (half - 1) <= 1) {  // one half or just below: what is added may decide
    const Wide product = upper + static_cast<std::uint64_t>((static_cast<Wide>(m) * five.low) >> 64);
    high = static_cast<std::uint64_t>(product >> 64);
    const auto middle = static_cast<std::uint64_t>(product);
    n_dropped = 63 - kDigits + static_cast<int>(high >> 63);
    half = std::uint64_t{1} << (n_dropped - 1);
    below = high & ((std::uint64_t{1} << n_dropped) - 1);
    // The error is less than 2 of the middle third: one half itself, and what may be.
    if ((below == half && middle == 0) || (below == half - 1 && middle == ~std::uint64_t{0})) return false;
  }
  const std::uint64_t mantissa = (high >> n_dropped) + (below >= half ? 1 : 0);  // may be 2^kDigits: carried on
  const int exponent = exponent_of_ten(static_cast<int>(power)) + 1 - n_zeros + n_dropped + kDigits - 1 + kBias;
  if (exponent <= 0 || exponent >= kInfinite - 1) return false;
  const auto stored = static_cast<Bits>(mantissa - (std::uint64_t{1} << (kDigits - 1)));
  value = std::bit_cast<T>(static_cast<Bits>((static_cast<Bits>(exponent) << (kDigits - 1)) + stored));
  return true;
}

template bool nearest_number(std::uint64_t m, std::int64_t power, double& value);
template bool nearest_number(std::uint64_t m, std::int64_t power, float& value);

}  // namespace hsvm
