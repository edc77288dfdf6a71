"""From what users have to what the solvers take: checked by scikit-learn, used in place where its memory allows it."""

from __future__ import annotations

import os
from dataclasses import dataclass

import numpy as np
import scipy.sparse as sp
from sklearn.utils import check_random_state
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import _check_sample_weight

from . import _core
from ._borrow import Borrow

try:
    from sklearn.utils.validation import validate_data
except ImportError:  # scikit-learn before 1.6

    def validate_data(estimator, *args, **kwargs):
        return estimator._validate_data(*args, **kwargs)


_ACCEPTED = {"accept_sparse": ("csc", "csr"), "dtype": (np.float64, np.float32)}
_LARGEST_INDEX = np.iinfo(np.int32).max


def check_X(estimator, X):
    """X for a fitted estimator."""
    return validate_data(estimator, X, reset=False, **_ACCEPTED)


def _csc_in_place(X):
    indices = X.indices
    if indices.dtype != np.int32:
        if indices.size and (indices.max() > _LARGEST_INDEX or indices.min() < 0):
            raise ValueError("X has a row index out of range")
        indices = indices.astype(np.int32)
    arrays = [np.ascontiguousarray(a) for a in (X.indptr, indices, X.data)]
    return _core.csc(X.shape[0], *arrays, Borrow(*arrays))


def _sorted_copy(X):
    # Made anew: what SciPy remembers of the order of X may be out of date.
    copy = sp.csc_matrix((X.data.copy(), X.indices.copy(), X.indptr.copy()), shape=X.shape)
    copy.sum_duplicates()
    return copy


def to_design(X) -> _core.Design:
    """A matrix that scikit-learn has checked, for the library.

    Column-major arrays and compressed columns stay where they are; row-major arrays and compressed rows are copied.
    """
    if sp.issparse(X):
        if X.format == "csr":
            X.check_format(full_check=True)  # the conversion trusts its indices
            X = X.tocsc()
        design = _csc_in_place(X)
        return design if design is not None else _csc_in_place(_sorted_copy(X))
    X = np.require(X, requirements="A")
    if X.flags.f_contiguous:
        return _core.in_place(X, Borrow(X))
    if X.flags.c_contiguous:
        return _core.transposed(X)
    copy = np.asfortranarray(X)
    return _core.in_place(copy, Borrow(copy))


def decision_values(model: _core.Model, X) -> np.ndarray:
    """Scores of checked samples, n x n_outputs; of rows only the columns of the model's features are copied."""
    by_rows = X.format == "csr" if sp.issparse(X) else not X.flags.f_contiguous
    if by_rows and len(model.features) < X.shape[1]:
        if sp.issparse(X):
            X.check_format(full_check=True)
        return model.compact().decision_values(to_design(X[:, model.features]))
    return model.decision_values(to_design(X))


def class_names(classes: np.ndarray) -> list[str]:
    """What the classes are called in a model file, in their order."""
    if classes.dtype.kind in "iu":
        names = [str(int(c)) for c in classes]
    elif classes.dtype.kind == "f":
        names = [repr(float(c)) for c in classes]
    else:
        names = [str(c) for c in classes]
    known = _core.class_names(names)
    # Words that a file would take for other numbers, or order otherwise, get their place before them.
    return known[0] if known is not None else [f"{k:06d} {name}" for k, name in enumerate(names)]


def classes_of_model(model) -> np.ndarray:
    if not model.numeric_classes:
        return np.array(model.classes)
    numbers = np.array([float(name) for name in model.classes])
    whole = numbers.astype(np.int64)
    return whole if np.array_equal(whole, numbers) else numbers


@dataclass
class Problem:
    """Checked data as _core takes it."""

    X: object
    y: np.ndarray
    classes: np.ndarray
    codes: np.ndarray
    sample_weight: np.ndarray | None
    penalty_factors: np.ndarray | None
    feature_names: list[str]

    def arguments(self) -> dict:
        return {
            "x": to_design(self.X),
            "classes": class_names(self.classes),
            "codes": self.codes,
            "sample_weight": self.sample_weight,
            "penalty_factors": self.penalty_factors,
            "feature_names": self.feature_names,
        }


def make_problem(estimator, X, y, sample_weight, penalty_factors) -> Problem:
    """Checks everything a fit takes, and sets n_features_in_ and feature_names_in_."""
    X, y = validate_data(estimator, X, y, **_ACCEPTED)
    check_classification_targets(y)
    classes, codes = np.unique(y, return_inverse=True)
    if len(classes) < 2:
        raise ValueError(f"all {len(y)} samples are of one class, {classes[0]!r}: a fit needs two classes")
    if sample_weight is not None:
        sample_weight = _check_sample_weight(sample_weight, X, dtype=np.float64)
        if np.any(sample_weight < 0):
            raise ValueError(f"sample_weight {sample_weight.min()}: must be at least 0")
        left = classes[np.unique(codes[sample_weight > 0])]
        if 0 < len(left) < 2 <= len(classes):
            raise ValueError(f"all samples with a positive weight are of class {left[0]!r}: a fit needs two classes")
        sample_weight = np.ascontiguousarray(sample_weight)
    if penalty_factors is not None:
        penalty_factors = np.ascontiguousarray(penalty_factors, dtype=np.float64)
        if penalty_factors.ndim != 1:
            raise ValueError("penalty_factors must be a list of numbers, one for each feature")
    names = getattr(estimator, "feature_names_in_", ())
    return Problem(
        X,
        y,
        classes,
        np.ascontiguousarray(codes.ravel(), dtype=np.int32),
        sample_weight,
        penalty_factors,
        [str(name) for name in names],
    )


def name_class_weight(class_weight, classes: np.ndarray):
    """class_weight with the classes' names in the library."""
    if not isinstance(class_weight, dict):
        return class_weight
    names = dict(zip(classes.tolist(), class_names(classes)))
    unknown = [label for label in class_weight if label not in names]
    if unknown:
        raise ValueError(f"class_weight: no sample has the label {unknown[0]!r}")
    return {names[label]: weight for label, weight in class_weight.items()}


def thread_count(n_jobs) -> int:
    """n_jobs as scikit-learn counts; None is OMP_NUM_THREADS, which joblib sets in its workers, or all cores."""
    if n_jobs is None:
        asked = os.environ.get("OMP_NUM_THREADS", "")
        return int(asked) if asked.isdigit() else 0
    if n_jobs == 0 or n_jobs != int(n_jobs):
        raise ValueError(f"n_jobs {n_jobs!r}: must be a whole number other than 0, or None")
    if n_jobs > 0:
        return int(n_jobs)
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return max(1, cores + 1 + int(n_jobs))


def seed_of(random_state) -> int:
    """The library's own seed where nothing is said, so that two fits are the same."""
    if random_state is None:
        return 1
    if isinstance(random_state, (int, np.integer)):
        return int(random_state)
    return int(check_random_state(random_state).randint(np.iinfo(np.int32).max))
