"""Verdicts on the results of bench/run-accuracy, and tables of them: for the terminal, and in Markdown for docs/benchmarks.md."""

ROUNDING = 1e-9
VERDICTS = ("ahead", "level", "within", "behind", "alone", "not run")
HEAD = ("data", "n x p, classes", "folds", "hsvm, % (s.e.)", "cv.glmnet, % (s.e.)", "verdict", "test: hsvm, %", "cv.glmnet, %",
        "features: hsvm", "cv.glmnet", "s: hsvm", "cv.glmnet")
SCALES = ("times 0.001", "times 1000", "each its own")
SCALE_HEAD = ("data", "accuracy, %", "lambda1", "lambda2", "features", *SCALES)
# Relative to the largest score. Solves are certified to a relative gap of 1e-6 and the objective is flat to first order at its
# minimum, so scores are certain to the order of the root of that.
SCORES_AGREE = 1e-3


def measured(result):
    return result is not None and "accuracy" in result


def verdict(row):
    """Of accuracies by the same folds. `within`: below by no more than the standard error that cv.glmnet states.
    `alone`: cv.glmnet has refused or is absent."""
    ours, theirs = row["hsvm"], row["glmnet"]
    if ours is None:
        return "not run"
    if not measured(ours):
        return "behind"
    if not measured(theirs):
        return "alone"
    ahead = ours["accuracy"] - theirs["accuracy"]
    if abs(ahead) <= ROUNDING:
        return "level"
    if ahead > 0:
        return "ahead"
    return "within" if -ahead <= theirs["standard_error"] + ROUNDING else "behind"


def percent(value):
    return "" if value is None else f"{100 * value:.1f}"


def with_error(result):
    if not measured(result):
        return "not run" if result is None else "refuses"
    mark = "" if result.get("status", "converged") == "converged" else f", {result['status'].replace('_', ' ')}"
    return f"{percent(result['accuracy'])} ({percent(result['standard_error'])}){mark}"


def number(result, field, form):
    value = (result or {}).get(field)
    return "" if value is None else f"{value:{form}}"


def cells(row):
    ours, theirs = row["hsvm"], row["glmnet"]
    return (row["name"], f"{row['n_samples']} x {row['n_features']}, {row['n_classes']}", str(row["folds"]), with_error(ours),
            with_error(theirs), verdict(row), percent((ours or {}).get("test_accuracy")), percent((theirs or {}).get("test_accuracy")),
            number(ours, "nonzeros", "d"), number(theirs, "nonzeros", "d"), number(ours, "seconds", ".3g"),
            number(theirs, "seconds", ".3g"))


def mean(values):
    return sum(values) / len(values)


def summary(rows):
    """Sentences: averages over the sets that both have, and how many stand where."""
    lines = []
    for field, what in (("accuracy", "cross-validated"), ("test_accuracy", "on test files")):
        both = [row for row in rows if all((row[side] or {}).get(field) is not None for side in ("hsvm", "glmnet"))]
        if both:
            ours, theirs = (mean([row[side][field] for row in both]) for side in ("hsvm", "glmnet"))
            lines.append(f"Average accuracy {what}, {len(both)} sets: hsvm {100 * ours:.2f} %, cv.glmnet {100 * theirs:.2f} %.")
    verdicts = [verdict(row) for row in rows]
    words = {"within": "below by at most one standard error", "alone": "without cv.glmnet"}
    counts = [f"{verdicts.count(word)} {words.get(word, word)}" for word in VERDICTS if word in verdicts or word == "behind"]
    lines.append(f"hsvm is {', '.join(counts)}.")
    return lines


def notes(rows):
    """What a side has said instead of a result, or beside it."""
    lines = []
    for row in rows:
        for side, name in (("hsvm", "hsvm cv"), ("glmnet", "cv.glmnet")):
            result = row[side] or {}
            said = [result["error"]] if "error" in result else result.get("warnings", [])
            if said:
                more = f" (and {len(said) - 1} more)" if len(said) > 1 else ""
                lines.append(f"{row['name']}, {name}: {said[0]}{more}")
    return lines


def same_model(base, copy):
    """Whether a scaled copy of the data has led to the same model and accuracy, but for rounding."""
    return (measured(copy) and abs(base["accuracy"] - copy["accuracy"]) <= ROUNDING and base["lambda2"] == copy["lambda2"] and
            abs(base["lambda1"] - copy["lambda1"]) <= ROUNDING * base["lambda1"] and base["nonzeros"] == copy["nonzeros"] and
            copy["difference"] <= SCORES_AGREE)


def same_everywhere(row):
    return bool(row["copies"]) and all(same_model(row["base"], copy) for copy in row["copies"])


def model_cells(result):
    if not measured(result):
        return ("refuses", "", "", "")
    return (percent(result["accuracy"]), f"{result['lambda1']:.4g}", f"{result['lambda2']:g}", str(result["nonzeros"]))


def scale_cells(row):
    """The model of the data as it is; for each copy how far its scores are from that one's, or what it has instead."""
    copies = []
    for copy in row["copies"]:
        difference = f"{copy['difference']:.0e}" if measured(copy) else ""
        same = same_model(row["base"], copy)
        copies.append(difference if same else "DIFFERS: " + " / ".join(filter(None, (*model_cells(copy), difference))))
    return (row["name"], *model_cells(row["base"]), *(copies or [""] * len(SCALES)))


def scale_summary(rows):
    same = sum(map(same_everywhere, rows))
    return f"{same} of {len(rows)} sets keep model and accuracy in all copies."


def print_table(head, rows, left):
    table = [head, *rows]
    widths = [max(len(row[column]) for row in table) for column in range(len(head))]
    print()
    for row in table:
        print("  ".join(cell.ljust(width) if column in left else cell.rjust(width)
                        for column, (cell, width) in enumerate(zip(row, widths))).rstrip())
    print()


def print_results(rows, scale_rows):
    if rows:
        print_table(HEAD, [cells(row) for row in rows], (0, 5))
        print("\n".join(notes(rows) + summary(rows)))
    if scale_rows:
        print_table(SCALE_HEAD, [scale_cells(row) for row in scale_rows], (0,))
        print(scale_summary(scale_rows))


def markdown_table(head, rows):
    lines = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    return "\n".join(lines + ["| " + " | ".join(row) + " |" for row in rows]) + "\n"


def markdown(rows, scale_rows):
    parts = []
    if rows:
        parts += [markdown_table(HEAD, [cells(row) for row in rows]), " ".join(summary(rows)) + "\n"]
    if scale_rows:
        parts += [markdown_table(SCALE_HEAD, [scale_cells(row) for row in scale_rows]), scale_summary(scale_rows) + "\n"]
    return "\n".join(parts)


def fine(rows, scale_rows):
    return not any(verdict(row) == "behind" for row in rows) and all(map(same_everywhere, scale_rows))
