#!/usr/bin/env python3
# bench/model/one_machine.py -- compares the one-machine model with every measured solve of the
# repository.
# SPDX-License-Identifier: BSD-3-Clause
"""Estimates over measured times, and what `automatic` chooses beside the best method.

usage: bench/model/one_machine.py [--only TEXT] [--out FILE]     some four minutes; needs 8 GB
       bench/model/one_machine.py --from FILE                    prints the tables of a result again
"""
import argparse
import collections
import datetime
import json
import pathlib
import statistics
import subprocess
import sys
import tempfile

BENCH = pathlib.Path(__file__).resolve().parent.parent
sys.path[:0] = [str(BENCH / "support"), str(BENCH / "gauss_seidel")]
import harness  # noqa: E402
import problems  # noqa: E402

PROGRAM = BENCH.parent / "build/release/bin/one_machine"
GENERAL = ["general/results/2026-11-15-intel-xeon.json"]
CPU_SWEEPS = ["gauss_seidel/results/2026-11-16-intel-xeon-cpu.json"]
GPU_SOLVES = ["gauss_seidel/results/2026-11-16-nvidia-h200-solves.json"]
GPU_SWEEPS = [f"gauss_seidel/results/2026-11-16-nvidia-h200-table{k}.json" for k in (1, 2, 5)]
PANELS = ["factor_solve/results/2026-11-15-intel-xeon-2-cores-fig10.json",
          "factor_solve/results/2026-11-15-intel-xeon-2-cores-fig11.json",
          "factor_solve/results/2026-11-15-intel-xeon-2-cores-fig12.json",
          "factor_solve/results/2026-11-15-intel-xeon-2-cores-marks.json",
          "factor_solve/results/2026-11-16-nvidia-h200-gpu.json"]
ROW_METHODS = {"serial", "superstep", "level_row", "level_column", "element_row", "element_column"}
NEAR = 1.2         # a choice this close to the best is a good one
NOT_TIMED = "fig10"  # one cold solve a matrix: it asks for errors, not for times
COLD = " (one cold solve)"


def runs_of(files):
    """Runs of Echelon's own methods, with the name of their file."""
    for file in files:
        for run in json.loads((BENCH / file).read_text(encoding="utf-8"))["runs"]:
            if run["contender"].startswith("echelon"):
                yield run | {"file": file}


class Model:
    """The program that estimates, and its replies for matrices."""

    def __init__(self):
        # pylint: disable-next=consider-using-with
        self.process = subprocess.Popen([PROGRAM], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        text=True)
        self.rows = {}

    def ask(self, line, answers=1):
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()
        told = [self.process.stdout.readline() for _ in range(answers)]
        if not all(told):
            raise harness.Failed(f"no answer to: {line}")
        return [json.loads(text) for text in told]

    def add_matrix(self, matrix, folder):
        source = matrix
        if matrix == problems.PARABOLIC:
            source = f"{folder}/{matrix}.mtx"
            problems.write_parabolic(source)
        for facts in self.ask(f"rows {source}", 2):
            self.rows[matrix, facts["part"]] = facts | {"input": matrix}

    def triangle(self, run, part, method):
        """The estimate of a triangle for the method of a run."""
        facts = self.rows[run["input"], part]
        if run.get("backend") == "cuda":
            return facts, facts["gpu"][method]
        return facts, facts["cpu"][str(run["threads"])][method]


def point(run, kind, method, estimate_s, limit, part):
    return {"kind": kind, "input": run["input"], "part": part, "method": method,
            "threads": run["threads"], "contender": run["contender"],
            "factor": run.get("factor", ""), "low_precision": run.get("low_precision", False),
            "file": pathlib.Path(run["file"]).name, "measured_s": run["solve_s"],
            "estimate_s": estimate_s, "limit": limit}


def compare_solves(model, files, kind):
    for run in runs_of(files):
        if run["method"] not in ROW_METHODS or (run["input"], run["part"]) not in model.rows:
            continue
        _, estimate = model.triangle(run, run["part"], run["method"])
        yield point(run, kind, run["method"], estimate["total_s"], estimate["limit"], run["part"])


def compare_sweeps(model, files, kind):
    """A sweep solves with each triangle it passes, and reads the other bytes it reports."""
    parts_of = {"forward": ["lower"], "symmetric": ["lower", "upper"]}
    for run in runs_of(files):
        parts = parts_of[run["direction"]]
        if (run["input"], "lower") not in model.rows or run["method"] not in ROW_METHODS:
            continue
        said = [model.triangle(run, part, run["method"]) for part in parts]
        total = sum(estimate["total_s"] for _, estimate in said)
        bytes_read = sum(facts["bytes"] for facts, _ in said)
        slowness = sum(estimate["read_s"] for _, estimate in said) / bytes_read
        total += max(run["bytes"] - bytes_read, 0) * slowness
        yield point(run, kind, run["method"], total, said[0][1]["limit"], run["direction"])


def ask_panels(model, run, part):
    on_gpu = run.get("backend") == "cuda"
    levels = run["levels"] if on_gpu else run["lower"]["task_levels"]
    estimate, = model.ask(
        f"panels {run['method']} {'gpu' if on_gpu else 'cpu'} {run['threads']} {run['n']} "
        f"{run['supernodes']} {levels} {run[part]['bytes']} {4 if run['low_precision'] else 8}")
    return estimate


def compare_panels(model, only):
    for run in runs_of(PANELS):
        on_gpu = run.get("backend") == "cuda"
        if run["nrhs"] != 1 or run["method"] == "invert_full" or only not in run["input"]:
            continue
        kind = "GPU, supernodes" if on_gpu else "CPU, supernodes"
        if NOT_TIMED in run["file"]:
            kind += COLD
        if on_gpu and run["method"] != "tree":
            yield point(run, kind, run["method"], None, None, run["phase"])
            continue
        parts = ["lower", "upper"] if run["phase"] == "both" else [run["phase"]]
        told = [ask_panels(model, run, part) for part in parts]
        yield point(run, kind, run["method"], sum(e["total_s"] for e in told), told[0]["limit"],
                    run["phase"])


def judge_choices(points, model):
    """For each problem: the method chosen now, beside the best of all that were measured.

    On supernodes it is what was recorded: all of these factors are in large panels.  Choices for small
    ones are judged by factors.py, from times of warm solves.
    """
    groups, recorded = collections.defaultdict(dict), {}
    for p in points:
        key = tuple(p[name] for name in ("kind", "file", "input", "part", "factor", "low_precision",
                                         "threads"))
        if p["contender"] in ("echelon", "echelon:automatic"):
            recorded[key] = p["method"]
        else:
            groups[key][p["method"]] = p["measured_s"]
    for key, measured in groups.items():
        kind, _, matrix, part, *_, threads = key
        if COLD in kind:
            continue
        if "supernodes" in kind:
            chosen = recorded.get(key)
        else:
            facts = model[matrix, part if part in ("lower", "upper") else "lower"]
            chosen = facts["chosen"]["gpu" if kind.startswith("GPU") else str(threads)]
        if kind.startswith("CPU"):  # one thread is always there
            measured = groups.get((*key[:-1], 1), {}) | measured
        if chosen not in measured or len(measured) < 2 and "bidiagonal" not in matrix:
            if chosen and len(measured) > 1:
                harness.say(f"{kind}: {matrix} {part}: {chosen} was not measured; left out")
            continue
        best = min(measured, key=measured.get)
        if kind == "CPU, solves":
            kind += f", {threads} thread" + "s" * (threads > 1)
        yield {"kind": kind, "input": matrix, "part": part, "threads": threads, "chosen": chosen,
               "best": best, "over_best": measured[chosen] / measured[best]}


def spread(ratios):
    """Median and worst ratio of the larger to the smaller of two times."""
    off = [max(r, 1 / r) for r in ratios]
    return statistics.median(off), max(off), statistics.median(ratios)


def tables_of(document):
    agreement = [["estimate over measured", "runs", "median of ratios", "median off by", "worst off by"]]
    groups, without = collections.defaultdict(list), collections.Counter()
    for p in document["points"]:
        if p["estimate_s"] is None:
            without[f"{p['kind']}: {p['method']}"] += 1
            continue
        ratio = p["estimate_s"] / p["measured_s"]
        groups[p["kind"]].append(ratio)
        groups[f"{p['kind']}: {p['method']}"].append(ratio)
        if p["kind"].startswith("GPU"):
            groups["all on the GPU"].append(ratio)
    for name in sorted(groups):
        off, worst, middle = spread(groups[name])
        agreement.append([name, str(len(groups[name])), f"{middle:.2f}", f"{off:.2f}x",
                          f"{worst:.2f}x"])
    agreement += [[name, str(without[name]), "no model", "", ""] for name in sorted(without)]
    shares = [["choice of automatic", "problems", "within 1.2x of the best", "share", "worst"]]
    choices = collections.defaultdict(list)
    for c in document["choices"]:
        choices[c["kind"]].append(c["over_best"])
        choices["all"].append(c["over_best"])
    for name in sorted(choices):
        near = sum(r <= NEAR for r in choices[name])
        shares.append([name, str(len(choices[name])), str(near),
                       f"{100 * near / len(choices[name]):.0f} %", f"{max(choices[name]):.2f}x"])
    return agreement, shares


def measure(arguments):
    model = Model()
    matrices = dict.fromkeys(run["input"] for run in
                             runs_of(GENERAL + CPU_SWEEPS + GPU_SOLVES + GPU_SWEEPS))
    with tempfile.TemporaryDirectory() as folder:
        for matrix in matrices:
            if arguments.only in matrix:
                model.add_matrix(matrix, folder)
                harness.say(matrix)
    points = [*compare_solves(model, GENERAL, "CPU, solves"),
              *compare_sweeps(model, CPU_SWEEPS, "CPU, sweeps"),
              *compare_solves(model, GPU_SOLVES, "GPU, solves"),
              *compare_sweeps(model, GPU_SWEEPS, "GPU, sweeps"),
              *compare_panels(model, arguments.only)]
    return {"date": datetime.date.today().isoformat(), "commit": harness.describe_commit(),
            "command": "bench/model/one_machine.py", "files": GENERAL + CPU_SWEEPS + GPU_SOLVES +
            GPU_SWEEPS + PANELS, "matrices": list(model.rows.values()), "points": points,
            "choices": list(judge_choices(points, model.rows))}


def write(document, path):
    """One line per matrix, point and choice."""
    text = ",\n".join(
        f" {json.dumps(key)}: " + ("[\n" + ",\n".join("  " + json.dumps(item) for item in value) + "\n ]"
                                   if isinstance(value, list) else json.dumps(value))
        for key, value in document.items())
    path.write_text("{\n" + text + "\n}\n", encoding="utf-8")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", default="", metavar="TEXT", help="matrices whose name has this")
    parser.add_argument("--out", type=pathlib.Path, metavar="FILE", help="the result to write")
    parser.add_argument("--from", dest="source", type=pathlib.Path, metavar="FILE")
    arguments = parser.parse_args()
    if arguments.source:
        document = json.loads(arguments.source.read_text(encoding="utf-8"))
    else:
        document = measure(arguments)
        out = arguments.out or BENCH / f"model/results/{document['date']}-one-machine.json"
        write(document, out)
    for table in tables_of(document):
        print("\n".join(harness.to_markdown(table, left=1)), end="\n\n")


if __name__ == "__main__":
    main()
