// The program as one of several processes of mpirun or srun: who the others are, who speaks, and how all end together.
//
// Rank 0 alone speaks and writes: the standard streams of the others lead nowhere, and they write no files. What one rank refuses all
// refuse, with one message (agree_on_errors in core/collective.hpp). What happens to one rank alone, such as a lack of memory in the
// middle of a solve, ends the others by force.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "hsvm/api.hpp"

namespace hsvm::app {

// Sends the standard streams of all processes but the first one nowhere, going by what mpirun and srun tell in the environment, and
// says whether this is one of them. To be called before anything is printed.
[[nodiscard]] bool silence_other_ranks();
// Whether a verb divides its samples over ranks. The first rank alone does what others ask for.
[[nodiscard]] bool takes_ranks(std::string_view verb);

// Runs the verb on all ranks and returns its exit code: those of mpirun or srun where the program was started by one of them, else this
// process alone. Throws what the verb throws.
[[nodiscard]] int run_over_ranks(const std::function<int(const Collective& ranks)>& verb);

// A file to be written: its name on rank 0, none elsewhere.
[[nodiscard]] std::string written_by_first(const Collective& ranks, const std::string& path);
// Whether the files can be written, as rank 0 finds: an error on all ranks where not.
void probe_outputs(const Collective& ranks, const std::vector<std::string>& paths);

// How many threads a rank takes where none are asked for (0): its share of the cores.
[[nodiscard]] int threads_of_rank(const Collective& ranks, int wanted);

}  // namespace hsvm::app
