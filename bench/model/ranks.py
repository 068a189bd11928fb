#!/usr/bin/env python3
# bench/model/ranks.py -- compares the forecast for MPI ranks with measurements.
# SPDX-License-Identifier: BSD-3-Clause
"""usage: bench/model/ranks.py [MATRIX ...] [--ranks 1,2] [--engines LIST] [--layouts row,column,square]
                            [--repeat R] [--machine FILE] [--out FILE]
       bench/model/ranks.py --measured FILE --machine FILE [--out FILE]
       bench/model/ranks.py --table FILE

Each matrix is factored and solved with on each number of ranks, by each engine, on one row of ranks
(subtrees), one column and a square (in turn).  Then `echelon model --simulate` forecasts the same solves
for the machine file that `mpirun -n P echelon-mpi calibrate` wrote on the machine of the solves.  With
--measured the solves come from a file of results, so that the forecast can run elsewhere.  A ratio is
the forecast time over the measured time; for the model it takes the upper bound, path plus messages.
"""
import argparse
import json
import math
import os
import pathlib
import statistics
import subprocess
import sys
import time

FOLDER = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(FOLDER.parent / "support")]
import harness  # noqa: E402  (beside us, not a package)
from harness import say  # noqa: E402

MATRICES = ["elasticity3d:20", "elasticity3d:12", "elasticity2d:150x150", "laplace2d:400x400:9",
            "laplace3d:40x40x40:7", "laplace3d:24x24x24:27", "dense:3000"]


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("matrices", nargs="*", metavar="MATRIX", default=MATRICES)
    parser.add_argument("--machine", help="a machine file, or a name that is built in")
    parser.add_argument("--ranks", default="1,2", help="numbers of ranks (1,2)")
    parser.add_argument("--engines", default="payload,two_sided")
    parser.add_argument("--layouts", default="row,column,square")
    parser.add_argument("--repeat", type=int, default=21, help="timed solves (21)")
    parser.add_argument("--program", type=pathlib.Path, default=harness.PROGRAM)
    parser.add_argument("--commit", help="version to record as measured (git describe)")
    parser.add_argument("--out", type=pathlib.Path, help="the JSON file to write")
    parser.add_argument("--measured", type=pathlib.Path, help="take the solves of this file of results")
    parser.add_argument("--table", type=pathlib.Path, help="print the table of a file, and end")
    arguments = parser.parse_args()
    if arguments.measured and not arguments.machine:
        parser.error("--measured without a --machine to forecast for")
    return arguments


def layouts(ranks, wanted):
    """Grid and mapping of each different layout."""
    side = math.isqrt(ranks)
    found = []
    if "row" in wanted or ranks == 1:
        found.append((f"1x{ranks}", "subtree"))
    if "column" in wanted and ranks > 1:
        found.append((f"{ranks}x1", "cyclic"))
    if "square" in wanted and side > 1 and side * side == ranks:
        found.append((f"{side}x{side}", "cyclic"))
    return found


def words_of(matrix):
    if matrix.startswith("dense:"):
        return [matrix, "--part", "lower"]
    return [matrix]


def run_json(words, environment=None):
    done = subprocess.run([str(w) for w in words], capture_output=True, text=True, timeout=600,
                          env=os.environ | (environment or {}), check=False)
    if done.returncode != 0:
        say(" ".join(str(w) for w in words) + ": " + (done.stderr.strip() or "failed")[:300])
        return None
    return json.loads(done.stdout)


def measure(arguments, matrix, ranks, grid, mapping, engine):
    one = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
    measured = run_json(["mpirun", "-n", ranks, "--bind-to", "core",
                         arguments.program.with_name("echelon-mpi"), "solve", *words_of(matrix),
                         "--grid", grid, "--mapping", mapping, "--engine", engine,
                         "--repeat", arguments.repeat, "--json"], one)
    if measured is None:
        return None, None
    say(f"{matrix} {grid} {engine}: {measured['rank_pass_s']['max'] * 1e3:.3g} ms")
    return measured["machine"], {
        "matrix": matrix, "n": measured["n"], "ranks": ranks, "grid": grid, "mapping": mapping,
        # Passes only: the forecast does not include the transfer of vectors from and to rank 0.
        "engine": engine, "measured_s": measured["rank_pass_s"]["max"],
        "solve_s": measured["solve_s"], "compute_s": measured["rank_compute_s"]["mean"],
        "messages": measured["messages"]}


def forecast(arguments, run):
    """Adds the model's forecast to a run; returns False if there is none."""
    told = run_json([arguments.program, "model", *words_of(run["matrix"]), "--machine",
                     arguments.machine, "--ranks", run["ranks"], "--grid", run["grid"], "--mapping",
                     run["mapping"], "--engine", run["engine"], "--simulate", "--json"])
    if told is None:
        return False
    trial = told["trials"][0]
    run |= {"compute_min_s": sum(p["compute_min_s"] for p in trial["model"]),
            "model_s": trial["model_s"], "simulated_s": trial["simulated_s"],
            "simulated_messages": sum(p["messages"] for p in trial["simulation"]),
            "limit": trial["limit"], "difference": trial["difference"]}
    say(f"{run['matrix']} {run['grid']} {run['engine']}: {run['measured_s'] * 1e3:.3g} ms, simulated "
        f"{run['simulated_s'] / run['measured_s']:.2f} of it, model "
        f"{run['model_s'] / run['measured_s']:.2f}")
    return True


def measure_all(arguments):
    """Machine and runs."""
    runs, machine = [], None
    for matrix in arguments.matrices:
        for ranks in (int(r) for r in arguments.ranks.split(",")):
            for grid, mapping in layouts(ranks, arguments.layouts.split(",")):
                for engine in arguments.engines.split(",")[:1 if ranks == 1 else None]:
                    found, run = measure(arguments, matrix, ranks, grid, mapping, engine)
                    if run:
                        machine = found
                        runs.append(run)
    return machine, runs


def summary(runs, key):
    """Median and worst factor between forecast and measurement."""
    off = sorted(max(r[key] / r["measured_s"], r["measured_s"] / r[key]) for r in runs)
    return {"median": statistics.median(off), "worst": off[-1]}


def print_table(document):
    print("| matrix | ranks | grid | engine | measured, ms | simulated, ms | ratio | model, ms | ratio |")
    print("|---|--:|---|---|--:|--:|--:|--:|--:|")
    for r in document["runs"]:
        print(f"| `{r['matrix']}` | {r['ranks']} | {r['grid']} | {r['engine'] if r['ranks'] > 1 else ''} |"
              f" {r['measured_s'] * 1e3:.3g} | {r['simulated_s'] * 1e3:.3g} |"
              f" {r['simulated_s'] / r['measured_s']:.2f} | {r['model_s'] * 1e3:.3g} |"
              f" {r['model_s'] / r['measured_s']:.2f} |")
    for key in ("simulated_s", "model_s"):
        s = summary(document["runs"], key)
        print(f"\n{key}: off by {s['median']:.2f} in the median, {s['worst']:.2f} at worst")


def main():
    arguments = parse_arguments()
    if arguments.table:
        print_table(json.loads(arguments.table.read_text()))
        return 0
    document = {"question": "model-ranks", "date": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
                "commit": arguments.commit or harness.describe_commit(),
                "command": "bench/model/ranks.py " + " ".join(sys.argv[1:])}
    if arguments.measured:
        document = json.loads(arguments.measured.read_text()) | {"forecast": document}
    else:
        document["machine"], document["runs"] = measure_all(arguments)
    if not document["runs"]:
        return 1
    if arguments.machine:
        document["runs"] = [run for run in document["runs"] if forecast(arguments, run)]
        document |= {key: summary(document["runs"], key + "_s") for key in ("simulated", "model")}
    out = arguments.out or FOLDER / "results" / f"{time.strftime('%Y-%m-%d')}-ranks.json"
    out.parent.mkdir(exist_ok=True)
    out.write_text(json.dumps(document, indent=1) + "\n")
    if arguments.machine:
        print_table(document)
    return 0


if __name__ == "__main__":
    sys.exit(main())
