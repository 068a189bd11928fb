#!/usr/bin/env python3
# bench/factor_solve/gpu.py -- the paper's Figures 11, 14 and 15 on a GPU, with our goals for them.
# SPDX-License-Identifier: BSD-3-Clause
"""usage: bench/factor_solve/gpu.py [--repeat R] [--program FILE] [--out FILE]

Every option of Echelon on A_20x20x20 factored by CHOLMOD, also level by level for options that launch
one kernel per level; the persistent solve on smaller and larger problems, with 16 right-hand sides and with values
in single precision; cuSPARSE in turn with them.  Vectors on the device, times by its events.
"""
import argparse
import os
import sys

import tables
from tables import harness

OURS = "echelon:tree"
THEIRS = "cusparse"
SIZES = ["elasticity3d:10", "elasticity3d:30", "laplace3d:50x50x50:7"]
GAINS = {"elasticity3d:20": 200, "elasticity3d:30": 250, "elasticity3d:10": 50}


class Marks:
    """Rows of the table of marks."""

    def __init__(self):
        self.rows = []

    def add(self, title, matrix, value, mark, unit="", least=False):
        reached = value >= mark if least else value <= mark
        self.rows.append([title, matrix, f"{value:.3g}{unit}",
                          f"{'>=' if least else '<='} {mark:.3g}{unit}", "yes" if reached else "NO"])

    def miss(self, title, matrix, mark, reason):
        self.rows.append([title, matrix, "-", f">= {mark:.3g}", reason])

    def times(self, run_of, matrix, lower, both=None):
        runs = run_of(matrix)
        self.add("L-solve", matrix, runs["lower"]["solve_s"] * 1e6, lower, " us")
        if both:
            self.add("L, then its transpose", matrix, runs["both"]["solve_s"] * 1e6, both, " us")


def measure(arguments):
    def bench(matrix, contenders, *more):
        words = tables.bench_words(arguments, matrix, "cholmod", contenders)
        words += ["--backend", "cuda", *more]
        result = harness.run_json(arguments.program, words)
        harness.say(f"{matrix} {' '.join(more)} done")
        return result

    main = bench("elasticity3d:20", f"echelon,{THEIRS}", "--by-level")
    others = {matrix: bench(matrix, f"{OURS},{THEIRS}") for matrix in SIZES}
    many = bench("elasticity3d:20", OURS, "--nrhs", "16")
    low = bench("elasticity3d:30", OURS, "--low-precision")

    def runs_of(document):
        return next(phases for (name, _), phases in tables.by_contender(document["runs"]).items()
                    if name == OURS)

    def run_of(matrix):
        return runs_of(others.get(matrix, main))

    marks = Marks()
    marks.times(run_of, "elasticity3d:20", 50, 100)
    marks.times(run_of, "elasticity3d:30", 185, 370)
    marks.times(run_of, "elasticity3d:10", 18, 36)
    laplace = run_of("laplace3d:50x50x50:7")["lower"]
    floor = laplace["nonzero_bytes"] / (main["device"]["copy_gb_per_s"] * 1e9)
    marks.times(run_of, "laplace3d:50x50x50:7", 2e6 * floor + 25)
    one = run_of("elasticity3d:20")
    marks.add("16 right-hand sides over one, L", "elasticity3d:20",
              runs_of(many)["lower"]["solve_s"] / one["lower"]["solve_s"], 2.5)
    marks.add("float storage over double, L", "elasticity3d:30",
              runs_of(low)["lower"]["solve_s"] / run_of("elasticity3d:30")["lower"]["solve_s"], 0.6)
    marks.add("symbolic and numeric setup", "elasticity3d:20",
              one["both"]["analysis_s"] + one["both"]["setup_s"], 0.25, " s")
    marks.add("numeric update", "elasticity3d:20", one["both"]["update_s"] * 1e3, 40, " ms")
    for matrix, gain in GAINS.items():
        measured = run_of(matrix)["lower"]["speedup_vs_cusparse"]
        title = "L-solve, times as fast as cuSPARSE"
        if measured:
            marks.add(title, matrix, measured, gain, least=True)
        else:
            marks.miss(title, matrix, gain, "cuSPARSE is missing")
    document = main
    for result in (*others.values(), many, low):
        document = harness.merge(document, result)
    document["marks"] = marks.rows
    return document


def main():
    parser = argparse.ArgumentParser(prog="bench/factor_solve/gpu.py", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    harness.add_common_arguments(parser, repeat=201)
    arguments = parser.parse_args()
    arguments.threads = str(os.cpu_count())
    if not harness.build_program(arguments.program):
        return 1
    try:
        document = measure(arguments)
    except harness.Failed as error:
        print(f"gpu: {error}", file=sys.stderr)
        return 1
    tables.finish(document, "gpu", arguments, f"bench/factor_solve/gpu.py --repeat {arguments.repeat}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
