#!/usr/bin/env python3
# bench/python/run.py -- spsolve_triangular beside SciPy's, and the cost of a call from Python.
# SPDX-License-Identifier: BSD-3-Clause
"""usage: PYTHONPATH=build/release/python build/venv/bin/python bench/python/run.py [--threads 1,2]
              [--repeat 5] [--grid RECIPE]... [--device] [--out FILE.json]

Each number of threads runs in a process of its own, bound to as many cores.  In each round SciPy and
Echelon solve in turn; an answer that differs from SciPy's ends the benchmark.
"""
import argparse
import datetime
import json
import os
import pathlib
import statistics
import subprocess
import sys
import time
import timeit
import warnings

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import harness

GRIDS = ["laplace2d:2048x2048", "laplace2d:128x32768", "laplace2d:2048x2048:9",
         "laplace3d:128x128x128", "laplace3d:32x32x2048", "laplace3d:128x128x128:27",
         "laplace3d:32x32x2048:27"]
CALLS = 10  # the first builds a solver, the ninth the plan for all threads


def seconds_of(function):
    began = time.perf_counter()
    result = function()
    return time.perf_counter() - began, result


def measure_grid(grid, repeat):
    import echelon
    import numpy as np
    import scipy.sparse as sp
    from scipy.sparse.linalg import spsolve_triangular
    lower = sp.tril(echelon.generate(grid), format="csr")
    b = np.random.default_rng(1).random(lower.shape[0])
    scipy_s, first_s, later_s, changed_s, worst_s = [], [], [], [], []
    for _ in range(repeat):
        seconds, want = seconds_of(lambda: spsolve_triangular(lower, b))
        scipy_s.append(seconds)
        echelon.cache_clear()
        calls = []
        for _ in range(CALLS + 3):
            seconds, x = seconds_of(lambda: echelon.spsolve_triangular(lower, b))
            calls.append(seconds)
        if not np.allclose(x, want, rtol=1e-9):
            sys.exit(f"bench: {grid}: a wrong answer")
        first_s.append(calls[0])
        worst_s.append(max(calls[1:]))
        later_s.append(statistics.median(calls[CALLS:]))
        lower.data *= 1.0000001
        changed_s.append(seconds_of(lambda: echelon.spsolve_triangular(lower, b))[0])
    median = statistics.median
    scipy_median = median(scipy_s)
    return {"grid": grid, "n": int(lower.shape[0]), "nnz": int(lower.nnz), "rounds": repeat,
            "scipy_s": scipy_median, "scipy_least_s": min(scipy_s), "first_s": median(first_s),
            "later_s": median(later_s), "new_values_s": median(changed_s),
            "slowest_later_s": median(worst_s),
            "first_over_scipy": median(f / s for f, s in zip(first_s, scipy_s)),
            "later_speedup": median(s / f for f, s in zip(later_s, scipy_s)),
            "slowest_later_speedup": median(s / f for f, s in zip(worst_s, scipy_s))}


def measure_overhead():
    import echelon
    import numpy as np
    import scipy.sparse as sp
    from scipy.sparse.linalg import spsolve_triangular
    a = sp.csr_array(np.tril(np.ones((8, 8))) + np.eye(8))
    b, x = np.ones(8), np.empty(8)
    solver = echelon.Solver(a, method="serial")

    def microseconds(function):
        function()
        return 1e6 * min(timeit.repeat(function, number=5000, repeat=9)) / 5000
    return {"n": 8, "solve_us": microseconds(lambda: solver.solve(b)),
            "solve_out_us": microseconds(lambda: solver.solve(b, x)),
            "spsolve_triangular_us": microseconds(lambda: echelon.spsolve_triangular(a, b)),
            "scipy_us": microseconds(lambda: spsolve_triangular(a, b))}


def measure_device():
    """Microseconds until the call returns: of solve(), and of the C++ call inside it."""
    import echelon
    import numpy as np
    import scipy.sparse as sp
    from echelon import _device
    a = sp.csr_array(np.tril(np.ones((8, 8))) + np.eye(8))
    solver = echelon.Solver(a, backend="cuda")
    found = {}
    for name in ("cupy", "torch"):
        try:
            library = __import__(name)
        except ImportError:
            continue
        b = library.ones(8) if name == "cupy" else library.ones(8, dtype=library.float64).cuda()
        x = _device.empty_like(b)
        synchronize = (library.cuda.Stream.null.synchronize if name == "cupy"
                       else library.cuda.synchronize)
        here, there = _device.describe(b)[0], _device.describe(x)[0]
        whole, inside = [], []
        for _ in range(200):
            for times, call in ((whole, lambda: solver.solve(b, x)),
                                (inside, lambda: solver._core.solve_device(
                                    here, there, 1.0, "full", "n", 0))):
                synchronize()
                times.append(1e6 * seconds_of(call)[0])
        found[name] = {"solve_us": statistics.median(whole), "inside_us": statistics.median(inside)}
    return found


def machine():
    for line in pathlib.Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
        if line.startswith("model name"):
            return f"{line.partition(': ')[2]}, {os.cpu_count()} cores"
    return f"unknown, {os.cpu_count()} cores"


def run_child(threads, arguments):
    environment = {**os.environ, "OMP_NUM_THREADS": str(threads), "OPENBLAS_NUM_THREADS": "1"}
    command = [sys.executable, __file__, "--child", *arguments]
    if threads <= (os.cpu_count() or 1):
        command = ["taskset", "-c", f"0-{threads - 1}", *command]
    done = subprocess.run(command, env=environment, stdout=subprocess.PIPE, text=True, check=False)
    if done.returncode != 0:
        sys.exit(done.returncode)
    return json.loads(done.stdout.splitlines()[-1])


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--threads", default="1,2")
    parser.add_argument("--repeat", type=int, default=5)
    parser.add_argument("--grid", action="append")
    parser.add_argument("--device", action="store_true", help="only the calls with device arrays")
    parser.add_argument("--out", type=pathlib.Path)
    parser.add_argument("--child", help=argparse.SUPPRESS)
    o = parser.parse_args()
    if o.child:
        warnings.simplefilter("ignore")
        result = {"overhead": measure_overhead, "device": measure_device}.get(
            o.child, lambda: measure_grid(o.child, o.repeat))()
        print(json.dumps(result))
        return
    import numpy
    import scipy
    document = {"date": datetime.date.today().isoformat(), "commit": harness.describe_commit(),
                "machine": machine(),
                "load": os.getloadavg()[0], "numpy": numpy.__version__,
                "scipy": scipy.__version__, "runs": []}
    if o.device:
        document["device"] = run_child(1, ["device"])
    else:
        document["overhead"] = run_child(1, ["overhead"])
        for grid in o.grid or GRIDS:
            for threads in map(int, o.threads.split(",")):
                run = run_child(threads, [grid, "--repeat", str(o.repeat)])
                document["runs"].append({"threads": threads, **run})
                harness.say(f"{grid}, {threads} threads: first call {run['first_over_scipy']:.2f} "
                            f"of SciPy's, later {run['later_speedup']:.1f} times as fast, "
                            f"the slowest of them {run['slowest_later_speedup']:.1f}")
                if o.out:  # after each run: an interrupted benchmark keeps what it has
                    harness.write_document(document, o.out, quiet=True)
    if o.out:
        harness.write_document(document, o.out)
    else:
        print(json.dumps(document, indent=1))


if __name__ == "__main__":
    main()
