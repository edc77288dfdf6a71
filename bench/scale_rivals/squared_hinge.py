"""The rivals of bench/run-scale on a folder of sparse arrays (hsvm convert): the l1 penalty and the squared hinge, features as they are, no intercept,

  F(w) = mean over samples of max(0, 1 - y f)^2/2 + lambda1 |w|_1

  squared_hinge.py sgd FOLDER LAMBDA1 EPOCHS        scikit-learn's SGDClassifier, a block of rows at a time (partial_fit): F, nonzeros and seconds after
                                                    each epoch, of reading and fitting, F itself not counted; of several schedules of steps the best
  squared_hinge.py objective FOLDER LAMBDA1 MODEL   F of what liblinear-train -s 5 has written

Prints JSON. Blocks are those of the folder: it should be written with --row-blocks.
"""

import json
import os
import sys
import time

import numpy as np
from scipy.sparse import csc_matrix


def blocks_of(folder):
    header = json.load(open(os.path.join(folder, "header.json")))
    data, indices, indptr = (np.load(os.path.join(folder, name + ".npy"), mmap_mode="r") for name in ("data", "indices", "indptr"))
    starts = np.atleast_2d(indptr)
    labels = np.load(os.path.join(folder, "labels.npy")) * 2 - 1
    rows = header["row_blocks"]
    for b in range(len(rows) - 1):
        first, last = int(starts[b][0]), int(starts[b][-1])
        shape = (rows[b + 1] - rows[b], header["n_features"])
        block = csc_matrix((data[first:last], indices[first:last], starts[b] - first), shape=shape)
        yield block.tocsr(), labels[rows[b]:rows[b + 1]]


def objective(folder, lambda1, w):
    total, n = 0.0, 0
    for x, y in blocks_of(folder):
        total += 0.5 * float(np.sum(np.maximum(0.0, 1.0 - y * (x @ w)) ** 2))
        n += len(y)
    return total / n + lambda1 * float(np.abs(w).sum())


# Steps of eta0/t^power after t samples. Left out: its default, which begins with steps of 1/alpha and diverges here, and "adaptive", which never shrinks
# them under partial_fit.
SCHEDULES = [(0.1, 0.0), (0.01, 0.0), (1.0, 0.25), (1.0, 0.5), (10.0, 0.5), (100.0, 0.5)]


def sgd_trace(folder, lambda1, epochs, eta0, power):
    from sklearn.linear_model import SGDClassifier

    # Its loss is max(0, 1 - y f)^2: twice ours, and so is alpha. A generator, not a seed: with a seed each epoch would go through the samples in the same order.
    model = SGDClassifier(loss="squared_hinge", penalty="l1", alpha=2.0 * lambda1, fit_intercept=False, learning_rate="invscaling", eta0=eta0, power_t=power,
                          random_state=np.random.RandomState(1))
    seconds, trace = 0.0, []
    for epoch in range(epochs):
        start = time.time()
        for x, y in blocks_of(folder):
            model.partial_fit(x, y, classes=[-1, 1])
        seconds += time.time() - start
        w = model.coef_[0].astype(float)
        trace.append({"epoch": epoch + 1, "seconds": round(seconds, 1), "objective": objective(folder, lambda1, w), "nonzeros": int(np.count_nonzero(w))})
    return {"eta0": eta0, "power_t": power, "trace": trace}


def run_sgd(folder, lambda1, epochs):
    """All schedules on all data, the one that ends lowest first: its rivals are not told which it will be, so this favours it."""
    runs = [sgd_trace(folder, lambda1, epochs, *schedule) for schedule in SCHEDULES]
    runs.sort(key=lambda run: run["trace"][-1]["objective"])
    return {**runs[0], "others": [{"eta0": run["eta0"], "power_t": run["power_t"], "objective": run["trace"][-1]["objective"]} for run in runs[1:]]}


def run_objective(folder, lambda1, model):
    lines = open(model).read().split("\n")
    first_label = int(next(line for line in lines if line.startswith("label ")).split()[1])
    w = np.array([float(line) for line in lines[lines.index("w") + 1:] if line]) * first_label
    n_features = json.load(open(os.path.join(folder, "header.json")))["n_features"]
    w = np.pad(w[:n_features], (0, max(0, n_features - len(w))))
    return {"objective": objective(folder, lambda1, w), "nonzeros": int(np.count_nonzero(w))}


if __name__ == "__main__":
    what, folder, lambda1 = sys.argv[1], sys.argv[2], float(sys.argv[3])
    print(json.dumps(run_sgd(folder, lambda1, int(sys.argv[4])) if what == "sgd" else run_objective(folder, lambda1, sys.argv[4])))
