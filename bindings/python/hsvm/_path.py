from __future__ import annotations

import os
import warnings

import numpy as np
import scipy.sparse as sp
from sklearn.base import BaseEstimator
from sklearn.exceptions import ConvergenceWarning

from . import _core
from ._progress import progress
from ._validation import classes_of_model, make_problem, name_class_weight, seed_of, thread_count


class HuberizedPath:
    """A regularisation path: ``lambdas, coefs, gaps = path``, and more.

    lambdas : (n_points,), falling
    coefs : (n_outputs, n_features, n_points), or for a sparse path a list of CSC matrices (n_features, n_points), one for
        each output
    intercepts : (n_outputs, n_points)
    gaps, objectives : (n_points,)
    nonzeros : (n_points,), features of each model
    """

    def __init__(self, path: _core.Path, classes=None, sparse: bool = False):
        self._path = path
        self.classes_ = classes_of_model(path) if classes is None else classes
        self.feature_names_ = list(path.feature_names)
        self.n_features_ = path.n_features
        points = path.points
        self.lambdas = np.array([p.lambda1 for p in points])
        self.lambda2s = np.array([p.lambda2 for p in points])
        self.intercepts = np.array([p.intercept for p in points]).T
        reports = [p.report for p in points]
        self.objectives = np.array([r["objective"] for r in reports])
        self.gaps = np.array([r["gap"] for r in reports])
        self.statuses = [r["status"] for r in reports]
        self.nonzeros = np.array([len(p.features) for p in points])
        self.lambda1_max_ = path.lambda1_max
        self.status_ = path.status
        self.ended_ = path.ended
        self.explained_ = path.explained
        self.coefs = self._sparse_coefs(points) if sparse else self._dense_coefs(points)

    def report(self, path, name: str = "path") -> None:
        """Writes a web page that shows the path; it stands alone, and opens in any browser."""
        self._path.save_page(os.fspath(path), name)

    def _sparse_coefs(self, points):
        indptr = np.concatenate([[0], np.cumsum(self.nonzeros)])
        indices = np.concatenate([p.features for p in points])
        shape = (self.n_features_, len(points))
        values = np.concatenate([p.values for p in points])
        return [sp.csc_matrix((column.copy(), indices, indptr), shape=shape) for column in values.T]

    def _dense_coefs(self, points):
        coefs = np.zeros((self.intercepts.shape[0], self.n_features_, len(points)))
        for k, point in enumerate(points):
            coefs[:, point.features, k] = point.values.T
        return coefs

    def __iter__(self):
        return iter((self.lambdas, self.coefs, self.gaps))

    def __len__(self) -> int:
        return len(self.lambdas)

    def __repr__(self) -> str:
        return (
            f"HuberizedPath({len(self)} points, lambda1 {self.lambdas[0]:.4g} to {self.lambdas[-1]:.4g}, "
            f"{self.nonzeros[-1]} of {self.n_features_} features at the end)"
        )

    def at(self, lambda1: float):
        """The fitted HuberizedSVC at lambda1; between two points it is interpolated, and has no certificate."""
        from ._files import estimator_of

        return estimator_of(self._path.at(lambda1), self.classes_)


class _PathInput(BaseEstimator):
    """Stands in for an estimator where data is checked."""


def hsvm_path(
    X,
    y,
    *,
    sample_weight=None,
    nlambda=None,
    lambda_min_ratio=None,
    lambda_grid=None,
    max_nonzeros=None,
    full_path=False,
    lambda2=None,
    lambda3=None,
    alpha=None,
    delta=1.0,
    loss="huberized",
    margins=None,
    standardize=True,
    class_weight=None,
    penalty_factors=None,
    fit_intercept=True,
    solver="newton",
    tol=1e-6,
    max_iter=100_000,
    n_jobs=None,
    random_state=None,
    sparse=False,
    verbose=0,
) -> HuberizedPath:
    """Fits the whole path over lambda1, each point certified by itself; ``lambdas, coefs, gaps = hsvm_path(X, y)``.

    nlambda values of lambda1 fall from lambda1_max to lambda_min_ratio of it, or those of lambda_grid. The path ends early
    where nothing is left to learn, unless full_path; with the first point of more than max_nonzeros features, where that is
    given. sparse: coefs as sparse matrices. The other parameters are those of HuberizedSVC and HuberizedSVCCV.
    """
    checked = _PathInput()
    problem = make_problem(checked, X, y, sample_weight, penalty_factors)
    options = {
        "nlambda": nlambda,
        "lambda_min_ratio": lambda_min_ratio,
        "lambda_grid": lambda_grid,
        "max_nonzeros": max_nonzeros,
        "full_path": full_path,
        "lambda2": lambda2,
        "lambda3": lambda3,
        "alpha": alpha,
        "delta": delta,
        "loss": loss,
        "margins": margins,
        "standardize": standardize,
        "class_weight": name_class_weight(class_weight, problem.classes),
        "no_intercept": not fit_intercept,
        "solver": solver,
        "tolerance": tol,
        "max_iterations": max_iter,
        "threads": thread_count(n_jobs),
        "seed": seed_of(random_state),
    }
    with progress(verbose, "hsvm path") as on_look:
        path = _core.fit_path(**problem.arguments(), options=options, on_look=on_look)
    result = HuberizedPath(path, problem.classes, sparse)
    if result.status_ != "converged":
        worst = int(np.argmax(result.gaps))
        warnings.warn(
            f"stopped before the tolerance ({result.status_}): at lambda1 {result.lambdas[worst]:.4g} the objective is "
            f"within {result.gaps[worst]:.3g} of the minimum",
            ConvergenceWarning,
            stacklevel=2,
        )
    return result
