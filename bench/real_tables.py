"""The results of bench/run-real in Markdown, and the goals they are held against."""

import math

# (what, of which sets, ours, glmnet's, least ratio for every set, least geometric mean)
PATH_GOALS = (
    ("path, two classes", "path", "glmnet path", 2.0, 4.0),
    ("path, relative margins", "path relative", "glmnet path", 1.5, 3.0),
    ("path, absolute margins", "path absolute", "glmnet path", 0.8, 2.0),
    ("cv", "cv", "glmnet cv", 1.0, None),
)
MOST_PASS_TIMES = 25.0
MOST_UNSCALED = 3.0


def seconds(row, what):
    """None where it was not measured, refused or ended by the time limit."""
    result = row.get(what)
    return None if not result or "error" in result or result.get("status", "converged") != "converged" else result["seconds"]


def at_most(row, what):
    """Seconds that it took, or more than which it would have taken; None where neither is known."""
    limit = (row.get(what) or {}).get("limit")
    return seconds(row, what) or limit


def ratio(row, ours, theirs):
    """How many times as fast as glmnet; where we were ended by the limit, at most that."""
    mine, other = at_most(row, ours), seconds(row, theirs)
    return None if mine is None or other is None else other / mine


def pass_times(row):
    fit = row.get("fit")
    return None if not fit or "error" in fit else fit["seconds"] / fit["pass_seconds"]


def unscaled(row):
    mine, scaled = at_most(row, "unscaled"), seconds(row, "path")
    return None if mine is None or scaled is None else mine / scaled


def mean(values):
    return math.exp(sum(map(math.log, values)) / len(values))


def goals(rows):
    """Each with its words, what was measured, whether it is met, and the sets that miss it."""
    found = []

    def add(what, wanted, measured, met, missing=()):
        found.append({"what": what, "wanted": wanted, "measured": measured, "met": met, "missing": list(missing)})

    for what, ours, theirs, least, least_mean in PATH_GOALS:
        ratios = {row["name"]: ratio(row, ours, theirs) for row in rows}
        ratios = {name: value for name, value in ratios.items() if value is not None}
        if not ratios:
            continue
        missing = [name for name, value in ratios.items() if value < least]
        add(f"{what}: times as fast as glmnet, every set", f">= {least:g}", f"{min(ratios.values()):.3g}", not missing, missing)
        if least_mean:
            value = mean(ratios.values())
            add(f"{what}: geometric mean of {len(ratios)} sets", f">= {least_mean:g}", f"{value:.3g}", value >= least_mean)
    for what, measure, most in (("fit at 0.05 lambda1_max, pass-times", pass_times, MOST_PASS_TIMES),
                                ("unscaled, times the standardised path", unscaled, MOST_UNSCALED)):
        values = {row["name"]: measure(row) for row in rows}
        values = {name: value for name, value in values.items() if value is not None}
        if values:
            missing = [name for name, value in values.items() if value > most]
            add(f"{what}, every set", f"<= {most:g}", f"{max(values.values()):.3g}", not missing, missing)
    return found


def number(value):
    return "" if value is None else f"{value:.3g}"


def time(row, what):
    result = row.get(what)
    if not result:
        return ""
    if "limit" in result:
        return f"> {result['limit']:g}"
    if "error" in result:
        return "refused"
    return number(result["seconds"]) + ("" if result.get("status", "converged") == "converged" else " (" + result["status"] + ")")


def table(head, rows):
    lines = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    return "\n".join(lines + ["| " + " | ".join(row) + " |" for row in rows]) + "\n"


def size(row):
    return f"{row['rows']} x {row['columns']}" + (f", {row['classes']} classes" if row["classes"] > 2 else "")


def markdown(rows):
    """A table for each part that was measured, then the goals."""
    parts = []

    def add(title, head, lines):
        if lines:
            parts.append(f"### {title}\n\n" + table(head, lines))

    add("Paths of 100 points, two classes", ("data", "size", "hsvm, s", "glmnet, s", "glmnet / hsvm"),
        [(row["name"], size(row), time(row, "path"), time(row, "glmnet path"), number(ratio(row, "path", "glmnet path")))
         for row in rows if row["classes"] == 2 and row.get("path")])
    add("Paths of 100 points, several classes",
        ("data", "size", "relative, s", "absolute, s", "glmnet, s", "glmnet / relative", "glmnet / absolute"),
        [(row["name"], size(row), time(row, "path relative"), time(row, "path absolute"), time(row, "glmnet path"),
          number(ratio(row, "path relative", "glmnet path")), number(ratio(row, "path absolute", "glmnet path")))
         for row in rows if row.get("path relative") or row.get("path absolute")])
    add("Cross-validation", ("data", "size", "hsvm cv, s, two threads", "cv.glmnet, s", "cv.glmnet / hsvm"),
        [(row["name"], size(row), time(row, "cv"), time(row, "glmnet cv"), number(ratio(row, "cv", "glmnet cv")))
         for row in rows if row.get("cv")])
    add("Single fits at 0.05 lambda1_max", ("data", "size", "s", "a pass, ms", "pass-times"),
        [(row["name"], size(row), time(row, "fit"), number(1e3 * row["fit"].get("pass_seconds", float("nan"))), number(pass_times(row)))
         for row in rows if row.get("fit")])
    add("Features that are not standardised", ("data", "size", "as they are, s", "standardised, s", "times"),
        [(row["name"], size(row), time(row, "unscaled"), time(row, "path"), number(unscaled(row)))
         for row in rows if row.get("unscaled")])
    add("Goals", ("goal", "wanted", "measured", ""),
        [(goal["what"], goal["wanted"], goal["measured"],
          "" if goal["met"] else "MISSED" + (": " + ", ".join(goal["missing"]) if goal["missing"] else "")) for goal in goals(rows)])
    return "\n".join(parts)
