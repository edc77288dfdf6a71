#include "experiments/methods/method.hpp"

#include <array>

#include "baselines/packages.hpp"

namespace hsvm::lab {
namespace {

struct Description {
  const char* name;
  bool available = true;
};

// In the order of the enumerators.
constexpr std::array kDescriptions = {
    Description{"B-PGH"},
    Description{"B-PGH-2"},
    Description{"M-PGH"},
    Description{"newton"},
    Description{"delta tuned"},
    Description{"GCD"},
    Description{"ADMM"},
    Description{"LIBLINEAR", baselines::kHasLiblinear},
    Description{"l1", baselines::kHasClp},
    Description{"l-infinity", baselines::kHasClp},
    Description{"OVA", baselines::kHasLiblinear},
    Description{"tuned OVA", baselines::kHasLiblinear},
    Description{"DDAG", baselines::kHasLibsvm},
};
static_assert(kDescriptions.size() == static_cast<std::size_t>(Method::ddag) + 1);

const Description& describe(Method method) {
  return kDescriptions[static_cast<std::size_t>(method)];
}

}  // namespace

std::string name_of(Method method) {
  return describe(method).name;
}

bool is_available(Method method) {
  return describe(method).available;
}

Json to_json(const Parameters& parameters) {
  return {{"lambda1", parameters.lambda1}, {"lambda2", parameters.lambda2},  {"lambda3", parameters.lambda3},
          {"delta", parameters.delta},     {"lambda", parameters.lambda},    {"cost", parameters.cost},
          {"gamma", parameters.gamma},     {"held_out", parameters.held_out}};
}

Parameters parameters_from(const Json& json) {
  return {.lambda1 = json.at("lambda1"),
          .lambda2 = json.at("lambda2"),
          .lambda3 = json.at("lambda3"),
          .delta = json.at("delta"),
          .lambda = json.at("lambda"),
          .cost = json.at("cost"),
          .gamma = json.at("gamma"),
          .held_out = json.at("held_out")};
}

}  // namespace hsvm::lab
