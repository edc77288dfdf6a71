#include "app/ranks.hpp"

#include <dlfcn.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <new>
#include <thread>

#include "app/command_line.hpp"
#include "dist/mpi_module.h"

namespace hsvm::app {
namespace {

constexpr const char* kModule = "libhsvm_mpi.so";

int real_stderr = -1;  // of a process whose streams were silenced: for what happens to it alone

int number_in_environment(std::initializer_list<const char*> names, int otherwise) {
  for (const char* name : names) {
    if (const char* const text = std::getenv(name)) return std::atoi(text);
  }
  return otherwise;
}

// What mpirun of Open MPI, srun with PMIx, and MPICH's hydra or srun with PMI-2 set.
bool was_started_by_mpi() {
  return number_in_environment({"OMPI_COMM_WORLD_SIZE", "PMI_SIZE"}, 0) > 0 ||
         std::getenv("PMIX_RANK") != nullptr;
}

int rank_in_environment() {
  return number_in_environment({"OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK"}, 0);
}

class MpiRanks final : public Collective {
 public:
  explicit MpiRanks(const HsvmMpi& mpi) : Collective(mpi.rank, mpi.size), mpi_(mpi) {}

 private:
  void exchange(Index partner, std::span<const std::byte> out, std::span<std::byte> in) const override {
    mpi_.exchange(partner, out.data(), out.size(), in.data(), in.size());
  }

  const HsvmMpi& mpi_;
};

// Beside the program, or where it was installed.
const HsvmMpi& load_mpi() {
  namespace fs = std::filesystem;
  std::error_code ignored;
  const fs::path folder = fs::read_symlink("/proc/self/exe", ignored).parent_path();
  std::string reason = "no " + std::string(kModule) + " beside the program";
  for (const fs::path& place : {folder / kModule, folder / "../lib/hsvm" / kModule}) {
    if (!fs::exists(place, ignored)) continue;
    void* const module =
        dlopen(place.c_str(), RTLD_NOW | RTLD_GLOBAL);  // MPI's own modules look for its symbols
    using Start = const HsvmMpi* (*)();
    const auto start = module != nullptr ? reinterpret_cast<Start>(dlsym(module, HSVM_START_MPI)) : nullptr;
    const HsvmMpi* const mpi = start != nullptr ? start() : nullptr;
    if (mpi != nullptr) return *mpi;
    const char* const error = dlerror();
    reason = place.string() + ": " + (error != nullptr ? error : "MPI does not start");
  }
  throw InputError("several processes were started, and cannot be joined by MPI (" + reason +
                   "); expected a build with MPI (Debian: libopenmpi-dev), or a start without mpirun");
}

void silence() {
  real_stderr = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3);
  const int nowhere = open("/dev/null", O_WRONLY);
  if (nowhere < 0) return;
  for (const int stream : {STDOUT_FILENO, STDERR_FILENO}) dup2(nowhere, stream);
  close(nowhere);
}

// Speaks for once, though the streams may be silenced.
void tell_of_rank(int rank, const char* what) {
  const std::string line = fmt::format("hsvm: rank {}: {}\n", rank, what);
  const int stream = real_stderr >= 0 ? real_stderr : STDERR_FILENO;
  static_cast<void>(!write(stream, line.data(), line.size()));
}

// Ends all ranks because of what has happened to this one.
[[noreturn]] void end_all(const HsvmMpi& mpi, const char* what) {
  tell_of_rank(mpi.rank, what);
  mpi.abort(kBadInput);
  std::_Exit(kBadInput);
}

// The first rank speaks for all where all fail; another one does where it fails alone, and is then still there.
const HsvmMpi& join_ranks() {
  try {
    return load_mpi();
  } catch (const InputError& error) {
    if (real_stderr < 0) throw;
    std::this_thread::sleep_for(std::chrono::seconds(1));
    tell_of_rank(rank_in_environment(), error.what());
    std::_Exit(kBadInput);
  }
}

}  // namespace

bool silence_other_ranks() {
  if (rank_in_environment() == 0) return false;
  silence();
  return true;
}

bool takes_ranks(std::string_view verb) {
  return verb == "fit" || verb == "path" || verb == "cv" || verb == "predict";
}

int run_over_ranks(const std::function<int(const Collective& ranks)>& verb) {
  if (!was_started_by_mpi()) return verb(single_process());
  if (number_in_environment({"OMPI_COMM_WORLD_SIZE", "PMI_SIZE"}, 2) == 1) return verb(single_process());
  const HsvmMpi& mpi = join_ranks();
  if (mpi.rank > 0 && real_stderr < 0) silence();
  const MpiRanks ranks(mpi);
  int code = kDone;
  try {
    agree_on_errors(ranks, [&] { code = verb(ranks); });
  } catch (const Error&) {  // all ranks are here
    mpi.finish();
    throw;
  } catch (const std::bad_alloc&) {
    end_all(mpi, "not enough memory");
  } catch (const std::exception& error) {
    end_all(mpi, error.what());
  }
  mpi.finish();
  return code;
}

std::string written_by_first(const Collective& ranks, const std::string& path) {
  return ranks.rank() == 0 ? path : std::string();
}

void probe_outputs(const Collective& ranks, const std::vector<std::string>& paths) {
  agree_on_errors(ranks, [&] {
    for (const std::string& path : paths) {
      if (!path.empty() && ranks.rank() == 0) const OutputFile probe(path);
    }
  });
}

int threads_of_rank(const Collective& ranks, int wanted) {
  if (wanted > 0 || ranks.is_alone()) return wanted;
  cpu_set_t allowed;
  CPU_ZERO(&allowed);
  const int bound = sched_getaffinity(0, sizeof(allowed), &allowed) == 0 ? CPU_COUNT(&allowed) : 1;
  const int on_node = number_in_environment(
      {"OMPI_COMM_WORLD_LOCAL_SIZE", "MPI_LOCALNRANKS", "SLURM_NTASKS_PER_NODE"}, ranks.size());
  const auto share = static_cast<int>(std::thread::hardware_concurrency()) / std::max(1, on_node);
  return std::clamp(share, 1, std::max(1, bound));
}

}  // namespace hsvm::app
