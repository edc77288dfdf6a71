#include "hsvm/model/model_columns.hpp"

namespace hsvm {

ModelColumns model_columns(const LinearModel& model) {
  ModelColumns columns;
  columns.n_features = model.n_features;
  columns.feature_names = model.feature_names;
  columns.words = model.preparation.words;
  columns.used.assign(static_cast<std::size_t>(model.n_features), 0);
  for (const Index j : model.features) columns.used[static_cast<std::size_t>(j)] = 1;
  if (const std::optional<TableColumn>& label = model.preparation.label) {
    if (label->name.empty()) {
      columns.label_place = label->place;
    } else {
      columns.label = label->name;
    }
  }
  return columns;
}

}  // namespace hsvm
