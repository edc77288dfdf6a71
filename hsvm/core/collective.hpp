// The processes ("ranks") that share the samples of a fit, and the only way in which they speak to each other. Samples are divided
// over the ranks; whatever is learned from all of them is a sum over ranks:
//
//   local to a rank        what has one entry for each of its samples: labels, weights, scores, residuals, its rows of X
//   the same on all        what has one for each feature or class: gradients, coefficients, Gram matrices; every number that a
//                          decision is taken from, so that all ranks go the same way
//
//   sum, maximum           of numbers or vectors, in place; the result has the same bits on all ranks
//   broadcast              what rank 0 has
//   gather                 the ranks' parts, one after the other, on all of them
//
// All are made of exchanges between two ranks, in an order that depends on the number of ranks and on the length alone: the same bits
// from run to run, whatever the network does. Sums and maxima go by recursive halving and doubling [TRG05]: a vector of k numbers costs a
// rank about 16 k bytes and 2 log2(size) messages. One process does nothing at all.
//
// Every rank must make the same calls in the same order, from one thread at a time. A body (MPI, threads in tests) brings the exchange.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "hsvm/core/types.hpp"

namespace hsvm {

class Collective {
 public:
  Collective(const Collective&) = delete;
  Collective& operator=(const Collective&) = delete;
  virtual ~Collective() = default;

  [[nodiscard]] Index rank() const { return rank_; }  // 0 .. size - 1
  [[nodiscard]] Index size() const { return size_; }
  [[nodiscard]] bool is_alone() const { return size_ == 1; }

  void sum(std::span<double> values) const {
    if (!is_alone()) sum_over_ranks(values);
  }
  [[nodiscard]] double sum(double value) const {
    sum(std::span(&value, 1));
    return value;
  }
  void maximum(std::span<double> values) const {
    if (!is_alone()) maximum_over_ranks(values);
  }
  [[nodiscard]] double maximum(double value) const {
    maximum(std::span(&value, 1));
    return value;
  }
  // Whether it is so on one rank at least: what clocks and signals say has to be agreed on before it is acted on.
  [[nodiscard]] bool any(bool here) const { return is_alone() ? here : maximum(here ? 1.0 : 0.0) > 0.0; }

  void broadcast(std::span<std::byte> bytes) const {
    if (!is_alone()) broadcast_from_first(bytes);
  }
  void broadcast(std::string& text) const;

  // bytes_of_rank, where it is given: how many came from each rank.
  [[nodiscard]] std::vector<std::byte> gather(std::span<const std::byte> here,
                                              std::vector<std::size_t>* bytes_of_rank = nullptr) const;
  // The same for numbers.
  template <class Number>
  requires std::is_trivially_copyable_v<Number>
  [[nodiscard]] std::vector<Number> gather(std::span<const Number> here) const {
    if (is_alone()) return {here.begin(), here.end()};
    const std::vector<std::byte> bytes = gather(std::as_bytes(here));
    std::vector<Number> all(bytes.size() / sizeof(Number));
    copy_bytes(bytes, std::as_writable_bytes(std::span(all)));
    return all;
  }
  // One text from each rank.
  [[nodiscard]] std::vector<std::string> gather(const std::string& here) const;
  // The words of all ranks, one after the other.
  [[nodiscard]] std::vector<std::string> gather_words(std::span<const std::string> here) const;
  // How many of something the ranks before this one have.
  [[nodiscard]] Count before(Count here) const;

  // What this rank has done so far: calls of the functions above, and what it has sent to others for them.
  struct Traffic {
    Count calls = 0;
    Count messages = 0;
    Count bytes = 0;
  };
  [[nodiscard]] const Traffic& traffic() const { return traffic_; }

 protected:
  Collective(Index rank, Index size) : rank_(rank), size_(size) {}
  // Sends `out` to the partner and receives `in` from it, both at once; what is empty is not sent.
  virtual void exchange(Index partner, std::span<const std::byte> out, std::span<std::byte> in) const = 0;

 private:
  void sum_over_ranks(std::span<double> values) const;
  void maximum_over_ranks(std::span<double> values) const;
  void broadcast_from_first(std::span<std::byte> bytes) const;
  template <class Reduce>
  void among_powers_of_two(std::span<double> values, const Reduce& reduce) const;
  template <class Combine>
  void reduce(std::span<double> values, const Combine& combine) const;
  template <class Combine>
  void halve_and_double(Index place, Index n_places, Index n_folded, std::span<double> values,
                        const Combine& combine) const;
  void swap_with(Index partner, std::span<const std::byte> out, std::span<std::byte> in) const;
  void send(Index partner, std::span<const double> values) const;
  void receive(Index partner, std::span<double> values) const;
  static void copy_bytes(std::span<const std::byte> from, std::span<std::byte> to);

  Index rank_;
  Index size_;
  mutable Traffic traffic_;
  mutable std::vector<double> received_;
};

// A process on its own: rank 0 of 1.
[[nodiscard]] const Collective& single_process();

// Runs body() on every rank. Where it throws an Error on one of them all throw one, with the message of the first such rank: no rank
// waits for one that has given up. Anything else that is thrown passes, and whoever catches it must end the other ranks.
void agree_on_errors(const Collective& collective, const std::function<void()>& body);

}  // namespace hsvm
