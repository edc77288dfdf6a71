#include "app/pick_model.hpp"

#include <fmt/format.h>

namespace hsvm::app {

LinearModel pick_model(const AnyModel& model, const std::string& file, const PickFlags& flags) {
  const auto* const path = std::get_if<PathModel>(&model);
  const auto* const tuned = std::get_if<TunedModel>(&model);
  if (flags.one_se && !tuned) {
    throw OptionError(fmt::format("--one-se: {} holds {}, not the two models of hsvm cv", file,
                                  path ? "a path" : "one model"));
  }
  if (path) {
    if (!flags.lambda1) {
      throw OptionError(
          fmt::format("{} holds a path: --lambda1 must say which model, {}", file, describe_range(*path)));
    }
    return at(*path, *flags.lambda1);
  }
  if (flags.lambda1) {
    throw OptionError(fmt::format("--lambda1 {}: {} holds {}, not a path to pick it from", *flags.lambda1, file,
                                  tuned ? "a tuned model" : "one model"));
  }
  if (tuned) return flags.one_se ? tuned->one_se : tuned->best;
  return std::get<LinearModel>(model);
}

}  // namespace hsvm::app
