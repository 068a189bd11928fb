#!/usr/bin/env python3
"""bench/multi_gpu/measure.py -- how long do solves take on several PEs of one GPU, by layout and design?

Runs `layouts` with 1, 2 and 4 PEs, several of them under MPS, and writes its output with machine, date
and commit into one JSON document:

  bench/multi_gpu/measure.py build/release/bin/layouts --out bench/multi_gpu/results/NAME.json
  bench/multi_gpu/measure.py --table bench/multi_gpu/results/NAME.json       the tables of the README
"""
# SPDX-License-Identifier: BSD-3-Clause
import argparse
import datetime
import json
import os
import subprocess
import sys
import tempfile

MATRICES = ["elasticity3d:20", "elasticity3d:30"]
HOP_US = 2.0  # what a message on the longest path may cost


def layouts(program, pes, arguments, environment):
    """The lines of one run; PEs that share the GPU divide it by themselves."""
    env = dict(os.environ, **environment)
    command = ["mpirun", "--oversubscribe", "-n", str(pes), program] + arguments
    print(" ".join(command), file=sys.stderr)
    done = subprocess.run(command, env=env, capture_output=True, text=True, timeout=300)
    if done.returncode != 0:
        sys.exit(done.stdout + done.stderr)
    return [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]


def measure(program, repeat):
    """Lines of all layouts, and of a thousand rounds of some."""
    lines, rounds = [], []
    for matrix in MATRICES:
        for design in ["persistent", "coupled"]:
            few = repeat if design == "persistent" else max(repeat // 5, 1)
            lines += layouts(program, 1, [matrix, "--repeat", str(few), "--mappings", "balanced",
                                          "--designs", design], {})
    with tempfile.TemporaryDirectory() as pipe:
        mps = {"CUDA_MPS_PIPE_DIRECTORY": pipe, "CUDA_MPS_LOG_DIRECTORY": pipe}
        control = dict(os.environ, **mps)
        subprocess.run(["nvidia-cuda-mps-control", "-d"], env=control, check=True)
        try:
            for pes in [2, 4]:
                for matrix in MATRICES:
                    lines += layouts(program, pes, [matrix, "--repeat", str(repeat), "--designs",
                                                    "persistent"], mps)
                    lines += layouts(program, pes, [matrix, "--repeat", str(max(repeat // 5, 1)),
                                                    "--designs", "coupled", "--trees", "binary"],
                                     mps)
            several = [MATRICES[0], "--repeat", str(repeat), "--designs", "persistent", "--nrhs", "16",
                       "--mappings", "balanced"]
            lines += layouts(program, 4, several, mps)
            rounds += layouts(program, 4, [MATRICES[0], "--repeat", "1000", "--designs",
                                           "persistent"], mps)
            rounds += layouts(program, 4, [MATRICES[0], "--repeat", "1000", "--designs", "coupled",
                                           "--mappings", "balanced", "--grids", "1x4"], mps)
        finally:
            subprocess.run(["nvidia-cuda-mps-control"], input="quit\n", text=True, env=control)
    return {"layouts": lines, "thousand_rounds": rounds}


def machine():
    names = subprocess.run(["nvidia-smi", "--query-gpu=name", "--format=csv,noheader"],
                           capture_output=True, text=True).stdout.split("\n")
    return {"gpu": names[0], "cores": os.cpu_count()}


def commit():
    found = subprocess.run(["git", "rev-parse", "--short", "HEAD"], capture_output=True, text=True)
    return found.stdout.strip()


def table(document):
    """Times beside their bounds: those of one PE, and HOP_US per message on the path."""
    lines = document["layouts"]
    for matrix in MATRICES:
        mine = [line for line in lines if line["matrix"] == matrix and line["nrhs"] == 1]
        one = next(line for line in mine if line["pes"] == 1 and line["design"] == "persistent")
        print(f"\n`{matrix}`; one PE {one['forwards']['us']:.0f} and {one['backwards']['us']:.0f} us, "
              f"the solver for one GPU {one['forwards']['one_gpu_us']:.0f} and "
              f"{one['backwards']['one_gpu_us']:.0f} us\n")
        print("| PEs | grid | mapping | messages | on the path | L, us (may be) | L', us (may be) "
              "| coupled: L, L', us |")
        print("|---|---|---|---|---|---|---|---|")
        for line in mine:
            if line["pes"] == 1 or line["design"] != "persistent" or line["tree"] != "flat":
                continue
            cells = []
            for way in ["forwards", "backwards"]:
                may = one[way]["us"] + HOP_US * line[way]["hops"]
                cells.append(f"{line[way]['us']:.0f} ({may:.0f})")
            coupled = [c for c in mine if c["design"] == "coupled" and
                       all(c[k] == line[k] for k in ["pes", "grid", "mapping"])]
            beside = ", ".join(f"{coupled[0][way]['us']:.0f}" for way in ["forwards", "backwards"]) \
                if coupled else ""
            print(f"| {line['pes']} | {line['grid']} | {line['mapping']} | "
                  f"{line['forwards']['messages']} | {line['forwards']['hops']} | {cells[0]} | "
                  f"{cells[1]} | {beside} |")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program", nargs="?", help="the program layouts")
    parser.add_argument("--repeat", type=int, default=50, help="timed rounds [50]")
    parser.add_argument("--commit", help="version to record as measured [git describe]")
    parser.add_argument("--out", help="where the JSON goes [standard output]")
    parser.add_argument("--table", help="print tables of such a document and stop")
    options = parser.parse_args()
    if options.table:
        with open(options.table, encoding="utf-8") as file:
            return table(json.load(file))
    if not options.program:
        parser.error("which program?")
    document = {"machine": machine(), "date": datetime.date.today().isoformat(),
                "commit": options.commit or commit(),
                "how": "several PEs share the GPU under MPS, each with multiprocessors of its own"}
    document |= measure(options.program, options.repeat)
    text = json.dumps(document, indent=1)
    if options.out:
        with open(options.out, "w", encoding="utf-8") as file:
            file.write(text + "\n")
    else:
        print(text)


if __name__ == "__main__":
    main()
