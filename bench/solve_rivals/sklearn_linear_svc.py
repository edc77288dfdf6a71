"""scikit-learn's LinearSVC, l1 penalty and squared hinge, on the data that `solve_bench --write FOLDER liblinear` wrote.

Prints a JSON line for each dataset and cost. The objective is
|w|_1 + C sum max(0, 1 - margin)^2, that of bench/solve_liblinear.hpp. Ends with 3 where scikit-learn is absent.
"""

import json
import os
import sys
import time
import warnings

os.environ["OPENBLAS_NUM_THREADS"] = "1"
os.environ["OMP_NUM_THREADS"] = "1"
try:
    import numpy as np
    import scipy.sparse
    from sklearn.svm import LinearSVC
except ImportError:
    sys.exit(3)

TOLERANCE = 1e-4  # its default; LIBLINEAR itself is measured at its own, 0.01
ROUNDS = 2
LONG_SECONDS = 5.0  # one round of it is enough


def read(folder, entry):
    def array(ending, kind):
        return np.fromfile(os.path.join(folder, f"{entry['file']}_{ending}"), dtype=kind)

    shape = (entry["n_samples"], entry["n_features"])
    x = scipy.sparse.csc_matrix((array("values.f64", "f8"), array("rows.i32", "i4"), array("start.i64", "i8")), shape)
    return x.tocsr(), array("y.f64", "f8")


def objective(x, y, cost, w):
    short_of = np.maximum(0.0, 1.0 - y * (x @ w))
    return float(np.abs(w).sum() + cost * (short_of @ short_of))


def measure(x, y, cost):
    best = float("inf")
    for _ in range(ROUNDS):
        model = LinearSVC(penalty="l1", loss="squared_hinge", dual=False, fit_intercept=False, C=cost, tol=TOLERANCE,
                          random_state=0)
        start = time.perf_counter()
        model.fit(x, y)
        best = min(best, time.perf_counter() - start)
        if best > LONG_SECONDS:
            break
    return best, model


def main(folder):
    warnings.simplefilter("ignore")  # that it did not converge stands in the status
    with open(os.path.join(folder, "liblinear.json")) as stream:
        entries = json.load(stream)
    for entry in entries:
        x, y = read(folder, entry)
        for setting in entry["costs"]:
            seconds, model = measure(x, y, setting["cost"])
            w = model.coef_[0]
            finished = int(np.max(model.n_iter_)) < model.max_iter
            print(json.dumps({"group": "liblinear", "instance": entry["instance"], "solver": "LinearSVC", "tolerance": TOLERANCE,
                              "status": "finished" if finished else "iteration_limit", "seconds": seconds,
                              "call_seconds": seconds, "ratio": setting["ratio"], "cost": setting["cost"],
                              "nonzeros": int(np.count_nonzero(w)), "common_objective": objective(x, y, setting["cost"], w)}),
                  flush=True)


if __name__ == "__main__":
    main(sys.argv[1])
