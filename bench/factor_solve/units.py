#!/usr/bin/env python3
# bench/factor_solve/units.py -- compares solves with each vector unit to CHOLMOD and PARDISO.
# SPDX-License-Identifier: BSD-3-Clause
"""usage: bench/factor_solve/units.py [MATRIX] [--units LIST] [--calls C] [--repeat R] [--before PROGRAM]

Calls the program C times for each unit, in turn; in a call all contenders take turns.  --before
names an older program that takes turns with this one, with the unit it chooses by itself.  The
marks are those of processors without AVX-512: unit avx2.
"""
import argparse
import os
import statistics
import sys

import tables
from tables import harness

OURS = "echelon:tree"
PACKAGES = ("cholmod", "pardiso")
MARKED = "avx2"


def call(arguments, unit, program):
    """One run of the program; returns the document with the unit noted in Echelon's runs."""
    own = program == arguments.program
    contenders = ",".join((OURS, *PACKAGES)) if own else OURS
    words = tables.bench_words(arguments, arguments.matrix, "cholmod", contenders)
    words += ["--order", "metis"] + (["--cpu.vector-unit", unit] if own else [])
    document = harness.run_json(program, words, seconds=600)
    for run in document["runs"]:
        run["unit"] = unit if own else "before"
    return document


class Times:
    """Medians of the calls."""

    def __init__(self, runs):
        self.runs = runs

    def values(self, unit, contender, threads, phase, key="solve_s"):
        return [run[key] for run in self.runs
                if (run["unit"], run["contender"], run["threads"], run["phase"])
                == (unit, contender, threads, phase)]

    def median(self, *which):
        return statistics.median(self.values(*which))

    def best_package(self, phase, threads):
        found = [self.median(MARKED, name, count, phase) for name in PACKAGES for count in threads
                 if self.values(MARKED, name, count, phase)]
        return min(found)


def marks(times, matrix):
    """The goals for processors with AVX2 only."""
    def line(title, value, wanted):
        return [title, matrix, f"{value:.3f}", f"<= {wanted}", "yes" if value <= wanted else "NO"]
    lower = {t: times.median(MARKED, OURS, t, "lower") for t in (1, 2)}
    upper = {t: times.median(MARKED, OURS, t, "upper") for t in (1, 2)}
    setup = times.median(MARKED, OURS, 2, "lower", "setup_s")
    return [
        line("avx2: L, 1 thread, over cholmod's",
             lower[1] / times.median(MARKED, "cholmod", 1, "lower"), 0.95),
        line("avx2: L, 2 threads, over the best of the packages",
             lower[2] / times.best_package("lower", (1, 2)), 0.90),
        line("avx2: L', 2 threads, over the best of the packages",
             upper[2] / times.best_package("upper", (1, 2)), 0.90),
        line("avx2: L over L', 1 thread", lower[1] / upper[1], 1.1),
        line("avx2: L over L', 2 threads", lower[2] / upper[2], 1.1),
        line("avx2: setup with inverted panels, 2 threads, s", setup, 0.25),
    ]


def main():
    parser = argparse.ArgumentParser(prog="bench/factor_solve/units.py", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("matrix", nargs="?", default="elasticity3d:20", help="(elasticity3d:20)")
    parser.add_argument("--units", default="avx2,avx512", help="units to compare (avx2,avx512)")
    parser.add_argument("--calls", type=int, default=5, help="calls of the program per unit (5)")
    parser.add_argument("--before", help="an older program to compare with")
    harness.add_common_arguments(parser, repeat=21)
    arguments = parser.parse_args()
    if not harness.build_program(arguments.program):
        return 1
    libraries = sorted(harness.fetch_wheels(["mkl"]).glob("lib/libmkl_rt.so*"))
    if libraries:
        os.environ.setdefault("ECHELON_MKL_LIBRARY", str(libraries[-1]))
    units = [(unit, arguments.program) for unit in arguments.units.split(",")]
    if arguments.before:
        units.append(("before", arguments.before))
    document = None
    try:
        for number in range(arguments.calls):
            for unit, program in units[number % len(units):] + units[:number % len(units)]:
                document = harness.merge(document, call(arguments, unit, program))
            harness.say(f"call {number + 1} of {arguments.calls} done")
    except harness.Failed as error:
        print(f"units: {error}", file=sys.stderr)
        return 1
    document["marks"] = marks(Times(document["runs"]), arguments.matrix)
    tables.finish(document, "units", arguments,
                  f"bench/factor_solve/units.py {arguments.matrix} --units {arguments.units} "
                  f"--calls {arguments.calls} --repeat {arguments.repeat}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
