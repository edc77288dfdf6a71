// How ranks that are no power of two take part: of the first 2 (size - places) ranks the odd ones hand their numbers to the rank
// before them and get the result back from it. The others, and the even ones, have the places 0 .. places - 1.

#include "hsvm/core/collective.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <exception>

#include "hsvm/core/error.hpp"

namespace hsvm {
namespace {

class SingleProcess final : public Collective {
 public:
  SingleProcess() : Collective(0, 1) {}

 private:
  void exchange(Index /*partner*/, std::span<const std::byte> /*out*/,
                std::span<std::byte> /*in*/) const override {}
};

// Vectors up to this length are exchanged whole: half the messages, and as long as these are short, half the time.
constexpr std::size_t kWhole = 256;

// The rank at a place.
Index rank_at(Index place, Index n_folded) {
  return place < n_folded ? 2 * place : place + n_folded;
}

}  // namespace

const Collective& single_process() {
  static const SingleProcess alone;
  return alone;
}

void Collective::copy_bytes(std::span<const std::byte> from, std::span<std::byte> to) {
  if (!from.empty()) std::memcpy(to.data(), from.data(), from.size());
}

void Collective::swap_with(Index partner, std::span<const std::byte> out, std::span<std::byte> in) const {
  if (out.empty() && in.empty()) return;
  if (!out.empty()) {
    ++traffic_.messages;
    traffic_.bytes += std::ssize(out);
  }
  exchange(partner, out, in);
}

void Collective::send(Index partner, std::span<const double> values) const {
  swap_with(partner, std::as_bytes(values), {});
}

void Collective::receive(Index partner, std::span<double> values) const {
  swap_with(partner, {}, std::as_writable_bytes(values));
}

// Calls reduce(folds, place, n_places, n_folded) on the ranks that have a place. folds: received_ has the numbers of the rank that has handed
// them over, which are to be taken in first.
template <class Reduce>
void Collective::among_powers_of_two(std::span<double> values, const Reduce& reduce) const {
  ++traffic_.calls;
  const auto n_places = static_cast<Index>(std::bit_floor(static_cast<std::uint32_t>(size_)));
  const Index n_folded = size_ - n_places;
  const bool folds = rank_ < 2 * n_folded;
  if (folds && rank_ % 2 == 1) {
    send(rank_ - 1, values);
    receive(rank_ - 1, values);
    return;
  }
  received_.resize(values.size());
  if (folds) receive(rank_ + 1, received_);
  reduce(folds, folds ? rank_ / 2 : rank_ - n_folded, n_places, n_folded);
  if (folds) send(rank_ + 1, values);
}

// combine(from, to): takes `from` into `to`, number by number. Both of a pair must come to the same bits, whichever is whose.
template <class Combine>
void Collective::reduce(std::span<double> values, const Combine& combine) const {
  if (values.empty()) return;
  among_powers_of_two(values, [&](bool folds, Index place, Index n_places, Index n_folded) {
    if (folds) combine(received_, values);
    if (values.size() > kWhole) return halve_and_double(place, n_places, n_folded, values, combine);
    for (Index distance = 1; distance < n_places; distance *= 2) {
      const Index partner = rank_at(place ^ distance, n_folded);
      swap_with(partner, std::as_bytes(std::span<const double>(values)),
                std::as_writable_bytes(std::span(received_)));
      combine(received_, values);
    }
  });
}

void Collective::sum_over_ranks(std::span<double> values) const {
  // a + b is b + a to the last bit.
  reduce(values, [](std::span<const double> from, std::span<double> to) {
    for (std::size_t k = 0; k < to.size(); ++k) to[k] += from[k];
  });
}

void Collective::maximum_over_ranks(std::span<double> values) const {
  reduce(values, [](std::span<const double> from, std::span<double> to) {
    for (std::size_t k = 0; k < to.size(); ++k) {
      if (from[k] > to[k] || std::isnan(from[k])) to[k] = from[k];
    }
  });
}

// Each place becomes the owner of a part of the result: it halves its part with one partner after the other. Then the parts are joined the
// same way back.
template <class Combine>
void Collective::halve_and_double(Index place, Index n_places, Index n_folded, std::span<double> values,
                                  const Combine& combine) const {
  struct Part {
    std::size_t begin, size;
    [[nodiscard]] Part half(bool upper) const {
      const std::size_t lower = size / 2;
      return upper ? Part{begin + lower, size - lower} : Part{begin, lower};
    }
  };
  const auto bytes_of = [&](const Part& part) {
    return std::as_writable_bytes(values.subspan(part.begin, part.size));
  };
  std::vector<Part> parts = {{0, values.size()}};
  for (Index distance = n_places / 2; distance > 0; distance /= 2) {
    const bool is_upper = (place & distance) != 0;
    const Part kept = parts.back().half(is_upper);
    const auto in = std::span(received_).first(kept.size);
    swap_with(rank_at(place ^ distance, n_folded), bytes_of(parts.back().half(!is_upper)),
              std::as_writable_bytes(in));
    combine(in, values.subspan(kept.begin, kept.size));
    parts.push_back(kept);
  }
  for (Index distance = 1; distance < n_places; distance *= 2) {
    const Part own = parts.back();
    parts.pop_back();
    const Part other = parts.back().half((place & distance) == 0);
    swap_with(rank_at(place ^ distance, n_folded), bytes_of(own), bytes_of(other));
  }
}

// Down a tree: a rank gets it from the one without its lowest bit.
void Collective::broadcast_from_first(std::span<std::byte> bytes) const {
  ++traffic_.calls;
  Index bit = 1;
  while (bit < size_ && (rank_ & bit) == 0) bit *= 2;
  if (rank_ != 0) swap_with(rank_ - bit, {}, bytes);
  for (bit /= 2; bit > 0; bit /= 2) {
    if (rank_ + bit < size_) swap_with(rank_ + bit, bytes, {});
  }
}

void Collective::broadcast(std::string& text) const {
  if (is_alone()) return;
  auto size = static_cast<std::uint64_t>(text.size());
  broadcast(std::as_writable_bytes(std::span(&size, 1)));
  text.resize(size);
  broadcast(std::as_writable_bytes(std::span(text)));
}

// Up the same tree, then down again: a rank collects the parts of the ranks that follow it in its branch.
std::vector<std::byte> Collective::gather(std::span<const std::byte> here,
                                          std::vector<std::size_t>* bytes_of_rank) const {
  std::vector<double> sizes(static_cast<std::size_t>(size_), 0.0);
  sizes[static_cast<std::size_t>(rank_)] = static_cast<double>(here.size());
  sum(sizes);
  std::vector<std::size_t> starts(sizes.size() + 1, 0);
  for (std::size_t r = 0; r < sizes.size(); ++r) starts[r + 1] = starts[r] + static_cast<std::size_t>(sizes[r]);
  if (bytes_of_rank != nullptr) bytes_of_rank->assign(sizes.begin(), sizes.end());
  std::vector<std::byte> all(starts.back());
  const auto between = [&](Index begin, Index end) {
    const std::size_t from = starts[static_cast<std::size_t>(std::min(begin, size_))];
    return std::span(all).subspan(from, starts[static_cast<std::size_t>(std::min(end, size_))] - from);
  };
  copy_bytes(here, between(rank_, rank_ + 1));
  if (is_alone()) return all;
  ++traffic_.calls;
  for (Index bit = 1; bit < size_; bit *= 2) {
    if ((rank_ & bit) != 0) {
      swap_with(rank_ - bit, between(rank_, rank_ + bit), {});
      break;
    }
    swap_with(rank_ + bit, {}, between(rank_ + bit, rank_ + 2 * bit));
  }
  broadcast(all);
  return all;
}

std::vector<std::string> Collective::gather(const std::string& here) const {
  std::vector<std::size_t> sizes;
  const std::vector<std::byte> bytes = gather(std::as_bytes(std::span(here)), &sizes);
  std::vector<std::string> texts;
  std::size_t begin = 0;
  for (const std::size_t size : sizes) {
    texts.emplace_back(reinterpret_cast<const char*>(bytes.data()) + begin, size);
    begin += size;
  }
  return texts;
}

std::vector<std::string> Collective::gather_words(std::span<const std::string> here) const {
  if (is_alone()) return {here.begin(), here.end()};
  std::string text;
  std::vector<Count> sizes;
  for (const std::string& word : here) {
    text += word;
    sizes.push_back(std::ssize(word));
  }
  const std::vector<Count> all_sizes = gather(std::span<const Count>(sizes));
  const std::vector<char> all = gather(std::span<const char>(text));
  std::vector<std::string> words;
  auto at = all.begin();
  for (const Count size : all_sizes) {
    words.emplace_back(at, at + size);
    at += size;
  }
  return words;
}

Count Collective::before(Count here) const {
  const std::vector<Count> all = gather(std::span<const Count>(&here, 1));
  Count total = 0;
  for (Index r = 0; r < rank_; ++r) total += all[static_cast<std::size_t>(r)];
  return total;
}

void agree_on_errors(const Collective& collective, const std::function<void()>& body) {
  if (collective.is_alone()) return body();
  std::exception_ptr own;
  std::string message;
  try {
    body();
  } catch (const Error& error) {
    own = std::current_exception();
    message = error.what();
  }
  if (!collective.any(own != nullptr)) return;
  // An empty message would look like none.
  const std::vector<std::string> messages =
      collective.gather(own ? std::string("!").append(message) : std::string());
  const auto first = std::ranges::find_if(messages, [](const std::string& text) { return !text.empty(); });
  if (own && first->substr(1) == message) std::rethrow_exception(own);
  throw InputError(first->substr(1));
}

}  // namespace hsvm
