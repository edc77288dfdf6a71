#!/usr/bin/python3
"""How fast a dense CSV table is read on one thread, by read_bench and by pandas' read_csv (C engine), in turn.

    csv_rivals.py READ_BENCH [MEGABYTES] [REPEATS]

Makes two tables of about this size (200 by default): numbers with six decimals, and with all of their digits. Prints a line of
JSON for each reader, and the ratio of their speeds. Needs python3-pandas.
"""
import json
import os
import subprocess
import sys
import tempfile
import time

import numpy
import pandas


def write_table(path, form, megabytes):
    random = numpy.random.default_rng(1)
    columns = 1000
    with open(path, "w", encoding="ascii") as table:
        table.write("label," + ",".join(f"g{j}" for j in range(columns)) + "\n")
        row = 0
        while table.tell() < megabytes * 1e6:
            table.write(("u," if row % 2 else "v,") + ",".join(form % value for value in random.normal(size=columns)) + "\n")
            row += 1


def main():
    read_bench = sys.argv[1]
    megabytes = float(sys.argv[2]) if len(sys.argv) > 2 else 200.0
    repeats = int(sys.argv[3]) if len(sys.argv) > 3 else 3
    with tempfile.TemporaryDirectory() as folder:
        for name, form in (("six decimals", "%.6f"), ("all digits", "%.17g")):
            path = os.path.join(folder, "table.csv")
            write_table(path, form, megabytes)
            size = os.path.getsize(path)
            own = None
            rival = None
            for _ in range(repeats):
                output = subprocess.run([read_bench, path, "1"], check=True, capture_output=True, text=True).stdout
                own = min(own or 1e9, json.loads(output)["seconds"])
                start = time.perf_counter()
                pandas.read_csv(path, engine="c")
                rival = min(rival or 1e9, time.perf_counter() - start)
            for reader, seconds in (("hsvm", own), ("pandas " + pandas.__version__, rival)):
                print(json.dumps({"table": name, "reader": reader, "seconds": round(seconds, 4),
                                  "megabytes_per_second": round(size / seconds / 1e6, 1)}))
            print(json.dumps({"table": name, "ratio": round(rival / own, 2)}))


if __name__ == "__main__":
    main()
