#!/usr/bin/env python3
# bench/mpi_ranks/ranks.py -- measures how solves scale with ranks, for several grids and engines.
# SPDX-License-Identifier: BSD-3-Clause
"""usage: bench/mpi_ranks/ranks.py [factor|dense|bidiagonal ...] [--ranks 1,2,4] [--repeat R]
                                [--engines LIST] [--out FILE] [--program FILE] [--commit TEXT]

The paper's cases: a factor (elasticity3d:20, L then its transpose), a dense lower triangle of 1200
and a bidiagonal one of 1000, both in blocks of one by one.  Each on one row of ranks, one column,
and a square where there is one.  One process per case, grid and engine; one JSON file for all.
"""
import argparse
import json
import math
import os
import pathlib
import subprocess
import sys
import time

FOLDER = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(FOLDER.parent / "support")]
import harness  # noqa: E402  (beside us, not a package)
from harness import say  # noqa: E402

CASES = {
    "factor": ["elasticity3d:20", "--factor", "cholmod"],
    "dense": ["dense:1200", "--part", "lower", "--max-panel-columns", "1"],
    "bidiagonal": ["bidiagonal:1000", "--max-panel-columns", "1"],
}
ENGINES = ["payload", "counter", "two_sided"]


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("cases", nargs="*", metavar="CASE", help=", ".join(CASES))
    parser.add_argument("--ranks", default="1,2,4", help="numbers of ranks (1,2,4)")
    parser.add_argument("--repeat", type=int, default=21, help="timed solves (21)")
    parser.add_argument("--engines", default=",".join(ENGINES), help="some of them")
    parser.add_argument("--out", type=pathlib.Path, help="the JSON file to write")
    parser.add_argument("--program", type=pathlib.Path,
                        default=harness.PROGRAM.with_name("echelon-mpi"))
    parser.add_argument("--commit", help="version to record as measured (git describe)")
    arguments = parser.parse_args()
    arguments.cases = arguments.cases or list(CASES)
    for case in arguments.cases:
        if case not in CASES:
            parser.error(f"there is no case '{case}'; there are {', '.join(CASES)}")
    return arguments


def layouts(ranks):
    """Grid and mapping: one row (subtrees and cyclic), one column, a square."""
    side = math.isqrt(ranks)
    found = [(f"1x{ranks}", "subtree"), (f"1x{ranks}", "cyclic")]
    if ranks > 1:
        found.append((f"{ranks}x1", "cyclic"))
    if side > 1 and side * side == ranks:
        found.append((f"{side}x{side}", "cyclic"))
    return found


def run(arguments, case, ranks, grid, mapping, engine):
    environment = os.environ | {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
    words = ["mpirun", "-n", str(ranks), "--bind-to", "core", str(arguments.program), "solve",
             *CASES[case], "--grid", grid, "--mapping", mapping, "--engine", engine,
             "--repeat", str(arguments.repeat), "--json"]
    done = subprocess.run(words, capture_output=True, text=True, env=environment, timeout=300,
                          check=False)
    if done.returncode != 0:
        say(f"{case} {grid} {engine}: {done.stderr.strip().splitlines()[:1]}")
        return None
    return {"case": case} | json.loads(done.stdout)


def line_of(result):
    return (f"{result['case']:10} {result['grid']:>6} {result['mapping']:8} {result['engine']:10}"
            f"{result['solve_s'] * 1e3:9.3f} ms {result['communication_share']:6.0%}"
            f" {result['messages']:8.0f}")


def main():
    arguments = parse_arguments()
    runs = []
    print(f"{'case':10} {'grid':>6} {'mapping':8} {'engine':10}{'solve':>12} {'comm.':>6} messages")
    for case in arguments.cases:
        for ranks in (int(r) for r in arguments.ranks.split(",")):
            for grid, mapping in layouts(ranks):
                for engine in arguments.engines.split(","):
                    result = run(arguments, case, ranks, grid, mapping, engine)
                    if result:
                        runs.append(result)
                        print(line_of(result), flush=True)
                        write(arguments, runs)
    return 0 if runs else 1


def write(arguments, runs):
    """Writes all results so far, so that an interrupted run keeps them."""
    document = {"question": "ranks", "date": runs[0]["date"], "machine": runs[0]["machine"],
                "commit": arguments.commit or harness.describe_commit(),
                "command": "bench/mpi_ranks/ranks.py " + " ".join(sys.argv[1:]),
                "runs": [{k: v for k, v in run.items() if k != "machine"} for run in runs]}
    out = arguments.out or FOLDER / "results" / f"{time.strftime('%Y-%m-%d')}-ranks.json"
    out.parent.mkdir(exist_ok=True)
    out.write_text(json.dumps(document, indent=1) + "\n")


if __name__ == "__main__":
    sys.exit(main())
