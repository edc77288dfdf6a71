"""What all estimators share: options, fitted attributes, prediction, and how they show themselves."""

from __future__ import annotations

import html
import os
import warnings

import numpy as np
import scipy.sparse as sp
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted

from . import _core
from ._validation import check_X, decision_values, name_class_weight, seed_of, thread_count


def _has_probabilities(estimator) -> bool:
    model = getattr(estimator, "_model", None)
    if model is None:
        return estimator._calibrates
    if model.calibration is None:
        raise AttributeError("the model has no probabilities: HuberizedSVCCV gives them")
    return True


class LinearClassifier(ClassifierMixin, BaseEstimator):
    """A classifier whose model is a _core.Model, in self._model."""

    _calibrates = False  # whether a fit gives probabilities

    def _solver_options(self, classes) -> dict:
        """The options that every fit has, by the library's names."""
        return {
            "lambda2": self.lambda2,
            "lambda3": self.lambda3,
            "delta": self.delta,
            "loss": self.loss,
            "margins": self.margins,
            "standardize": self.standardize,
            "class_weight": name_class_weight(self.class_weight, classes),
            "no_intercept": not self.fit_intercept,
            "solver": self.solver,
            "tolerance": self.tol,
            "max_iterations": self.max_iter,
            "threads": thread_count(self.n_jobs),
            "seed": seed_of(self.random_state),
        }

    def _take_model(self, model: _core.Model) -> None:
        """Sets what is known of a fitted model; of one read from a file some may not be."""
        self._model = model
        self.coef_ = model.coef()
        self.intercept_ = model.intercept
        self.lambda1_ = model.lambda1
        self.lambda2_ = model.lambda2
        report = model.report or {}
        self.status_ = report.get("status")
        self.objective_ = report.get("objective")
        self.dual_objective_ = report.get("dual_objective")
        self.gap_ = report.get("gap")
        self.lambda1_max_ = report.get("lambda1_max")
        self.n_iter_ = report.get("iterations")

    def _warn_unless_converged(self) -> None:
        if self.status_ == "converged":
            return
        report = self._model.report
        warnings.warn(
            f"stopped before the tolerance ({self.status_}): the objective is within {self.gap_:.3g} of the minimum, a "
            f"relative gap of {report['relative_gap']:.3g} where tol={report['tolerance']:.3g} was asked for"
            + (f"; {report['reason']}" if report["reason"] else ""),
            ConvergenceWarning,
            stacklevel=3,
        )

    def _scores(self, X) -> np.ndarray:
        check_is_fitted(self)
        return decision_values(self._model, check_X(self, X))

    def decision_function(self, X) -> np.ndarray:
        """Scores of samples: (n,) for two classes, positive meaning classes_[1]; (n, n_classes) for more."""
        scores = self._scores(X)
        return scores[:, 0] if scores.shape[1] == 1 else scores

    def predict(self, X) -> np.ndarray:
        """Classes of samples."""
        scores = self._scores(X)
        return self.classes_[_core.predicted_classes(scores)]

    @available_if(_has_probabilities)
    def predict_proba(self, X) -> np.ndarray:
        """Class probabilities of samples, (n, n_classes), where the model has been calibrated by cross-validation.

        They come from the scores, shifted by class. Where that shift alone would make another class the most probable, it
        is taken back to a tie, so that predict() always names the most probable class.
        """
        scores = self._scores(X)
        probabilities = self._model.probabilities(scores)
        rows, predicted = np.arange(len(scores)), _core.predicted_classes(scores)
        top = probabilities.max(axis=1)
        behind = np.flatnonzero(probabilities[rows, predicted] < top)
        probabilities[behind, predicted[behind]] = top[behind] * (1.0 + 1e-9)
        probabilities[behind] /= probabilities[behind].sum(axis=1, keepdims=True)
        return probabilities

    @available_if(_has_probabilities)
    def predict_log_proba(self, X) -> np.ndarray:
        """Logarithms of the class probabilities."""
        with np.errstate(divide="ignore"):
            return np.log(self.predict_proba(X))

    def report(self, path, name: str | None = None) -> None:
        """Writes a web page that shows the model; it stands alone, and opens in any browser.

        name : what the page calls the model; the estimator's class where it is not given
        """
        check_is_fitted(self)
        name = type(self).__name__ if name is None else name
        if getattr(self, "_tuned", None) is None:
            self._model.save_page(os.fspath(path), name)
        else:
            self._tuned.save_page(os.fspath(path), name, one_se=self.one_se)

    @property
    def sparse_coef_(self) -> sp.csr_matrix:
        """coef_ as a sparse matrix."""
        check_is_fitted(self)
        features, values = self._model.features, self._model.values
        n_outputs = values.shape[1]
        indptr = np.arange(n_outputs + 1) * len(features)
        parts = (values.T.ravel(), np.tile(features, n_outputs), indptr)
        return sp.csr_matrix(parts, shape=(n_outputs, self._model.n_features))

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags

    # Notebooks: scikit-learn's picture of the estimator, and below it the certificate.
    def _certificate_html(self) -> str:
        if getattr(self, "gap_", None) is None:
            return ""
        rows = {
            "status": self.status_,
            "objective": f"{self.objective_:.10g}",
            "proven lower bound": f"{self.dual_objective_:.10g}",
            "gap": f"{self.gap_:.3g}",
            "features": f"{len(self._model.features)} of {self._model.n_features}",
            "lambda1": f"{self.lambda1_:.6g} (the model is empty from {self.lambda1_max_:.6g})",
            "lambda2": f"{self.lambda2_:.6g}",
        }
        cells = "".join(
            f"<tr><th style='text-align:left'>{name}</th><td style='text-align:left'>{html.escape(str(value))}</td></tr>"
            for name, value in rows.items()
        )
        return f"<table class='hsvm-certificate'><caption>Certificate</caption>{cells}</table>"

    def _repr_html_inner(self) -> str:
        return super()._repr_html_inner() + self._certificate_html()

    def _repr_mimebundle_(self, **kwargs):
        bundle = super()._repr_mimebundle_(**kwargs)
        if "text/html" in bundle:
            bundle["text/html"] += self._certificate_html()
        return bundle
