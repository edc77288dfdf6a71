#!/usr/bin/python3
"""How long others take to read a LIBSVM file, on one thread: scikit-learn's load_svmlight_file and LIBLINEAR's own reader.

    read_rivals.py FILE [SHIM.so] [REPEATS]

One line of JSON for each, like read_bench's. SHIM.so is liblinear_reader_shim.c, built; with it liblinear-train (Debian's
liblinear-tools) ends when it has read its file, and what it needs for a file of one line is taken off.
"""
import json
import os
import subprocess
import sys
import tempfile
import time


def best(repeats, run):
    seconds = []
    for _ in range(repeats):
        start = time.perf_counter()
        run()
        seconds.append(time.perf_counter() - start)
    return min(seconds)


def report(reader, seconds, nonzeros, path):
    print(json.dumps({"reader": reader, "seconds": round(seconds, 6), "ns_per_nonzero": round(seconds / nonzeros * 1e9, 2),
                      "megabytes_per_second": round(os.path.getsize(path) / seconds / 1e6, 1), "nonzeros": nonzeros}))


def main():
    path = sys.argv[1]
    shim = sys.argv[2] if len(sys.argv) > 2 else None
    repeats = int(sys.argv[3]) if len(sys.argv) > 3 else 5
    from sklearn import __version__
    from sklearn.datasets import load_svmlight_file

    nonzeros = load_svmlight_file(path)[0].nnz
    report("scikit-learn " + __version__, best(repeats, lambda: load_svmlight_file(path)), nonzeros, path)

    if shim:
        environment = dict(os.environ, LD_PRELOAD=os.path.abspath(shim))

        def read(file):
            subprocess.run(["liblinear-train", file, "/dev/null"], env=environment, check=True, stdout=subprocess.DEVNULL)

        with tempfile.NamedTemporaryFile("w", suffix=".libsvm") as one_line, open(path, encoding="ascii") as text:
            one_line.write(text.readline())
            one_line.flush()
            start_up = best(repeats, lambda: read(one_line.name))
        report("LIBLINEAR", best(repeats, lambda: read(path)) - start_up, nonzeros, path)


if __name__ == "__main__":
    main()
