// Matrices that refer to the memory of NumPy and SciPy.
#pragma once

#include <nanobind/nanobind.h>

namespace hsvm::python {

void bind_designs(nanobind::module_& module);

}  // namespace hsvm::python
