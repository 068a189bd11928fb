#!/usr/bin/env python3
# bench/factor_solve/fig17.py -- the paper's Figure 17: how the solve scales with threads.
# SPDX-License-Identifier: BSD-3-Clause
"""usage: bench/factor_solve/fig17.py [MATRIX...] [--factor cholmod|superlu] [--contenders LIST]
                            [--repeat R] [--threads LIST] [--out FILE]

L and U together, for some options on 1, 2, 4, ... threads, against SuperLU and CHOLMOD.
"""
import argparse
import os
import pathlib
import sys

import tables
from tables import harness

MATRICES = ["elasticity3d:20", "laplace3d:50x50x50:7"]
CONTENDERS = "echelon:team,echelon:invert_off,echelon:tree,superlu,cholmod"


def doubled_threads():
    cores = len(os.sched_getaffinity(0))
    threads = [2**k for k in range(11) if 2**k < cores] + [cores]
    return ",".join(map(str, threads))


def main():
    parser = argparse.ArgumentParser(prog="bench/factor_solve/fig17.py", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("matrices", nargs="*", default=MATRICES, help=f"({' '.join(MATRICES)})")
    parser.add_argument("--factor", choices=("cholmod", "superlu"), default="superlu")
    parser.add_argument("--contenders", default=CONTENDERS, help=f"({CONTENDERS})")
    harness.add_common_arguments(parser, repeat=15)
    parser.set_defaults(threads=doubled_threads())
    arguments = parser.parse_args()
    if not harness.build_program(arguments.program):
        return 1
    document, failed = None, []
    for matrix in arguments.matrices:
        try:
            words = tables.bench_words(arguments, matrix, arguments.factor, arguments.contenders)
            document = harness.merge(document, harness.run_json(arguments.program, words))
            harness.say(f"{matrix}: done")
        except harness.Failed as error:
            failed.append(f"{pathlib.Path(matrix).name}: {error}")
            harness.say(failed[-1])
    if document is None:
        return 1
    document["failed"] = failed
    names = " ".join(pathlib.Path(name).name for name in arguments.matrices)
    tables.finish(document, "fig17", arguments,
                  f"bench/factor_solve/fig17.py {names} --factor {arguments.factor} "
                  f"--repeat {arguments.repeat} --threads {arguments.threads}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
