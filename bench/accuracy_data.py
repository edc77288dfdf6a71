"""The datasets of bench/run-accuracy: which they are, their folds, and their numbers in files that R reads."""

import array
import bz2
import gzip
import hashlib
import json
import lzma
import os
import random

SEED = 1

# The folds are 10, but 5 for text and for what is large. `test` says that there is a file of that name with `.t`.
BINARY = (
    {"name": "heart_scale"},
    {"name": "breast-cancer_scale"},
    {"name": "diabetes_scale"},
    {"name": "australian"},
    {"name": "german.numer"},
    {"name": "colon-cancer"},
    {"name": "leu", "test": True},
    {"name": "duke"},
    {"name": "singh"},
    {"name": "arcene"},
    {"name": "mushrooms"},
    {"name": "RELATHE", "folds": 5},
    {"name": "BASEHOCK", "folds": 5},
    {"name": "reuters_moneyfx", "folds": 5, "test": True},
    {"name": "a9a", "folds": 5, "test": True},
)
MULTICLASS = (
    {"name": "iris.scale"},
    {"name": "wine.scale"},
    {"name": "glass.scale"},
    {"name": "vehicle.scale"},
    {"name": "srbct", "test": True},
    {"name": "leukemia3", "test": True},
    {"name": "su"},
    {"name": "nakayama"},
    {"name": "vowel.scale"},
    {"name": "segment.scale"},
    {"name": "dna.scale", "test": True},
    {"name": "usps", "folds": 5, "test": True},
    {"name": "letter.scale", "folds": 5, "test": True},
)
OPENERS = {".xz": lzma.open, ".gz": gzip.open, ".bz2": bz2.open, "": open}


def find(folder, name):
    """The file of a dataset, compressed or not, else None."""
    paths = [os.path.join(folder, name + ending) for ending in OPENERS]
    return next((path for path in paths if os.path.exists(path)), None)


def read(path):
    """Of LIBSVM text: labels, and the entries as rows, columns (both from 1) and values."""
    labels, rows, columns, values = array.array("d"), array.array("i"), array.array("i"), array.array("d")
    with OPENERS[next(ending for ending in OPENERS if path.endswith(ending))](path, "rt") as stream:
        for line in stream:
            label, *entries = line.split("#")[0].split() or [None]
            if label is None:
                continue
            labels.append(float(label))
            for entry in entries:
                column, value = entry.split(":")
                rows.append(len(labels))
                columns.append(int(column))
                values.append(float(value))
    return labels, rows, columns, values


def draw_folds(labels, n_folds):
    """A fold, from 1, for each sample. Each class is dealt out evenly, going on where the one before has stopped."""
    generator = random.Random(SEED)
    folds, following = [0] * len(labels), 0
    for label in sorted(set(labels)):
        samples = [i for i, other in enumerate(labels) if other == label]
        generator.shuffle(samples)
        for i in samples:
            folds[i] = following % n_folds + 1
            following += 1
    return folds


def write_numbers(path, numbers):
    with open(path, "wb") as stream:
        numbers.tofile(stream)


def write_part(folder, part, data, n_columns):
    labels, rows, columns, values = data
    if max(columns) > n_columns:  # the model cannot know these
        kept = [k for k, column in enumerate(columns) if column <= n_columns]
        rows, columns, values = (array.array(old.typecode, (old[k] for k in kept)) for old in (rows, columns, values))
    for name, numbers in (("label.f64", labels), ("row.i32", rows), ("column.i32", columns), ("value.f64", values)):
        write_numbers(os.path.join(folder, f"{part}_{name}"), numbers)


def prepare(entry, source, test_source, folder):
    """Writes folds and numbers into the folder, once; returns what is known of the data.

    `key` stands for the samples and their folds: results with the same one may be compared."""
    n_folds = entry.get("folds", 10)
    digest = hashlib.sha256(json.dumps([SEED, n_folds, bool(test_source)]).encode())
    for path in filter(None, (source, test_source)):
        with open(path, "rb") as stream:
            digest.update(stream.read())
    key = digest.hexdigest()[:16]

    about = os.path.join(folder, "about.json")
    if os.path.exists(about):
        with open(about) as stream:
            known = json.load(stream)
        if known["key"] == key:
            return known

    os.makedirs(folder, exist_ok=True)
    train = read(source)
    n_columns = max(train[2])
    with open(os.path.join(folder, "folds.txt"), "w") as stream:
        stream.writelines(f"{fold}\n" for fold in draw_folds(train[0], n_folds))
    write_numbers(os.path.join(folder, "columns.i32"), array.array("i", [n_columns]))
    write_part(folder, "train", train, n_columns)
    if test_source:
        write_part(folder, "test", read(test_source), n_columns)
    known = {"key": key, "folds": n_folds, "n_samples": len(train[0]), "n_features": n_columns, "n_classes": len(set(train[0]))}
    with open(about, "w") as stream:
        json.dump(known, stream)
    return known


def write_scaled(source, path, factor_of):
    """The same data as LIBSVM text, feature j times factor_of(j)."""
    labels, rows, columns, values = read(source)
    lines = [[f"{label:g}"] for label in labels]
    for row, column, value in zip(rows, columns, values):
        lines[row - 1].append(f"{column}:{value * factor_of(column)!r}")
    with open(path, "w") as stream:
        stream.writelines(" ".join(line) + "\n" for line in lines)
