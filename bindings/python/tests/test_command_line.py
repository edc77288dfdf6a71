"""The same data gives the same model as the command line, bit for bit; files go both ways."""

import json

import numpy as np
import pytest
import scipy.sparse as sp
from conftest import sparse_counts
from sklearn.model_selection import StratifiedKFold

import hsvm
from hsvm import HuberizedSVC, HuberizedSVCCV, hsvm_path


def write_csv(path, X, y, names):
    rows = [",".join([*names, "label"])]
    rows += [",".join([*(repr(float(value)) for value in row), str(label)]) for row, label in zip(X, y)]
    path.write_text("\n".join(rows) + "\n")


def write_libsvm(path, X, y):
    S = sp.csr_matrix(X)
    rows = []
    for i, label in enumerate(y):
        part = slice(S.indptr[i], S.indptr[i + 1])
        rows.append(" ".join([str(label), *(f"{j + 1}:{v!r}" for j, v in zip(S.indices[part].tolist(), S.data[part].tolist()))]))
    path.write_text("\n".join(rows) + "\n")


def same_bits(model, file):
    """Whether a model file holds the fitted model: everything but the seconds, and where the data came from."""
    of_the_source = ("seconds", "pass_seconds", "label", "source", "command")

    def without_seconds(value):
        if isinstance(value, dict):
            return {k: without_seconds(v) for k, v in value.items() if k not in of_the_source}
        return [without_seconds(v) for v in value] if isinstance(value, list) else value

    ours = json.loads(getattr(model, "_tuned", model._model).to_json())
    return without_seconds(ours) == without_seconds(json.loads(file.read_text()))


@pytest.fixture(params=["binary", "four_classes"])
def table(request, tmp_path):
    X, y = request.getfixturevalue(request.param)
    names = [f"g{j}" for j in range(X.shape[1])]
    write_csv(tmp_path / "data.csv", X, y, names)
    pd = pytest.importorskip("pandas")
    return tmp_path, X, y, pd.DataFrame(X, columns=names)


def test_dense_models_are_the_same(program, table):
    folder, X, y, frame = table
    for flags, parameters in [
        ([], {}),
        (["--lambda1", "0.02", "--lambda2", "0.5", "--no-standardize"], {"lambda1": 0.02, "lambda2": 0.5, "standardize": False}),
        (["--loss", "squared-hinge", "--solver", "pg", "--tolerance", "1e-4"], {"loss": "squared-hinge", "solver": "pg", "tol": 1e-4}),
        (["--class-weight", "balanced", "--margins", "absolute", "--no-intercept"],
         {"class_weight": "balanced", "margins": "absolute", "fit_intercept": False}),
    ]:
        program("fit", folder / "data.csv", "-m", folder / "model.json", "--quiet", *flags)
        for order in "FC":
            data = frame.__class__(np.array(frame, order=order), columns=frame.columns)
            assert same_bits(HuberizedSVC(**parameters).fit(data, y), folder / "model.json")


def test_sparse_models_are_the_same(program, tmp_path):
    X, y = sparse_counts(80, 300)
    write_libsvm(tmp_path / "data.libsvm", X, y)
    program("fit", tmp_path / "data.libsvm", "-m", tmp_path / "model.json", "--quiet", "--features", 300)
    for make in (sp.csc_matrix, sp.csr_matrix):
        assert same_bits(HuberizedSVC().fit(make(X), y), tmp_path / "model.json")


def test_cross_validation_is_the_same(program, table):
    folder, X, y, frame = table
    program("cv", folder / "data.csv", "-m", folder / "model.json", "--quiet", "--stability", 4)
    assert same_bits(HuberizedSVCCV(stability=4).fit(frame, y), folder / "model.json")
    splits = list(StratifiedKFold(4).split(X, y))
    folds = np.empty(len(y), int)
    for k, (_, test) in enumerate(splits):
        folds[test] = k
    (folder / "folds").write_text("\n".join(map(str, folds)))
    program("cv", folder / "data.csv", "-m", folder / "model.json", "--quiet", "--folds-file", folder / "folds")
    assert same_bits(HuberizedSVCCV(cv=splits).fit(frame, y), folder / "model.json")


def test_paths_are_the_same(program, table):
    folder, X, y, frame = table
    program("path", folder / "data.csv", "-m", folder / "path.json", "--quiet", "--nlambda", 12)
    theirs, ours = hsvm.load(folder / "path.json"), hsvm_path(frame, y, nlambda=12)
    assert np.array_equal(theirs.lambdas, ours.lambdas) and np.array_equal(theirs.coefs, ours.coefs)
    hsvm.save(theirs, folder / "again.json")
    assert (folder / "again.json").read_bytes() == (folder / "path.json").read_bytes()


def test_files_go_both_ways(program, table):
    folder, X, y, frame = table
    for verb in ("fit", "cv"):
        program(verb, folder / "data.csv", "-m", folder / "model.json", "--quiet")
        loaded = hsvm.load(folder / "model.json")
        assert np.array_equal(loaded.classes_, np.unique(y)) and list(loaded.feature_names_in_) == list(frame.columns)
        hsvm.save(loaded, folder / "again.json")
        assert (folder / "again.json").read_bytes() == (folder / "model.json").read_bytes()
        assert hasattr(loaded, "predict_proba") == (verb == "cv")
        said = program("predict", folder / "model.json", folder / "data.csv")
        assert [str(label) for label in loaded.predict(frame)] == said.split()


def test_what_python_saves_the_program_reads(program, table):
    folder, X, y, frame = table
    model = HuberizedSVCCV(lambda2=0.1).fit(frame, y)
    hsvm.save(model, folder / "ours.json")
    said = program("predict", folder / "ours.json", folder / "data.csv")
    assert said.split() == [str(label) for label in model.predict(frame)]
    assert "lambda1" in program("inspect", folder / "ours.json")


def test_data_files_are_read_as_the_program_does(table):
    folder, X, y, frame = table
    data = hsvm.read_data(folder / "data.csv", label="label")
    assert np.array_equal(data.data, X) and np.array_equal(data.target, y)
    assert data.feature_names == list(frame.columns) and data.data.flags.f_contiguous
    assert hsvm.read_data(folder / "data.csv", precision="single").data.dtype == np.float32
    model = HuberizedSVC().fit(data.data, data.target)
    assert np.array_equal(model.coef_, HuberizedSVC().fit(X, y).coef_)


def test_sparse_data_files(tmp_path):
    X, y = sparse_counts(60, 200)
    write_libsvm(tmp_path / "data.libsvm", X, y)
    data = hsvm.read_data(tmp_path / "data.libsvm", features=200)
    assert sp.issparse(data.data) and data.data.format == "csc"
    assert np.array_equal(data.data.toarray(), X) and list(data.target) == list(y)
    assert np.array_equal(HuberizedSVC().fit(data.data, data.target).coef_, HuberizedSVC().fit(sp.csc_matrix(X), y).coef_)
