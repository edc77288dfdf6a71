#include "bench/support/liblinear_rival.hpp"

#include <stdexcept>
#include <type_traits>

#include "hsvm/core/stopwatch.hpp"

#ifdef HSVM_BENCH_LIBLINEAR
#include <linear.h>

namespace hsvm::bench {

struct LiblinearRival::Data {
  std::vector<feature_node> nodes;  // rows one after another, each ended by index -1
  std::vector<feature_node*> rows;
  std::vector<double> y;
  Index n_features = 0;
};

bool LiblinearRival::available() {
  return true;
}

namespace {

// The values of column j with their rows, for sparse designs; the rivals' instances are sparse.
template <class Visit>
void for_each_entry(const Dataset& data, Visit&& visit) {
  std::visit(
      [&](const auto& x) {
        if constexpr (requires { x.stored(); }) {
          for (Index j = 0; j < x.cols(); ++j) {
            const auto column = x.column(j);
            for (std::size_t k = 0; k < column.rows.size(); ++k) {
              visit(static_cast<std::size_t>(column.rows[k]), j, static_cast<double>(column.values[k]));
            }
          }
        } else {
          throw std::invalid_argument("LIBLINEAR is run on sparse data only");
        }
      },
      data.design);
}

}  // namespace

LiblinearRival::LiblinearRival(const Dataset& data) : data_(std::make_unique<Data>()) {
  const auto n = static_cast<std::size_t>(data.n_samples());
  std::vector<std::size_t> place(n + 1, 0);
  for_each_entry(data, [&](std::size_t i, Index, double) { ++place[i + 1]; });
  for (std::size_t i = 0; i < n; ++i) place[i + 1] += place[i] + 1;  // one more for the end of the row
  data_->nodes.assign(place[n], feature_node{-1, 0.0});
  for (std::size_t i = 0; i < n; ++i) data_->rows.push_back(data_->nodes.data() + place[i]);
  for_each_entry(data, [&](std::size_t i, Index j, double value) {
    data_->nodes[place[i]++] = {j + 1, value};
  });
  for (const Index k : data.labels->of_sample) data_->y.push_back(k == 1 ? 1.0 : -1.0);
  data_->n_features = data.n_features();
}

LiblinearSolution LiblinearRival::train(double cost) {
  set_print_string_function([](const char*) {});
  problem data{};
  data.l = static_cast<int>(data_->y.size());
  data.n = data_->n_features;
  data.y = data_->y.data();
  data.x = data_->rows.data();
  data.bias = -1.0;
  parameter options{};
  options.solver_type = L1R_L2LOSS_SVC;
  options.eps = kLiblinearTolerance;
  options.C = cost;
  options.p = 0.1;
  const Stopwatch watch;
  model* trained = ::train(&data, &options);
  LiblinearSolution solution;
  solution.seconds = watch.seconds();
  const double sign = trained->label[0] == 1 ? 1.0 : -1.0;  // w scores the class it names first
  for (int j = 0; j < trained->nr_feature; ++j) solution.w.push_back(sign * trained->w[j]);
  free_and_destroy_model(&trained);
  return solution;
}

}  // namespace hsvm::bench

#else

namespace hsvm::bench {

struct LiblinearRival::Data {};

bool LiblinearRival::available() {
  return false;
}

LiblinearRival::LiblinearRival(const Dataset&) {}

LiblinearSolution LiblinearRival::train(double) {
  throw std::logic_error("this build has no LIBLINEAR");
}

}  // namespace hsvm::bench

#endif

namespace hsvm::bench {
LiblinearRival::~LiblinearRival() = default;
}  // namespace hsvm::bench
