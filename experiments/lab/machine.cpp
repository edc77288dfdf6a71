#include "experiments/lab/machine.hpp"

#include <fmt/chrono.h>
#include <lab_revision.hpp>  // made at every build

#include <cmath>
#include <ctime>
#include <fstream>
#include <string>
#include <thread>

namespace hsvm::lab {
namespace {

// What stands after "KEY ... :" in a file of /proc.
std::string field_of(const char* file, const std::string& key) {
  std::ifstream lines(file);
  for (std::string line; std::getline(lines, line);) {
    const std::size_t colon = line.find(':');
    if (!line.starts_with(key) || colon == line.npos) continue;
    const std::size_t begin = line.find_first_not_of(" \t", colon + 1);
    return begin == line.npos ? "" : line.substr(begin);
  }
  return "";
}

double bytes_of(const std::string& key) {
  const std::string kilobytes = field_of("/proc/meminfo", key);
  return kilobytes.empty() ? 0.0 : 1024.0 * std::stod(kilobytes);
}

}  // namespace

Json machine() {
  const std::string cpu = field_of("/proc/cpuinfo", "model name");
#ifdef __clang__
  const std::string compiler = __VERSION__;
#else
  const std::string compiler = "GCC " __VERSION__;
#endif
  return {{"cpu", cpu.empty() ? "unknown" : cpu},
          {"cores", std::thread::hardware_concurrency()},
          {"memory_gb", std::lround(bytes_of("MemTotal") / 1e9)},
          {"compiler", compiler},
          {"build", HSVM_BUILD_TYPE}};
}

std::string revision() {
  return HSVM_REVISION;
}

std::string today() {
  return fmt::format("{:%Y-%m-%d}", fmt::gmtime(std::time(nullptr)));
}

double available_memory() {
  return bytes_of("MemAvailable");
}

}  // namespace hsvm::lab
