// Scalar and index types used everywhere.
#pragma once

#include <cstdint>

namespace hsvm {

using Index = std::int32_t;  // samples, features, classes; at most 2^31 - 1
using Count = std::int64_t;  // nonzeros, bytes

}  // namespace hsvm
