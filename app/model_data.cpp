#include "app/model_data.hpp"

#include <fmt/format.h>

namespace hsvm::app {

Dataset read_for_model(const std::string& file, const DataFlags& flags, const LinearModel& model, bool quiet,
                       const Collective& ranks) {
  ReadOptions reading = read_options(flags);
  if (!flags.table.missing.empty())
    throw OptionError(
        "--missing: the model says what becomes of missing values: give it to hsvm fit or hsvm cv");
  reading.labels_required = false;
  reading.missing = Missing::keep;
  reading.model = model_columns(model);
  reading.ranks = &ranks;
  Dataset data = read_dataset(file, reading);
  if (!model.feature_names.empty() && data.feature_names.empty())
    data.table.notes.emplace_back("features matched by number: the data has no names");
  for (const std::string& note : data.table.notes) {
    if (!quiet) tell(fmt::format("note: {}: {}\n", data.source, escape_controls(note)));
  }
  return data;
}

}  // namespace hsvm::app
