// How fast ranks speak to each other: mpirun -n R ranks_speed prints {"ranks": R, "latency": seconds of a short sum over two ranks' exchange,
// "bandwidth": bytes a second that a rank sends in a long sum}, which bench/scale_model takes.

#include <fmt/format.h>
#include <mpi.h>

#include <algorithm>
#include <bit>
#include <vector>

#include "hsvm/core/collective.hpp"
#include "hsvm/core/stopwatch.hpp"

namespace {

using namespace hsvm;

class MpiRanks final : public Collective {
 public:
  MpiRanks(int rank, int size) : Collective(rank, size) {}

 private:
  void exchange(Index partner, std::span<const std::byte> out, std::span<std::byte> in) const override {
    MPI_Sendrecv(out.data(), static_cast<int>(out.size()), MPI_BYTE, partner, 0, in.data(),
                 static_cast<int>(in.size()), MPI_BYTE, partner, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
};

// Seconds of a sum of so many numbers, the best of several rounds.
double seconds_of_sum(const Collective& ranks, std::size_t size, int repeats) {
  std::vector<double> values(size, 1.0);
  double best = 1e9;
  for (int round = 0; round < 5; ++round) {
    MPI_Barrier(MPI_COMM_WORLD);
    const Stopwatch watch;
    for (int k = 0; k < repeats; ++k) ranks.sum(values);
    best = std::min(best, watch.seconds() / repeats);
  }
  return best;
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank = 0;
  int size = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (size > 1) {
    const MpiRanks ranks(rank, size);
    constexpr std::size_t kLong = 1 << 20;
    const double steps = std::bit_width(static_cast<unsigned>(size)) - 1;
    const double latency = seconds_of_sum(ranks, 1, 1000) / steps;
    const double bytes = 16.0 * kLong * (1.0 - 1.0 / size);
    const double bandwidth = bytes / std::max(1e-9, seconds_of_sum(ranks, kLong, 5) - 2.0 * steps * latency);
    if (rank == 0)
      fmt::print("{{\"ranks\": {}, \"latency\": {:.4g}, \"bandwidth\": {:.4g}}}\n", size, latency, bandwidth);
  }
  MPI_Finalize();
  return 0;
}
