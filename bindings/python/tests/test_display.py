"""Pictures show the numbers they are of."""

import subprocess
import sys

import numpy as np
import pytest

import hsvm
from hsvm import CoefficientsDisplay, CVDisplay, HuberizedSVC, HuberizedSVCCV, PathDisplay, StabilityDisplay, hsvm_path

matplotlib = pytest.importorskip("matplotlib")
matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402


@pytest.fixture(autouse=True)
def close_figures():
    yield
    plt.close("all")


def test_path(binary, four_classes):
    X, y = binary
    display = PathDisplay.from_estimator(HuberizedSVC(), X, y, n_labels=3)
    path = hsvm_path(X, y, lambda2=0.01)
    assert len(display.lines_) == np.any(path.coefs[0] != 0, axis=1).sum()
    assert display.lines_[0].get_xdata().tolist() == path.lambdas.tolist()
    assert len(display.text_) == 3 and display.ax_.get_xscale() == "log"
    largest = int(np.abs(path.coefs[0][:, -1]).argmax())
    assert display.text_[0].get_text() == f"x{largest + 1}"
    X, y = four_classes
    _, ax = plt.subplots()
    display = PathDisplay.from_path(hsvm_path(X, y, lambda2=0.1, sparse=True), output=2, x="nonzeros", ax=ax)
    assert display.ax_ is ax and ax.get_title() == "3"
    with pytest.raises(ValueError, match="x 'time'"):
        display.plot(x="time")


def test_cross_validation(binary):
    X, y = binary
    one = HuberizedSVCCV(lambda2=0.1, nlambda=12).fit(X, y)
    display = CVDisplay.from_estimator(one)
    line = display.errorbar_.lines[0]
    assert np.array_equal(line.get_ydata(), one.cv_results_["mean_test_score"])
    assert display.ax_.get_legend().get_texts()[0].get_text() == "best"
    several = HuberizedSVCCV(lambda2_grid=[1.0, 0.1], nlambda=12).fit(X, y)
    heat = CVDisplay.from_estimator(several)
    assert np.array_equal(heat.points_.get_array(), several.cv_results_["mean_test_score"])
    curve = CVDisplay.from_estimator(several, kind="curve")
    assert len(curve.errorbar_.lines[0].get_xdata()) < len(several.cv_results_["lambda1"])
    with pytest.raises(ValueError, match="kind 'pie'"):
        display.plot(kind="pie")


def test_stability(binary):
    pd = pytest.importorskip("pandas")
    X, y = binary
    X = pd.DataFrame(X, columns=[f"gene{j}" for j in range(X.shape[1])])
    selector = hsvm.StabilitySelector(n_halves=8, lambda2=0.1, threshold=0.7).fit(X, y)
    display = StabilityDisplay.from_estimator(selector, n_features=5)
    assert [bar.get_width() for bar in display.bars_] == sorted(selector.selection_frequency_)[:-6:-1]
    assert display.ax_.get_yticklabels()[0].get_text().startswith("gene")
    assert display.line_.get_xdata()[0] == 0.7
    with pytest.raises(ValueError, match="counted nothing"):
        StabilityDisplay.from_estimator(HuberizedSVC().fit(X, y))


def test_coefficients(binary, four_classes):
    X, y = binary
    model = HuberizedSVC().fit(X, y)
    display = CoefficientsDisplay.from_estimator(model, n_features=4)
    assert np.allclose([abs(bar.get_width()) for bar in display.bars_[0]], sorted(np.abs(model.coef_[0]))[:-5:-1])
    display = CoefficientsDisplay.from_estimator(HuberizedSVC().fit(*four_classes))
    assert len(display.bars_) == 4 and [ax.get_title() for ax in display.ax_] == ["1", "2", "3", "4"]
    with pytest.raises(ValueError, match="1 axes for 4 panels"):
        display.plot(ax=plt.subplots()[1])


def test_matplotlib_is_optional():
    code = (
        "import sys; sys.modules['matplotlib'] = sys.modules['matplotlib.pyplot'] = None\n"
        "import hsvm\n"
        "data = hsvm.generate(40, 10, n_informative=3)\n"
        "model = hsvm.HuberizedSVC().fit(data.data, data.target)\n"
        "try:\n    hsvm.CoefficientsDisplay.from_estimator(model)\n"
        "except ImportError as error:\n    print(error)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "plot() needs matplotlib: pip install matplotlib\n"
