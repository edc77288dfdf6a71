"""Pictures, as scikit-learn's displays: numbers first, matplotlib only in plot()."""

from __future__ import annotations

import numpy as np
from sklearn.utils.validation import check_is_fitted

from ._cv import HuberizedSVCCV
from ._path import HuberizedPath, hsvm_path


def _axes(ax, **size):
    if ax is not None:
        return ax
    try:
        import matplotlib.pyplot as plt
    except ImportError as error:
        raise ImportError("plot() needs matplotlib: pip install matplotlib") from error
    return plt.subplots(layout="constrained", **size)[1]


def _names(names, n_features: int) -> list[str]:
    return [str(name) for name in names] if len(names) else [f"x{j + 1}" for j in range(n_features)]


def _names_of(estimator) -> list[str]:
    return _names(getattr(estimator, "feature_names_in_", ()), estimator.n_features_in_)


class PathDisplay:
    """Coefficients along a path, against lambda1 or the number of features; the largest are labelled."""

    def __init__(self, *, lambdas, nonzeros, coefs, names, output=None):
        self.lambdas = lambdas
        self.nonzeros = nonzeros
        self.coefs = coefs  # n_features x n_points, of features that are ever in a model
        self.names = names
        self.output = output

    @classmethod
    def from_path(cls, path: HuberizedPath, *, output: int = 0, x: str = "lambda1", ax=None, n_labels: int = 8):
        """Of a path: the coefficients of one output (the class, of three and more)."""
        coefs = path.coefs[output]
        coefs = coefs.toarray() if not isinstance(coefs, np.ndarray) else coefs
        used = np.flatnonzero(np.any(coefs != 0.0, axis=1))
        names = _names(path.feature_names_, path.n_features_)
        title = str(path.classes_[output]) if len(path.coefs) > 1 else None
        display = cls(
            lambdas=path.lambdas, nonzeros=path.nonzeros, coefs=coefs[used], names=[names[j] for j in used], output=title
        )
        return display.plot(ax=ax, x=x, n_labels=n_labels)

    @classmethod
    def from_estimator(cls, estimator, X, y, *, sample_weight=None, output=0, x="lambda1", ax=None, n_labels=8):
        """Of the path with the parameters of a HuberizedSVC or HuberizedSVCCV."""
        given = estimator.get_params(deep=False)
        shared = (
            "lambda2 lambda3 alpha delta loss margins standardize class_weight penalty_factors fit_intercept solver tol "
            "max_iter n_jobs random_state nlambda lambda_min_ratio lambda_grid"
        ).split()
        options = {name: given[name] for name in shared if name in given}
        if options.get("lambda2") is None and options.get("alpha") is None and hasattr(estimator, "lambda2_"):
            options["lambda2"] = estimator.lambda2_
        path = hsvm_path(X, y, sample_weight=sample_weight, **options)
        return cls.from_path(path, output=output, x=x, ax=ax, n_labels=n_labels)

    def plot(self, ax=None, *, x: str = "lambda1", n_labels: int = 8):
        if x not in ("lambda1", "nonzeros"):
            raise ValueError(f"x {x!r}: must be one of 'lambda1', 'nonzeros'")
        self.ax_ = ax = _axes(ax)
        self.figure_ = ax.figure
        at = self.lambdas if x == "lambda1" else self.nonzeros
        self.lines_ = ax.plot(at, self.coefs.T, linewidth=1)
        if x == "lambda1":
            ax.set_xscale("log")
            ax.invert_xaxis()
        ax.axhline(0.0, color="0.7", linewidth=0.5, zorder=0)
        last = self.coefs[:, -1]
        self.text_ = []
        for j in np.argsort(-np.abs(last))[:n_labels]:
            if last[j] == 0.0:
                continue
            self.text_.append(
                ax.annotate(
                    self.names[j],
                    (at[-1], last[j]),
                    xytext=(3, 0),
                    textcoords="offset points",
                    va="center",
                    fontsize="small",
                    color=self.lines_[j].get_color(),
                )
            )
        ax.set(xlabel="lambda1" if x == "lambda1" else "features in the model", ylabel="coefficient")
        if self.output is not None:
            ax.set_title(self.output)
        return self


class CVDisplay:
    """Cross-validated scores with standard errors; a heat map for several lambda2."""

    def __init__(self, *, lambda1, lambda2, mean, se, best, one_se, score):
        self.lambda1 = lambda1
        self.lambda2 = lambda2
        self.mean = mean
        self.se = se
        self.best = best
        self.one_se = one_se
        self.score = score

    @classmethod
    def from_estimator(cls, estimator: HuberizedSVCCV, *, kind: str = "auto", ax=None):
        """Of a fitted HuberizedSVCCV. kind: "curve" (of the best lambda2), "heatmap", or "auto" by their number.

        Of several delta the best one is shown.
        """
        check_is_fitted(estimator)
        results = estimator.cv_results_
        best = estimator.best_index_
        rows = np.flatnonzero(results["delta"] == results["delta"][best])
        place = {int(row): k for k, row in enumerate(rows)}
        display = cls(
            lambda1=results["lambda1"][rows],
            lambda2=results["lambda2"][rows],
            mean=results["mean_test_score"][rows],
            se=results["se_test_score"][rows],
            best=place[best],
            one_se=place.get(estimator.one_se_index_),
            score=estimator.scoring,
        )
        return display.plot(ax=ax, kind=kind)

    def plot(self, ax=None, *, kind: str = "auto"):
        if kind not in ("auto", "curve", "heatmap"):
            raise ValueError(f"kind {kind!r}: must be one of 'auto', 'curve', 'heatmap'")
        if kind == "auto":
            kind = "heatmap" if len(np.unique(self.lambda2)) > 1 else "curve"
        self.ax_ = ax = _axes(ax)
        self.figure_ = ax.figure
        ax.set_xscale("log")
        ax.invert_xaxis()
        ax.set_xlabel("lambda1")
        (self._plot_curve if kind == "curve" else self._plot_heatmap)(ax)
        ax.legend(fontsize="small")
        return self

    def _marks(self):
        marks = [(self.best, "best", "*")]
        if self.one_se is not None and self.one_se != self.best:
            marks.append((self.one_se, "one standard error", "o"))
        return marks

    def _plot_curve(self, ax) -> None:
        rows = np.flatnonzero(self.lambda2 == self.lambda2[self.best])
        self.errorbar_ = ax.errorbar(
            self.lambda1[rows], self.mean[rows], self.se[rows], marker=".", linewidth=1, elinewidth=0.5, capsize=1.5
        )
        for row, label, marker in self._marks():
            if self.lambda2[row] == self.lambda2[self.best]:
                ax.plot(self.lambda1[row], self.mean[row], marker, color="C3", markersize=10, fillstyle="none", label=label)
        ax.set(ylabel=self.score, title=f"lambda2 = {self.lambda2[self.best]:.4g}")

    def _plot_heatmap(self, ax) -> None:
        self.points_ = ax.scatter(self.lambda1, self.lambda2, c=self.mean, marker="s", s=60, cmap="viridis")
        ax.set_yscale("log" if np.all(self.lambda2 > 0.0) else "symlog")
        for row, label, marker in self._marks():
            ax.plot(self.lambda1[row], self.lambda2[row], marker, color="C3", markersize=12, fillstyle="none", label=label)
        self.colorbar_ = ax.figure.colorbar(self.points_, ax=ax, label=self.score)
        ax.set_ylabel("lambda2")


class StabilityDisplay:
    """How often the most stable features are selected on random halves of the samples."""

    def __init__(self, *, names, frequencies, threshold=None):
        self.names = names
        self.frequencies = frequencies
        self.threshold = threshold

    @classmethod
    def from_estimator(cls, estimator, *, n_features: int = 20, ax=None):
        """Of a fitted StabilitySelector, or HuberizedSVCCV with stability."""
        check_is_fitted(estimator)
        if not hasattr(estimator, "selection_frequency_"):
            raise ValueError("the estimator has counted nothing: fit it with stability=50, say")
        frequency = estimator.selection_frequency_
        top = np.argsort(-frequency, kind="stable")[:n_features]
        top = top[frequency[top] > 0.0]
        names = _names_of(estimator)
        threshold = getattr(estimator, "threshold", None)
        display = cls(names=[names[j] for j in top], frequencies=frequency[top], threshold=threshold)
        return display.plot(ax=ax)

    def plot(self, ax=None):
        self.ax_ = ax = _axes(ax, figsize=(6, 0.8 + 0.22 * len(self.names)))
        self.figure_ = ax.figure
        self.bars_ = ax.barh(self.names, self.frequencies)
        ax.invert_yaxis()
        if self.threshold is not None:
            self.line_ = ax.axvline(self.threshold, color="C3", linestyle="--", label="threshold")
            ax.legend(fontsize="small")
        ax.set(xlabel="share of the halves that select it", xlim=(0.0, 1.0))
        return self


class CoefficientsDisplay:
    """The largest coefficients, a panel of bars for each class (one for two classes)."""

    def __init__(self, *, coef, names, classes):
        self.coef = coef  # n_outputs x n_features
        self.names = names
        self.classes = classes

    @classmethod
    def from_estimator(cls, estimator, *, n_features: int = 15, ax=None):
        check_is_fitted(estimator)
        display = cls(coef=estimator.coef_, names=_names_of(estimator), classes=estimator.classes_)
        return display.plot(ax=ax, n_features=n_features)

    def plot(self, ax=None, *, n_features: int = 15):
        """ax: one, or for three and more classes an array of one for each class."""
        n_outputs = self.coef.shape[0]
        height = 0.8 + 0.22 * min(n_features, self.coef.shape[1])
        if ax is None:
            ax = _axes(None, ncols=n_outputs, figsize=(4.5 * n_outputs, height))
        axes = np.atleast_1d(ax)
        if axes.size != n_outputs:
            raise ValueError(f"{axes.size} axes for {n_outputs} panels: there must be one for each")
        self.ax_ = axes.ravel() if n_outputs > 1 else axes.ravel()[0]
        self.figure_ = axes.ravel()[0].figure
        self.bars_ = []
        for k, panel in enumerate(axes.ravel()):
            coef = self.coef[k]
            top = np.argsort(-np.abs(coef), kind="stable")[:n_features]
            top = top[coef[top] != 0.0]
            colors = np.where(coef[top] > 0.0, "C0", "C3")
            self.bars_.append(panel.barh([self.names[j] for j in top], coef[top], color=colors))
            panel.invert_yaxis()
            panel.axvline(0.0, color="0.7", linewidth=0.5)
            panel.set(xlabel="coefficient", title=str(self.classes[k] if n_outputs > 1 else self.classes[1]))
        return self
