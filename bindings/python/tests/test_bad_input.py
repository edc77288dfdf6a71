"""Bad input is a ValueError (or TypeError) with a clear message, never a crash."""

import numpy as np
import pytest
import scipy.sparse as sp

import hsvm
from hsvm import HuberizedSVC, HuberizedSVCCV, StabilitySelector, _core, hsvm_path

X = np.arange(24.0).reshape(8, 3) % 5
Y = np.array([0, 1] * 4)


def with_value(value):
    changed = X.copy()
    changed[3, 1] = value
    return changed


@pytest.mark.parametrize("fit", [HuberizedSVC().fit, HuberizedSVCCV(cv=2).fit, StabilitySelector(cv=2).fit, hsvm_path])
@pytest.mark.parametrize(
    "bad, y",
    [
        (X[:, 0], Y),
        (X[None], Y),
        (X[:7], Y),
        (X[:0], Y[:0]),
        (X[:, :0], Y),
        (with_value(np.nan), Y),
        (with_value(np.inf), Y),
        (sp.csc_matrix(with_value(np.nan)), Y),
        (X.astype(complex) + 1j, Y),
        (X.astype(str).astype(object) + "?", Y),
        ([["a", "b"]] * 8, Y),
        (X, np.zeros(8)),
        (X, X[:, 0] + 0.5),
        (X, X),
        (X, np.where(Y, np.nan, 1.0)),
        (X, None),
        (None, Y),
        (X, [0, 1, None, 1, 0, 1, 0, 1]),
    ],
)
def test_data(fit, bad, y):
    with pytest.raises((ValueError, TypeError)) as caught:
        fit(bad, y)
    assert len(str(caught.value)) > 10


@pytest.mark.parametrize("make", [HuberizedSVC, lambda: HuberizedSVCCV(cv=2)])
@pytest.mark.parametrize(
    "weights",
    [np.full(8, -1.0), np.ones(7), np.ones((8, 2)), np.full(8, np.nan), np.full(8, np.inf), np.zeros(8), ["a"] * 8,
     np.where(Y, 1.0, 0.0), np.r_[-1e-3, np.ones(7)]],
)
def test_weights(make, weights):
    with pytest.raises((ValueError, TypeError)):
        make().fit(X, Y, sample_weight=weights)


def test_numbers_whose_squares_overflow():
    with pytest.raises(ValueError, match="overflow|finite"):
        HuberizedSVC(standardize=False).fit(with_value(1e308), Y)


def test_prediction_data():
    model = HuberizedSVC().fit(X, Y)
    for bad in (X[:, :2], X[0], with_value(np.nan), sp.csr_matrix(X[:, :2]), "text"):
        with pytest.raises((ValueError, TypeError)):
            model.predict(bad)


def test_core_checks_what_it_is_given():
    design = _core.in_place(np.asfortranarray(X), None)
    codes = Y.astype(np.int32)
    rest = {"options": {}, "sample_weight": None, "penalty_factors": None, "feature_names": [], "start": None,
            "on_look": None}
    for classes, numbers in ((["0", "1"], codes[:5]), (["0"], codes), (["0", "1"], codes - 1), (["1", "1.0"], codes)):
        with pytest.raises(ValueError):
            _core.fit(design, classes, numbers, **rest)
    with pytest.raises(TypeError, match="there is no option named lambda7"):
        _core.fit(design, ["0", "1"], codes, **{**rest, "options": {"lambda7": 1.0}})
    with pytest.raises(ValueError, match="name for each"):
        _core.fit(design, ["0", "1"], codes, **{**rest, "feature_names": ["a"]})
    with pytest.raises(TypeError):
        _core.in_place(np.ascontiguousarray(X), None)
    with pytest.raises(TypeError):
        _core.in_place(X.astype(int), None)
    with pytest.raises(ValueError, match="indptr"):
        _core.csc(3, np.array([1, 2], np.int32), np.zeros(2, np.int32), np.zeros(2), None)
    with pytest.raises(ValueError, match="indptr"):
        _core.csc(3, np.array([], np.int32), np.zeros(2, np.int32), np.zeros(2), None)
    small = HuberizedSVC().fit(X[:, :2], Y)._model
    with pytest.raises(ValueError, match="start with"):
        _core.fit(design, ["0", "1"], codes, **{**rest, "start": small})


def test_files(tmp_path):
    with pytest.raises(FileNotFoundError):
        hsvm.load(tmp_path / "none.json")
    with pytest.raises(FileNotFoundError):
        hsvm.read_data(tmp_path / "none.csv")
    (tmp_path / "bad.json").write_text('{"format": "hsvm-model", "version": 9}')
    with pytest.raises(ValueError, match="bad.json"):
        hsvm.load(tmp_path / "bad.json")
    (tmp_path / "bad.csv").write_text("a,b,y\n1,2,0\n3,inf,1\n")
    with pytest.raises(ValueError, match="bad.csv:3"):
        hsvm.read_data(tmp_path / "bad.csv")
    model = HuberizedSVC().fit(X, Y)
    with pytest.raises(FileNotFoundError, match="no folder"):
        hsvm.save(model, tmp_path / "no" / "model.json")
    with pytest.raises(TypeError, match="must be a HuberizedSVC"):
        hsvm.save(Y, tmp_path / "model.json")
    with pytest.raises(ValueError):
        hsvm.save(HuberizedSVC(), tmp_path / "model.json")  # NotFittedError is one
    with pytest.raises(ValueError, match="precision 'half'"):
        hsvm.read_data(tmp_path / "bad.csv", precision="half")
    with pytest.raises(ValueError, match="format"):
        hsvm.read_data(tmp_path / "bad.csv", format="xls")
