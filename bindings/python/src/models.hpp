// Fitted models as Python sees them: values that never change, pickled as the text of their files.
#pragma once

#include <nanobind/nanobind.h>

namespace hsvm::python {

void bind_models(nanobind::module_& module);

}  // namespace hsvm::python
