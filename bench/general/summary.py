#!/usr/bin/env python3
# bench/general/summary.py -- prints a benchmark's table and compares it with the project's goals.
# SPDX-License-Identifier: BSD-3-Clause
"""usage: bench/general/summary.py RESULTS.json [--write FILE.md]

Prints, for each matrix, the times against Eigen's, and the marks the project set itself.
--write puts the same into a page.
"""
import json
import math
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import harness  # noqa: E402  (beside us, not a package)

ROW_METHODS = ("echelon:serial", "echelon:level_row", "echelon:element_row", "echelon:superstep",
               "echelon:automatic")
LEVEL_METHODS = ("echelon:level_row", "echelon:level_column")
COLUMNS = [("echelon:serial", 1), ("echelon:automatic", 1), ("echelon:automatic", 2),
           ("echelon:superstep", 2), ("echelon:level_row", 2), ("echelon:level_column", 2),
           ("echelon:element_row", 2), ("echelon:element_column", 2), ("mkl", 1), ("mkl", 2),
           ("scipy", 1)]


def by_system(runs):
    """{(input, part): {(contender, threads): run}}, in the order of the file."""
    systems = {}
    for run in runs:
        key = (run["input"], run["part"])
        systems.setdefault(key, {})[(run["contender"], run["threads"])] = run
    return systems


def is_main(system):
    """The grids and elasticity of the main set: not the chain, not the small ones for SciPy."""
    return not system[0].startswith("bidiagonal") and not any(
        system[0].startswith(small) for small in ("laplace2d:256x256:", "laplace3d:32x32x32:"))


def seconds(entries, contender, threads):
    run = entries.get((contender, threads))
    return run["solve_s"] if run else None


def ratio(reference, time):
    """The speed-up over the reference; None if either is missing."""
    return reference / time if reference and time else None


def best_rows(entries, threads):
    times = [seconds(entries, method, threads) for method in ROW_METHODS]
    times = [time for time in times if time]
    return min(times) if times else None


def geometric_mean(values):
    return math.exp(sum(map(math.log, values)) / len(values))


def one_line(runs):
    """The main ratios of one matrix, as progress output."""
    parts = []
    for (_, part), entries in by_system(runs).items():
        eigen = seconds(entries, "eigen", 1)
        words = [f"{part}"]
        for name, time in (("rows/1", best_rows(entries, 1)),
                           ("automatic/2", seconds(entries, "echelon:automatic", 2)),
                           ("mkl/2", seconds(entries, "mkl", 2))):
            if value := ratio(eigen, time):
                words.append(f"{name} {value:.2f}x")
        parts.append(" ".join(words))
    return "; ".join(parts)


def collect(systems, measure):
    """(value, name) of a measure over the main set, without missing values."""
    found = [(measure(entries), f"{system[0]} {system[1]}")
             for system, entries in systems.items() if is_main(system)]
    return [(value, name) for value, name in found if value is not None]


def mean_and_worst(title, values, mean_mark, worst_mark):
    """One line: geometric mean and worst, each with its goal."""
    if not values:
        return f"{title}: not measured"
    mean = geometric_mean([value for value, _ in values])
    worst, where = min(values)
    text = f"{title}: geometric mean {mean:.2f} {verdict(mean >= mean_mark, f'>= {mean_mark}')}"
    text += f", worst {worst:.2f} ({where})"
    if worst_mark is not None:
        text += f" {verdict(worst >= worst_mark, f'>= {worst_mark}')}"
    return text


def verdict(reached, mark):
    return f"[{'reached' if reached else 'MISSED'}: {mark}]"


def chain_line(systems):
    for system, entries in systems.items():
        if system[0] != "bidiagonal:1000000":
            continue
        serial = seconds(entries, "echelon:serial", 1)
        values = [ratio(serial, run["solve_s"]) for (contender, _), run in entries.items()
                  if contender == "echelon:automatic"]
        if serial and values:
            worst = min(values)
            return (f"{system[0]}, automatic over serial: {worst:.2f} "
                    f"{verdict(worst >= 0.95, '>= 0.95')}")
    return "bidiagonal:1000000: not measured"


def analysis_line(systems):
    """The most expensive analysis of the level methods, with all threads, in serial solves."""
    costs = []
    for system, entries in systems.items():
        if not is_main(system):
            continue
        threads = max(t for _, t in entries)
        costs += [(run["analysis_solves"], f"{contender} on {system[0]} {system[1]}")
                  for (contender, t), run in entries.items()
                  if contender in LEVEL_METHODS and t == threads and run.get("analysis_solves")]
    if not costs:
        return "analysis of the level methods: not measured"
    worst, where = max(costs)
    mean = geometric_mean([cost for cost, _ in costs])
    return (f"analysis of the level methods in serial solves: geometric mean {mean:.1f}, "
            f"most {worst:.1f} ({where}) {verdict(worst <= 5, '<= 5')}")


def marks(document):
    systems = by_system(document["runs"])

    def against(contender, threads, measure):
        return collect(systems, lambda e: ratio(seconds(e, contender, threads), measure(e)))

    def automatic(entries):
        return seconds(entries, "echelon:automatic", 2)

    return [
        mean_and_worst("1 thread, best row method over Eigen",
                       against("eigen", 1, lambda e: best_rows(e, 1)), 1.1, 0.95),
        mean_and_worst("2 threads, automatic over Eigen", against("eigen", 1, automatic), 1.6, 1.0),
        mean_and_worst("1 thread, best row method over MKL",
                       against("mkl", 1, lambda e: best_rows(e, 1)), 1.0, None),
        mean_and_worst("2 threads, automatic over MKL", against("mkl", 2, automatic), 1.0, None),
        chain_line(systems),
        analysis_line(systems),
    ]


def table(document):
    """Rows of text, title first; times as multiples of Eigen's speed."""
    systems = by_system(document["runs"])
    present = {key for entries in systems.values() for key in entries}
    columns = [column for column in COLUMNS if column in present]
    titles = [f"{name.removeprefix('echelon:')}/{threads}" for name, threads in columns]
    rows = [["matrix", "part", "levels", "eigen ms"] + titles]
    for (matrix, part), entries in systems.items():
        eigen = seconds(entries, "eigen", 1)
        levels = next(iter(entries.values()))["levels"]
        row = [matrix, part, str(levels), f"{eigen * 1e3:.2f}" if eigen else "-"]
        for column in columns:
            value = ratio(eigen, seconds(entries, *column))
            row.append(f"{value:.2f}" if value else "-")
        rows.append(row)
    return rows


def heading(document):
    return harness.heading(document) + [
        "Times as multiples of Eigen's speed (contender/threads); medians of "
        f"{max(run['repeats'] for run in document['runs'])} interleaved rounds."]


def to_text(document):
    lines = heading(document) + [""] + harness.align(table(document)) + [""] + marks(document)
    lines += [f"missing: {m['contender']} ({m['reason']})" for m in document.get("missing", [])]
    return "\n".join(lines)


def to_page(document):
    rows = table(document)
    lines = ["# Results of the general solve", ""]
    lines += [line + "  " for line in heading(document)] + [""]
    lines += harness.to_markdown(rows)
    lines += ["", "Marks:", ""] + [f"- {line}" for line in marks(document)]
    lines += [f"- missing: {m['contender']} ({m['reason']})" for m in document.get("missing", [])]
    return "\n".join(lines) + "\n"


def main(arguments):
    if not arguments or arguments[0] in ("-h", "--help"):
        print(__doc__)
        return 0 if arguments else 2
    document = json.loads(pathlib.Path(arguments[0]).read_text(encoding="utf-8"))
    print(to_text(document))
    if "--write" in arguments:
        page = pathlib.Path(arguments[arguments.index("--write") + 1])
        page.write_text(to_page(document), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
