#!/usr/bin/env python3
# bench/cusparse_dropin/cupy_solve.py -- times CuPy's spsolve_triangular; knows nothing of Echelon.
# SPDX-License-Identifier: BSD-3-Clause
"""usage: bench/cusparse_dropin/cupy_solve.py [WIDTH HEIGHT [REPEAT]]     (2048 2048 20)

Each call of spsolve_triangular analyzes and solves by cuSPARSE's SpSM.  Prints one line of JSON.
"""
import json
import statistics
import sys
import time

import cupy
import cupyx.scipy.sparse
import cupyx.scipy.sparse.linalg


def grid_lower(width, height):
    """The lower triangle of the 5-point grid, by rows, indices sorted."""
    i = cupy.arange(width * height, dtype=cupy.int32)
    below, left = i[i >= width], i[i % width > 0]
    rows = cupy.concatenate([i, below, left])
    columns = cupy.concatenate([i, below - width, left - 1])
    values = cupy.concatenate([cupy.full(len(i), 4.0), cupy.full(len(below) + len(left), -1.0)])
    matrix = cupyx.scipy.sparse.coo_matrix((values, (rows, columns)), shape=(len(i), len(i))).tocsr()
    matrix.sort_indices()
    return matrix


def milliseconds(call):
    cupy.cuda.Device().synchronize()
    began = time.perf_counter()
    result = call()
    cupy.cuda.Device().synchronize()
    return 1e3 * (time.perf_counter() - began), result


def main():
    numbers = [int(word) for word in sys.argv[1:]]
    width, height = numbers[:2] or (2048, 2048)
    repeat = numbers[2] if len(numbers) > 2 else 20
    a = grid_lower(width, height)
    b = 1 + cupy.arange(a.shape[0], dtype=cupy.float64) % 7

    def solve():
        return cupyx.scipy.sparse.linalg.spsolve_triangular(a, b, lower=True)

    first, x = milliseconds(solve)
    times = [milliseconds(solve)[0] for _ in range(repeat)]
    error = float(cupy.max(cupy.abs(b - a @ x) / (abs(a) @ cupy.abs(x) + cupy.abs(b))))
    name = cupy.cuda.runtime.getDeviceProperties(0)["name"].decode()
    print(json.dumps({"program": "cupy_solve", "cupy": cupy.__version__, "machine": name,
                      "n": a.shape[0], "nnz": int(a.nnz), "repeats": repeat,
                      "first_call_ms": round(first, 3),
                      "call_ms": round(statistics.median(times), 4),
                      "call_min_ms": round(min(times), 4), "backward_error": error}))


if __name__ == "__main__":
    main()
