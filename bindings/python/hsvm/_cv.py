from __future__ import annotations

import numpy as np
from sklearn.model_selection import StratifiedGroupKFold, check_cv
from sklearn.utils.validation import check_is_fitted

from . import _core
from ._base import LinearClassifier
from ._progress import progress
from ._validation import make_problem

# scikit-learn's names of scores, where the library has another.
_SCORES = {"roc_auc": "auc", "f1_macro": "macro_f1"}

_DEFAULT_FOLDS = 10
_NEVER = -1


def folds_of_splits(splits, n_samples: int) -> dict:
    """(train, test) pairs as numbers of folds, several lists of them where samples are held out repeatedly."""
    repeats: list[np.ndarray] = []
    counts: list[int] = []
    for number, (train, test) in enumerate(splits):
        held_out = np.zeros(n_samples, dtype=bool)
        held_out[test] = True
        inside = np.zeros(n_samples, dtype=bool)
        inside[train] = True
        if not np.array_equal(inside, ~held_out):
            raise ValueError(
                f"cv: split {number} must train on all samples that it does not hold out, so that folds differ by their "
                "held-out samples alone"
            )
        if not repeats or np.any(repeats[-1][held_out] != _NEVER):
            repeats.append(np.full(n_samples, _NEVER, dtype=np.int32))
            counts.append(0)
        repeats[-1][held_out] = counts[-1]
        counts[-1] += 1
    if not counts or min(counts) < 2 or min(counts) != max(counts):
        raise ValueError(
            "cv must cut the samples into parts, two at least and as many in each repeat, that are held out in turn "
            f"(KFold and its kin); it holds out {counts} parts before it comes back to a sample"
        )
    return {"n_folds": counts[0], "of_sample": [fold.tolist() for fold in repeats]}


class HuberizedSVCCV(LinearClassifier):
    """HuberizedSVC with lambda1, lambda2 and, if asked, delta chosen by cross-validation.

    One path over lambda1 for each lambda2 and fold; the model of the best point, or of the sparsest one within one
    standard error of it, fitted to all samples. Class probabilities come from the scores of the held-out samples, without
    another fit. The folds do not depend on the order of the samples.

    Parameters
    ----------
    cv : int, splitter, iterable of (train, test), or None
        How samples are held out. None: ten stratified folds, drawn with ``random_state``; a number: so many. Splitters and
        iterables hold each sample out once at most in a repeat and train on all others, as KFold and its kin do.
    scoring : {"accuracy", "balanced_accuracy", "loss", "auc", "macro_f1"}
        What the best model is best in; "roc_auc" and "f1_macro" are other names of the last two.
    one_se : bool
        Use the sparsest model within one standard error of the best.
    stability : int
        Also count how often each feature is selected on so many random halves of the samples.
    lambda2 : float or None
        A fixed lambda2. None: those of ``lambda2_grid``.
    lambda2_grid, delta_grid, lambda_grid : list of floats or None
        Values of lambda2, delta and lambda1 to try. None: 1, 0.1, 0.01 and 0.001, lower where the best is the lowest;
        delta alone; and ``nlambda`` values from lambda1_max down.
    alpha : float or None
        Instead of lambda2: lambda1 = alpha L, lambda2 = (1 - alpha) L along the path.
    nlambda, lambda_min_ratio : int and float, or None
        How many values of lambda1, and the smallest as a fraction of lambda1_max.

    The others are those of HuberizedSVC.

    Attributes
    ----------
    cv_results_ : dict of arrays
        A row for each point of the grid, ready for pandas.DataFrame.
    best_index_, one_se_index_ : int
        The two chosen points in it.
    best_score_ : float
        The cross-validated score of the best point.
    calibration_ : dict
        Slope and offsets of the probabilities, their cross-validated log_loss and brier_score.
    selection_frequency_ : array of shape (n_features,)
        With ``stability``: the share of the halves on which a feature is selected.
    notes_ : dict of str
        What to know of this cross-validation.

    and those of HuberizedSVC, of the model in use.
    """

    _calibrates = True

    def __init__(
        self,
        *,
        cv=None,
        scoring="accuracy",
        one_se=False,
        stability=0,
        lambda2=None,
        lambda2_grid=None,
        lambda3=None,
        delta=1.0,
        delta_grid=None,
        alpha=None,
        nlambda=None,
        lambda_min_ratio=None,
        lambda_grid=None,
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
        verbose=0,
    ):
        self.cv = cv
        self.scoring = scoring
        self.one_se = one_se
        self.stability = stability
        self.lambda2 = lambda2
        self.lambda2_grid = lambda2_grid
        self.lambda3 = lambda3
        self.delta = delta
        self.delta_grid = delta_grid
        self.alpha = alpha
        self.nlambda = nlambda
        self.lambda_min_ratio = lambda_min_ratio
        self.lambda_grid = lambda_grid
        self.loss = loss
        self.margins = margins
        self.standardize = standardize
        self.class_weight = class_weight
        self.penalty_factors = penalty_factors
        self.fit_intercept = fit_intercept
        self.solver = solver
        self.tol = tol
        self.max_iter = max_iter
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.verbose = verbose

    def _fold_options(self, problem, groups) -> dict:
        cv = self.cv
        is_number = isinstance(cv, (int, np.integer))
        if groups is not None and (cv is None or is_number):
            cv = StratifiedGroupKFold(_DEFAULT_FOLDS if cv is None else int(cv))
        elif cv is None:
            return {}
        elif is_number:
            return {"folds": int(cv)}
        splitter = check_cv(cv, problem.y, classifier=True)
        return {"given_folds": folds_of_splits(splitter.split(problem.X, problem.y, groups), len(problem.y))}

    def _options(self, problem, groups) -> dict:
        return {
            **self._solver_options(problem.classes),
            **self._fold_options(problem, groups),
            "score": _SCORES.get(self.scoring, self.scoring),
            "stability": self.stability,
            "alpha": self.alpha,
            "lambda2_grid": self.lambda2_grid,
            "delta_grid": self.delta_grid,
            "nlambda": self.nlambda,
            "lambda_min_ratio": self.lambda_min_ratio,
            "lambda_grid": self.lambda_grid,
        }

    def fit(self, X, y, sample_weight=None, groups=None):
        """Chooses the penalties by cross-validation and fits to all samples; groups are for splitters that need them."""
        problem = make_problem(self, X, y, sample_weight, self.penalty_factors)
        options = self._options(problem, groups)
        with progress(self.verbose, "hsvm cv") as on_look:
            tuned = _core.tune(**problem.arguments(), options=options, on_look=on_look)
        self.classes_ = problem.classes
        self._take_tuned(tuned)
        self._warn_unless_converged()
        return self

    def _take_tuned(self, tuned: _core.Tuned) -> None:
        self._tuned = tuned
        self._take_model(tuned.one_se if self.one_se else tuned.best)
        tuning = tuned.tuning
        grid = tuning["grid"]
        score = tuning["score"]
        self.cv_results_ = {
            "lambda1": grid["lambda1"],
            "lambda2": grid["lambda2"],
            "delta": grid["delta"],
            "nonzeros": grid["nonzeros"].astype(np.int64),
            "mean_nonzeros": grid["mean_nonzeros"],
            "not_certified": grid["not_certified"].astype(np.int64),
            "mean_test_score": grid[f"mean_{score}"],
            "se_test_score": grid[f"se_{score}"],
            **{name: values for name, values in grid.items() if name.startswith(("mean_", "se_")) and name != "mean_nonzeros"},
        }
        self.best_index_ = tuning["best"]
        self.one_se_index_ = tuning["one_se"]
        self.best_score_ = float(self.cv_results_["mean_test_score"][self.best_index_])
        self.n_folds_ = tuning["n_folds"]
        self.notes_ = tuning["notes"]
        self.calibration_ = self._model.calibration
        self.delta_ = self._model.delta
        stability = self._model.stability
        if stability is not None:
            self.selection_frequency_ = np.zeros(self._model.n_features)
            self.selection_frequency_[stability["features"]] = stability["frequencies"]
            self.mean_selected_ = stability["mean_selected"]

    def use(self, one_se: bool = True):
        """Switches to the sparser model, or back to the best, without another fit."""
        check_is_fitted(self)
        self.one_se = one_se
        self._take_tuned(self._tuned)
        return self
