"""What is installed: types and words."""

import inspect
import pathlib

import pytest
from conftest import UNDER_SANITIZER

import hsvm


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
