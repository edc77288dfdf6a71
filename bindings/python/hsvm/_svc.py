from __future__ import annotations

from . import _core
from ._base import LinearClassifier
from ._progress import progress
from ._validation import class_names, make_problem


class HuberizedSVC(LinearClassifier):
    """A sparse linear SVM with the huberized hinge loss, fitted to a proven accuracy.

    Minimises mean_i s_i phi(y_i f(x_i)) + lambda1 sum_j v_j |w_j| + lambda2/2 |w|^2 + lambda3/2 b^2 for two classes, and
    the all-together model of the same kind for more. With ``standardize`` the penalties act on features of variance 1;
    coefficients are on the data's own scale all the same.

    Parameters
    ----------
    lambda1 : float or None
        Weight of the l1 penalty. None: ``lambda1_ratio`` times lambda1_max.
    lambda1_ratio : float or None
        lambda1 as a fraction of lambda1_max, from which on the model is empty. None beside ``lambda1=None``: 0.1.
    lambda2 : float
        Weight of the squared l2 penalty.
    lambda3 : float or None
        The same for the intercept. None or 0: a free intercept.
    delta : float
        Width over which the hinge is smoothed.
    loss : {"huberized", "squared-hinge"}
    margins : {"relative", "absolute"} or None
        Of three or more classes: the right score beats each wrong one, or each wrong score is low by itself (the paper's
        model). None: relative.
    standardize : bool
        Centre the features and scale them to variance 1 for the fit. Sparse data stays sparse.
    class_weight : dict, "balanced" or None
    penalty_factors : array of shape (n_features,) or None
        Factors v_j on lambda1, one for each feature.
    fit_intercept : bool
    solver : {"newton", "pg", "pg2"}
    tol : float
        Relative duality gap to stop at: (objective - dual_objective)/(objective of the zero model).
    max_iter : int
    warm_start : bool
        Begin at the previous solution where it has the same classes and features. The solution is the same.
    n_jobs : int or None
        Threads; None: OMP_NUM_THREADS or all cores. Results do not depend on it.
    random_state : int, RandomState or None
        The solvers are not random: for scikit-learn's conventions alone.
    verbose : bool or int
        Show progress, with tqdm where it is installed.

    Attributes
    ----------
    classes_, coef_, intercept_, n_features_in_, feature_names_in_, n_iter_
        As scikit-learn has them. coef_ is (1, n_features) for two classes, (n_classes, n_features) for more.
    sparse_coef_ : coef_ as a SciPy matrix.
    objective_, dual_objective_, gap_ : float
        The objective at the solution, a proven lower bound of its minimum, and the difference.
    status_ : str
        "converged", "iteration_limit", "stalled" or "not_finite".
    lambda1_, lambda2_, lambda1_max_ : float
        The penalties of the model, and the smallest lambda1 of an empty one.
    """

    def __init__(
        self,
        *,
        lambda1=None,
        lambda1_ratio=None,
        lambda2=0.01,
        lambda3=None,
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
        warm_start=False,
        n_jobs=None,
        random_state=None,
        verbose=0,
    ):
        self.lambda1 = lambda1
        self.lambda1_ratio = lambda1_ratio
        self.lambda2 = lambda2
        self.lambda3 = lambda3
        self.delta = delta
        self.loss = loss
        self.margins = margins
        self.standardize = standardize
        self.class_weight = class_weight
        self.penalty_factors = penalty_factors
        self.fit_intercept = fit_intercept
        self.solver = solver
        self.tol = tol
        self.max_iter = max_iter
        self.warm_start = warm_start
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.verbose = verbose

    def _options(self, classes) -> dict:
        return {
            **self._solver_options(classes),
            "lambda1": self.lambda1,
            "lambda1_ratio": self.lambda1_ratio,
        }

    def _start(self, classes, n_features: int) -> _core.Model | None:
        model = getattr(self, "_model", None)
        if not self.warm_start or model is None:
            return None
        return model if model.classes == class_names(classes) and model.n_features == n_features else None

    def fit(self, X, y, sample_weight=None):
        """Fits the model to X (n_samples, n_features), an array or a sparse matrix, and the labels y."""
        problem = make_problem(self, X, y, sample_weight, self.penalty_factors)
        options = self._options(problem.classes)
        start = self._start(problem.classes, problem.X.shape[1])
        with progress(self.verbose, "hsvm") as on_look:
            model = _core.fit(**problem.arguments(), options=options, start=start, on_look=on_look)
        self.classes_ = problem.classes
        self._take_model(model)
        self._warn_unless_converged()
        return self
