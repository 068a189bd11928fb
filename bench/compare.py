#!/usr/bin/env python3
# bench/compare.py -- compares two results of a benchmark, run by run.
# SPDX-License-Identifier: BSD-3-Clause
"""usage: bench/compare.py OLD.json NEW.json [--all]

A run is known by its matrix, part, precision, contender and threads; one with the triangles of a
factorization also by factor, phase, right-hand sides and how its values are stored.  The ratio is the old
median over the new one: above 1 is faster.  A change is flagged when the middle halves of the
two sets of rounds (first to third quartile) do not overlap; --all shows the others too.
Exits 1 if an Echelon run became slower by more than 5 % and beyond that spread.
"""
import json
import math
import pathlib
import sys

KEYS = ("input", "part", "precision", "contender", "threads", "factor", "ordering", "phase", "nrhs",
        "low_precision")
TOLERANCE = 1.05


def read_runs(name):
    document = json.loads(pathlib.Path(name).read_text(encoding="utf-8"))
    return {tuple(run.get(key) for key in KEYS): run for run in document["runs"]}


def quartiles(run):
    """Without quartiles, as in `solve --json`, uses minimum and maximum."""
    return (run.get("solve_q1_s", run["solve_min_s"]), run.get("solve_q3_s", run["solve_max_s"]))


def change(old, new):
    """'faster', 'slower' or '' if the spreads overlap."""
    (old_first, old_third), (new_first, new_third) = quartiles(old), quartiles(new)
    if new_third < old_first:
        return "faster"
    return "slower" if new_first > old_third else ""


def compare(old_runs, new_runs, show_all):
    """Prints the table; returns whether an Echelon run became slower."""
    ratios = {}
    is_worse = False
    print(f"{'old ms':>10} {'new ms':>10} {'ratio':>6}")
    for key in [key for key in old_runs if key in new_runs]:
        old, new = old_runs[key], new_runs[key]
        value = old["solve_s"] / new["solve_s"]
        word = change(old, new)
        ratios.setdefault(f"{new['contender']}/{new['threads']}", []).append(value)
        if word or show_all:
            print(f"{old['solve_s'] * 1e3:10.3f} {new['solve_s'] * 1e3:10.3f} {value:6.2f}  "
                  f"{new['contender']}/{new['threads']} {new['input']} {new['part']} "
                  f"{new.get('phase', '')} {word}")
        is_worse |= (word == "slower" and value * TOLERANCE < 1
                     and new["contender"].startswith("echelon"))
    print("\ngeometric means")
    for name, values in ratios.items():
        mean = math.exp(sum(map(math.log, values)) / len(values))
        print(f"  {mean:6.3f}  {name} ({len(values)} runs)")
    return is_worse


def main(arguments):
    names = [a for a in arguments if not a.startswith("-")]
    if len(names) != 2 or set(arguments) - set(names) - {"--all"}:
        print(__doc__, file=sys.stderr)
        return 2
    old_runs, new_runs = map(read_runs, names)
    if not old_runs.keys() & new_runs.keys():
        print("compare: the two files have no run in common", file=sys.stderr)
        return 1
    for title, mine, other in (("only in the old", old_runs, new_runs),
                               ("only in the new", new_runs, old_runs)):
        if left := [key for key in mine if key not in other]:
            print(f"{title}: {len(left)} runs, the first {' '.join(map(str, left[0]))}")
    return 1 if compare(old_runs, new_runs, "--all" in arguments) else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
