"""Sparse linear support vector machines with the huberized hinge loss, binary and multi-class, certified.

    from hsvm import HuberizedSVC, HuberizedSVCCV
    HuberizedSVCCV().fit(X, y).predict_proba(X_new)

Estimators follow scikit-learn's conventions. The work is done by the C++ library of the same name.
"""

import atexit
import os

from . import _core
from ._cv import HuberizedSVCCV
from ._display import CoefficientsDisplay, CVDisplay, PathDisplay, StabilityDisplay
from ._files import generate, load, read_data, save
from ._path import HuberizedPath, hsvm_path
from ._stability import StabilitySelector
from ._svc import HuberizedSVC

__all__ = [
    "CVDisplay",
    "CoefficientsDisplay",
    "HuberizedPath",
    "HuberizedSVC",
    "HuberizedSVCCV",
    "PathDisplay",
    "StabilityDisplay",
    "StabilitySelector",
    "generate",
    "hsvm_path",
    "load",
    "read_data",
    "save",
]

os.register_at_fork(after_in_child=_core.note_fork)
atexit.register(_core.wait_for_left_jobs)
