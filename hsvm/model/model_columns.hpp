// What a model needs of a table: its columns by name, of which only those with a coefficient must be there.
#pragma once

#include "hsvm/io/formats/read_options.hpp"
#include "hsvm/model/linear_model.hpp"

namespace hsvm {

[[nodiscard]] ModelColumns model_columns(const LinearModel& model);

}  // namespace hsvm
