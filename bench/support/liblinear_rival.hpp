// LIBLINEAR through its C interface, the data in its own form in memory.
#pragma once

#include <memory>
#include <vector>

#include "hsvm/data/dataset.hpp"

namespace hsvm::bench {

inline constexpr double kLiblinearTolerance = 0.01;  // its default for -s 5

struct LiblinearSolution {
  std::vector<double> w;
  double seconds = 0.0;  // of its train(), which begins by transposing the data
};

class LiblinearRival {
 public:
  [[nodiscard]] static bool available();

  explicit LiblinearRival(const Dataset& data);  // copies the data row by row
  ~LiblinearRival();
  LiblinearRival(const LiblinearRival&) = delete;
  LiblinearRival& operator=(const LiblinearRival&) = delete;

  // -s 5 -c cost -B -1 at the default tolerance.
  [[nodiscard]] LiblinearSolution train(double cost);

 private:
  struct Data;
  std::unique_ptr<Data> data_;
};

}  // namespace hsvm::bench
