"""What must work with NumPy, SciPy and scikit-learn alone, without pytest: the demo, and scikit-learn's own checks."""

import sys
import unittest
import warnings

import sklearn
from sklearn.utils.estimator_checks import check_estimator

import hsvm


def demo() -> None:
    train, test = hsvm.generate(200, 2000, seed=1), hsvm.generate(2000, 2000, seed=2)
    model = hsvm.HuberizedSVCCV().fit(train.data, train.target)
    accuracy = model.score(test.data, test.target)
    assert model.status_ == "converged" and accuracy > 0.85, accuracy
    assert model.predict_proba(test.data).shape == (2000, 2)
    print(f"demo: accuracy {100 * accuracy:.1f}% with {(model.coef_ != 0).sum()} of 2000 features, gap {model.gap_:.2g}")


def conventions(estimator) -> None:
    try:
        from sklearn.utils.estimator_checks import estimator_checks_generator
    except ImportError:
        checks = check_estimator(estimator, generate_only=True)
    else:
        checks = estimator_checks_generator(estimator)
    count = 0
    for checked, check in checks:
        try:
            check(checked)
        except unittest.SkipTest:
            continue
        count += 1
    print(f"{type(estimator).__name__}: {count} checks of scikit-learn {sklearn.__version__} passed")


if __name__ == "__main__":
    assert "matplotlib" not in sys.modules and "pandas" not in sys.modules
    warnings.simplefilter("ignore")
    demo()
    for estimator in (hsvm.HuberizedSVC(), hsvm.HuberizedSVCCV(), hsvm.StabilitySelector(n_halves=5)):
        conventions(estimator)
