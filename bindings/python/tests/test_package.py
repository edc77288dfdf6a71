"""What is installed: types, and an overhead that is small."""

import inspect
import pathlib
import time

import numpy as np
import pytest
from conftest import UNDER_SANITIZER

import hsvm
from hsvm import HuberizedSVC, _core
from hsvm._validation import make_problem


@pytest.mark.skipif(UNDER_SANITIZER, reason="stubs are made with the wheel")
def test_is_typed():
    folder = pathlib.Path(hsvm.__file__).parent
    assert (folder / "py.typed").is_file()
    stub = (folder / "_core.pyi").read_text()
    for name in ("fit", "fit_path", "tune", "load", "class Model", "class Design"):
        assert name in stub
    compile(stub, "_core.pyi", "exec")


def test_everything_public_is_documented():
    for name in hsvm.__all__:
        assert inspect.getdoc(getattr(hsvm, name)), name


@pytest.mark.skipif(UNDER_SANITIZER, reason="nothing is quick under a sanitizer")
def test_overhead_is_below_150_microseconds(binary):
    """Of a fit over the solve itself and scikit-learn's validation; the best of many, on a machine that may be busy."""
    X, y = (np.asfortranarray(part[:20]) for part in binary)
    X = np.asfortranarray(X[:, :5])
    model = HuberizedSVC(n_jobs=1)

    def best(work):
        times = []
        for _ in range(300):
            began = time.perf_counter()
            inner = work()
            times.append(time.perf_counter() - began - (inner or 0.0))
        return min(times)

    whole = best(lambda: model.fit(X, y) and model._model.report["seconds"])
    validation = best(lambda: make_problem(model, X, y, None, None) and None)
    assert whole - validation < 150e-6
