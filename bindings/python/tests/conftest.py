"""What the tests share. HSVM_PROGRAM names the command line; without it the tests that need it are skipped."""

import os
import pathlib
import subprocess

import numpy as np
import pytest

import hsvm

ROOT = pathlib.Path(__file__).resolve().parents[3]
UNDER_SANITIZER = "libasan" in os.environ.get("LD_PRELOAD", "")


@pytest.fixture(scope="session")
def binary():
    """Overlapping classes: some labels are flipped."""
    data = hsvm.generate(80, 40, n_informative=5, seed=3)
    y = data.target.copy()
    y[::9] *= -1
    return data.data.copy(order="F"), y


@pytest.fixture(scope="session")
def four_classes():
    data = hsvm.generate(80, 30, n_informative=6, n_classes=4, seed=2)
    return data.data.copy(order="F"), data.target.copy()


@pytest.fixture(scope="session")
def program():
    """Runs the command line with some words; returns what it prints."""
    path = pathlib.Path(os.environ.get("HSVM_PROGRAM", ROOT / "build" / "hsvm"))
    if not path.is_file():
        pytest.skip(f"there is no {path}: set HSVM_PROGRAM")

    def run(*words):
        clean = {name: value for name, value in os.environ.items() if name != "LD_PRELOAD"}
        done = subprocess.run([path, *map(str, words)], capture_output=True, text=True, env=clean)
        assert done.returncode == 0, done.stderr
        return done.stdout

    return run


def sparse_counts(n=60, p=50, seed=0):
    """A few counts in each row, and classes that two columns tell apart."""
    rng = np.random.default_rng(seed)
    X = rng.poisson(0.3, (n, p)).astype(float)
    y = np.where(X[:, 0] + X[:, 3] + rng.normal(0, 0.3, n) > 0.7, "spam", "ham")
    return X, y
