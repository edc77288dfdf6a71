"""scikit-learn's SGDClassifier on a folder of arrays that is larger than memory, a chunk of samples at a time (partial_fit): the model of
LIBLINEAR's -s 5 with C = 1, an l1 penalty and the squared hinge, features as they are, no intercept. Prints JSON: after each epoch the objective
mean max(0, 1 - y f)^2 + |w|_1/n and the seconds so far (of reading and fitting; the objective is not counted).

  sgd_out_of_core.py FOLDER [EPOCHS]

A chunk's rows are taken out of the mapped csc arrays: the folder should have been written with --row-blocks, so that a chunk is a block.
"""

import json
import os
import sys
import time

import numpy as np
from scipy.sparse import csc_matrix
from sklearn.linear_model import SGDClassifier


def blocks_of(folder):
    header = json.load(open(os.path.join(folder, "header.json")))
    data, indices, indptr = (np.load(os.path.join(folder, name + ".npy"), mmap_mode="r") for name in ("data", "indices", "indptr"))
    starts = np.atleast_2d(indptr)
    labels = np.load(os.path.join(folder, "labels.npy")) * 2 - 1
    rows = header["row_blocks"]
    for b in range(len(rows) - 1):
        first, last = int(starts[b][0]), int(starts[b][-1])
        block = csc_matrix((data[first:last], indices[first:last], starts[b] - first), shape=(rows[b + 1] - rows[b], header["n_features"]))
        yield block.tocsr(), labels[rows[b]:rows[b + 1]]


def main():
    folder, epochs = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 5
    n = json.load(open(os.path.join(folder, "header.json")))["n_samples"]
    model = SGDClassifier(loss="squared_hinge", penalty="l1", alpha=1.0 / n, fit_intercept=False, average=False, random_state=1)
    seconds, trace = 0.0, []
    for epoch in range(epochs):
        start = time.time()
        for x, y in blocks_of(folder):
            model.partial_fit(x, y, classes=[-1, 1])
        seconds += time.time() - start
        loss = sum(float(np.sum(np.maximum(0.0, 1.0 - y * (x @ model.coef_[0])) ** 2)) for x, y in blocks_of(folder)) / n
        trace.append({"epoch": epoch + 1, "seconds": round(seconds, 1), "objective": loss + float(np.abs(model.coef_).sum()) / n,
                      "nonzeros": int(np.count_nonzero(model.coef_))})
        print(json.dumps(trace[-1]), file=sys.stderr, flush=True)
    print(json.dumps({"trace": trace}))


if __name__ == "__main__":
    main()
