#!/usr/bin/env python3
# bench/model/factors.py -- compares the choices of `automatic` for factorizations with the best
# method.
# SPDX-License-Identifier: BSD-3-Clause
"""Times methods on supernodes in turn, on one thread, warm, and asks which one automatic takes.

usage: bench/model/factors.py FILE... [--out FILE] [--times FILE]
       bench/model/factors.py --from FILE                       prints the summary of a result again

--times reads the times from another result and runs only the choices.
"""
import argparse
import datetime
import json
import pathlib
import subprocess
import sys

BENCH = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(BENCH / "support"))
import harness  # noqa: E402

METHODS = ["tree", "spmv", "invert_off", "team", "default"]
NEAR = 1.2
PATIENCE_S = 60


def bench(file, contenders, repeat):
    """Runs of L and then U, or None if the matrix has no factors or takes too long."""
    words = [harness.PROGRAM, "bench", file, "--part", "full", "--threads", "1", "--repeat", repeat,
             "--json", "--contenders", ",".join(f"echelon:{name}" for name in contenders)]
    try:
        done = subprocess.run([str(word) for word in words], capture_output=True, text=True,
                              timeout=PATIENCE_S, check=True)
    except (subprocess.CalledProcessError, subprocess.TimeoutExpired):
        return None
    return [run for run in json.loads(done.stdout)["runs"] if run["phase"] == "both"]


def times_of(file):
    runs = bench(file, METHODS, 15)
    if not runs:
        return None
    return {"input": pathlib.Path(file).name, "factor": runs[0]["factor"], "n": runs[0]["n"],
            "nnz_lower": runs[0]["lower"]["nnz"], "nnz_upper": runs[0]["upper"]["nnz"],
            "solve_s": {run["method"]: run["solve_s"] for run in runs},
            "setup_s": {run["method"]: run["setup_s"] for run in runs}}


def measure(arguments):
    known = {}
    if arguments.times:
        document = json.loads(arguments.times.read_text(encoding="utf-8"))
        known = {entry["input"]: entry for entry in document["matrices"]}
    matrices, failed = [], []
    for file in arguments.files:
        name = pathlib.Path(file).name
        entry = known.get(name) if arguments.times else times_of(file)
        chosen = entry and bench(file, ["automatic"], 1)
        if not chosen:
            failed.append(name)
            continue
        entry["chosen"] = chosen[0]["method"]
        matrices.append(entry)
    return {"date": datetime.date.today().isoformat(), "commit": harness.describe_commit(),
            "command": "bench/model/factors.py", "methods": METHODS, "failed": failed,
            "matrices": matrices}


def write(document, path):
    """One line per matrix."""
    head = {key: value for key, value in document.items() if key != "matrices"}
    lines = ",\n".join("  " + json.dumps(entry) for entry in document["matrices"])
    path.write_text(json.dumps(head)[:-1] + ', "matrices": [\n' + lines + "\n]}\n", encoding="utf-8")


def print_summary(document):
    near, before = 0, 0
    rows = [["matrix", "chosen", "us", "best", "us", "over the best"]]
    for entry in document["matrices"]:
        times = entry["solve_s"]
        best = min(times, key=times.get)
        over = times[entry["chosen"]] / times[best]
        near += over <= NEAR
        before += times["tree"] <= NEAR * times[best]
        if over > NEAR:
            rows.append([entry["input"], entry["chosen"], f"{1e6 * times[entry['chosen']]:.0f}", best,
                         f"{1e6 * times[best]:.0f}", f"{over:.2f}"])
    count = len(document["matrices"])
    print("\n".join(harness.to_markdown(rows, left=1)))
    print(f"\nwithin {NEAR} of the best: {near} of {count}, {100 * near / count:.0f} %; "
          f"always tree: {before}, {100 * before / count:.0f} %")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("files", nargs="*", help="matrix files")
    parser.add_argument("--out", type=pathlib.Path, metavar="FILE")
    parser.add_argument("--times", type=pathlib.Path, metavar="FILE")
    parser.add_argument("--from", dest="source", type=pathlib.Path, metavar="FILE")
    arguments = parser.parse_args()
    if arguments.source:
        document = json.loads(arguments.source.read_text(encoding="utf-8"))
    else:
        document = measure(arguments)
        write(document, arguments.out or BENCH / f"model/results/{document['date']}-factors.json")
    print_summary(document)


if __name__ == "__main__":
    main()
