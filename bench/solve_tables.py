"""The results of bench/run-solve as text: for the terminal, and in Markdown for docs/benchmarks.md."""

from solve_targets import label

HEAD = ("instance", "solver", "to", "passes", "pass-times", "seconds", "relative gap", "")


def number(value, form=".3g"):
    return "" if value is None else f"{value:{form}}"


def cells(record):
    times = record["seconds"] / record["pass_seconds"] if record.get("pass_seconds") else None
    words = [] if record["status"] in ("converged", "finished") else [record["status"].replace("_", " ")]
    if "common_objective" in record:
        words.append(f"objective {record['common_objective']:.8g}")
    return (label(record), record["solver"], number(record["tolerance"], "g"), number(record.get("passes"), ".4g"), number(times),
            number(record["seconds"]), number(record.get("relative_gap"), ".1e"), ", ".join(words))


def print_records(results):
    rows = [(group, *cells(record)) for group, result in results.items() for record in result["records"]]
    table = [("group", *HEAD), *rows]
    widths = [max(len(row[column]) for row in table) for column in range(len(table[0]))]
    print()
    for row in table:
        texts = [cell.ljust(width) if column < 3 else cell.rjust(width)
                 for column, (cell, width) in enumerate(zip(row[:-1], widths))]
        print("  ".join(texts) + "  " + row[-1])


def word(target):
    return {True: "", False: "MISSED", None: "not measured"}[target["met"]]


def print_targets(results):
    print()
    rows = [(group, target) for group, result in results.items() for target in result["targets"]]
    width = max(len(target["what"]) for _, target in rows)
    for group, target in rows:
        print(f"{group:<10} {target['what']:<{width}} {target['value']:>9}  {target['target']:<10} {word(target):<8} {target['note']}")
    counts = [sum(target["met"] is kind for _, target in rows) for kind in (True, False, None)]
    print(f"\n{counts[0]} of {counts[0] + counts[1]} targets met" + (f", {counts[2]} not measured" if counts[2] else ""))


def markdown_table(head, rows):
    lines = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    return "\n".join(lines + ["| " + " | ".join(row) + " |" for row in rows]) + "\n"


def markdown(results, groups):
    """One section a group: its targets, then its table."""
    parts = []
    for group in groups:
        result = results.get(group)
        if not result:
            continue
        parts.append(f"### {group}\n\n{result['machine']}, revision {result['revision']}, one thread; {result['judge']} is judged "
                     f"(`{result['options']}`).\n")
        parts.append(markdown_table(("target", "measured", "wanted", ""),
                                    [(target["what"], target["value"], target["target"],
                                      ", ".join(text for text in (word(target), target["note"]) if text))
                                     for target in result["targets"]]))
        parts.append(markdown_table(HEAD, [cells(record) for record in result["records"]]))
    return "\n".join(parts)
