/* What the module hsvm_mpi offers to the program, which loads it only when it was started as one of several MPI processes: a run on its
 * own never touches MPI. Plain C, so that the two need nothing in common but this file. */
#ifndef HSVM_DIST_MPI_MODULE_H
#define HSVM_DIST_MPI_MODULE_H

#include <stddef.h>

struct HsvmMpi {
  int rank;
  int size;
  /* Sends n_out bytes to the partner and receives n_in bytes from it, both at once; what is empty is not sent. */
  void (*exchange)(int partner, const void* out, size_t n_out, void* in, size_t n_in);
  /* The last call of a process that has ended with all others. */
  void (*finish)(void);
  /* Ends all processes at once, with this exit code. */
  void (*abort)(int exit_code);
};

/* The name under which the module has its only function: const struct HsvmMpi* hsvm_start_mpi(void), null where MPI does not start. */
#define HSVM_START_MPI "hsvm_start_mpi"

#endif
