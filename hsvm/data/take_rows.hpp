// Some samples of a dataset, as a dataset of its own.
#pragma once

#include <span>

#include "hsvm/core/types.hpp"
#include "hsvm/data/dataset.hpp"

namespace hsvm {

// Sample k of the result is sample rows[k]; rows may come in any order and more than once. Storage, classes and
// feature names stay those of the whole: a class may be left without samples. Throws InputError where there is
// no such row.
[[nodiscard]] Dataset take_rows(const Dataset& data, std::span<const Index> rows);

// What a rank has of a whole dataset: as many rows as others, or nearly so.
[[nodiscard]] Dataset take_rows_of_rank(const Dataset& whole, const Collective& ranks);

}  // namespace hsvm
