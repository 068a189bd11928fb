#!/usr/bin/env python3
# bench/factor_solve/marks.py -- checks the project's performance goals for the solve with factors.
# SPDX-License-Identifier: BSD-3-Clause
"""usage: bench/factor_solve/marks.py [MATRIX...] [--repeat R] [--out FILE]

Runs echelon:automatic against CHOLMOD and SuperLU on one thread and on two, with 16 right-hand
sides and with values in single precision, and says which marks are reached.
"""
import argparse
import sys

import tables
from tables import harness

MATRICES = ["elasticity3d:20", "laplace3d:50x50x50:7"]
OURS = "echelon:automatic"


class Marks:
    """Rows of the table for one matrix."""

    def __init__(self, matrix):
        self.matrix = matrix
        self.rows = []

    def add(self, title, value, mark, least=False):
        reached = value >= mark if least else value <= mark
        self.rows.append([title, self.matrix, f"{value:.3f}", f"{'>=' if least else '<='} {mark}",
                          "yes" if reached else "NO"])

    def against(self, runs, contender, phase, threads, mark):
        own = tables.by_contender(runs)
        ratio = (own[(OURS, threads)][phase]["solve_s"]
                 / own[(contender, threads)][phase]["solve_s"])
        self.add(f"{phase}, {tables.plural(threads)}: time over {contender}'s", ratio, mark)

    def bandwidth(self, runs):
        for threads in (1, 2):
            for phase in ("lower", "upper"):
                run = tables.by_contender(runs)[(OURS, threads)][phase]
                self.add(f"{phase}, {tables.plural(threads)}: share of the read bandwidth",
                         run["nonzero_share"], 0.85, least=True)

    def setup(self, runs):
        run = tables.by_contender(runs)[("echelon:invert_off", 2)]["both"]
        self.add("invert_off, 2 threads: symbolic and numeric, s",
                 run["analysis_s"] + run["setup_s"], 0.6)
        self.add("invert_off, 2 threads: symbolic alone, s", run["analysis_s"], 0.1)

    def over_plain(self, title, runs, plain, mark):
        for phase in ("lower", "upper"):
            ratio = (tables.by_contender(runs)[(OURS, 2)][phase]["solve_s"]
                     / tables.by_contender(plain)[(OURS, 2)][phase]["solve_s"])
            self.add(f"{phase}, 2 threads: {title}", ratio, mark)


def measure(arguments, matrix, document):
    """Adds all runs of one matrix to the document, with their goals."""
    def bench(factor, contenders, *more):
        words = tables.bench_words(arguments, matrix, factor, contenders)
        result = harness.run_json(arguments.program, words + list(more))
        harness.say(f"{matrix}: {factor} {' '.join(more)} done")
        return result

    cholmod = bench("cholmod", f"{OURS},echelon:invert_off,cholmod")
    superlu = bench("superlu", f"{OURS},superlu")
    many = bench("cholmod", OURS, "--nrhs", "16")
    low = bench("cholmod", OURS, "--low-precision")
    marks = Marks(matrix)
    for phase, mark in (("lower", 0.65), ("upper", 0.72)):
        marks.against(cholmod["runs"], "cholmod", phase, 1, 0.90)
        marks.against(cholmod["runs"], "cholmod", phase, 2, mark)
    for threads, mark in ((1, 0.45), (2, 0.28)):
        marks.against(superlu["runs"], "superlu", "both", threads, mark)
    marks.bandwidth(cholmod["runs"])
    marks.setup(cholmod["runs"])
    marks.over_plain("16 right-hand sides over one", many["runs"], cholmod["runs"], 4)
    marks.over_plain("float storage over double", low["runs"], cholmod["runs"], 0.6)
    for result in (cholmod, superlu, many, low):
        document = harness.merge(document, result)
    document.setdefault("marks", []).extend(marks.rows)
    return document


def main():
    parser = argparse.ArgumentParser(prog="bench/factor_solve/marks.py", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("matrices", nargs="*", default=MATRICES, help=f"({' '.join(MATRICES)})")
    harness.add_common_arguments(parser, repeat=21)
    arguments = parser.parse_args()
    arguments.threads = "1,2"
    if not harness.build_program(arguments.program):
        return 1
    document = None
    try:
        for matrix in arguments.matrices:
            document = measure(arguments, matrix, document)
    except harness.Failed as error:
        print(f"marks: {error}", file=sys.stderr)
        return 1
    tables.finish(document, "marks", arguments,
                  f"bench/factor_solve/marks.py {' '.join(arguments.matrices)} "
                  f"--repeat {arguments.repeat}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
