"""Fits are the minimisers they claim to be, and every parameter does what it says."""

import warnings

import numpy as np
import pytest
from sklearn.exceptions import ConvergenceWarning

import hsvm
from hsvm import HuberizedSVC, HuberizedSVCCV, hsvm_path


def objective(model, X, y, delta=1.0):
    """The binary objective, by hand."""
    t = np.where(y == model.classes_[1], 1, -1) * (X @ model.coef_[0] + model.intercept_[0])
    loss = np.where(t > 1, 0, np.where(t > 1 - delta, (1 - t) ** 2 / (2 * delta), 1 - t - delta / 2))
    w = model.coef_[0]
    return loss.mean() + model.lambda1_ * np.abs(w).sum() + model.lambda2_ / 2 * w @ w


@pytest.mark.parametrize("delta", [0.3, 1.0])
@pytest.mark.parametrize("solver", ["newton", "pg", "pg2"])
def test_the_certificate_holds(binary, delta, solver):
    X, y = binary
    model = HuberizedSVC(standardize=False, lambda1=0.05, lambda2=0.1, delta=delta, solver=solver, tol=1e-8).fit(X, y)
    assert model.status_ == "converged"
    value = objective(model, X, y, delta)
    assert value == pytest.approx(model.objective_, abs=1e-12)
    assert model.dual_objective_ <= value + 1e-12
    assert model.gap_ == pytest.approx(model.objective_ - model.dual_objective_, abs=1e-12)
    assert model.gap_ <= 1e-8 * (1 - delta / 2) * 1.001
    rng = np.random.default_rng(0)
    for _ in range(20):  # no point around it is better than the bound
        other = HuberizedSVC().set_params(**model.get_params())
        other.__dict__.update(model.__dict__)
        other.coef_ = model.coef_ + rng.normal(0, 0.01, model.coef_.shape)
        assert objective(other, X, y, delta) >= model.dual_objective_


def test_lambda1_max_is_where_the_model_becomes_empty(binary):
    X, y = binary
    largest = HuberizedSVC().fit(X, y).lambda1_max_
    assert not HuberizedSVC(lambda1=largest).fit(X, y).coef_.any()
    assert HuberizedSVC(lambda1=0.99 * largest).fit(X, y).coef_.any()
    ratio = HuberizedSVC(lambda1_ratio=0.3).fit(X, y)
    assert ratio.lambda1_ == pytest.approx(0.3 * largest)
    assert np.array_equal(ratio.coef_, HuberizedSVC(lambda1=ratio.lambda1_).fit(X, y).coef_)


def test_scores_are_those_of_the_coefficients(binary, four_classes):
    for X, y in (binary, four_classes):
        model = HuberizedSVC().fit(X, y)
        scores = X @ model.coef_.T + model.intercept_
        scores = scores[:, 0] if len(model.classes_) == 2 else scores
        assert np.allclose(model.decision_function(X), scores)
        assert np.array_equal(model.sparse_coef_.toarray(), model.coef_)
        predicted = (scores > 0).astype(int) if len(model.classes_) == 2 else scores.argmax(axis=1)
        assert np.array_equal(model.predict(X), model.classes_[predicted])
    assert np.allclose(model.coef_.sum(axis=0), 0, atol=1e-10)  # of several classes


def test_weights_are_repetitions(binary):
    X, y = binary
    weights = np.random.default_rng(1).integers(0, 3, len(y))
    weighted = HuberizedSVC(tol=1e-10).fit(X, y, sample_weight=weights)
    repeated = HuberizedSVC(tol=1e-10).fit(X.repeat(weights, axis=0), y.repeat(weights))
    assert np.allclose(weighted.coef_, repeated.coef_, atol=1e-7)


def test_class_weights_by_label(binary):
    X, y = binary
    by_class = HuberizedSVC(class_weight={1: 3.0, -1: 1.0}, standardize=False).fit(X, y)
    by_sample = HuberizedSVC(standardize=False).fit(X, y, sample_weight=np.where(y == 1, 3.0, 1.0))
    assert np.allclose(by_class.coef_, by_sample.coef_, atol=1e-9)
    words = np.where(y == 1, "yes", "no")
    assert np.array_equal(HuberizedSVC(class_weight={"yes": 3.0}, standardize=False).fit(X, words).coef_, by_class.coef_)
    with pytest.raises(ValueError, match="no sample has the label 7"):
        HuberizedSVC(class_weight={7: 1.0}).fit(X, y)


def test_penalty_factors_free_features(binary):
    X, y = binary
    factors = np.ones(X.shape[1])
    factors[-1] = 0.0
    assert HuberizedSVC(lambda1_ratio=0.9).fit(X, y).coef_[0, -1] == 0
    assert HuberizedSVC(lambda1_ratio=0.9, penalty_factors=factors).fit(X, y).coef_[0, -1] != 0
    with pytest.raises(ValueError, match="penalty factors"):
        HuberizedSVC(penalty_factors=[1.0, 2.0]).fit(X, y)


def test_without_an_intercept_it_is_zero(binary):
    assert not HuberizedSVC(fit_intercept=False).fit(*binary).intercept_.any()


def test_warm_start_goes_on_where_it_was(binary, four_classes):
    for X, y in (binary, four_classes):
        model = HuberizedSVC(warm_start=True, solver="pg", tol=1e-9).fit(X, y)
        cold, objective = model.n_iter_, model.objective_
        assert model.fit(X, y).n_iter_ < cold / 2
        assert model.objective_ == pytest.approx(objective, abs=1e-9)
        assert model.fit(X[:, :9], y).n_features_in_ == 9  # another shape: from the beginning


def test_warns_with_the_gap_and_only_then(binary):
    X, y = binary
    with pytest.warns(ConvergenceWarning) as caught:
        model = HuberizedSVC(solver="pg", max_iter=3, tol=1e-9).fit(X, y)
    assert model.status_ == "iteration_limit" and f"{model.gap_:.3g}" in str(caught[0].message)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        HuberizedSVC().fit(X, y)
        HuberizedSVCCV(lambda2=0.1).fit(X, y)


def test_threads_change_no_bit(four_classes):
    X, y = four_classes
    one, two = (HuberizedSVCCV(lambda2=0.1, nlambda=20, n_jobs=n).fit(X, y) for n in (1, 2))
    assert np.array_equal(one.coef_, two.coef_)
    assert np.array_equal(one.cv_results_["mean_loss"], two.cv_results_["mean_loss"])


@pytest.mark.parametrize(
    "parameters, message",
    [
        ({"lambda1": -1.0}, "lambda1 -1"),
        ({"lambda1": "much"}, "lambda1 'much': must be a number"),
        ({"lambda1": 0.1, "lambda1_ratio": 0.1}, "lambda1"),
        ({"lambda1": 0.0, "lambda2": 0.0}, "both 0"),
        ({"delta": 0.0}, "delta"),
        ({"loss": "hinge"}, "loss 'hinge': must be one of 'huberized', 'squared-hinge'"),
        ({"solver": "lbfgs"}, "'newton', 'pg', 'pg2'"),
        ({"margins": 3}, "margins 3: must be one of"),
        ({"tol": 0}, "^tol 0"),
        ({"max_iter": 1.5}, "max_iter 1.5: must be an integer"),
        ({"max_iter": 10**12}, "too large"),
        ({"class_weight": "heavy"}, "'balanced', a dict or None"),
        ({"n_jobs": 0}, "n_jobs 0"),
        ({"random_state": -1}, "random_state -1"),
        ({"tol": float("nan")}, "tol"),
    ],
)
def test_refuses_bad_parameters(binary, parameters, message):
    with pytest.raises((ValueError, TypeError), match=message):
        HuberizedSVC(**parameters).fit(*binary)


def test_a_path_is_its_points(binary, four_classes):
    for X, y in (binary, four_classes):
        path = hsvm_path(X, y, lambda2=0.1, nlambda=15, tol=1e-9)
        lambdas, coefs, gaps = path
        assert np.all(np.diff(lambdas) < 0) and coefs.shape[2] == len(lambdas) == len(gaps) == len(path)
        assert not coefs[:, :, 0].any()
        assert np.all(gaps >= 0) and np.all(gaps <= 1e-8 * 3)
        # Both are within (2 gap / lambda2)^(1/2) of the minimiser, gap <= 1e-9 of at most 3.
        single = HuberizedSVC(lambda1=lambdas[7], lambda2=0.1, tol=1e-9).fit(X, y)
        assert np.linalg.norm(single.coef_ - coefs[:, :, 7]) <= 2 * np.sqrt(2 * 3e-9 / 0.1)
        thin = hsvm_path(X, y, lambda2=0.1, nlambda=15, tol=1e-9, sparse=True)
        assert all(np.array_equal(a.toarray(), b) for a, b in zip(thin.coefs, coefs))
        middle = path.at(np.sqrt(lambdas[6] * lambdas[7]))
        assert np.array_equal(path.at(lambdas[7]).coef_, coefs[:, :, 7])
        assert middle.gap_ is None and middle.predict(X).shape == y.shape
        with pytest.raises(ValueError, match="lambda1"):
            path.at(lambdas[-1] / 10)


def test_a_path_warns_with_the_gap(binary):
    with pytest.warns(ConvergenceWarning, match="within .* of the minimum"):
        hsvm_path(*binary, solver="pg", max_iter=2, nlambda=5, lambda2=0.1, tol=1e-9)


def test_verbose_shows_progress(binary, capfd, monkeypatch):
    X, y = binary
    pytest.importorskip("tqdm")
    HuberizedSVCCV(lambda2=0.1, verbose=1).fit(X, y)
    assert "hsvm cv" in capfd.readouterr().err
    monkeypatch.setitem(__import__("sys").modules, "tqdm.auto", None)
    HuberizedSVCCV(lambda2=0.1, verbose=1).fit(X, y)
    assert "hsvm cv: 11/11 paths" in capfd.readouterr().out


def test_generate_is_the_demos_data():
    data = hsvm.generate(6, 4, n_informative=2)
    assert data.data.shape == (6, 4) and data.data.flags.f_contiguous
    assert data.target.tolist() == [1, -1] * 3
    with pytest.raises(ValueError, match="n_classes 3"):
        hsvm.generate(n_classes=3)
