#!/usr/bin/env python3
# bench/busy_cores/run.py -- runs busy_cores on all matrices of a folder; writes JSON and a summary.
# SPDX-License-Identifier: BSD-3-Clause
"""usage: bench/busy_cores/run.py [--out FILE] [--methods LIST] [--threads N] [--wrap COMMAND] FOLDER

A matrix that cannot be factored and measured within --limit seconds is left out, and named.  A matrix
above a limit is measured twice more, and the median counts: the two cores of a virtual machine can share
one core of the host for a while.  `ratios` holds all measurements.
"""
import argparse
import datetime
import json
import os
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
LIMITS = {"alone": 1.1, "spin": 1.5, "blas": 1.5}


def measure(file, o):
    command = [*o.wrap.split(), str(o.program), "--seconds", str(o.seconds)]
    command += ["--methods", o.methods] if o.methods else []
    command += ["--threads", str(o.threads)] if o.threads else []
    try:
        done = subprocess.run([*command, str(file)], capture_output=True, text=True, check=False,
                              timeout=o.limit)
    except subprocess.TimeoutExpired:
        return [], f"{file.name}: longer than {o.limit} s"
    runs = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
    return runs, done.stderr.replace(f"{file.parent}/", "").strip()


def measure_again(file, runs, o):
    """The run with the median ratio, per method and surrounding."""
    kinds = {}
    for run in runs + measure(file, o)[0] + measure(file, o)[0]:
        kinds.setdefault((run["asked"], run["around"]), []).append(run)
    chosen = []
    for several in kinds.values():
        several.sort(key=lambda run: run["ratio"])
        chosen.append({**several[len(several) // 2], "ratios": [run["ratio"] for run in several]})
    return chosen


def cpu_name():
    lines = pathlib.Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    return next((line.split(":")[1].strip() for line in lines if line.startswith("model name")), "?")


def summarize(runs):
    for around, limit in LIMITS.items():
        ratios = sorted((run["ratio"], run["file"], run["asked"]) for run in runs
                        if run["around"] == around)
        if not ratios:
            continue
        above = [r for r in ratios if r[0] > limit]
        middle = ratios[len(ratios) // 2][0]
        print(f"{around}: {len(ratios)} runs, median {middle:.2f}, most {ratios[-1][0]:.2f}, "
              f"above {limit}: {len(above)}")
        for ratio, file, asked in above[-10:]:
            print(f"    {ratio:.2f} {file} {asked}")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--out", type=pathlib.Path, help="the JSON file to write")
    parser.add_argument("--program", type=pathlib.Path,
                        default=ROOT / "build/release/bin/busy_cores")
    parser.add_argument("--methods", help="methods to time, as for busy_cores")
    parser.add_argument("--threads", type=int)
    parser.add_argument("--seconds", type=float, default=0.5, help="seconds per measurement (0.5)")
    parser.add_argument("--limit", type=float, default=45, help="seconds per matrix at most (45)")
    parser.add_argument("--wrap", default="", help="a command to run it under, e.g. 'nice'")
    o = parser.parse_args()
    runs, left_out = [], []
    for file in sorted(o.folder.iterdir()):
        if not file.name.endswith((".mtx.gz", ".mtx", ".rua.gz", ".rsa.gz", ".rb.gz")):
            continue
        found, trouble = measure(file, o)
        if any(run["ratio"] > LIMITS[run["around"]] for run in found):
            found = measure_again(file, found, o)
        runs += found
        if not found:
            left_out.append(trouble.splitlines()[-1] if trouble else file.name)
        print(f"{file.name}: {len(found)} runs", file=sys.stderr, flush=True)
    if o.out:
        commit = subprocess.run(["git", "-C", str(ROOT), "rev-parse", "--short", "HEAD"],
                                capture_output=True, text=True, check=False).stdout.strip()
        heading = {"date": datetime.date.today().isoformat(), "commit": commit,
                   "machine": f"{cpu_name()}, {os.cpu_count()} cores", "seconds": o.seconds}
        o.out.write_text(json.dumps({**heading, "runs": runs, "left_out": left_out}, indent=1) + "\n",
                         encoding="utf-8")
    summarize(runs)
    for line in left_out:
        print(f"left out: {line}")


if __name__ == "__main__":
    main()
