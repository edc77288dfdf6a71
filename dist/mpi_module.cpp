// The only file that sees MPI. Two-sided messages alone: what is summed in which order is the library's business (core/collective.hpp), so
// the results do not depend on the MPI at hand.

#include "dist/mpi_module.h"

#include <mpi.h>

#include <algorithm>

namespace {

constexpr std::size_t kMostBytes = std::size_t{1} << 30;  // of one message: MPI counts in int
constexpr int kTag = 19;

void exchange(int partner, const void* out, std::size_t n_out, void* in, std::size_t n_in) {
  const char* from = static_cast<const char*>(out);
  char* to = static_cast<char*>(in);
  while (n_out > 0 || n_in > 0) {
    const std::size_t now_out = std::min(n_out, kMostBytes);
    const std::size_t now_in = std::min(n_in, kMostBytes);
    const auto size_out = static_cast<int>(now_out);
    const auto size_in = static_cast<int>(now_in);
    if (now_out > 0 && now_in > 0) {
      MPI_Sendrecv(from, size_out, MPI_BYTE, partner, kTag, to, size_in, MPI_BYTE, partner, kTag,
                   MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else if (now_out > 0) {
      MPI_Send(from, size_out, MPI_BYTE, partner, kTag, MPI_COMM_WORLD);
    } else {
      MPI_Recv(to, size_in, MPI_BYTE, partner, kTag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    from += now_out;
    to += now_in;
    n_out -= now_out;
    n_in -= now_in;
  }
}

void finish() {
  MPI_Finalize();
}

void abort_all(int exit_code) {
  MPI_Abort(MPI_COMM_WORLD, exit_code);
}

}  // namespace

extern "C" __attribute__((visibility("default"))) const HsvmMpi* hsvm_start_mpi(void) {
  static HsvmMpi mpi = {0, 1, exchange, finish, abort_all};
  int provided = 0;
  // Calls come from one thread at a time, not always the same.
  if (MPI_Init_thread(nullptr, nullptr, MPI_THREAD_SERIALIZED, &provided) != MPI_SUCCESS) return nullptr;
  MPI_Comm_rank(MPI_COMM_WORLD, &mpi.rank);
  MPI_Comm_size(MPI_COMM_WORLD, &mpi.size);
  return &mpi;
}
