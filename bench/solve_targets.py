"""What the solvers are held to: for each group, a function from its records to checked targets.

A record is one line of solve_bench, path_bench or a rival. `judge` is the solver that is judged, usually newton;
times are held against pg's and pg2's, the rivals' and the pass over the same data in the same run.
"""

import math


def with_word(note, is_solved):
    return note if is_solved else "not solved" + (f"; {note}" if note else "")


class Targets:
    def __init__(self):
        self.rows = []

    def check(self, what, value, target, met, note=""):
        self.rows.append({"what": what, "value": value, "target": target, "met": bool(met), "note": note})

    def leave_out(self, what, why):
        self.rows.append({"what": what, "value": "", "target": "", "met": None, "note": why})

    def at_most(self, what, value, limit, unit="", note="", solved=True):
        """`solved` is whether the solve behind the value reached its tolerance: where not, no value is good enough."""
        self.check(what, f"{value:.3g}{unit}", f"<= {limit:g}{unit}", value <= limit and solved, with_word(note, solved))

    def at_least(self, what, value, limit, unit="", note="", solved=True):
        self.check(what, f"{value:.3g}{unit}", f">= {limit:g}{unit}", value >= limit and solved, with_word(note, solved))


def solved(record):
    return record["status"] == "converged"


def pass_times(record):
    return record["seconds"] / record["pass_seconds"]


def label(record):
    """The instance with its penalties."""
    text = record["instance"]
    if record.get("ratio") is not None:
        text += f", {record['ratio']:g}"
    if record["group"] == "sparse":
        text += f", lambda2 {record['lambda2']:g}"
    return text


def of_solver(records, solver, tolerance=1e-6):
    return [r for r in records if r["solver"] == solver and r["tolerance"] == tolerance]


def counterpart(records, record, solver):
    """The other solver's run on the same instance."""
    return next((r for r in of_solver(records, solver) if label(r) == label(record)), None)


def speed_up(ours, other):
    """How many times as fast ours is. A rival that was stopped by its time limit would have taken longer still."""
    return other["seconds"] / ours["seconds"]


def limited(record):
    return "" if solved(record) else f"{record['solver']} stopped by its limit"


def check_dense(targets, records, judge):
    for tolerance, limit in ((1e-6, 4), (1e-9, 6)):
        for r in of_solver(records, judge, tolerance):
            targets.at_most(f"{label(r)}: pass-times to {tolerance:g}", pass_times(r), limit, solved=solved(r))
    for r in of_solver(records, judge):
        pg = counterpart(records, r, "pg")
        if pg and judge != "pg":
            targets.at_least(f"{label(r)}: times as fast as pg", speed_up(r, pg), 10, note=limited(pg), solved=solved(r))


def check_tall(targets, records, judge):
    for r in of_solver(records, judge):
        targets.at_most(f"{label(r)}: pass-times", pass_times(r), 15, solved=solved(r))


def check_table(targets, records, judge):
    ours = of_solver(records, judge)
    for other in ("pg", "pg2"):
        pairs = [(r, counterpart(records, r, other)) for r in ours]
        pairs = [(r, o) for r, o in pairs if o]
        if other == judge or not pairs:
            continue
        every = all(solved(r) for r, _ in pairs)
        slowest = min(pairs, key=lambda pair: speed_up(*pair))
        slower = sum(speed_up(*pair) < 1 for pair in pairs)
        targets.at_least(f"{len(pairs)} instances: times as fast as {other}, the worst", speed_up(*slowest), 1,
                         note=f"{label(slowest[0])}" + (f"; slower on {slower}" if slower else ""), solved=every)
        mean = math.exp(sum(math.log(speed_up(*pair)) for pair in pairs) / len(pairs))
        if other == "pg":
            targets.at_least(f"{len(pairs)} instances: times as fast as {other}, geometric mean", mean, 10, solved=every)


def check_small(targets, records, judge):
    milliseconds = {"(500, 50, 5)": 0.2, "(50, 300, 30)": 0.4}
    for r in of_solver(records, judge):
        size = r["instance"].split(" rho")[0]
        if size in milliseconds:
            targets.at_most(f"{label(r)}: time", r["seconds"] * 1e3, milliseconds[size], " ms", solved=solved(r))
        else:
            targets.at_most(f"{label(r)}: pass-times", pass_times(r), 8, solved=solved(r))


def check_sparse(targets, records, judge):
    limits = {0.5: 3, 0.1: 6, 0.02: 20}
    for r in of_solver(records, judge):
        targets.at_most(f"{label(r)}: pass-times", pass_times(r), limits[r["ratio"]], solved=solved(r))


def check_multiclass(targets, records, judge):
    for r in of_solver(records, judge):
        targets.at_most(f"{label(r)}: pass-times", pass_times(r), 25, solved=solved(r))
        pg = counterpart(records, r, "pg")
        if pg and judge != "pg":
            targets.at_least(f"{label(r)}: times as fast as pg", speed_up(r, pg), 1, note=limited(pg), solved=solved(r))


def check_path(targets, records, judge):
    for r in of_solver(records, judge):
        if r["n_features"] == 20000:
            targets.at_most(f"{label(r)}: pass-times of the path", pass_times(r), 60, solved=solved(r))
            targets.at_most(f"{label(r)}: X'r products over all features, twice the passes at most", 2 * r["passes"], 60)
        glmnet = next((g for g in records if g["solver"] == "glmnet" and g["instance"] == r["instance"]), None)
        if glmnet is None:
            targets.leave_out(f"{label(r)}: times as fast as glmnet", "no glmnet")
        else:
            targets.at_least(f"{label(r)}: times as fast as glmnet", glmnet["call_seconds"] / r["call_seconds"], 3,
                             note="" if glmnet["lambdas"] == 100 else f"glmnet did {glmnet['lambdas']} lambdas", solved=solved(r))


def reaches(record, objective):
    return solved(record) and record["common_objective"] <= objective * (1 + 1e-9)


def check_liblinear(targets, records, judge):
    """Whole calls are compared: theirs from data to model, ours likewise."""
    ours = [r for r in records if r["solver"] == judge]
    for rival in records:
        if rival["solver"] not in ("LIBLINEAR -s 5", "LinearSVC"):
            continue
        same = [r for r in ours if label(r) == label(rival)]
        enough = [r for r in same if reaches(r, rival["common_objective"])]
        what = f"{label(rival)}: times as fast as {rival['solver']}"
        if not same:
            continue
        if not enough:
            targets.check(what, "-", ">= 4", False, "its objective was not reached")
            continue
        first = max(enough, key=lambda r: r["tolerance"])
        targets.at_least(what, rival["call_seconds"] / first["call_seconds"], 4, note=f"at tolerance {first['tolerance']:g}")
    outside = [r for r in ours if solved(r) and r["smallest_margin"] <= 1 - r["delta"]]
    if ours:
        targets.check("solutions outside the range where the objectives agree", str(len(outside)), "0", not outside)


CHECKS = {"dense": check_dense, "tall": check_tall, "table": check_table, "small": check_small, "sparse": check_sparse,
          "path": check_path, "liblinear": check_liblinear, "multiclass": check_multiclass}


def check(group, records, judge):
    targets = Targets()
    CHECKS[group](targets, records, judge)
    if not targets.rows:
        targets.leave_out(f"all targets of {group}", f"{judge} was not measured")
    return targets.rows
