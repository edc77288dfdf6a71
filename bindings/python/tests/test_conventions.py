"""What scikit-learn expects of an estimator."""

import io
import pickle

import joblib
import numpy as np
import pytest
import sklearn
from conftest import UNDER_SANITIZER
from sklearn.base import clone
from sklearn.calibration import CalibratedClassifierCV
from sklearn.feature_selection import SelectFromModel
from sklearn.impute import SimpleImputer
from sklearn.model_selection import GridSearchCV, GroupKFold, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import parametrize_with_checks

from hsvm import HuberizedSVC, HuberizedSVCCV, StabilitySelector


# A sanitizer would take an hour for the whole grid.
TUNED = HuberizedSVCCV(lambda2=0.1, nlambda=8) if UNDER_SANITIZER else HuberizedSVCCV()


@parametrize_with_checks([HuberizedSVC(), TUNED, StabilitySelector(n_halves=5)])
def test_follows_the_conventions(estimator, check):
    if estimator is TUNED and UNDER_SANITIZER and "sample_weight_equivalence" in str(check):
        pytest.skip("equal to seven digits only on the whole grid, which the other suite tries")
    check(estimator)


def test_is_found_by_select_from_model(binary):
    X, y = binary
    selector = SelectFromModel(HuberizedSVC(), threshold=1e-10).fit(X, y)
    assert np.array_equal(selector.get_support(), selector.estimator_.coef_[0] != 0)
    assert 0 < selector.get_support().sum() < X.shape[1]


def test_is_searched_over_in_a_pipeline(binary):
    X, y = binary
    pipe = make_pipeline(SimpleImputer(), StandardScaler(), HuberizedSVC())
    search = GridSearchCV(pipe, {"huberizedsvc__lambda1_ratio": [0.9, 0.1]}, cv=3).fit(X, y)
    assert search.best_params_["huberizedsvc__lambda1_ratio"] in (0.9, 0.1)
    assert search.best_score_ == max(search.cv_results_["mean_test_score"]) > 0.75


def test_is_calibrated_by_scikit_learn(binary):
    X, y = binary
    p = CalibratedClassifierCV(HuberizedSVC(), cv=3).fit(X, y).predict_proba(X)
    assert np.allclose(p.sum(axis=1), 1) and np.mean((p[:, 1] > 0.5) == (y == 1)) > 0.8


@pytest.mark.parametrize("make", [HuberizedSVC, HuberizedSVCCV])
def test_survives_pickle_joblib_and_clone(make, four_classes):
    X, y = four_classes
    fitted = make(lambda2=0.1).fit(X, y)
    file = io.BytesIO()
    joblib.dump(fitted, file)
    file.seek(0)
    for copy in (pickle.loads(pickle.dumps(fitted)), joblib.load(file)):
        assert np.array_equal(copy.decision_function(X), fitted.decision_function(X))
        assert copy.gap_ == fitted.gap_ and copy._model.to_json() == fitted._model.to_json()
    assert clone(fitted).get_params() == fitted.get_params()
    assert not hasattr(clone(fitted), "coef_")


def test_metadata_is_routed(binary):
    X, y = binary
    weights = np.where(np.arange(len(y)) % 4 == 0, 0.0, 1.0)
    groups = np.arange(len(y)) % 8
    with sklearn.config_context(enable_metadata_routing=True):
        scaler = StandardScaler().set_fit_request(sample_weight=False)
        pipe = make_pipeline(scaler, HuberizedSVC().set_fit_request(sample_weight=True))
        pipe.fit(X, y, sample_weight=weights)
        tuned = HuberizedSVCCV(lambda2=0.1, cv=GroupKFold(4)).set_fit_request(groups=True)
        routed = make_pipeline(StandardScaler(), tuned).fit(X, y, groups=groups)
    kept = weights > 0
    alone = HuberizedSVC().fit(StandardScaler().fit(X).transform(X)[kept], y[kept])
    assert np.allclose(pipe[-1].coef_, alone.coef_, atol=1e-8)
    assert routed[-1].n_folds_ == 4


def test_set_output_names_what_is_selected(binary):
    pd = pytest.importorskip("pandas")
    X, y = binary
    X = pd.DataFrame(X, columns=[f"gene{j}" for j in range(X.shape[1])])
    selector = StabilitySelector(n_halves=8, threshold=0.5, lambda2=0.1).set_output(transform="pandas").fit(X, y)
    kept = selector.transform(X)
    assert list(kept.columns) == list(selector.get_feature_names_out())
    assert kept.shape[1] == selector.get_support().sum() > 0


def test_is_cross_validated(binary):
    X, y = binary
    assert np.mean(cross_val_score(HuberizedSVC(), X, y, cv=4)) > 0.75


def test_html_shows_the_certificate(binary):
    X, y = binary
    unfitted, fitted = HuberizedSVC(), HuberizedSVC().fit(X, y)
    for text in (fitted._repr_html_(), fitted._repr_mimebundle_()["text/html"]):
        assert "Certificate" in text and f"{fitted.dual_objective_:.10g}" in text
    assert "Certificate" not in unfitted._repr_html_()
