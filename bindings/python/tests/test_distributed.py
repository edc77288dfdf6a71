"""Tuning over processes and machines, by joblib's backends alone."""

import joblib
import numpy as np
import pytest
from conftest import UNDER_SANITIZER
from sklearn.model_selection import GridSearchCV, cross_val_score

from hsvm import HuberizedSVC

pytestmark = pytest.mark.skipif(UNDER_SANITIZER, reason="the workers would need the sanitizer, too")
GRID = {"lambda1_ratio": [0.5, 0.2, 0.1], "lambda2": [1.0, 0.01]}


def search(X, y, n_jobs):
    return GridSearchCV(HuberizedSVC(), GRID, cv=3, n_jobs=n_jobs).fit(X, y)


def test_loky(binary):
    X, y = binary
    alone = search(X, y, None)
    with joblib.parallel_backend("loky"):
        spread = search(X, y, 2)
    assert np.array_equal(alone.cv_results_["mean_test_score"], spread.cv_results_["mean_test_score"])
    assert np.array_equal(alone.best_estimator_.coef_, spread.best_estimator_.coef_)


def test_dask_on_two_workers(binary):
    distributed = pytest.importorskip("distributed")
    X, y = binary
    alone = search(X, y, None)
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None
    ) as cluster, distributed.Client(cluster) as client:
        assert len(client.scheduler_info()["workers"]) == 2
        with joblib.parallel_backend("dask"):
            spread = search(X, y, -1)
            scores = cross_val_score(HuberizedSVC(), X, y, cv=3, n_jobs=-1)
    assert np.array_equal(alone.cv_results_["mean_test_score"], spread.cv_results_["mean_test_score"])
    assert np.array_equal(scores, cross_val_score(HuberizedSVC(), X, y, cv=3))
