from __future__ import annotations

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.feature_selection import SelectorMixin
from sklearn.utils.validation import check_is_fitted

from ._cv import HuberizedSVCCV


class StabilitySelector(SelectorMixin, BaseEstimator):
    """Keeps the features that a sparse SVM selects on most random halves of the samples.

    Cross-validation chooses the penalties (HuberizedSVCCV); then features are counted on random halves down to the chosen
    lambda1.

    Parameters
    ----------
    n_halves : int
        How many random halves.
    threshold : float
        Keep features that are selected on at least this share of them.
    cv, scoring, one_se, lambda2, lambda2_grid, standardize, class_weight, n_jobs, random_state, verbose
        As in HuberizedSVCCV.

    Attributes
    ----------
    selection_frequency_ : array of shape (n_features,)
    mean_selected_ : float
        How many features a half selects on average.
    estimator_ : HuberizedSVCCV
        The cross-validated model.
    """

    def __init__(
        self,
        *,
        n_halves=50,
        threshold=0.6,
        cv=None,
        scoring="accuracy",
        one_se=False,
        lambda2=None,
        lambda2_grid=None,
        standardize=True,
        class_weight=None,
        n_jobs=None,
        random_state=None,
        verbose=0,
    ):
        self.n_halves = n_halves
        self.threshold = threshold
        self.cv = cv
        self.scoring = scoring
        self.one_se = one_se
        self.lambda2 = lambda2
        self.lambda2_grid = lambda2_grid
        self.standardize = standardize
        self.class_weight = class_weight
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.verbose = verbose

    def fit(self, X, y, groups=None):
        """Counts how often each feature is selected."""
        if not 0.0 < self.threshold <= 1.0:
            raise ValueError(f"threshold {self.threshold!r}: must be greater than 0 and at most 1")
        if self.n_halves < 1:
            raise ValueError(f"n_halves {self.n_halves!r}: must be at least 1")
        shared = {name: getattr(self, name) for name in self.get_params() if name not in ("n_halves", "threshold")}
        estimator = HuberizedSVCCV(stability=self.n_halves, **shared)
        estimator.fit(X, y, groups=groups)
        self.estimator_ = estimator
        self.n_features_in_ = estimator.n_features_in_
        if hasattr(estimator, "feature_names_in_"):
            self.feature_names_in_ = estimator.feature_names_in_
        elif hasattr(self, "feature_names_in_"):
            del self.feature_names_in_
        self.selection_frequency_ = estimator.selection_frequency_
        self.mean_selected_ = estimator.mean_selected_
        return self

    def _get_support_mask(self) -> np.ndarray:
        check_is_fitted(self)
        return self.selection_frequency_ >= self.threshold

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.target_tags.required = True
        return tags

    def _more_tags(self):  # scikit-learn before 1.6
        return {"requires_y": True}
