"""Every kind of matrix gives the same model; those that the library can use in place are not copied."""

import subprocess
import sys
import textwrap

import numpy as np
import pytest
import scipy.sparse as sp
from conftest import UNDER_SANITIZER, sparse_counts

from hsvm import HuberizedSVC, HuberizedSVCCV, _core
from hsvm._borrow import Borrow
from hsvm._validation import to_design


def same(model, other):
    return np.array_equal(model.coef_, other.coef_) and np.array_equal(model.intercept_, other.intercept_)


def test_orders_and_strides(four_classes):
    X, y = four_classes
    model = HuberizedSVC().fit(X, y)
    wide = np.zeros((len(y), 2 * X.shape[1]))
    wide[:, ::2] = X
    unaligned = np.frombuffer(b"x" + X.tobytes(order="F"), np.uint8)[1:].view("f8").reshape(X.shape, order="F")
    for other in (np.ascontiguousarray(X), wide[:, ::2], X[::-1][::-1], X.astype(">f8"), unaligned):
        assert same(HuberizedSVC().fit(other, y), model)
        assert np.array_equal(model.decision_function(other), model.decision_function(X))


def test_single_precision_stays_single(binary):
    X, y = binary
    narrow = X.astype(np.float32)
    model = HuberizedSVC().fit(narrow, y)
    assert same(HuberizedSVC().fit(np.ascontiguousarray(narrow), y), model)
    assert np.allclose(model.coef_, HuberizedSVC().fit(X, y).coef_, atol=1e-5)
    assert to_design(narrow).arrays()[0].dtype == np.float32


def test_other_numbers_are_converted(binary):
    X, y = binary
    whole = np.round(10 * X)
    model = HuberizedSVC().fit(whole, y)
    for kind in (np.int8, np.int64, object):
        assert same(HuberizedSVC().fit(whole.astype(kind), y), model)
    assert same(HuberizedSVC().fit(whole.tolist(), y.tolist()), model)


@pytest.mark.parametrize("kind", ["csc_matrix", "csr_matrix", "coo_matrix", "lil_matrix", "csc_array", "csr_array"])
@pytest.mark.parametrize("number", [np.float64, np.float32])
@pytest.mark.parametrize("index", [np.int32, np.int64])
def test_sparse_formats(kind, number, index):
    X, y = sparse_counts()
    S = getattr(sp, kind)(X.astype(number))
    if hasattr(S, "indptr"):
        S.indptr, S.indices = S.indptr.astype(index), S.indices.astype(index)
    sparse, dense = HuberizedSVC(tol=1e-10).fit(S, y), HuberizedSVC(tol=1e-10).fit(X, y)
    assert np.allclose(sparse.coef_, dense.coef_, atol=1e-7)
    assert np.allclose(sparse.decision_function(S), dense.decision_function(X), atol=1e-6)
    assert same(HuberizedSVC(tol=1e-10).fit(sp.csc_matrix(X.astype(number)), y), sparse)


def test_unsorted_and_duplicate_entries_are_mended_in_a_copy():
    X, y = sparse_counts()
    model = HuberizedSVC().fit(sp.csc_matrix(X), y)
    messy = sp.csc_matrix(X)
    for j in range(messy.shape[1]):  # in falling order, each entry in two halves
        part = slice(messy.indptr[j], messy.indptr[j + 1])
        messy.indices[part] = messy.indices[part][::-1].copy()
        messy.data[part] = messy.data[part][::-1].copy()
    doubled = sp.csc_matrix((np.repeat(messy.data / 2, 2), np.repeat(messy.indices, 2), 2 * messy.indptr), messy.shape)
    for S in (messy, doubled):
        S.has_sorted_indices = S.has_canonical_format = True  # SciPy may believe what is no longer so
        before = S.indices.copy()
        assert same(HuberizedSVC().fit(S, y), model)
        assert np.array_equal(model.decision_function(S), model.decision_function(sp.csc_matrix(X)))
        assert np.array_equal(S.indices, before)


@pytest.mark.parametrize("make", [sp.csc_matrix, sp.csr_matrix])
def test_broken_sparse_matrices_are_refused(make):
    X, y = sparse_counts()
    good = make(X)

    def broken(change):
        S = good.copy()
        change(S)
        return S

    changes = [
        lambda S: S.indices.__setitem__(5, 10**6),
        lambda S: S.indices.__setitem__(5, -3),
        lambda S: S.indptr.__setitem__(2, S.nnz + 100),
        lambda S: S.indptr.__setitem__(3, 0),
        lambda S: setattr(S, "indices", S.indices.astype(np.int64) + 2**32),
    ]
    for change in changes:
        with pytest.raises(ValueError):
            HuberizedSVC().fit(broken(change), y)


def test_in_place_means_in_place():
    X, _ = sparse_counts()
    dense = np.asfortranarray(X)
    assert np.shares_memory(to_design(dense).arrays()[0], dense)
    S = sp.csc_matrix(X)
    data, indices, _ = to_design(S).arrays()
    assert np.shares_memory(data, S.data) and np.shares_memory(indices, S.indices)
    wide = sp.csc_matrix((S.data, S.indices.astype(np.int64), S.indptr.astype(np.int64)), S.shape)
    assert np.shares_memory(to_design(wide).arrays()[0], wide.data)


def test_memory_maps(binary, tmp_path):
    X, y = binary
    file = np.memmap(tmp_path / "x", dtype="f8", mode="w+", shape=X.shape, order="F")
    file[:] = X
    file.flush()
    model = HuberizedSVC().fit(X, y)
    for mode in ("r", "r+", "c"):
        mapped = np.memmap(tmp_path / "x", dtype="f8", mode=mode, shape=X.shape, order="F")
        assert np.shares_memory(to_design(mapped).arrays()[0], mapped)
        assert same(HuberizedSVC().fit(mapped, y), model)
        assert mapped.flags.writeable == (mode != "r")


def test_arrays_are_read_only_while_borrowed():
    base = np.zeros((6, 4), order="F")
    view = base[:, 1:3]
    first, second = Borrow(view), Borrow(view)
    for array in (base, view):
        with pytest.raises(ValueError, match="read-only"):
            array[0, 0] = 1
    del first
    assert not base.flags.writeable
    del second
    view[0, 0] = 1
    fixed = np.zeros(3)
    fixed.flags.writeable = False
    del fixed
    foreign = _core.generate_gaussian(4, 3, 1, 0.0, 1)[0].arrays()[0]
    Borrow(foreign)
    design = to_design(base)
    assert not base.flags.writeable  # as long as the design lives
    del design
    assert base.flags.writeable


@pytest.mark.skipif(UNDER_SANITIZER, reason="a sanitizer's memory is not the program's")
@pytest.mark.parametrize("kind", ["dense", "sparse"])
def test_no_copy_is_made(kind):
    """The peak of a fit is far below the size of X. `make bench-python` shows the same with a gigabyte."""
    code = """
        import resource, sys
        import numpy as np, scipy.sparse as sp, sklearn
        from hsvm import HuberizedSVC
        n, p = 40_000, 500
        rng = np.random.default_rng(0)
        y = np.arange(n) % 2
        if sys.argv[1] == "dense":
            X = np.empty((n, p), order="F")
            for j in range(p):
                X[:, j] = rng.standard_normal(n)
            X[:, 0] += y
            size = X.nbytes
        else:
            p *= 4
            indices = np.concatenate([np.arange(j % 4, n, 4, dtype=np.int32) for j in range(p)])
            data = np.empty(len(indices))
            for part in np.array_split(data, 100):
                part[:] = rng.standard_normal(len(part))
            X = sp.csc_matrix((data, indices, np.arange(p + 1, dtype=np.int32) * (n // 4)), shape=(n, p))
            X.has_sorted_indices = True
            size = data.nbytes + indices.nbytes
        HuberizedSVC().fit(X[:500, :20].copy(), y[:500])
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        with sklearn.config_context(assume_finite=True):
            HuberizedSVC(lambda1_ratio=0.5).fit(X, y)
        print((resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) * 1024 / size)
    """
    done = subprocess.run([sys.executable, "-c", textwrap.dedent(code), kind], capture_output=True, text=True, check=True)
    assert float(done.stdout) < 0.15


def test_tables_keep_their_names(binary):
    X, y = binary
    names = [f"gene {j}" for j in range(X.shape[1])]
    model = HuberizedSVC().fit(X, y)
    tables = []
    if pd := pytest.importorskip("pandas"):
        tables.append(pd.DataFrame(X, columns=names))
    try:
        import polars as pl

        tables.append(pl.DataFrame(X, schema=names))
    except ImportError:
        pass
    for table in tables:
        fitted = HuberizedSVC().fit(table, y)
        assert same(fitted, model) and list(fitted.feature_names_in_) == names
        assert fitted._model.feature_names == names
        assert np.array_equal(fitted.predict(table), model.predict(X))
        with pytest.raises(ValueError, match="feature names"):
            fitted.predict(tables[0].rename(columns={"gene 0": "other"}))


def test_arrow_tables(binary):
    pa = pytest.importorskip("pyarrow")
    X, y = binary
    table = pa.table({f"gene {j}": X[:, j] for j in range(X.shape[1])})
    assert same(HuberizedSVC().fit(table, y), HuberizedSVC().fit(X, y))
    frame = table.to_pandas()
    assert list(HuberizedSVC().fit(frame, y).feature_names_in_) == table.column_names


def test_anndata(binary):
    anndata = pytest.importorskip("anndata")
    X, y = sparse_counts()
    cells = anndata.AnnData(sp.csr_matrix(X))
    cells.obs["type"] = y
    model = HuberizedSVC().fit(cells.X, cells.obs["type"])
    assert same(model, HuberizedSVC().fit(sp.csr_matrix(X), y))
    assert list(model.classes_) == ["ham", "spam"]


@pytest.mark.parametrize(
    "labels",
    [[0, 1], [-1.0, 2.0], [True, False], ["b", "a"], ["10", "9"], ["1", "1.0"], ["x", "1"], [2**60, 2**60 + 1]],
)
def test_labels_of_any_kind(binary, labels, tmp_path):
    import pickle

    import hsvm

    X, y = binary
    y = np.array(labels)[(y == 1).astype(int)]
    model = HuberizedSVC().fit(X, y)
    assert np.array_equal(model.classes_, np.unique(y)) and model.predict(X).dtype == y.dtype
    assert model.score(X, y) > 0.7
    again = pickle.loads(pickle.dumps(model))
    assert np.array_equal(again.predict(X), model.predict(X))
    hsvm.save(model, tmp_path / "model.json")
    assert np.array_equal(hsvm.load(tmp_path / "model.json").coef_, model.coef_)


def test_many_features_and_few(binary):
    X, y = binary
    assert HuberizedSVC().fit(X[:, :1], y).coef_.shape == (1, 1)
    empty = HuberizedSVC(lambda1_ratio=2.0).fit(X, y)
    for other in (X, np.ascontiguousarray(X), sp.csr_matrix(X), sp.csc_matrix(X)):
        assert np.allclose(empty.decision_function(other), empty.intercept_[0])
