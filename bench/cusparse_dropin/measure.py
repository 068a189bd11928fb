#!/usr/bin/env python3
# bench/cusparse_dropin/measure.py -- how many times as fast are unchanged programs under the drop-in?
# SPDX-License-Identifier: BSD-3-Clause
"""usage: bench/cusparse_dropin/measure.py [--rounds N] [--build FOLDER] [--python FILE]
                                        [--only PROGRAM] [--out FILE]
       bench/cusparse_dropin/measure.py --from RESULTS.json

Runs spsv_grid, cupy_solve.py and torch_solve.py in turn without and with the drop-in: the first and
the last by LD_PRELOAD, CuPy by the folder of echelon-cusparse-shim.  A Python program whose package is
missing is named and left out.  Writes a JSON file and prints a table.
"""
import argparse
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

FOLDER = pathlib.Path(__file__).resolve().parent
ROOT = FOLDER.parents[1]
# Program, and which of its times are compared.
TIMES = {"spsv_grid": ["solve_ms", "analysis_ms", "analysis_again_ms"],
         "cupy_solve": ["call_ms", "first_call_ms"],
         "torch_solve": ["call_ms", "first_call_ms"]}
LOADED = """import sys
if sys.argv[1] == "cupy_solve":
    import cupy
    cupy.cuda.device.get_cusparse_handle()
else:
    import torch
print([line.split()[-1] for line in open("/proc/self/maps") if "libcusparse.so" in line][0])
"""


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=3, help="processes of each kind (3)")
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build" / "release",
                        help="the build folder (build/release)")
    parser.add_argument("--python", default=sys.executable, help="the Python of CuPy and PyTorch")
    parser.add_argument("--only", choices=TIMES, help="one program")
    parser.add_argument("--commit", help="version to record as measured (git describe)")
    parser.add_argument("--out", type=pathlib.Path, help="the JSON file to write")
    parser.add_argument("--from", dest="results", type=pathlib.Path, help="results to print again")
    return parser.parse_args()


def say(text):
    print(f"measure: {text}", file=sys.stderr, flush=True)


def words_of(arguments, program):
    if program == "spsv_grid":
        return [str(arguments.build / "bin" / program)]
    return [arguments.python, str(FOLDER / f"{program}.py")]


def preload_of(arguments, program, folder):
    """What LD_PRELOAD has to name."""
    libraries = arguments.build / "lib"
    if program != "cupy_solve":
        return str(libraries / "libechelon_cusparse.so")
    real = subprocess.run([arguments.python, "-c", LOADED, program], check=True, text=True,
                          capture_output=True).stdout.strip()
    made = subprocess.run([str(ROOT / "adapters" / "cusparse" / "echelon-cusparse-shim"), folder, real],
                          env=os.environ | {"ECHELON_CUSPARSE_LIBRARIES": str(libraries)},
                          check=True, text=True, capture_output=True)
    return made.stdout.strip()


def run(words, extra):
    done = subprocess.run(words, env=os.environ | extra, text=True, capture_output=True, check=False)
    if done.returncode != 0:
        raise RuntimeError((done.stderr.strip().splitlines() or ["no message"])[-1])
    result = json.loads(done.stdout.strip().splitlines()[-1])
    # Who solved is read from the log, not assumed.
    result["plans"] = done.stderr.count("new plan")
    result["passed_on"] = done.stderr.count("passed on to cuSPARSE")
    if bool(extra.get("LD_PRELOAD")) != bool(result["plans"]):
        raise RuntimeError(f"{result['plans']} plans were made by the drop-in")
    if not result["backward_error"] < 1e-13:
        raise RuntimeError(f"the backward error is {result['backward_error']}")
    return result


def measure(arguments):
    runs, failed = [], []
    with tempfile.TemporaryDirectory() as folder:
        for program in [arguments.only] if arguments.only else TIMES:
            try:
                words = words_of(arguments, program)
                preload = preload_of(arguments, program, folder)
                for _ in range(arguments.rounds):
                    for kind, extra in (("cusparse", {}), ("drop-in", {
                            "LD_PRELOAD": preload, "ECHELON_CUSPARSE_LOG": "1"})):
                        runs.append({"under": kind} | run(words, extra))
                        say(f"{program}, {kind}: {runs[-1][TIMES[program][0]]} ms")
            except (OSError, RuntimeError, subprocess.CalledProcessError) as error:
                say(f"{program}: {error}")
                failed.append({"program": program, "reason": str(error)})
    commit = arguments.commit or subprocess.run(
        ["git", "-C", str(ROOT), "describe", "--always", "--dirty"], text=True,
        capture_output=True, check=False).stdout.strip()
    return {"question": "cusparse_dropin", "date": time.strftime("%Y-%m-%dT%H:%M:%S"),
            "machine": runs[0]["machine"] if runs else "unknown", "commit": commit,
            "rounds": arguments.rounds, "runs": runs, "failed": failed}


def print_table(document):
    print("| program | time | cuSPARSE | drop-in | times as fast |\n|---|---|--:|--:|--:|")
    for program, times in TIMES.items():
        for name in times:
            both = [statistics.median(values) if values else None for values in (
                [run[name] for run in document["runs"]
                 if run["program"] == program and run["under"] == kind]
                for kind in ("cusparse", "drop-in"))]
            if None not in both:
                print(f"| {program} | {name[:-3].replace('_', ' ')} | {both[0]:.3f} ms "
                      f"| {both[1]:.3f} ms | {both[0] / both[1]:.2f} |")
    for failure in document["failed"]:
        print(f"\n{failure['program']} is left out: {failure['reason']}")


def main():
    arguments = parse_arguments()
    if arguments.results:
        document = json.loads(arguments.results.read_text())
    else:
        document = measure(arguments)
        machine = document["machine"].lower().replace(" ", "-")
        out = arguments.out or FOLDER / "results" / f"{document['date'][:10]}-{machine}.json"
        out.parent.mkdir(exist_ok=True)
        out.write_text(json.dumps(document, indent=1) + "\n")
        say(f"wrote {out}")
    print_table(document)
    sys.exit(1 if document["failed"] and not document["runs"] else 0)


if __name__ == "__main__":
    main()
