#!/usr/bin/env python3
# bench/real/run.py -- runs all contenders on every matrix of a folder and records the results as
# JSON.
# SPDX-License-Identifier: BSD-3-Clause
"""usage: bench/real/run.py [--matrices DIR] [--backend cpu|cuda] [--out FILE] [options]

One process per matrix: reads it, factors it once per package, and times all contenders in turn.
A matrix that fails or exceeds --seconds is recorded with the reason.  The file is written after every
matrix; matrices that it already has are kept unless --again is given.  Needs only Python's standard library
and build/release/bin/echelon of the preset bench.
"""
import argparse
import concurrent.futures
import datetime
import json
import math
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time

BENCH = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(BENCH / "support"))
import harness  # noqa: E402  (beside us, not a package)
from harness import say  # noqa: E402

SHARED = harness.ROOT.parent / "shared" / "matrices"
SUFFIXES = tuple(f".{kind}{packed}" for kind in ("mtx", "rb", "rua", "rsa", "cua", "csa", "cha", "pua", "psa")
                 for packed in ("", ".gz"))
GENERATED = ["laplace2d:60x60:5", "laplace2d:300x20:9", "laplace3d:16x16x16:7", "elasticity2d:40x40",
             "elasticity3d:6", "bidiagonal:5000", "random:600:4", "dense:150"]
METHODS = {"cpu": ["automatic", "tree", "invert_off", "spmv", "serial", "superstep", "level_row"],
           "cuda": ["automatic", "tree", "invert_off", "spmv", "superstep", "element_row"]}
OTHERS = {"cpu": ["cholmod", "superlu", "umfpack", "klu", "pardiso"], "cuda": ["cusparse", "cudss"]}
WHEELS = {"cpu": ["mkl"], "cuda": ["nvidia-cudss-cu13"]}
COPIED = ("method", "reason", "analysis_s", "setup_s", "stored_bytes", "backward_error",
          "normwise_error", "uninverted_blocks", "levels")
MATRIX_FACTS = ("n", "nnz", "factor", "factor_kind", "factor_reason", "ordering", "fill_ratio",
                "order_s", "factor_s")
ADVICE = re.compile(r"use --factor (\w+)$")
TOO_LONG = "longer than"
OUT_OF_TIME = "not reached within the budget"


def parse_arguments(words=None):
    parser = argparse.ArgumentParser(prog="bench/real/run.py", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    add = parser.add_argument
    harness.add_common_arguments(parser, repeat=15)
    parser.set_defaults(threads=None)
    add("--matrices", type=pathlib.Path, metavar="DIR",
        help="folder of matrix files (../shared/matrices, else generated problems)")
    add("--backend", choices=["cpu", "cuda"], default="cpu", help="of Echelon (cpu)")
    add("--contenders", metavar="LIST", help="other libraries (all that run with the backend)")
    add("--methods", metavar="LIST", help="methods of Echelon; automatic is always among them")
    add("--seconds", type=float, default=120, help="limit for a matrix (120)")
    add("--timing-seconds", type=float, default=10,
        help="of one matrix: no further round after this time; at least three rounds (10)")
    add("--budget-seconds", type=float, help="limit for the whole run; the rest is named")
    add("--jobs", type=int, default=1,
        help="matrices read and factored at the same time, and timed one after another (1)")
    add("--costs", type=pathlib.Path, nargs="*", default=[], metavar="FILE",
        help="earlier results, beside those in results/: what took long then comes last")
    add("--only", default="", metavar="TEXT", help="matrices whose name has TEXT")
    add("--again", action="store_true", help="also matrices that the file already has")
    add("--commit", default=None, help="recorded as the version (git describe)")
    add("--fetch", action="store_true", help="fetch wheels of MKL and cuDSS into .venv first")
    add("--mkl-library", metavar="FILE")
    add("--cudss-library", metavar="FILE")
    o = parser.parse_args(words)
    if o.threads is None:  # on a GPU they only set up
        o.threads = "1,2" if o.backend == "cpu" else str(os.cpu_count())
    if o.commit is None:
        o.commit = harness.describe_commit()
    return o


def find_matrices(o):
    """Pairs of a name and what to give to the program."""
    folder = o.matrices or (SHARED if SHARED.is_dir() else None)
    if folder is None:
        return [(recipe, recipe) for recipe in GENERATED if o.only in recipe]
    files = [f for f in sorted(folder.iterdir()) if f.name.lower().endswith(SUFFIXES)]
    return [(f.name.removesuffix(".gz"), str(f)) for f in files if o.only in f.name]


def known_costs(o):
    """Seconds that matrices took in earlier results, so that expensive ones come last."""
    costs = {}
    for file in [*sorted((BENCH / "real" / "results").glob("*.json")), *o.costs]:
        document = json.loads(file.read_text(encoding="utf-8"))
        costs |= {e["matrix"]: e["took_s"] for e in document["matrices"]}
        costs |= {e["matrix"]: math.inf for e in document["left_out"] if TOO_LONG in e["reason"]}
    return costs


def cost_of(matrix, costs):
    name, source = matrix
    if name in costs:
        return costs[name]
    file = pathlib.Path(source)
    return file.stat().st_size * 1e-5 if file.is_file() else 0


def library_options(o):
    """Paths of MKL and cuDSS: those given, else those in .venv."""
    venv = harness.fetch_wheels(WHEELS[o.backend]) if o.fetch else harness.ROOT / ".venv"
    found = {"mkl": sorted(venv.glob("lib/libmkl_rt.so*")),
             "cudss": sorted(venv.glob("lib/python*/site-packages/nvidia/cu*/lib/libcudss.so.*"))}
    options = []
    for name, files in found.items():
        path = getattr(o, f"{name}_library") or (str(files[-1]) if files else None)
        options += [f"--{name}-library", path] if path else []
    return options


def words_for(o, source):
    methods = o.methods.split(",") if o.methods else METHODS[o.backend]
    others = OTHERS[o.backend] if o.contenders is None else [c for c in o.contenders.split(",") if c]
    contenders = [f"echelon:{m}" for m in dict.fromkeys(["automatic", *methods])] + others
    share = ["--factor.threads", str(max(1, os.cpu_count() // o.jobs))] if o.jobs > 1 else []
    return ["bench", source, *share, "--part", "full", "--whole", "--solves-only", "--setups", "1",
            "--backend", o.backend, "--contenders", ",".join(contenders), "--threads", o.threads,
            "--repeat", str(o.repeat), "--most-seconds", str(o.timing_seconds),
            "--commit", o.commit]


def rounded(value):
    """Four digits of a measured number."""
    return float(f"{value:.4g}") if isinstance(value, float) else value


def compact(name, document):
    """The facts of the matrix, and one object per contender and number of threads."""
    runs = {}
    for run in document["runs"]:
        key = (run["contender"], run["threads"])
        entry = runs.setdefault(key, {"matrix": name, "backend": "", "contender": key[0],
                                      "threads": key[1], "repeats": run["repeats"], "spread": {}, "least": {}})
        entry["backend"] = run["backend"]
        entry[f"{run['phase']}_s"] = rounded(run["solve_s"])
        entry["least"][run["phase"]] = rounded(run["solve_min_s"])
        entry["spread"][run["phase"]] = round((run["solve_q3_s"] - run["solve_q1_s"]) / run["solve_s"], 3)
        entry |= {key: rounded(run[key]) for key in COPIED if run.get(key) not in (None, "")}
        if key[0] != "echelon:automatic":
            entry.pop("reason", None)
    first = document["runs"][0]
    facts = {"matrix": name} | {key: rounded(first[key]) for key in MATRIX_FACTS}
    facts |= {f"{part}_nnz": first[part]["nnz"] for part in ("lower", "upper")}
    return facts, list(runs.values())


class Clock:
    """Time limits of the run and of a matrix."""

    def __init__(self, o):
        self.end = time.monotonic() + o.budget_seconds if o.budget_seconds else None
        self.each = o.seconds * o.jobs  # with several jobs, a process also waits for its turn

    def left(self):
        return self.each if self.end is None else min(self.each, self.end - time.monotonic())


def measure(o, clock, options, matrix):
    """Facts, runs and missing contenders of one matrix; or a text that says why there are none."""
    left = clock.left()
    if left <= 0:
        return OUT_OF_TIME
    began = time.monotonic()
    words = words_for(o, matrix[1]) + options
    try:
        try:
            document, advice = harness.run_json(o.program, words, seconds=left), {}
        except harness.Failed as error:
            found = ADVICE.search(str(error))  # the program names another package to try
            if not found:
                raise
            document = harness.run_json(o.program, [*words, "--factor", found[1]], seconds=left)
            advice = {"factor_reason": str(error).removeprefix(f"{matrix[1]}: ")}
    except harness.Failed as error:
        if "took more than" in str(error):
            return f"{TOO_LONG} {o.seconds:g} s" if left == clock.each else OUT_OF_TIME
        return str(error).removeprefix(f"{matrix[1]}: ").replace(matrix[1], matrix[0])
    facts, runs = compact(matrix[0], document)
    facts |= advice | {"backend": o.backend, "took_s": round(time.monotonic() - began, 2),
              "commit": o.commit, "date": document["date"][:10],
              "load": document["machine"].get("load")}
    missing = {m["contender"]: m["reason"].replace(f"{matrix[1]}: ", "") for m in document["missing"]}
    return facts, runs, missing, document


class Record:
    """The JSON file."""

    def __init__(self, o):
        self.path = o.out
        self.document = {"matrices": [], "left_out": [], "missing": [], "runs": []}
        if o.out.is_file():
            self.document = json.loads(o.out.read_text(encoding="utf-8"))

    def has(self, name, backend):
        """Whether there is a result; a matrix that only the budget left out has none."""
        same = [e for e in self.document["matrices"] + self.document["left_out"]
                if (e["matrix"], e["backend"]) == (name, backend)]
        return any(e.get("reason") != OUT_OF_TIME for e in same)

    def drop(self, name, backend):
        for part in ("matrices", "left_out", "missing", "runs"):
            self.document[part] = [e for e in self.document[part] if not (
                e["matrix"] == name and backend == e.get("asked", e["backend"]))]

    def add(self, o, name, result):
        self.drop(name, o.backend)
        if isinstance(result, str):
            self.document["left_out"].append({"matrix": name, "backend": o.backend, "reason": result})
        else:
            facts, runs, missing, source = result
            head = {key: source[key] for key in ("version", "machine", "device") if source.get(key)}
            self.document = {"program": "bench/real/run.py", "command": command_line(o),
                             "date": datetime.date.today().isoformat(), "commit": o.commit,
                             **{k: v for k, v in self.document.items() if k in ("machine", "device")},
                             **head, **{k: self.document[k] for k in ("matrices", "left_out", "missing")},
                             "runs": self.document["runs"]}
            self.document["matrices"].append(facts)
            self.document["runs"] += [{**run, "asked": o.backend} for run in runs]
            self.document["missing"] += [{"matrix": name, "backend": o.backend, "contender": c, "reason": r}
                                         for c, r in missing.items()]
        self.write()

    def write(self):
        """One line per matrix and per run."""
        def lines(entries):
            return "[\n" + ",\n".join("    " + json.dumps(e) for e in entries) + "\n  ]" if entries else "[]"
        text = ",\n".join(f"  {json.dumps(key)}: " + (lines(value) if isinstance(value, list)
                                                      else json.dumps(value))
                          for key, value in self.document.items())
        self.path.parent.mkdir(parents=True, exist_ok=True)
        temporary = self.path.with_suffix(".part")
        temporary.write_text("{\n" + text + "\n}\n", encoding="utf-8")
        temporary.replace(self.path)


def command_line(o):
    """The command that repeats this run, without paths of this machine."""
    words = ["bench/real/run.py", f"--backend {o.backend}", f"--threads {o.threads}",
             f"--repeat {o.repeat}", f"--seconds {o.seconds:g}",
             f"--timing-seconds {o.timing_seconds:g}"]
    words += [f"--{name} {getattr(o, name)}" for name in ("methods", "contenders", "only")
              if getattr(o, name)]
    words += [f"--jobs {o.jobs}"] if o.jobs > 1 else []
    return " ".join(words + ([f"--budget-seconds {o.budget_seconds:g}"] if o.budget_seconds else []))


def default_out():
    lines = pathlib.Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    cpu = next((line.split(":")[1].strip() for line in lines if line.startswith("model name")), "unknown")
    machine = harness.machine_name({"machine": {"cpu": cpu}})
    name = f"{datetime.date.today().isoformat()}-{machine}-{os.cpu_count()}.json"
    return BENCH / "real" / "results" / name


def say_result(name, result):
    if isinstance(result, str):
        say(f"{name}: left out: {result}")
        return
    facts, runs, _, _ = result
    ours = [r for r in runs if r["contender"] == "echelon:automatic"]
    times = ", ".join(f"{r['threads']} threads {1e6 * r['whole_s']:.1f} us" for r in ours)
    say(f"{name}: n {facts['n']}, {times} ({facts['took_s']:.1f} s)")


def run_all(o, matrices, record):
    clock = Clock(o)
    options = library_options(o)
    with tempfile.TemporaryDirectory() as folder:
        if o.jobs > 1:
            options += ["--turn", str(pathlib.Path(folder) / "turn")]
        with concurrent.futures.ThreadPoolExecutor(o.jobs) as pool:
            waiting = {pool.submit(measure, o, clock, options, m): m[0] for m in matrices}
            for done in concurrent.futures.as_completed(waiting):
                result = done.result()
                record.add(o, waiting[done], result)
                say_result(waiting[done], result)


def main():
    o = parse_arguments()
    if not harness.build_program(o.program):
        return 1
    if o.budget_seconds is None and o.jobs == 1:
        harness.wait_for_quiet(20)
    o.out = o.out or default_out()
    record = Record(o)
    costs = known_costs(o)
    matrices = sorted(find_matrices(o), key=lambda m: cost_of(m, costs))
    if not matrices:
        say("there are no matrices")
        return 1
    if not o.again:
        matrices = [m for m in matrices if not record.has(m[0], o.backend)]
    try:
        run_all(o, matrices, record)
    except subprocess.SubprocessError as error:
        say(str(error))
        return 1
    say(f"{len(record.document['matrices'])} matrices in {o.out}, "
        f"{len(record.document['left_out'])} left out")
    return 0


if __name__ == "__main__":
    sys.exit(main())
