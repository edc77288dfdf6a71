"""Cross-validation: folds, choices, probabilities, stability."""

import numpy as np
import pytest
from sklearn.metrics import log_loss
from sklearn.model_selection import (
    GroupKFold,
    KFold,
    LeaveOneOut,
    PredefinedSplit,
    RepeatedStratifiedKFold,
    ShuffleSplit,
    StratifiedKFold,
    TimeSeriesSplit,
)

import hsvm
from hsvm import HuberizedSVC, HuberizedSVCCV, StabilitySelector

QUICK = {"lambda2": 0.1, "nlambda": 15}


def test_scores_are_those_of_the_held_out_samples(binary):
    X, y = binary
    folds = list(StratifiedKFold(4).split(X, y))
    model = HuberizedSVCCV(cv=folds, tol=1e-9, **QUICK).fit(X, y)
    results = model.cv_results_
    for k in (3, len(results["lambda1"]) - 1):
        by_hand = []
        for train, test in folds:
            part = HuberizedSVC(lambda1=results["lambda1"][k], lambda2=0.1, tol=1e-9).fit(X[train], y[train])
            by_hand.append(part.score(X[test], y[test]))
        assert results["mean_test_score"][k] == pytest.approx(np.mean(by_hand), abs=1e-12)
        assert results["se_test_score"][k] == pytest.approx(np.std(by_hand, ddof=1) / 2, abs=1e-9)
    assert model.best_score_ == results["mean_test_score"].max()
    refit = HuberizedSVC(lambda1=model.lambda1_, lambda2=0.1, tol=1e-9).fit(X, y)
    assert np.allclose(refit.coef_, model.coef_, atol=1e-6)


def test_a_splitter_is_its_splits(binary):
    X, y = binary
    by_splitter = HuberizedSVCCV(cv=KFold(5, shuffle=True, random_state=0), **QUICK).fit(X, y)
    by_list = HuberizedSVCCV(cv=list(KFold(5, shuffle=True, random_state=0).split(X)), **QUICK).fit(X, y)
    assert np.array_equal(by_splitter.coef_, by_list.coef_) and by_splitter.n_folds_ == 5


def test_all_kinds_of_folds(binary):
    X, y = binary
    groups = np.arange(len(y)) // 8
    assert HuberizedSVCCV(cv=3, **QUICK).fit(X, y).n_folds_ == 3
    assert HuberizedSVCCV(cv=LeaveOneOut(), **QUICK).fit(X, y).n_folds_ == len(y)
    assert HuberizedSVCCV(cv=GroupKFold(5), **QUICK).fit(X, y, groups=groups).n_folds_ == 5
    assert HuberizedSVCCV(cv=4, **QUICK).fit(X, y, groups=groups).n_folds_ == 4
    repeated = HuberizedSVCCV(cv=RepeatedStratifiedKFold(n_splits=4, n_repeats=3, random_state=0), **QUICK).fit(X, y)
    assert repeated.n_folds_ == 4 and repeated._tuned.tuning["repeats"] == 3
    some = PredefinedSplit(np.where(np.arange(len(y)) < 20, -1, np.arange(len(y)) % 4))
    assert HuberizedSVCCV(cv=some, **QUICK).fit(X, y).n_folds_ == 4
    for cv in (ShuffleSplit(3, test_size=0.5), TimeSeriesSplit(3), KFold(3).split(X[:40])):
        with pytest.raises(ValueError, match="^cv"):
            HuberizedSVCCV(cv=cv, **QUICK).fit(X, y)


def test_the_order_of_samples_does_not_matter(binary):
    X, y = binary
    order = np.random.default_rng(0).permutation(len(y))
    one, other = HuberizedSVCCV(**QUICK).fit(X, y), HuberizedSVCCV(**QUICK).fit(X[order], y[order])
    assert np.array_equal(one.cv_results_["mean_accuracy"], other.cv_results_["mean_accuracy"])
    assert np.allclose(one.predict_proba(X), other.predict_proba(X), atol=1e-6)


def test_one_se_is_sparser_and_can_be_switched(binary):
    X, y = binary
    best = HuberizedSVCCV(**QUICK).fit(X, y)
    sparser = HuberizedSVCCV(one_se=True, **QUICK).fit(X, y)
    assert (sparser.coef_ != 0).sum() <= (best.coef_ != 0).sum()
    results = best.cv_results_
    k = best.one_se_index_
    assert results["mean_test_score"][k] >= best.best_score_ - results["se_test_score"][best.best_index_] - 1e-12
    assert np.array_equal(best.use(one_se=True).coef_, sparser.coef_)


def test_probabilities_agree_with_predictions_and_are_calibrated():
    train, test = hsvm.generate(200, 50, seed=1), hsvm.generate(1000, 50, seed=2)
    model = HuberizedSVCCV().fit(train.data, train.target)
    p = model.predict_proba(test.data)
    assert np.array_equal(model.classes_[p.argmax(axis=1)], model.predict(test.data))
    assert log_loss(test.target, p) < 1.25 * model.calibration_["log_loss"] + 0.05
    assert np.allclose(model.predict_log_proba(test.data), np.log(p))
    assert not hasattr(HuberizedSVC().fit(train.data, train.target), "predict_proba")


def test_several_classes_have_probabilities(four_classes):
    X, y = four_classes
    model = HuberizedSVCCV(scoring="f1_macro", **QUICK).fit(X, y)
    p = model.predict_proba(X)
    assert np.allclose(p.sum(axis=1), 1) and np.array_equal(model.classes_[p.argmax(axis=1)], model.predict(X))
    assert np.array_equal(model.cv_results_["mean_test_score"], model.cv_results_["mean_macro_f1"])
    ranked = HuberizedSVCCV(scoring="roc_auc", **QUICK).fit(X, y)  # each class against the others
    assert 0.5 < ranked.best_score_ <= 1.0


def test_results_are_a_table(binary):
    pd = pytest.importorskip("pandas")
    X, y = binary
    model = HuberizedSVCCV(lambda2_grid=[1.0, 0.1], delta_grid=[1.0, 0.5], nlambda=8).fit(X, y)
    table = pd.DataFrame(model.cv_results_)
    assert set(table.lambda2) == {1.0, 0.1} and set(table.delta) == {1.0, 0.5}
    assert table.loc[model.best_index_, "lambda1"] == model.lambda1_


def test_stability_finds_what_matters():
    data = hsvm.generate(120, 200, n_informative=4, correlation=0.0, seed=5)
    model = HuberizedSVCCV(stability=20, **QUICK).fit(data.data, data.target)
    assert model.selection_frequency_[:4].min() == 1.0
    assert model.selection_frequency_.sum() == pytest.approx(model.mean_selected_)
    selector = StabilitySelector(n_halves=20, threshold=0.9, lambda2=0.1).fit(data.data, data.target)
    assert selector.get_support()[:4].all() and selector.get_support().sum() < 20
    assert selector.transform(data.data).shape[1] == selector.get_support().sum()
    with pytest.raises(ValueError, match="threshold 0"):
        StabilitySelector(threshold=0.0).fit(data.data, data.target)


@pytest.mark.parametrize(
    "parameters, message",
    [
        ({"cv": 1}, "^cv 1"),
        ({"cv": 10**6}, "^cv 1000000"),
        ({"scoring": "r2"}, "^scoring 'r2': must be one of accuracy"),
        ({"lambda2": 0.1, "lambda2_grid": [1.0]}, "lambda2"),
        ({"lambda2_grid": [-1.0]}, "lambda2_grid"),
        ({"lambda_grid": []}, "lambda_grid is empty"),
        ({"stability": -1}, "stability"),
        ({"nlambda": 0}, "nlambda"),
    ],
)
def test_refuses_bad_parameters(binary, parameters, message):
    with pytest.raises((ValueError, TypeError), match=message):
        HuberizedSVCCV(**parameters).fit(*binary)


def test_a_page_shows_the_model(binary, tmp_path):
    X, y = binary
    tuned = HuberizedSVCCV(cv=4, **QUICK).fit(X, y)
    fitted = HuberizedSVC(lambda1_ratio=0.3).fit(X, y)
    path = hsvm.hsvm_path(X, y, nlambda=10)
    for shown, name in ((tuned, "<b>mine</b>"), (fitted, "a fit"), (path, "a path")):
        shown.report(tmp_path / "page.html", name)
        page = (tmp_path / "page.html").read_text(encoding="utf-8")
        assert page.startswith("<!DOCTYPE html>") and page.rstrip().endswith("</html>")
        assert "<b>mine</b>" not in page and ("a fit" in page or "a path" in page or "&lt;b&gt;mine" in page)
    assert f"lambda1 = {fitted.lambda1_:.6g}" in _page(fitted, tmp_path)
    with pytest.raises(ValueError, match="cannot"):
        tuned.report(tmp_path / "absent" / "page.html")


def _page(estimator, folder):
    estimator.report(folder / "one.html")
    return (folder / "one.html").read_text(encoding="utf-8")
