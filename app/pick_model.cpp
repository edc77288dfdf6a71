#include "app/pick_model.hpp"

#include <fmt/format.h>

namespace hsvm::app {

LinearModel pick_model(const AnyModel& model, const std::string& file, std::optional<double> lambda1) {
  if (const auto* const path = std::get_if<PathModel>(&model)) {
    if (!lambda1) {
      throw OptionError(
          fmt::format("{} holds a path: --lambda1 must say which model, {}", file, describe_range(*path)));
    }
    return at(*path, *lambda1);
  }
  if (lambda1)
    throw OptionError(
        fmt::format("--lambda1 {}: {} holds one model, not a path to pick it from", *lambda1, file));
  return std::get<LinearModel>(model);
}

LinearModel pick_model(const std::string& file, std::optional<double> lambda1) {
  return pick_model(load_any_model(file), file, lambda1);
}

}  // namespace hsvm::app
