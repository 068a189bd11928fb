#!/usr/bin/env python3
# bench/model/pes.py -- compares the simulation of GPUs with measurements of PEs that share one GPU.
# SPDX-License-Identifier: BSD-3-Clause
"""usage: bench/model/pes.py [--measured FILE] [--machine FILE]

Simulates each layout of `persistent` that bench/multi_gpu measured.  The simulated GPU is the part that one PE
had: its thread blocks, and 1/PEs of the bandwidth.  Prints one line per layout, with the error of the forecast.
"""
import argparse
import json
import pathlib
import statistics
import subprocess
import sys
import tempfile

FOLDER = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(FOLDER.parent / "support")]
import harness  # noqa: E402  (beside us, not a package)


def share_of(text, pes, blocks):
    """A machine file with this number of blocks and this share of the read speed."""
    lines = []
    for line in text.splitlines():
        words = line.split("#")[0].split()
        if words and words[0] == "read_alone":
            pairs = (word.split(":") for word in words[1:])
            line = "read_alone " + " ".join(f"{x}:{float(y) / pes:g}" for x, y in pairs)
        elif words and words[0] == "blocks":
            line = f"blocks {blocks}"
        lines.append(line)
    return "\n".join(lines) + "\n"


def simulate(program, run, machine):
    words = [program, "model", run["matrix"], "--machine", machine, "--gpus", run["pes"], "--grid",
             run["grid"], "--mapping", run["mapping"], "--tree", run["tree"], "--max-panel-columns",
             run["widest"], "--simulate", "--json"]
    done = subprocess.run([str(w) for w in words], capture_output=True, text=True, check=True)
    return [s["span_s"] * 1e6 for s in json.loads(done.stdout)["trials"][0]["simulation"]]


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--measured", type=pathlib.Path,
                        default=FOLDER.parent / "multi_gpu/results/2026-11-16-h200-layouts.json")
    parser.add_argument("--machine", type=pathlib.Path, default=FOLDER.parent.parent / "machines/h200.txt")
    parser.add_argument("--program", type=pathlib.Path, default=harness.PROGRAM)
    arguments = parser.parse_args()
    off = []
    for run in json.loads(arguments.measured.read_text())["layouts"]:
        if run["design"] != "persistent" or run["nrhs"] != 1:
            continue
        with tempfile.NamedTemporaryFile("w", suffix=".txt") as file:
            file.write(share_of(arguments.machine.read_text(), run["pes"], run["blocks"]))
            file.flush()
            times = simulate(arguments.program, run, file.name)
        measured = [run["forwards"]["us"], run["backwards"]["us"]]
        off += [max(a / b, b / a) for a, b in zip(times, measured)]
        print(f"{run['matrix']} {run['pes']} {run['grid']} {run['mapping']} {run['tree']}: measured "
              f"{measured[0]:.0f} and {measured[1]:.0f} us, simulated {times[0]:.0f} and {times[1]:.0f}",
              flush=True)
    print(f"{len(off)} passes: off by {statistics.median(off):.2f} in the median, {max(off):.2f} at worst")
    return 0


if __name__ == "__main__":
    sys.exit(main())
