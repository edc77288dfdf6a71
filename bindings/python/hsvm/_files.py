"""Model files of the command line, both ways, and its data files."""

from __future__ import annotations

import os

import numpy as np
import scipy.sparse as sp
from sklearn.utils import Bunch
from sklearn.utils.validation import check_is_fitted

from . import _core
from ._cv import HuberizedSVCCV
from ._path import HuberizedPath
from ._svc import HuberizedSVC
from ._validation import classes_of_model


def _restore_shape(estimator, model: _core.Model, classes) -> None:
    estimator.classes_ = classes_of_model(model) if classes is None else classes
    estimator.n_features_in_ = model.n_features
    if model.feature_names:
        estimator.feature_names_in_ = np.array(model.feature_names, dtype=object)


def _parameters(model: _core.Model) -> dict:
    report = model.report or {}
    return {
        "lambda3": model.lambda3 or None,
        "delta": model.delta,
        "loss": model.loss,
        "margins": model.margins if model.kind == "multiclass" else None,
        "standardize": report.get("standardized", True),
        "solver": report.get("solver", "newton"),
        "tol": report.get("tolerance", 1e-6),
    }


def estimator_of(model: _core.Model, classes=None) -> HuberizedSVC:
    estimator = HuberizedSVC(lambda1=model.lambda1, lambda2=model.lambda2, **_parameters(model))
    _restore_shape(estimator, model, classes)
    estimator._take_model(model)
    return estimator


def _tuned_estimator(tuned: _core.Tuned) -> HuberizedSVCCV:
    tuning = tuned.tuning
    estimator = HuberizedSVCCV(cv=tuning["n_folds"], scoring=tuning["score"], **_parameters(tuned.best))
    _restore_shape(estimator, tuned.best, None)
    estimator._take_tuned(tuned)
    return estimator


def load(path):
    """Reads a model file: a fitted HuberizedSVC, HuberizedSVCCV or HuberizedPath, as the file says.

    Classes are numbers where all of them are, words otherwise.
    """
    path = os.fspath(path)
    with open(path, "rb"):
        pass  # what is wrong with opening it, Python says best
    found = _core.load(path)
    if isinstance(found, _core.Path):
        return HuberizedPath(found)
    return _tuned_estimator(found) if isinstance(found, _core.Tuned) else estimator_of(found)


def save(estimator, path) -> None:
    """Writes a fitted HuberizedSVC, HuberizedSVCCV or HuberizedPath to a file that `hsvm predict` and load() read."""
    path = os.fspath(path)
    folder = os.path.dirname(path) or "."
    if not os.path.isdir(folder):
        raise FileNotFoundError(f"{path}: there is no folder {folder}")
    if isinstance(estimator, HuberizedPath):
        estimator._path.save(path)
        return
    if not isinstance(estimator, (HuberizedSVC, HuberizedSVCCV)):
        raise TypeError(f"{type(estimator).__name__}: must be a HuberizedSVC, a HuberizedSVCCV or a HuberizedPath")
    check_is_fitted(estimator)
    model = getattr(estimator, "_tuned", None) or estimator._model
    model.save(path)


def _matrix(design: _core.Design):
    arrays = design.arrays()
    if not design.is_sparse:
        return arrays[0].reshape(design.shape, order="F")
    return sp.csc_matrix(arrays, shape=design.shape, copy=False)


def _bunch(parts) -> Bunch:
    design, names, numeric, codes, feature_names = parts
    target = None
    if codes is not None:
        classes = np.array(names)
        if numeric:
            numbers = np.array([float(name) for name in names])
            whole = numbers.astype(np.int64)
            classes = whole if np.array_equal(whole, numbers) else numbers
        target = classes[codes]
    return Bunch(data=_matrix(design), target=target, feature_names=feature_names or None)


def read_data(path, *, format=None, features=None, label=None, precision="double", labels_required=True) -> Bunch:
    """Reads a data file as the command line does: data, target and feature_names, with the library's memory in place.

    features: the number of columns of a sparse file; label: the label's column of a table, by name or number; precision:
    "double" or "single". Data that is mostly zeros is a CSC matrix, other data an array in Fortran order.
    """
    path = os.fspath(path)
    with open(path, "rb"):
        pass
    label = None if label is None else str(label)
    return _bunch(_core.read(path, format, features, label, precision, labels_required))


def generate(n_samples=200, n_features=2000, *, n_informative=20, correlation=0.5, n_classes=2, seed=1) -> Bunch:
    """The paper's synthetic data, of two or four classes: `hsvm generate`, and the data of `hsvm demo`.

    The first n_informative features (of four classes one and a half times as many) tell the classes apart; they have this
    correlation with each other.
    """
    if n_classes not in (2, 4):
        raise ValueError(f"n_classes {n_classes!r}: must be 2 or 4")
    make = _core.generate_gaussian if n_classes == 2 else _core.generate_four_classes
    return _bunch(make(n_samples, n_features, n_informative, correlation, seed))
