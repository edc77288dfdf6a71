"""Model files at the limits that pages are made for: 20,000 features, 100 lambdas, 50 classes. Written by hand, because fitting takes minutes."""
import json
import random

N_FEATURES, N_POINTS, N_CLASSES = 20000, 100, 50


def _coefficients(rng, n_selected):
    features = sorted(rng.sample(range(N_FEATURES), n_selected))
    rows = []
    for _ in features:
        row = [rng.gauss(0, 1) for _ in range(N_CLASSES)]
        mean = sum(row) / N_CLASSES
        rows.append([value - mean for value in row])
    return {"feature": features, "value": rows}


def _report(lambda1):
    return {"status": "converged", "solver": "newton", "objective": 1.5, "dual_objective": 1.4999999, "gap": 1e-7, "relative_gap": 1e-7,
            "iterations": 9, "passes": 12.5, "seconds": 1.25, "n_samples": 5000, "lambda1_max": 1.0, "tolerance": 1e-6, "stopping": "gap",
            "lambda1": lambda1, "standardized": True}


def _head(file_format):
    return {"format": file_format, "version": 1, "kind": "multiclass", "classes": ["class %02d" % k for k in range(N_CLASSES)],
            "n_features": N_FEATURES, "feature_names": ["gene_%05d" % j for j in range(N_FEATURES)], "loss": "huberized", "delta": 1.0,
            "margins": "relative"}


def _lambda1():
    return [0.955 ** k for k in range(N_POINTS)]


def _grid(rng):
    return [{"lambda1": lambda1, "lambda2": lambda2, "lambda3": 0.0, "delta": 1.0, "nonzeros": 20 * k, "mean_nonzeros": 20.0 * k + 0.1,
             "not_certified": 0, "scores": {"accuracy": {"mean": rng.random(), "standard_error": 0.01 * rng.random()}}}
            for lambda2 in (1.0, 0.1, 0.01, 0.001) for k, lambda1 in enumerate(_lambda1())]


def _evidence(rng, coefficients):
    lines, numbers = [], 0
    for feature in coefficients["feature"]:
        for output in range(N_CLASSES):
            if numbers >= 20000:
                break
            points = sorted(rng.sample(range(N_POINTS), 8))
            lines.append({"feature": feature, "output": output, "points": points, "effects": [round(rng.gauss(0, 1), 6) for _ in points]})
            numbers += len(points)
    correlated = coefficients["feature"][:40]
    path = {"lambda2": 0.01, "delta": 1.0, "scaled": True, "n_features": len(coefficients["feature"]), "lambda1": _lambda1()}
    for key, value in (("nonzeros", 10), ("objective", 1.5), ("relative_gap", 1e-8), ("iterations", 5), ("passes", 3.5), ("seconds", 0.01),
                       ("status", "converged")):
        path[key] = [value] * N_POINTS
    path["lines"] = lines
    return {"source": "large.h5ad", "command": "", "class_counts": [100] * N_CLASSES, "feature": coefficients["feature"],
            "deviation": [1.0 + rng.random() for _ in coefficients["feature"]], "path": path,
            "correlations": {"feature": correlated, "values": [rng.uniform(-1, 1) for _ in range(40 * 39 // 2)],
                             "stand_ins": [[j, (j + 1) % N_FEATURES, rng.uniform(-1, 1)] for j in correlated for _ in range(3)]}}


def _out_of_fold(rng, n_samples=5000):
    said = {"truth": [i % N_CLASSES for i in range(n_samples)], "fold": [i % 10 for i in range(n_samples)]}
    for key in ("best", "one_se"):
        said[key] = [round(rng.gauss(1.5 if i % N_CLASSES == k else 0, 1), 5) for i in range(n_samples) for k in range(N_CLASSES)]
    return said


def write_tuned(file, n_selected=2000):
    rng = random.Random(1)
    coefficients = _coefficients(rng, n_selected)
    fitted = {"lambda1": 0.1, "lambda2": 0.01, "lambda3": 0.0, "intercept": [0.0] * N_CLASSES, "coef": coefficients, "report": _report(0.1),
              "probability": {"slope": 1.5, "offsets": [0.0] * N_CLASSES, "log_loss": 1.0, "brier_score": 0.5}}
    model = dict(_head("hsvm-model"), **fitted)
    model["one_se"] = dict(fitted, delta=1.0)
    model["evidence"] = _evidence(rng, coefficients)
    model["tuning"] = {"status": "converged", "score": "accuracy", "folds": 10, "repeats": 1, "leave_one_out": False, "seed": 1, "paths": 44,
                       "seconds": 100.0, "passes": 1000.0, "best": 250, "one_se": 240,
                       "out_of_fold": _out_of_fold(rng), "grid": _grid(rng)}
    with open(file, "w") as out:
        json.dump(model, out)


def write_path(file, n_selected=150):
    rng = random.Random(2)
    coefficients = _coefficients(rng, n_selected)
    points = []
    for k, lambda1 in enumerate(_lambda1()):
        n = n_selected * k // (N_POINTS - 1)
        share = k / (N_POINTS - 1)
        points.append(dict(report=_report(lambda1), lambda1=lambda1, lambda2=0.01, lambda3=0.0, intercept=[0.0] * N_CLASSES,
                           coef={"feature": coefficients["feature"][:n],
                                 "value": [[share * value for value in row] for row in coefficients["value"][:n]]}))
    model = dict(_head("hsvm-path"), lambda1_max=1.0, solver="newton", tolerance=1e-6, n_samples=5000, status="converged", seconds=9.0,
                 passes=300.0, standardized=True, points=points)
    with open(file, "w") as out:
        json.dump(model, out)
