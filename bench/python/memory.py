"""The peak of memory of a fit over the data's own, for a gigabyte: an array in Fortran order, and a CSC matrix.

The data are not copied. Of the columns that the solver works on, those of the selected features and a few more, it keeps a copy
of its own, so that what is added grows with the model: the labels are noise here, and at half of lambda1_max hundreds of features
are selected."""

import resource
import subprocess
import sys

import numpy as np
import scipy.sparse as sp
import sklearn


def peak_mib():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def measure(kind):
    from hsvm import HuberizedSVC

    rng = np.random.default_rng(0)
    if kind == "dense":
        n, p = 134_218, 1000
        X = np.empty((n, p), order="F")
        for j in range(p):
            X[:, j] = rng.standard_normal(n)
        size = X.nbytes
    else:
        n, p, per_column = 200_000, 4_474, 20_000
        indices = np.concatenate([np.arange(j % 10, n, 10, dtype=np.int32) for j in range(p)])
        data = np.empty(len(indices))
        for part in np.array_split(data, 100):
            part[:] = rng.standard_normal(len(part))
        X = sp.csc_matrix((data, indices, np.arange(p + 1, dtype=np.int32) * per_column), shape=(n, p))
        X.has_sorted_indices = X.has_canonical_format = True
        size = data.nbytes + indices.nbytes
    y = np.arange(n) % 2
    HuberizedSVC().fit(X[:500, :50].copy(), y[:500])
    before = peak_mib()
    for ratio in (0.9, 0.5):  # the fewer features first: a peak is never forgotten
        with sklearn.config_context(assume_finite=True):
            model = HuberizedSVC(lambda1_ratio=ratio).fit(X, y)
        added = peak_mib() - before
        n_features = np.count_nonzero(model.coef_)
        print(f"{kind:8s}{size / 2**20:10.0f} MiB of data, {n_features:5d} features selected of {p}: {added:5.0f} MiB more at the peak of a fit ({100 * added * 2**20 / size:.1f}%), {model.status_}")


if __name__ == "__main__":
    if len(sys.argv) > 1:
        measure(sys.argv[1])
    else:
        for kind in ("dense", "sparse"):
            subprocess.run([sys.executable, __file__, kind], check=True)
