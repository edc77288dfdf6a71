"""One pass, X w and X' r, by NumPy (OpenBLAS) and SciPy on the matrices that `yardstick_bench --write` wrote.

Prints one JSON object: best seconds of each on one thread.
"""

import json
import os
import sys
import time

os.environ["OPENBLAS_NUM_THREADS"] = "1"
import numpy as np
import scipy.sparse


def best_seconds(work):
    """The best of five means over a fifth of a second each, as the benchmarks of our own kernels are taken."""
    work()
    best = float("inf")
    for _ in range(5):
        count, start = 0, time.perf_counter()
        while time.perf_counter() - start < 0.2:
            work()
            count += 1
        best = min(best, (time.perf_counter() - start) / count)
    return best


def main(folder):
    seconds = {}

    x = np.fromfile(os.path.join(folder, "dense.f64")).reshape((2000, 20000), order="F")
    w, r = np.full(x.shape[1], 0.5), np.full(x.shape[0], 0.5)
    seconds["numpy_dense"] = best_seconds(lambda: (x @ w, x.T @ r))
    del x

    start = np.fromfile(os.path.join(folder, "sparse_start.i64"), dtype=np.int64)
    rows = np.fromfile(os.path.join(folder, "sparse_rows.i32"), dtype=np.int32)
    values = np.fromfile(os.path.join(folder, "sparse_values.f64"))
    csc = scipy.sparse.csc_matrix((values, rows, start))
    csr = csc.tocsr()
    w, r = np.full(csc.shape[1], 0.5), np.full(csc.shape[0], 0.5)
    for name, matrix in (("csc", csc), ("csr", csr)):
        transposed = matrix.T
        seconds[f"scipy_{name}"] = best_seconds(lambda: (matrix @ w, transposed @ r))
    print(json.dumps(seconds))


if __name__ == "__main__":
    main(sys.argv[1])
